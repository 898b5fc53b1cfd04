import {BertscopeError} from '../errors.js';
import {startForeignWorker} from '../start-foreign.js';

/** Bundlers copy the file of a `new URL(…, import.meta.url)`; this constant keeps them from it. */
const here = import.meta.url;

/**
 * Starts the engine's thread.
 *
 * @returns {Worker}
 */
export function startWorker() {
  if (typeof Worker === 'undefined' || typeof self === 'undefined') {
    const message =
      'expected a browser, whose pages and workers start workers, found none; in Node.js there is the command line: npx bertscope --help';
    throw new BertscopeError('engine-unavailable', message);
  }
  return (
    startForeignWorker(new URL('worker.js', here)) ??
    new Worker(new URL('../host/worker.js', import.meta.url), {type: 'module'})
  );
}
