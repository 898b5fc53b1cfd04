import {inTime, unlessSilent} from '../engine/silence.js';
import {checkFileSize} from './file-size.js';

/** A server that was silent is asked once more, as reading should end within half a minute. */
const mostSilences = 2;

/** The error of a server that sends nothing for too long. */
class SilentServer extends Error {}

/**
 * @param {string} url
 * @param {{signal?: AbortSignal, milliseconds?: number}} [options]  `milliseconds`: how long a server may be silent
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function download(url, {signal, milliseconds} = {}) {
  for (let silences = 1; ; silences++) {
    const attempt = new AbortController();
    const stop = () => attempt.abort(signal?.reason);
    signal?.addEventListener('abort', stop);
    try {
      signal?.throwIfAborted();
      return await downloadOnce(url, attempt.signal, milliseconds);
    } catch (error) {
      if (!(error instanceof SilentServer) || silences === mostSilences) throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      attempt.abort(); // a download that has not ended holds its connection
    }
  }
}

/**
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {number} [milliseconds]
 */
async function downloadOnce(url, signal, milliseconds) {
  const silent = (/** @type {string} */ found) =>
    new SilentServer(`${url}: expected an answer, found ${found}`);
  const response = await inTime(fetch(url, {signal}), silent, milliseconds);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  checkFileSize(Number(response.headers.get('content-length')));
  /** @type {Uint8Array[]} */
  const chunks = [];
  let size = 0;
  for await (const chunk of unlessSilent(chunksOf(response), silent, milliseconds)) {
    chunks.push(chunk);
    size += chunk.length;
    checkFileSize(size);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Not every browser can iterate a stream. @param {Response} response */
async function* chunksOf({body}) {
  const reader = body?.getReader();
  for (;;) {
    const {done, value} = (await reader?.read()) ?? {done: true};
    if (done || !value) return;
    yield value;
  }
}
