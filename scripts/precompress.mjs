/** Puts a brotli and a gzip form beside every text and binary of `dist/site`, for hosts that serve them. */

import {readdir, readFile, writeFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {brotliCompress, constants, gzip} from 'node:zlib';

const SITE = fileURLToPath(new URL('../dist/site/', import.meta.url));

/** Models hardly get smaller, nor does what readers download, which has models in it. */
const COMPRESSIBLE = /^(?!download\/).*\.(html|js|css|svg|wasm|webmanifest)$/;

const names = await readdir(SITE, {recursive: true});
await Promise.all(names.filter((name) => COMPRESSIBLE.test(name)).map(compress));

/** @param {string} name */
async function compress(name) {
  const bytes = await readFile(SITE + name);
  const params = {[constants.BROTLI_PARAM_SIZE_HINT]: bytes.length};
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, {params}),
    promisify(gzip)(bytes, {level: 9}),
  ]);
  await Promise.all([writeFile(`${SITE}${name}.br`, br), writeFile(`${SITE}${name}.gz`, gz)]);
}
