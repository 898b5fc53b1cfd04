/** Measures how many bytes a page downloads, compressed by brotli at its highest quality. */

import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {brotliCompress} from 'node:zlib';
import {fromRoot} from './process.mjs';

export const LIBRARY = fromRoot('dist/lib');
const SITE = fromRoot('dist/site');
const MODULES = fromRoot('tests/bench/node_modules');
const PEER_FILES = [
  'onnxruntime-web/dist/ort.wasm.min.mjs',
  'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs',
  'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
];
/** Those for one thread and relaxed SIMD. */
const LITERT_FILES = [
  '@litertjs/core/dist/index.js',
  '@litertjs/wasm-utils/dist/index.js',
  '@litertjs/core/wasm/litert_wasm_internal.js',
  '@litertjs/core/wasm/litert_wasm_internal.wasm',
];
/** Compressed sizes are kept between runs, because the peer's binary takes half a minute to compress. */
const CACHE = fromRoot('build/bench/brotli.json');

/** @typedef {{plain: number, brotli: number}} Size In bytes. */

/**
 * @typedef {object} Payload
 * @property {Record<string, Size>} engine The library, its worker and its binaries.
 * @property {Size} engine_total
 * @property {Size} page All files of the site except the model; they include an engine.
 * @property {Size} model The embedded model.
 * @property {Size} peer The library and the binary of onnxruntime-web.
 * @property {Size} litert Those of LiteRT.js.
 */

/**
 * Lists the files of the library that a page loads for the engine alone: the entry, the files that it imports, the
 * worker without what it loads for some files of models and some questions alone, and the binaries.
 *
 * @returns {Promise<string[]>} Paths from the library's folder.
 */
export async function engineFiles() {
  const files = new Set(['bertscope.js']);
  for (const name of files) {
    const code = await readFile(join(LIBRARY, name), 'utf8');
    for (const [, imported] of code.matchAll(/\bfrom"\.\/([^"]+)"/g)) files.add(imported);
  }
  return [...files, 'worker.js', 'bertscope.wasm', 'bertscope-relaxed.wasm'];
}

/** @returns {Promise<Payload>} */
export async function measurePayload() {
  const sizes = await openCache();
  const names = await engineFiles();
  const engine = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await sizes.of(join(LIBRARY, name))])),
  );
  const site = await sizes.ofFolder(SITE);
  const isModel = (/** @type {string} */ name) => name.endsWith('.safetensors');
  const entries = Object.entries(site);
  const ofPeer = (/** @type {string[]} */ names) =>
    Promise.all(names.map((name) => sizes.of(join(MODULES, name))));
  const peer = total(await ofPeer(PEER_FILES));
  const litert = total(await ofPeer(LITERT_FILES));
  await sizes.save();
  return {
    engine,
    engine_total: total(Object.values(engine)),
    page: total(entries.filter(([name]) => !isModel(name)).map(([, size]) => size)),
    model: total(entries.filter(([name]) => isModel(name)).map(([, size]) => size)),
    peer,
    litert,
  };
}

/** @param {Size[]} sizes */
function total(sizes) {
  const sum = (/** @type {keyof Size} */ key) => sizes.reduce((all, size) => all + size[key], 0);
  return {plain: sum('plain'), brotli: sum('brotli')};
}

async function openCache() {
  /** @type {Record<string, Size>} */
  const before = existsSync(CACHE) ? JSON.parse(await readFile(CACHE, 'utf8')) : {};
  /** @type {Record<string, Size>} */
  const used = {};

  /** @param {string} path */
  async function of(path) {
    const bytes = await readFile(path);
    const key = createHash('sha256').update(bytes).digest('hex');
    used[key] = before[key] ?? {
      plain: bytes.length,
      brotli: (await promisify(brotliCompress)(bytes)).length,
    };
    return used[key];
  }

  return {
    of,
    /** @param {string} folder */
    async ofFolder(folder) {
      const entries = await readdir(folder, {recursive: true, withFileTypes: true});
      const files = entries.filter((entry) => entry.isFile());
      const sizes = files.map(async ({name, parentPath}) => [
        name,
        await of(join(parentPath, name)),
      ]);
      return /** @type {Record<string, Size>} */ (Object.fromEntries(await Promise.all(sizes)));
    },
    async save() {
      await mkdir(dirname(CACHE), {recursive: true});
      await writeFile(CACHE, JSON.stringify(used));
    },
  };
}
