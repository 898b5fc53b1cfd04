/** Models on disk. */

import {open, readdir, readFile, stat} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {BertscopeError} from '../../web/engine/errors.js';
import {modelName, pickWeights, TEXT_FILES} from '../../web/engine/sources.js';

/** @import {Source} from '../../web/engine/sources.js' */

/** In the project, and in the package, which has the model beside the scripts that load it. */
const DEFAULT_FOLDERS = ['../../web/models/default', '../../dist/lib'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
const CHUNK_BYTES = 1 << 20;

/**
 * @param {string} path A quantized file, a Hugging Face folder, or the weights in one.
 * @returns {Promise<Source>}
 */
export async function openModel(path) {
  const folder = await isFolder(path);
  const weights = folder ? await weightsIn(path) : path;
  return {
    name: modelName(path),
    path,
    weights,
    bytes: (await stat(weights)).size,
    chunks: readChunks(weights),
    files: await readTexts(folder ? path : dirname(path)),
  };
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
  const names = await readdir(folder);
  const present = TEXT_FILES.filter((name) => names.includes(name));
  const texts = present.map(async (name) => [name, await readText(join(folder, name))]);
  return Object.fromEntries(await Promise.all(texts));
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

/** @param {string} folder */
async function weightsIn(folder) {
  const names = await readdir(folder);
  const weights = pickWeights(names);
  if (weights !== undefined) return join(folder, weights);
  const found = names.slice(0, 8).join(', ') || 'an empty folder';
  const message = `${folder}: expected model.safetensors, found ${found}`;
  throw new BertscopeError('not-found', message);
}

/**
 * @param {string} path
 * @returns {AsyncGenerator<Uint8Array, void>}
 */
async function* readChunks(path) {
  const file = await open(path);
  try {
    for (;;) {
      const buffer = new Uint8Array(CHUNK_BYTES); // a new one each time: the reader keeps them
      const {bytesRead} = await file.read(buffer);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
