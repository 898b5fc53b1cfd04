import {TEXT_FILES} from '../engine/files/model-folder.js';

/** @import {FolderFile} from '../engine/files/model-sources.js' */
/** @import {PythonLine} from './python-line.js' */

/** @typedef {(bytes: number, total: number) => void} OnBytes  called with the sizes of each piece and of the file */

/**
 * Brings a file from Python, piece by piece, since notebooks limit the size of a message.
 *
 * @param {PythonLine} line
 * @param {{of: 'package' | 'model', path: string}} file
 * @param {OnBytes} [onBytes]
 * @param {AbortSignal} [signal]
 */
export async function bringFile(line, file, onBytes, signal) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const pieces = [];
  let offset = 0;
  for (let isWhole = false; !isWhole;) {
    signal?.throwIfAborted();
    const {content, buffers} = await line.ask('piece', {...file, offset});
    pieces.push(buffers[0]);
    offset += buffers[0].byteLength;
    onBytes?.(buffers[0].byteLength, content.bytes);
    isWhole = offset >= content.bytes;
  }
  return new Blob(pieces);
}

/**
 * Brings a model's folder from Python, or its one file.
 *
 * @param {PythonLine} line
 * @param {(progress: {loaded: number, total: number}) => void} onProgress
 * @param {AbortSignal} signal
 * @returns {Promise<FolderFile[]>}
 */
export async function bringModel(line, onProgress, signal) {
  const {content} = await line.ask('listing');
  const {name, files} = /** @type {{name: string, files: {path: string, bytes: number}[]}} */ (
    content
  );
  const wanted = neededOf(files);
  const total = wanted.reduce((sum, {bytes}) => sum + bytes, 0);
  let loaded = 0;
  const onBytes = (/** @type {number} */ bytes) => onProgress({loaded: (loaded += bytes), total});
  /** @type {FolderFile[]} */
  const brought = [];
  for (const {path} of wanted) {
    const file = await bringFile(line, {of: 'model', path}, onBytes, signal);
    brought.push({path: files.length > 1 ? `${name}/${path}` : path, file});
  }
  return brought;
}

/**
 * The files of a folder that the engine reads. A folder often has its weights in several formats.
 *
 * @template {{path: string}} F
 * @param {F[]} files
 */
export function neededOf(files) {
  if (files.length === 1) return files;
  const nameOf = (/** @type {F} */ {path}) => path.split('/').at(-1) ?? path;
  const names = ['bert_config.json', 'source.spm', ...TEXT_FILES];
  const texts = files.filter((file) => names.includes(nameOf(file)));
  const weights = [
    /\.safetensors(\.index\.json)?$/,
    /pytorch_model.*\.bin(\.index\.json)?$/,
    /\.gguf$/i,
  ]
    .map((pattern) => files.filter(({path}) => pattern.test(path)))
    .find(({length}) => length > 0);
  return [...texts, ...(weights ?? [])];
}
