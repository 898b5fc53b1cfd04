import {readFileSync} from 'node:fs';
import {join} from 'node:path';

/**
 * Finds a file of published models: vocabularies and attention of bert-base-uncased and others, which are not in
 * this repository. The tests of this folder run with `PUBLISHED=FOLDER npm run check:attention-files`.
 *
 * @param {string} name  relative to the folder
 * @returns {Buffer}
 */
export function published(name) {
  const folder = process.env.PUBLISHED;
  if (!folder) {
    throw new Error('PUBLISHED: expected a folder with vocab/ and attention/, found none');
  }
  return readFileSync(join(folder, name));
}
