import {inTime} from '../engine/silence.js';
import {checkFileSize} from './file-size.js';

/**
 * Downloads a file. A server that was silent is asked once more, as reading should end within half a minute.
 *
 * @param {string} url
 * @param {{signal?: AbortSignal, milliseconds?: number, mayRepeat?: boolean}} [options]  `milliseconds`: how long a
 *   server may be silent
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function download(url, {signal, milliseconds, mayRepeat = true} = {}) {
  const attempt = new AbortController();
  const stop = () => attempt.abort(signal?.reason);
  let isSilent = false;
  const silent = (/** @type {string} */ found) => {
    isSilent = true;
    return new Error(`${url}: expected an answer, found ${found}`);
  };
  signal?.throwIfAborted();
  signal?.addEventListener('abort', stop);
  try {
    const response = await inTime(fetch(url, {signal: attempt.signal}), silent, milliseconds);
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    checkFileSize(Number(response.headers.get('content-length')));
    const reader = response.body?.getReader();
    const chunks = [];
    let size = 0;
    while (reader) {
      const {done, value} = await inTime(reader.read(), silent, milliseconds);
      if (done) break;
      chunks.push(value);
      size += value.length;
      checkFileSize(size);
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  } catch (error) {
    if (!isSilent || !mayRepeat) throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    attempt.abort(); // a download that has not ended holds its connection
  }
  return download(url, {signal, milliseconds, mayRepeat: false});
}
