import {Bridge} from '../engine/bridge.js';
import {BertscopeError} from '../engine/errors.js';
import {checkFileSize} from './file-size.js';
import {SnapshotError} from './snapshot.js';
import {startAttentionWorker} from './start-attention-worker.js';

/** @import {AttentionReader} from './attention-worker.js' */
/** @import {Hints, PlainParts} from './import-attention.js' */

/** A file of a gigabyte is read in less time. While a worker reads, it does not answer the bridge. */
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
  /** @type {Bridge<AttentionReader>} */
  const bridge = new Bridge(startAttentionWorker(), {
    moves: true,
    name: 'the worker that reads files',
    mostSilentSeconds: mostSeconds,
  });
  try {
    return await bridge.host.read(sent, {hints, signal});
  } catch (error) {
    const {code, message} = /** @type {Error & {code?: string}} */ (error);
    if (code === 'engine-stuck') {
      throw new SnapshotError(
        `This file was not read within ${mostSeconds} seconds, so reading was stopped.`,
      );
    }
    // The code would tell the page that the engine has ended.
    throw code === 'engine-crashed' ? new Error(message) : error;
  } finally {
    bridge.end(new BertscopeError('disposed', 'the worker that reads files has been ended'));
  }
}

/** @param {Blob} file */
async function bytesOf(file) {
  checkFileSize(file.size);
  return new Uint8Array(await file.arrayBuffer());
}
