import {readFileSync} from 'node:fs';

/** Plain English sentences of many kinds, for measurements. */
export const sentences = readFileSync(new URL('sentences.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
