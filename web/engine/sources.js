/** Where a model comes from, as the runtime reads it. */

import {BertscopeError} from './errors.js';

/**
 * @typedef {object} Source
 * @property {string} name What to call the model.
 * @property {string} path The model's file, folder or address, for messages.
 * @property {string} weights The path of the weights' file, for messages.
 * @property {AsyncIterable<Uint8Array>} chunks The weights, a safetensors file.
 * @property {number} [bytes] Its size, where that is certain: the length that a server states may
 *   be that of a compressed form.
 * @property {Record<string, string>} files The texts beside it, by file name.
 */

/** The files beside the weights that a model may need. */
export const TEXT_FILES = Object.freeze([
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'vocab.txt',
  'vocab.json',
  'merges.txt',
]);

/**
 * @param {string} url Of a quantized model.
 * @param {AbortSignal} [signal]
 * @param {Promise<Response>} [started] The download, when it is under way already.
 * @returns {Promise<Source>}
 */
export async function openUrl(url, signal, started) {
  let response;
  try {
    response = await (started ?? fetch(url, {signal}));
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${url}: expected a model to download, found no answer: ${reason}`;
    throw new BertscopeError('download-failed', message);
  }
  if (!response.ok || !response.body) {
    const message = `${url}: expected a model to download, found HTTP status ${response.status}`;
    throw new BertscopeError('download-failed', message);
  }
  const name = modelName(new URL(url).pathname);
  return {name, path: url, weights: url, chunks: readStream(response.body, url), files: {}};
}

/**
 * @param {File[]} files A quantized model, or what is in a Hugging Face folder.
 * @param {string} [folder] Its name.
 * @returns {Promise<Source>}
 */
export async function openFiles(files, folder) {
  const weights = pickWeights(files.map((file) => file.name));
  const file = files.find((file) => file.name === weights);
  if (!file) {
    const found = files.map((file) => file.name).join(', ') || 'no files';
    const message = `expected one .safetensors file, perhaps with config.json and a tokenizer beside it, found ${found}`;
    throw new BertscopeError('bad-source', message);
  }
  const texts = files.filter((file) => TEXT_FILES.includes(file.name));
  const contents = await Promise.all(texts.map(async (file) => [file.name, await file.text()]));
  return {
    name: modelName(folder ?? file.name),
    path: folder ?? file.name,
    weights: file.name,
    bytes: file.size,
    chunks: readStream(file.stream(), file.name),
    files: Object.fromEntries(contents),
  };
}

/** @param {string} path Of a file or a folder. */
export function modelName(path) {
  const last =
    path
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) ?? path;
  return last.replace(/\.safetensors$/, '');
}

/**
 * @param {string[]} names Of the files in one folder.
 * @returns {string | undefined} The file with the weights, when it is clear which.
 */
export function pickWeights(names) {
  const candidates = names.filter((name) => name.endsWith('.safetensors'));
  if (candidates.includes('model.safetensors')) return 'model.safetensors';
  return candidates.length === 1 ? candidates[0] : undefined;
}

/**
 * Not every browser iterates streams itself.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {string} path For messages.
 * @returns {AsyncGenerator<Uint8Array, void>}
 */
async function* readStream(stream, path) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const {done, value} = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AbortError') throw error;
    const message = `${path}: expected the rest of the file, found ${error.message}`;
    throw new BertscopeError('read-failed', message);
  } finally {
    await reader.cancel().catch(() => {});
  }
}
