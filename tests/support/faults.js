/**
 * A browser in one thread whose workers, network and storage fail on purpose. Each thing that a worker waits for is a
 * crossing: a message, an answer of a server, a piece of a body, an act of the storage. Crossings are numbered in their
 * order, so that a test can let each in turn fail in each way.
 */

import {AsyncLocalStorage} from 'node:async_hooks';
import {createHash, randomUUID} from 'node:crypto';
import {mock} from 'node:test';
import {nextTask} from '../../web/engine/event-loop.js';

/**
 * @typedef {'line' | 'network' | 'storage'} Place
 * @typedef {{count: () => number, waitOne: () => Promise<void>, schedule: (task: Promise<void>) => Promise<void>}} Scheduler
 *   fast-check's, which decides whose crossing is next
 */

/** How each place can fail. */
export const faults = {
  // The worker ends without a word, ends with an error, or is busy for ever.
  line: ['kill', 'crash', 'stall'],
  // One answer never comes, or none does any more; the connection breaks; the server says 404.
  network: ['kill', 'stall', 'silence', 'drop', 'missing'],
  // The act never happens; nothing happens any more; it happens without an answer; it and all that follow happen long
  // after; there is no room.
  storage: ['kill', 'stall', 'silence', 'unanswered', 'late', 'quota'],
};

/** How much later a late act of the storage happens, in ms. */
const LATE_MS = 15_000;

/** More than all calls of a test may take one after the other. */
const MOST_SECONDS = 600;

const never = () => new Promise(() => {});

/** What a worker runs in, and everything that it begins. */
class Thread {
  isDead = false;
  /** Whether one endless task keeps it from its messages. */
  isBusy = false;
  die = () => {};
  /** @type {Promise<void>} */
  death = new Promise((resolve) => {
    this.die = () => {
      this.isDead = true;
      resolve();
    };
  });
  /** Tells its page of an error. */
  crash = () => {};
}

/** @type {AsyncLocalStorage<Thread>} */
const threads = new AsyncLocalStorage();

export class FaultyBrowser {
  /** The place of each crossing. @type {Place[]} */
  crossings = [];
  /**
   * The way to fail, or the number of one of the ways of its place, by the number of a crossing.
   *
   * @type {Map<number, string | number>}
   */
  faults;
  /** How much time has passed. */
  seconds = 0;
  /** When the last fault happened. */
  failed = 0;
  /** How many faults have happened. */
  injected = 0;
  /** The bytes of the storage, by their keys. @type {Map<string, Uint8Array>} */
  entries = new Map();
  locks = new Locks();
  /** The answers of the network. @type {Map<string, Uint8Array>} */
  #files;
  #scheduler;
  /** Until then, no act of the storage happens. */
  #ready = Promise.resolve();
  /** The places that do not answer any more. @type {Set<Place>} */
  #silent = new Set();

  /**
   * @param {object} [options]
   * @param {Map<string, Uint8Array>} [options.files] The files of all servers, by their addresses.
   * @param {Map<number, string | number>} [options.faults]
   * @param {Scheduler} [options.scheduler]
   */
  constructor({files = new Map(), faults = new Map(), scheduler} = {}) {
    this.#files = files;
    this.faults = faults;
    this.#scheduler = scheduler;
  }

