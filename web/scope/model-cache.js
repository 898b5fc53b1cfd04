/** @import {Model, SharedModel} from './shared-engine.js' */

/**
 * @template M
 * @typedef {object} Entry
 * @property {Promise<M>} loading
 * @property {M} [model]  once it is loaded
 * @property {string | null} [address]  null: another entry has taken it
 */

/**
 * The models of a page: those that somebody uses, and beyond them the ones used last, up to a limit.
 * One model of bert-base's size takes a hundred megabytes, and memory of WebAssembly is never given
 * back while the engine runs, so what nobody needs is disposed of.
 *
 * @template {{dispose: () => void}} M
 * @template {Entry<M>} E
 */
export class ModelCache {
  /**
   * Hears whether there are any users, whenever that may have changed.
   *
   * @type {(isUsed: boolean) => void}
   */
  onUse = () => {};
  #limit;
  /** In the order of their last use. @type {Set<E>} */
  #entries = new Set();
  /** What each user has or waits for; null: nothing yet. @type {Map<object, E | null>} */
  #uses = new Map();

  /** @param {number} limit */
  constructor(limit) {
    this.#limit = limit;
  }

  /** @param {string} address */
  get(address) {
    return [...this.#entries].find((entry) => entry.address === address);
  }

  /**
   * A failed load is forgotten, so it can be tried again.
   *
   * @param {string} address
   * @param {E} entry
   */
  put(address, entry) {
    const before = this.get(address);
    if (before) before.address = null;
    entry.address = address;
    this.#entries.add(entry);
    entry.loading.then(
      (model) => {
        entry.model = model;
        this.#clear();
      },
      () => this.#forget(entry),
    );
  }

  /** A user is there who has no model yet, or still the one before. @param {object} user */
  join(user) {
    if (!this.#uses.has(user)) this.#uses.set(user, null);
    this.onUse(true);
  }

  /**
   * The user has this model, and no longer the one before.
   *
   * @param {object} user
   * @param {E} entry
   */
  use(user, entry) {
    this.#uses.set(user, entry);
    if (this.#entries.delete(entry)) this.#entries.add(entry);
    this.#clear();
    this.onUse(true);
  }

  /**
   * @param {object} user
   * @param {M} model
   * @returns {boolean} whether it is still there to be used
   */
  hold(user, model) {
    const entry = [...this.#entries].find((each) => each.model === model);
    if (entry) this.use(user, entry);
    return entry !== undefined;
  }

  /** @param {object} user */
  release(user) {
    if (!this.#uses.delete(user)) return;
    this.#clear();
    this.onUse(this.#uses.size > 0);
  }

  /** The engine has ended, and every model with it. */
  empty() {
    this.#entries.clear();
    this.#uses.clear();
  }

  /** What is still loading goes once it has come. */
  #clear() {
    const used = new Set(this.#uses.values());
    const current = [...this.#entries].filter(({address}) => address !== null);
    let excess = current.length - this.#limit;
    for (const entry of this.#entries) {
      if (!entry.model || used.has(entry) || entry === current.at(-1)) continue;
      if (entry.address !== null && excess-- <= 0) continue;
      this.#entries.delete(entry);
      entry.model.dispose();
    }
  }

  /** @param {E} entry */
  #forget(entry) {
    this.#entries.delete(entry);
    for (const [user, each] of this.#uses) if (each === entry) this.release(user);
  }
}

/**
 * Of this page: the one shown, one compared with, and one more. It knows no engine, so that what shows
 * saved pictures alone can ask it too.
 *
 * @type {ModelCache<Model, SharedModel>}
 */
export const pageModels = new ModelCache(3);
