/**
 * Calls from the page to an object in the worker. `serve` of `serve.js` offers the methods of an
 * object, `Bridge` calls them. Neither names a method: the object's class is the one declaration of the interface.
 * The engine's worker calls those that help it in the same way. For those calls, read “the engine's worker” where this
 * says “the page”. The worker that reads files with attention is called in this way too.
 *
 * - The last argument of a call may hold `signal` and `onProgress`.
 * - A call with a signal begins after the messages that have arrived before. So if several calls wait
 *   and each aborts the one before, only the latest begins.
 * - Ports among the arguments are moved, and with `moves` typed arrays too.
 * - Typed arrays in a result or a progress are moved, not copied: a method must not keep them.
 * - Progress is sent at most every 50 ms, and the last one before the result.
 * - A result with a method `dispose` stays in the worker. The page gets a `Remote` of it with its
 *   methods and, if it has one, its `description`. The worker disposes of it when the page calls
 *   `dispose`, and when the page has dropped the `Remote`.
 *
 * The page sends `{call, on, method, args, hears}`, and `{drop: call}` when it no longer needs the
 * call or what the call has returned. The worker sends `{call, progress}` any number of times, and
 * then `{call, value}`, `{call, value, isRemote}` or `{call, error}`. It answers `{ping: n}` with
 * `{pong: n}` between two tasks. While calls wait, the page asks so, and ends a worker that is
 * stuck: a model's own files may make one task of it endless.
 */

import {BertscopeError} from './errors.js';
import {buffersOf, SERVED} from './serve.js';

/** @import {ErrorCode} from './error-code.d.ts' */

/**
 * An object in the worker, as the page sees it.
 * @template T
 * @typedef {{[K in keyof T as T[K] extends (...args: any[]) => any ? Exclude<K, 'dispose'> : never]:
 *   T[K] extends (...args: infer A) => infer R
 *     ? (...args: A) => Promise<Received<Awaited<R>>>
 *     : never} & Pick<T, Extract<keyof T, 'description' | 'dispose'>>} Remote
 */

/** @template T @typedef {T extends {dispose: () => void} ? Remote<T> : T} Received */

/**
 * @typedef {object} Pending A call without an answer.
 * @property {string} method
 * @property {object} target The `Remote` that was called. While the call runs it must not be
 *   dropped.
 * @property {(progress: any) => void} onProgress
 * @property {(value: any) => void} resolve
 * @property {(reason: unknown) => void} reject
 * @property {() => void} release Stops listening to the signal.
 */

const TICK_MS = 1000;
const SECONDS_OF_SILENCE = 20;

/**
 * The side of the page: it calls methods of the object in the worker.
 * @template {object} T The class of the object that the worker serves.
 */
export class Bridge {
  #worker;
  #calls = 0;
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  /** @type {BertscopeError | undefined} */
  #ended;
  /** @type {ReturnType<typeof setInterval> | undefined} Runs while calls wait. */
  #watch;
  #silentTicks = 0;
  #pings = 0;
  /** @type {Map<number, () => void>} Called when the worker answers the ping of this number. */
  #pinged = new Map();
  #dropped = new FinalizationRegistry((/** @type {number} */ id) => this.#drop(id));
  #onEnd;
  #moves;
  #name;
  #maxSilentTicks;
  #hasStarted = false;

  /**
   * @param {Pick<Worker, 'postMessage' | 'addEventListener' | 'terminate'>} worker
   * @param {object} [options]
   * @param {() => void} [options.onEnd] Called once, when the worker has been ended.
   * @param {boolean} [options.moves] Whether calls move the typed arrays of their arguments.
   * @param {string} [options.name] What errors call the worker.
   * @param {number} [options.mostSilentSeconds] A worker that is silent for so long is stuck.
   */
  constructor(
    worker,
    {
      onEnd,
      moves = false,
      name = "the engine's worker",
      mostSilentSeconds = SECONDS_OF_SILENCE,
    } = {},
  ) {
    this.#worker = worker;
    this.#onEnd = onEnd;
    this.#moves = moves;
    this.#name = name;
    // Ticks are counted, not time: while a computer sleeps or a page is in the background, neither
    // the page nor the worker gets on.
    this.#maxSilentTicks = (1000 * mostSilentSeconds) / TICK_MS;
    this.host = /** @type {Remote<T>} */ (this.#remote(SERVED));
    /** @param {string} what */
    const crash = (what) => this.#endFor('engine-crashed', `${name} ${what}`);
    worker.addEventListener('message', ({data}) => this.#receive(data));
    worker.addEventListener('messageerror', () => crash('sent a message that cannot be read'));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      const silent = this.#hasStarted
        ? 'the browser does not say why, perhaps for lack of memory'
        : 'it could not be started';
      crash(`stopped: ${event.message || silent}`);
    });
  }

