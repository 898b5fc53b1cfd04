/**
 * The safetensors container: an unsigned 64-bit little-endian header length, that many bytes of
 * JSON, then the tensors, row-major and little-endian, without gaps.
 * Source: https://github.com/huggingface/safetensors#format
 */

import {refusePointer} from './git-lfs.js';
import {shorten} from '../json.js';
import {encodeHeader, MAX_HEADER_BYTES, parseHeader, refuse} from './safetensors-header.js';

/** @import {Dtype, Header, TensorEntry} from './safetensors-header.js' */

/**
 * @typedef {object} Piece Some bytes of one tensor; every tensor has at least one piece.
 * @property {TensorEntry} tensor
 * @property {Uint8Array} bytes
 * @property {boolean} first
 * @property {boolean} last
 * @property {number} [fileBytes] How many bytes of the file these are, unless they are the same.
 * @property {() => void} [skip] On a first piece: says that the others of this tensor are not
 *   needed.
 */

/**
 * @typedef {object} Reader
 * @property {Header} header
 * @property {number} dataBytes The size of all tensors.
 * @property {Record<string, string>} [files] The texts of the model, of a format that has its own
 *   form of them.
 * @property {AsyncGenerator<Piece, void>} pieces They can be read once.
 * @property {() => Promise<void>} close Closes the input. Call it whether everything was read or
 *   not.
 */

/**
 * Reads a file from front to back and holds at most one chunk of the tensors.
 * @param {AsyncIterable<Uint8Array>} chunks They may be cut anywhere. The reader keeps a chunk
 *   while it asks for the next, so the bytes of a chunk must not change later.
 * @param {string} name The name of the file, for messages.
 * @param {number} [fileBytes] The size of the file, if it is known. If it does not fit the header,
 *   the file is refused before any tensor is read.
 * @returns {Promise<Reader>}
 */
export async function readSafetensors(chunks, name, fileBytes) {
  const input = chunks[Symbol.asyncIterator]();
  const close = async () => void (await input.return?.());
  try {
    const start = await readExactly(input, new Uint8Array(0), 8);
    if (start.bytes.length < 8) {
      throw refuse(name, 'at least 8 bytes', `${start.bytes.length} (the file is cut off)`);
    }
    const length = new DataView(start.bytes.buffer).getBigUint64(0, true);
    if (length > BigInt(MAX_HEADER_BYTES)) {
      refusePointer(start.bytes, name);
      throw refuse(
        name,
        `a safetensors header of at most ${MAX_HEADER_BYTES} bytes`,
        `its length given as ${length} (the file begins with ${quoteBytes(start.bytes)})`,
      );
    }
    const text = await readExactly(input, start.rest, Number(length));
    if (text.bytes.length < length) {
      const bytes = `${text.bytes.length} (the file is cut off)`;
      throw refuse(name, `a header of ${length} bytes`, bytes);
    }
    const header = parseHeader(text.bytes, name);
    if (fileBytes !== undefined && fileBytes !== header.fileBytes) {
      const how = fileBytes < header.fileBytes ? 'the file is cut off' : 'more than its tensors';
      throw refuse(name, `${header.fileBytes} bytes`, `${fileBytes} (${how})`);
    }
    const dataBytes = header.tensors.at(-1)?.end ?? 0;
    return {header, dataBytes, pieces: readPieces(input, text.rest, header, name), close};
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * @param {AsyncIterator<Uint8Array>} input
 * @param {Uint8Array} rest What the read before has left over.
 * @param {number} length
 * @returns {Promise<{bytes: Uint8Array, rest: Uint8Array}>} `bytes` is shorter at the end of the
 *   file.
 */
async function readExactly(input, rest, length) {
  const parts = [];
  let have = 0;
  for (;;) {
    const taken = rest.subarray(0, length - have);
    parts.push(taken);
    have += taken.length;
    rest = rest.subarray(taken.length);
    if (have === length) break;
    const next = await input.next();
    if (next.done) break;
    rest = next.value;
  }
  const bytes = new Uint8Array(have);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return {bytes, rest};
}

/**
 * @param {AsyncIterator<Uint8Array>} input
 * @param {Uint8Array} rest
 * @param {Header} header
 * @param {string} name
 * @returns {AsyncGenerator<Piece, void>}
 */
async function* readPieces(input, rest, header, name) {
  const dataBytes = header.tensors.at(-1)?.end ?? 0;
  let position = 0; // of `rest`, in the data
  for (const tensor of header.tensors) {
    let first = true;
    do {
      while (rest.length === 0 && position < tensor.end) {
        const next = await input.next();
        if (next.done) {
          const available = header.fileBytes - dataBytes + position;
          const where = `${available} (the file is cut off in ${shorten(tensor.name)})`;
          throw refuse(name, `${header.fileBytes} bytes`, where);
        }
        rest = next.value;
      }
      const bytes = rest.subarray(0, tensor.end - position);
      rest = rest.subarray(bytes.length);
      position += bytes.length;
      yield {tensor, bytes, first, last: position === tensor.end};
      first = false;
    } while (position < tensor.end);
  }
  while (rest.length === 0) {
    const next = await input.next();
    if (next.done) return;
    rest = next.value;
  }
  throw refuse(name, `${header.fileBytes} bytes`, 'more bytes behind the last tensor');
}

/**
 * The parts of a file in their order.
 * @param {{name: string, dtype: Dtype, shape: number[]}[]} tensors
 * @param {(index: number) => Uint8Array} bytesOf Called once for each tensor, in order.
 * @param {Record<string, string>} [metadata]
 * @returns {Generator<Uint8Array, void>}
 */
export function* writeSafetensors(tensors, bytesOf, metadata) {
  yield encodeHeader(tensors, metadata);
  for (const index of tensors.keys()) yield bytesOf(index);
}

/** @param {Uint8Array} bytes */
function quoteBytes(bytes) {
  return JSON.stringify(String.fromCharCode(...bytes));
}