  /** Lets nothing fail any more, and what is late happen. */
  async heal() {
    this.faults = new Map();
    this.#silent.clear();
    await this.ended(this.#ready);
  }

  /**
   * Makes this browser the one whose globals the code sees. Time passes only in `until`.
   * @param {(worker: any) => void} serve Serves what a new worker offers, on its end of the line.
   */
  install(serve) {
    mock.timers.reset();
    mock.timers.enable({apis: ['setTimeout', 'setInterval']});
    const browser = this;
    const globals = {
      self: {origin: 'https://page.example'},
      navigator: {locks: this.locks},
      caches: {open: () => this.#act(() => this.#cache)},
      fetch: (/** @type {any} */ input, /** @type {any} */ init) => this.#fetch(input, init),
      crypto: {
        randomUUID,
        subtle: {
          digest: async (/** @type {string} */ _, /** @type {Uint8Array} */ bytes) => sha256(bytes),
        },
      },
      Worker: class extends Line {
        constructor() {
          super(browser, serve);
        }
      },
    };
    for (const [name, value] of Object.entries(globals)) {
      Object.defineProperty(globalThis, name, {value, configurable: true, writable: true});
    }
  }

  /**
   * Runs in a thread of its own, as a tab without an engine.
   * @template T
   * @param {() => Promise<T>} action
   * @returns {Promise<T | void>} Ends with the thread, too.
   */
  inThread(action) {
    const thread = new Thread();
    return Promise.race([threads.run(thread, action), thread.death]);
  }

  /**
   * Lets time pass until some work has ended.
   * @template T
   * @param {Promise<T>} work
   * @param {() => unknown} [waiting] What it waits for, for the message.
   * @returns {Promise<T>}
   */
  async ended(work, waiting = () => 'it') {
    let isOver = false;
    const over = () => (isOver = true);
    work.then(over, over);
    for (const end = this.seconds + MOST_SECONDS; ;) {
      await this.#settle();
      if (isOver) return work;
      if (this.seconds >= end) throw new Error(`expected an end, found that ${waiting()} hangs`);
      // Other threads of Node, such as those that read blobs, get a moment of real time for each second.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      mock.timers.tick(1000);
      this.seconds += 1;
    }
  }

  /** Lets everything happen that needs no time. */
  async #settle() {
    for (let quiet = 0; quiet < 20; quiet++) {
      const before = this.crossings.length;
      await nextTask();
      if (this.#scheduler?.count()) await this.#scheduler.waitOne();
      if (this.crossings.length > before || this.#scheduler?.count()) quiet = 0;
    }
  }

  /**
   * @param {Place} place
   * @param {Thread | undefined} thread
   * @returns {Promise<string | undefined>} How the crossing fails, if its caller has to do that.
   */
  async cross(place, thread = threads.getStore()) {
    if (thread?.isDead) await never();
    const planned = this.faults.get(this.crossings.length) ?? '';
    const ways = faults[place];
    const fault = typeof planned === 'number' ? ways[planned % ways.length] : planned;
    this.crossings.push(place);
    await (this.#scheduler?.schedule(Promise.resolve()) ?? nextTask());
    if (thread?.isDead || this.#silent.has(place)) await never();
    if (!ways.includes(fault)) return undefined;
    this.injected += 1;
    this.failed = this.seconds;
    if (fault === 'silence') this.#silent.add(place);
    if (fault === 'kill') thread?.die();
    if (fault === 'crash') thread?.crash();
    if (place === 'line' && fault === 'stall' && thread) thread.isBusy = true;
    if (['kill', 'crash', 'stall', 'silence'].includes(fault)) await never();
    return fault;
  }

  /**
   * @template T
   * @param {() => T} effect An act of the storage.
   * @returns {Promise<T>}
   */
  async #act(effect) {
    const fault = await this.cross('storage');
    if (fault === 'quota') throw new DOMException('the disk is full', 'QuotaExceededError');
    if (fault === 'unanswered') {
      effect();
      await never();
    }
    if (fault === 'late') this.#ready = new Promise((resolve) => void setTimeout(resolve, LATE_MS));
    await this.#ready;
    return effect();
  }

  /** What `caches.open` gives, and what a `ModelStore` takes. */
  #cache = {
    match: (/** @type {string} */ key) =>
      this.#act(() => {
        const bytes = this.entries.get(key);
        return bytes && new Response(this.#stream(bytes, 'storage'));
      }),
    put: async (/** @type {string} */ key, /** @type {Response} */ response) => {
      const bytes = new Uint8Array(await response.arrayBuffer());
      await this.#act(() => this.entries.set(key, bytes));
    },
    delete: (/** @type {string} */ key) => this.#act(() => this.entries.delete(key)),
    keys: () => this.#act(() => [...this.entries.keys()].map((url) => ({url}))),
  };

  get shelf() {
    return /** @type {any} */ (this.#cache);
  }

  /** @param {any} input @param {{signal?: AbortSignal}} [init] */
  async #fetch(input, {signal} = {}) {
    const bytes = this.#files.get(String(input));
    const fault = await orAborted(this.cross('network'), signal);
    if (fault === 'drop') throw new TypeError('Failed to fetch');
    if (fault === 'missing' || !bytes) return new Response('', {status: 404});
    const headers = {
      'content-length': String(bytes.length),
      'content-type': String(input).endsWith('.wasm') ? 'application/wasm' : 'text/plain',
    };
    return new Response(this.#stream(bytes, 'network', signal), {headers});
  }

  /**
   * @param {Uint8Array} bytes
   * @param {Place} place
   * @param {AbortSignal} [signal]
   */
  #stream(bytes, place, signal) {
    const thread = threads.getStore();
    let at = 0;
    const pieceBytes = Math.max(1, Math.ceil(bytes.length / 2));
    return new ReadableStream(
      {
        pull: async (controller) => {
          const fault = await orAborted(this.cross(place, thread), signal);
          if (fault === 'drop' || fault === 'quota') throw new TypeError('network error');
          if (fault === 'unanswered') await never();
          if (place === 'storage') await this.#ready;
          if (at < bytes.length) controller.enqueue(bytes.slice(at, at + pieceBytes));
          else controller.close();
          at += pieceBytes;
        },
      },
      {highWaterMark: 0},
    );
  }
}

/** The page's end of the line to a worker. */
class Line extends EventTarget {
  #thread = new Thread();
  #browser;
  #worker = new EventTarget();
  /** The last messages, so that none overtakes another. */
  #sent = Promise.resolve();
  #answered = Promise.resolve();

  /** @param {FaultyBrowser} browser @param {(worker: any) => void} serve */
  constructor(browser, serve) {
    super();
    this.#browser = browser;
    this.#thread.crash = () => {
      this.#thread.die();
      this.dispatchEvent(Object.assign(new Event('error'), {message: 'a fault on purpose'}));
    };
    serve(
      Object.assign(this.#worker, {
        postMessage: (/** @type {unknown} */ message, /** @type {any[]} */ transfer) => {
          const data = structuredClone(message, {transfer});
          this.#answered = this.#answered.then(() => this.#pass(data, this));
        },
      }),
    );
  }

