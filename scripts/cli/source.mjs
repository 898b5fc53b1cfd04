/** Models on disk. */

import {open, readdir, readFile, stat} from 'node:fs/promises';
import {basename, dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {BertscopeError} from '../../web/engine/errors.js';
import {openFolder, readTexts as readFolderTexts} from '../../web/engine/files/model-folder.js';
import {modelName, openPaths} from '../../web/engine/files/model-sources.js';
import {readZip} from '../../web/engine/files/zip.js';

/** @import {ByteFile} from '../../web/engine/files/byte-file.js' */
/** @import {Source} from '../../web/engine/files/model-sources.js' */

/** The first is the place in the project, the second that in the package. */
const DEFAULT_FOLDERS = ['../../web/models/default', '../../dist/lib'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
const CHUNK_BYTES = 1 << 20;

/**
 * @param {string} path A quantized file, a GGUF file, a Hugging Face folder, a zip archive of one, or the weights in
 *   one.
 * @returns {Promise<Source>}
 */
export async function openModel(path) {
  if (await isFolder(path)) return openPaths(await filesIn(path), modelName(path), path);
  const file = path.toLowerCase().endsWith('.zip') ? await fileAt(path) : undefined;
  if (file) return openPaths(await readZip(file), modelName(path), path);
  const fileOf = async (/** @type {string} */ name) => fileAt(join(dirname(path), name));
  const folder = {name: modelName(path), path, open: fileOf};
  return openFolder(folder, basename(path));
}

/**
 * @param {string} folder
 * @returns {Promise<Map<string, ByteFile>>} Those in it and in its modules, by their path there.
 */
async function filesIn(folder) {
  const entries = await readdir(folder, {withFileTypes: true});
  // Older folders of sentence-transformers have the model in the first of these; the others are not read.
  const isModule = (/** @type {string} */ name) => /^(\d+_.*|onnx)$/.test(name);
  const below = entries
    .filter((entry) => entry.isDirectory() && isModule(entry.name))
    .map(({name}) => name);
  const nested = await Promise.all(
    below.map(async (name) => (await readdir(join(folder, name))).map((file) => `${name}/${file}`)),
  );
  const names = [...entries.map(({name}) => name), ...nested.flat()];
  const files = new Map();
  for (const name of names) {
    const file = await fileAt(join(folder, name));
    if (file) files.set(name, file);
  }
  return files;
}

/**
 * @param {string} path
 * @returns {Promise<ByteFile | undefined>} Nothing where there is no such file.
 */
async function fileAt(path) {
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile()) return undefined;
  return {path, bytes: facts.size, read: (begin, end) => readChunks(path, begin, end)};
}

/** @param {string} path */
export async function isFolder(path) {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    const message = `${path}: expected a quantized model or a Hugging Face folder, found nothing`;
    throw new BertscopeError('not-found', message);
  }
}

/** The model that comes with bertscope. */
export async function defaultModel() {
  const [folder, other] = DEFAULT_FOLDERS;
  const present = (await readdir(folder).catch(() => null)) ? folder : other;
  const names = await readdir(present).catch(() => []);
  const models = names.filter((name) => name.endsWith('.safetensors'));
  if (models.length === 1) return relative(process.cwd(), join(present, models[0]));
  const found = models.join(', ') || 'none';
  const message = `${present}: expected one .safetensors model, found ${found}; name a model`;
  throw new BertscopeError('not-found', message);
}

/**
 * @param {string} folder
 * @returns {Promise<Record<string, string>>} The texts in it that belong to a model.
 */
export async function readTexts(folder) {
  const fileOf = async (/** @type {string} */ file) => fileAt(join(folder, file));
  return readFolderTexts({name: modelName(folder), path: folder, open: fileOf});
}

/** @param {string} path */
export async function readText(path) {
  const bytes = await readFile(path);
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    throw new BertscopeError('bad-text', `${path}: expected text in UTF-8, found other bytes`);
  }
}

/**
 * @param {string} path
 * @param {number} [begin]
 * @param {number} [end]
 * @returns {AsyncGenerator<Uint8Array, void>}
 */
async function* readChunks(path, begin = 0, end = Infinity) {
  const file = await open(path);
  try {
    for (let at = begin; at < end;) {
      // A new one each time: the reader keeps them.
      const buffer = new Uint8Array(Math.min(CHUNK_BYTES, end - at));
      const {bytesRead} = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
