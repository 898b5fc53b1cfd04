import {wrap} from 'comlink';
import {BertscopeError} from '../errors.js';
import {startWorker} from './start-worker.js';

/** @import {Remote} from 'comlink' */
/** @import {ErrorCode} from '../error-code.d.ts' */
/** @import {EngineHost} from '../host/worker.js' */

/** The worker and the calls that wait for it, none of which may wait for ever. */
export class WorkerLine {
  #worker;
  /** @type {Remote<EngineHost>} */
  #host;
  /** @type {Set<(error: BertscopeError) => void>} */
  #waiting = new Set();
  /** @type {BertscopeError | undefined} */
  #ended;
  #calls = 0;

  constructor() {
    this.#worker = startWorker();
    this.#host = wrap(this.#worker);
    this.#worker.addEventListener('error', (event) => {
      event.preventDefault?.();
      const reason = event.message || 'it could not be started';
      this.#end(new BertscopeError('engine-crashed', `the engine's worker stopped: ${reason}`));
    });
  }

  /**
   * @template T
   * @param {(host: Remote<EngineHost>, call: number) => Promise<T>} action
   * @param {AbortSignal} [signal]
   * @returns {Promise<T>}
   */
  call(action, signal) {
    return new Promise((resolve, reject) => {
      if (this.#ended) throw this.#ended;
      signal?.throwIfAborted();
      const call = ++this.#calls;
      const abort = () => {
        reject(signal?.reason);
        this.#host.abort(call);
      };
      signal?.addEventListener('abort', abort);
      this.#waiting.add(reject);
      action(this.#host, call)
        .finally(() => {
          signal?.removeEventListener('abort', abort);
          this.#waiting.delete(reject);
        })
        .then(resolve, (error) => reject(this.#receive(error)));
    });
  }

  get hasEnded() {
    return this.#ended !== undefined;
  }

  close() {
    this.#end(new BertscopeError('disposed', 'expected an engine, found it disposed of'));
  }

  /** @param {Error & {code?: unknown}} error As it came through the worker's line. */
  #receive(error) {
    if (typeof error.code !== 'string') return error; // DOMException has numbers
    const code = /** @type {ErrorCode} */ (error.code);
    const received = new BertscopeError(code, error.message);
    // After a trap the memory of the engine cannot be trusted.
    if (error.code === 'engine-crashed') this.#end(received);
    return received;
  }

  /** @param {BertscopeError} error */
  #end(error) {
    this.#ended ??= error;
    this.#worker.terminate();
    for (const reject of this.#waiting) reject(error);
    this.#waiting.clear();
  }
}