  /** @param {unknown} message @param {any[]} [transfer] */
  postMessage(message, transfer) {
    const data = structuredClone(message, {transfer});
    this.#sent = this.#sent.then(() => this.#pass(data, this.#worker));
  }

  /** @param {unknown} data @param {EventTarget} receiver */
  async #pass(data, receiver) {
    await this.#browser.cross('line', this.#thread);
    if (this.#thread.isBusy) await never();
    const event = new MessageEvent('message', {data});
    if (receiver === this) this.dispatchEvent(event);
    else threads.run(this.#thread, () => receiver.dispatchEvent(event));
  }

  terminate() {
    this.#thread.die();
  }
}

/** The Web Locks of one browser, as far as they are used here. A thread that ends gives its locks back. */
class Locks {
  /** @type {Map<string, Promise<unknown>>} The last request of each lock. */
  #last = new Map();
  /** @type {Set<string>} */
  #held = new Set();

  /** @param {string} name @param {{signal?: AbortSignal} | (() => Promise<unknown>)} options @param {() => Promise<unknown>} [given] */
  request(name, options, given) {
    const action = /** @type {() => Promise<unknown>} */ (given ?? options);
    const {signal} = given ? /** @type {{signal?: AbortSignal}} */ (options) : {};
    const thread = threads.getStore();
    const before = this.#last.get(name);
    let isGranted = false;
    /** @returns {Promise<unknown>} */
    const run = async () => {
      if (thread?.isDead) return never();
      signal?.throwIfAborted();
      isGranted = true;
      this.#held.add(name);
      try {
        return await action();
      } finally {
        this.#held.delete(name);
      }
    };
    const answer = (before ?? Promise.resolve()).then(run);
    const ended = answer.catch(() => {});
    this.#last.set(
      name,
      Promise.race([ended, thread ? thread.death.then(() => before) : never()]).then(() => {
        if (thread?.isDead && isGranted) this.#held.delete(name);
      }),
    );
    return orAborted(answer, signal);
  }

  async query() {
    return {held: Array.from(this.#held, (name) => ({name}))};
  }
}

/**
 * @template T
 * @param {Promise<T>} answer
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
function orAborted(answer, signal) {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** @param {Uint8Array} bytes */
const sha256 = (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()).buffer;