  get hasEnded() {
    return this.#ended !== undefined;
  }

  /**
   * Ends the worker, whatever it is doing, if it has not ended.
   * @param {BertscopeError} error Every pending and every later call rejects with it.
   */
  end(error) {
    if (this.#ended) return;
    this.#ended = error;
    this.#worker.terminate();
    for (const call of [...this.#pending.keys()]) this.#settle(call)?.reject(this.#ended);
    this.#onEnd?.();
  }

  /**
   * Ends a worker that does not answer within this time. A worker cannot answer while it runs one
   * long task.
   * @param {number} milliseconds
   * @returns {Promise<void>}
   */
  endIfStuck(milliseconds) {
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      const ping = this.#ping();
      const answered = () => {
        clearTimeout(timer);
        this.#pinged.delete(ping);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#endStuck(milliseconds);
        answered();
      }, milliseconds);
      this.#pinged.set(ping, answered);
    });
  }

  /**
   * @param {ErrorCode} code
   * @param {string} message
   */
  #endFor(code, message) {
    const methods = [...new Set([...this.#pending.values()].map(({method}) => method))];
    const running = methods.length > 0 ? `, while it was asked for ${methods.join(', ')}` : '';
    this.end(new BertscopeError(code, message + running));
  }

  #ping() {
    const ping = ++this.#pings;
    this.#worker.postMessage({ping});
    return ping;
  }

  /** @param {number} milliseconds How long the worker was silent. */
  #endStuck(milliseconds) {
    const message = `${this.#name} has not answered for ${milliseconds / 1000} s and was ended`;
    this.#endFor('engine-stuck', message);
  }

  #tick() {
    this.#silentTicks += 1;
    if (this.#silentTicks <= this.#maxSilentTicks) return void this.#ping();
    this.#endStuck(this.#maxSilentTicks * TICK_MS);
  }

  /** @param {number} id @param {unknown} [description] */
  #remote(id, description) {
    /** @type {object} */
    const remote = new Proxy(Object.create(null), {
      get: (_, method) => {
        if (typeof method === 'symbol' || method === 'then') return undefined; // it is no promise
        if (method === 'description') return description;
        if (method === 'dispose') return () => this.#drop(id);
        return (/** @type {any[]} */ ...args) => this.#call(remote, id, method, args);
      },
    });
    if (id !== SERVED) this.#dropped.register(remote, id);
    return remote;
  }

  /**
   * @param {object} target
   * @param {number} on
   * @param {string} method
   * @param {any[]} args
   */
  #call(target, on, method, args) {
    return new Promise((resolve, reject) => {
      if (this.#ended) throw this.#ended;
      const last = args.at(-1);
      const {signal, onProgress} = last ?? {};
      signal?.throwIfAborted();
      const hears = {signal: Boolean(signal), onProgress: Boolean(onProgress)};
      if (signal || onProgress) {
        args = args.with(-1, {...last, signal: undefined, onProgress: undefined});
      }
      const call = ++this.#calls;
      const ports = args.filter((arg) => arg instanceof MessagePort);
      const moved = this.#moves ? [...ports, ...buffersOf(args)] : ports;
      this.#worker.postMessage({call, on, method, args, hears}, moved);
      const abort = () => {
        this.#settle(call)?.reject(signal.reason);
        this.#drop(call);
      };
      signal?.addEventListener('abort', abort);
      const release = () => signal?.removeEventListener('abort', abort);
      this.#pending.set(call, {method, target, onProgress, resolve, reject, release});
      this.#watch ??= setInterval(() => this.#tick(), TICK_MS);
    });
  }

  /** @param {any} answer */
  #receive({call, progress, value, isRemote, error, pong}) {
    this.#silentTicks = 0;
    this.#hasStarted = true;
    if (pong) return this.#pinged.get(pong)?.();
    if (progress) return this.#pending.get(call)?.onProgress(progress);
    const pending = this.#settle(call);
    if (!error) return pending?.resolve(isRemote ? this.#remote(call, value) : value);
    const {code, message} = error;
    const received = code
      ? new BertscopeError(code, message)
      : Object.assign(new Error(message), error);
    pending?.reject(received);
    // After a trap the memory of the engine cannot be trusted.
    if (code === 'engine-crashed') this.end(received);
  }

  /** @param {number} call */
  #settle(call) {
    const pending = this.#pending.get(call);
    pending?.release();
    this.#pending.delete(call);
    if (this.#pending.size > 0) return pending;
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#silentTicks = 0;
    return pending;
  }

  /** @param {number} call */
  #drop(call) {
    this.#worker.postMessage({drop: call});
  }
}
