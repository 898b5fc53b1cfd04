/**
 * Where kept models are stored: the Cache API, or memory. It says within seconds that the storage does not answer, and
 * never takes what cannot be read for what is not there.
 */

import {BertscopeError} from '../errors.js';
import {inTime, SILENCE_MILLISECONDS, unlessSilent} from '../silence.js';
import {readStream} from './byte-file.js';

/** @typedef {Pick<Cache, 'match' | 'put' | 'delete'> & {keys(): Promise<readonly {url: string}[]>}} Storage */

/** Copying a whole model takes less time. */
const COPY_MILLISECONDS = 20_000;
/**
 * This is longer than another tab waits for the storage. When that tab gives up, its locks become
 * free.
 */
const LOCK_MILLISECONDS = 1.5 * SILENCE_MILLISECONDS;

export class Shelf {
  #storage;

  /** @param {Storage} storage */
  constructor(storage) {
    this.#storage = storage;
  }

  /** @param {string} key @returns {Promise<string | undefined>} */
  async text(key) {
    const response = await this.#match(key);
    return response && answered(response.text());
  }

  /** @param {string} key @returns {Promise<Blob | undefined>} */
  async blob(key) {
    const response = await this.#match(key);
    return response && answered(response.blob(), COPY_MILLISECONDS);
  }

  /**
   * @param {string} key
   * @param {string} path For messages.
   * @returns {Promise<AsyncGenerator<Uint8Array, void> | undefined>}
   */
  async chunks(key, path) {
    const body = (await this.#match(key))?.body;
    return body ? unlessSilent(readStream(body, path), silentStorage) : undefined;
  }

  /** @param {string} key */
  has(key) {
    return this.#match(key).then((response) => response !== undefined);
  }

  /**
   * @param {string} key
   * @param {(sign: () => void) => BodyInit} content Made as it is stored; `sign` tells that it gets on: then it may
   *   take longer.
   */
  async put(key, content) {
    let signs = 0;
    const written = this.#storage.put(key, new Response(content(() => (signs += 1))));
    for (let before = 0; ; before = signs) {
      try {
        return await inTime(written, silentStorage);
      } catch (error) {
        if (!(error instanceof BertscopeError) || signs === before) throw error;
      }
    }
  }

  /** @param {string} key */
  delete(key) {
    return answered(this.#storage.delete(key));
  }

  /** @returns {Promise<string[]>} */
  async keys() {
    return (await answered(this.#storage.keys())).map(({url}) => url);
  }

  /** @param {string} key */
  #match(key) {
    return answered(this.#storage.match(key));
  }
}

/** @param {string} found */
export const silentStorage = (found) =>
  new BertscopeError(
    'storage-failed',
    `this browser's storage: expected an answer, found ${found}`,
  );

/**
 * @template T
 * @param {Promise<T>} answer
 * @param {number} [milliseconds]
 */
async function answered(answer, milliseconds) {
  try {
    return await inTime(answer, silentStorage, milliseconds);
  } catch (error) {
    if (error instanceof BertscopeError) throw error;
    throw silentStorage(`none (${reasonOf(error)})`);
  }
}

/** @param {unknown} error */
export const reasonOf = (error) =>
  error instanceof Error ? error.message || error.name : String(error);

/** @implements {Storage} */
export class MemoryStorage {
  /** @type {Map<string, Blob>} */
  #blobs = new Map();

  /** @param {any} key */
  async match(key) {
    const blob = this.#blobs.get(key);
    return blob && new Response(blob);
  }

  /** @param {any} key @param {Response} response */
  async put(key, response) {
    this.#blobs.set(key, await response.blob());
  }

  /** @param {any} key */
  async delete(key) {
    return this.#blobs.delete(key);
  }

  async keys() {
    return [...this.#blobs.keys()].map((url) => ({url}));
  }
}

/**
 * Runs an action under a lock, while no other tab runs one under it. Node.js, which has no tabs, has no locks either.
 * @template T
 * @param {string} lock
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function exclusively(lock, action) {
  if (!globalThis.navigator?.locks) return action();
  const waiting = new AbortController();
  const giveUp = () => waiting.abort(silentStorage(`another tab's work on it`));
  const timer = setTimeout(giveUp, LOCK_MILLISECONDS);
  return navigator.locks.request(lock, {signal: waiting.signal}, () => {
    clearTimeout(timer);
    return action();
  });
}

/** @returns {Promise<Set<string>>} The locks that some tab holds. */
export async function heldLocks() {
  const {held = []} = (await globalThis.navigator?.locks?.query()) ?? {};
  return new Set(held.flatMap(({name = ''}) => name));
}
