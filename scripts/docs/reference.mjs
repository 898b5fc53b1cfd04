/** Generates the API reference and keeps it in `build` until a source changes, because TypeDoc takes seconds. */

import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';

/** @import {Reference} from '../../web/docs/documented.d.ts' */

const root = new URL('../../', import.meta.url);

/** @returns {Promise<Reference>} */
export async function readReference() {
  const kept = new URL('build/reference.json', root);
  const sources = hashOfSources();
  try {
    const stored = JSON.parse(readFileSync(kept, 'utf8'));
    if (stored.sources === sources) return stored.reference;
  } catch {
    // Nothing is kept yet, or the file cannot be read.
  }
  const {generateReference} = await import('./typedoc.mjs');
  const reference = await generateReference();
  mkdirSync(new URL('.', kept), {recursive: true});
  writeFileSync(kept, JSON.stringify({sources, reference}));
  return reference;
}

/** Hashes every file that the reference is made from. */
function hashOfSources() {
  const hash = createHash('sha256');
  const web = readdirSync(new URL('web/', root), {recursive: true, encoding: 'utf8'});
  const sources = web.filter((name) => /\.[jt]s$/.test(name)).map((name) => `web/${name}`);
  for (const name of [...sources.sort(), 'package-lock.json', 'scripts/docs/typedoc.mjs']) {
    hash.update(`${name}\n`).update(readFileSync(new URL(name, root)));
  }
  return hash.digest('hex');
}
