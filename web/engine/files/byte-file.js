/** Files that can be read from any byte on. All files of models are read in this form. */

import {BertscopeError} from '../errors.js';

/**
 * @typedef {object} ByteFile
 * @property {string} path For messages.
 * @property {number} [bytes] Its size, if that is certain. The length that a server states is not:
 *   it may be that of a compressed form.
 * @property {number} [statedBytes] The length that a server states.
 * @property {string} [commit] The commit that a hub took the file from.
 * @property {(begin?: number, end?: number) => AsyncIterable<Uint8Array>} read Yields chunks from
 *   `begin` to before `end`, or to the end of the file. The reader may keep the chunks.
 * @property {() => Promise<void>} [close] Ends a download that has begun and that nobody reads.
 */

/**
 * Tells whether a folder has a file. Nothing of the file is read.
 * @param {(name: string) => Promise<ByteFile | undefined>} open
 * @param {string} name
 */
export async function hasFile(open, name) {
  const file = await open(name);
  await file?.close?.();
  return file !== undefined;
}

/**
 * @param {Blob} blob
 * @param {string} path
 * @returns {ByteFile}
 */
export function blobFile(blob, path) {
  return {
    path,
    bytes: blob.size,
    read: (begin = 0, end = blob.size) => readStream(blob.slice(begin, end).stream(), path),
  };
}

/**
 * Iterates a stream, since not every browser can.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {string} path For messages.
 * @returns {AsyncGenerator<Uint8Array, void>}
 */
export async function* readStream(stream, path) {
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

/**
 * @param {ByteFile} file
 * @param {number} begin
 * @param {number} end
 * @returns {Promise<Uint8Array>} All of them.
 */
export async function readBytes(file, begin, end) {
  const bytes = new Uint8Array(end - begin);
  let at = 0;
  for await (const chunk of file.read(begin, end)) {
    if (at + chunk.length > bytes.length) break;
    bytes.set(chunk, at);
    at += chunk.length;
  }
  if (at === bytes.length) return bytes;
  const message = `${file.path}: expected ${bytes.length} bytes from ${begin} on, found ${at}`;
  throw new BertscopeError('read-failed', message);
}

/**
 * @param {ByteFile} file
 * @param {number} limit A file with more bytes is refused.
 */
async function* readLimited(file, limit) {
  let bytes = 0;
  for await (const chunk of file.read()) {
    bytes += chunk.length;
    if (bytes > limit) {
      const message = `${file.path}: expected a text of at most ${limit} bytes, found more`;
      throw new BertscopeError('bad-text', message);
    }
    yield chunk;
  }
}

/**
 * @param {ByteFile} file
 * @param {number} limit A file with more bytes is refused.
 * @returns {Promise<Uint8Array>}
 */
export async function readWhole(file, limit) {
  /** @type {BlobPart[]} */
  const chunks = [];
  for await (const chunk of readLimited(file, limit))
    chunks.push(/** @type {Uint8Array<ArrayBuffer>} */ (chunk));
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/**
 * @param {ByteFile} file
 * @param {number} limit A file with more bytes is refused.
 * @returns {Promise<string>}
 */
export async function readText(file, limit) {
  const decoder = new TextDecoder('utf-8', {fatal: true});
  let text = '';
  try {
    for await (const chunk of readLimited(file, limit)) {
      text += decoder.decode(chunk, {stream: true});
    }
    return text + decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = `${file.path}: expected text in UTF-8, found other bytes`;
    throw new BertscopeError('bad-text', message);
  }
}
