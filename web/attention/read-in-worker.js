import {checkFileSize} from './file-size.js';
import {SnapshotError} from './snapshot.js';
import {startAttentionWorker} from './start-attention-worker.js';

/** @import {Hints, PlainParts} from './import-attention.js' */

/**
 * The messages that the page sends to the worker, and those that the worker answers.
 *
 * @typedef {{source: string | ArrayBuffer, hints?: Hints}} Question
 * @typedef {{step?: 'downloads' | 'reads', parts?: PlainParts, error?: {message: string, isOfFile: boolean}}} Answer
 */

/** A file of a gigabyte is read in less time. */
const mostSeconds = 30;

/**
 * Reads a file with attention in a worker of its own, so that no file keeps the page from answering. The worker has a
 * limited time to start and to read; a download may take longer.
 *
 * @param {string | Blob} source  a file, or its full address
 * @param {{hints?: Hints, signal?: AbortSignal}} [options]
 * @returns {Promise<PlainParts>}
 */
export async function readAttention(source, {hints, signal} = {}) {
  // The page reads the bytes: in WebKit, a worker of a page that was opened as a file may not.
  const sent = typeof source === 'string' ? source : await bytesOf(source);
  signal?.throwIfAborted();
  const worker = startAttentionWorker();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  try {
    return await new Promise((resolve, reject) => {
      const limitTime = () => {
        const message = `This file was not read within ${mostSeconds} seconds, so reading was stopped.`;
        timer = setTimeout(() => reject(new SnapshotError(message)), 1000 * mostSeconds);
      };
      worker.onmessage = ({data}) => {
        const {step, parts, error} = /** @type {Answer} */ (data);
        clearTimeout(timer);
        if (step === 'reads') limitTime();
        if (parts) resolve(parts);
        if (error) reject(new (error.isOfFile ? SnapshotError : Error)(error.message));
      };
      worker.onerror = (event) => {
        event.preventDefault();
        const message = `The worker that reads files did not start, or ended: ${event.message ?? 'no reason is known'}`;
        reject(new Error(message));
      };
      signal?.addEventListener('abort', () => reject(signal.reason), {once: true});
      limitTime();
      /** @type {Question} */
      const question = {source: sent, hints};
      worker.postMessage(question, typeof sent === 'string' ? [] : [sent]);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}

/** @param {Blob} file */
function bytesOf(file) {
  checkFileSize(file.size);
  return file.arrayBuffer();
}
