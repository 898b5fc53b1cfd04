/** @import {Model, Progress} from './shared-models.js' */

/**
 * @template M
 * @typedef {object} Entry
 * @property {Promise<M>} loading
 * @property {M} [model]  once it is loaded
 */

/**
 * The models of a page: those that somebody uses, and beyond them the ones used last, up to a limit.
 * One model of bert-base's size takes a hundred megabytes, and memory of WebAssembly is never given
 * back while the engine runs, so what nobody needs is disposed of.
 *
 * @template {{dispose: () => void}} M
 * @template {Entry<M>} E
 */
export class ModelShelf {
  #limit;
  /** In the order of their last use. @type {Map<string, E>} */
  #entries = new Map();
  /** Another took their address while they were in use. @type {Set<E>} */
  #replaced = new Set();
  /** What each user has, or waits for. @type {Map<object, E>} */
  #uses = new Map();

  /** @param {number} limit */
  constructor(limit) {
    this.#limit = limit;
  }

  /** @param {string} address */
  get(address) {
    return this.#entries.get(address);
  }

  /**
   * A failed load is forgotten, so it can be tried again.
   *
   * @param {string} address
   * @param {E} entry
   */
  put(address, entry) {
    const before = this.#entries.get(address);
    if (before) this.#replaced.add(before);
    this.#entries.delete(address);
    this.#entries.set(address, entry);
    entry.loading.then(
      (model) => {
        entry.model = model;
        this.#clear();
      },
      () => this.#forget(entry),
    );
  }

  /**
   * The user has this model, and no longer the one before.
   *
   * @param {object} user
   * @param {E} entry
   */
  use(user, entry) {
    this.#uses.set(user, entry);
    for (const [address, each] of this.#entries) {
      if (each !== entry) continue;
      this.#entries.delete(address);
      this.#entries.set(address, entry);
      break;
    }
    this.#clear();
  }

  /**
   * @param {object} user
   * @param {M} model
   * @returns {boolean} whether it is still there to be used
   */
  hold(user, model) {
    const known = [...this.#entries.values(), ...this.#replaced];
    const entry = known.find((each) => each.model === model);
    if (entry) this.use(user, entry);
    return entry !== undefined;
  }

  /** @param {object} user */
  release(user) {
    if (this.#uses.delete(user)) this.#clear();
  }

  /** After a crash there is nothing to dispose of. */
  empty() {
    this.#entries.clear();
    this.#replaced.clear();
    this.#uses.clear();
  }

  #clear() {
    const used = new Set(this.#uses.values());
    for (const entry of this.#replaced) {
      if (!used.has(entry)) this.#dispose(entry);
    }
    // Not the latest, which is about to be used.
    for (const entry of [...this.#entries.values()].slice(0, -1)) {
      if (this.#entries.size <= this.#limit) return;
      if (!used.has(entry)) this.#dispose(entry);
    }
  }

  /** What is still loading goes once it has come. @param {E} entry */
  #dispose(entry) {
    if (!entry.model) return;
    entry.model.dispose();
    this.#forget(entry);
  }

  /** @param {E} entry */
  #forget(entry) {
    this.#replaced.delete(entry);
    for (const [address, each] of this.#entries) {
      if (each === entry) this.#entries.delete(address);
    }
    for (const [user, each] of this.#uses) {
      if (each === entry) this.#uses.delete(user);
    }
  }
}

/**
 * Of this page: the one shown, one compared with, and one more. It knows no engine, so that what shows
 * saved pictures alone can ask it too.
 *
 * @type {ModelShelf<Model, Entry<Model> & {
 *   progress: Progress, listeners: Set<(progress: Progress) => unknown>}>}
 */
export const pageModels = new ModelShelf(3);
