import {startForeignWorker} from '../engine/start-foreign.js';

/** Bundlers copy the file of a `new URL(…, import.meta.url)`; this constant keeps them from it. */
const here = import.meta.url;

/**
 * Starts a thread that reads one file with attention.
 *
 * @returns {Worker}
 */
export const startAttentionWorker = () =>
  startForeignWorker(new URL('attention-worker.js', here)) ??
  new Worker(new URL('./attention-worker.js', import.meta.url), {type: 'module'});
