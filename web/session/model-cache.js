/** @import {Model, SharedModel} from './shared-engine.js' */

/**
 * @template M
 * @typedef {object} Entry
 * @property {Promise<M>} loading
 * @property {M} [model]  the model, once it is loaded
 * @property {string | null} [address]  null if another entry has taken it
 */

/**
 * The models of a page: all that are in use and, up to a limit, those that were used last. One model of bert-base's
 * size takes a hundred megabytes, and WebAssembly never gives memory back while the engine runs, so models that
 * nobody needs are disposed of.
 *
 * @template {{dispose: () => void}} M
 * @template {Entry<M>} E
 */
export class ModelCache {
  /**
   * Called with whether there are any users, whenever this may have changed.
   *
   * @type {(isUsed: boolean) => void}
   */
  onUse = () => {};
  #limit;
  /** The entries in the order of their last use. @type {Set<E>} */
  #entries = new Set();
  /** The entry that each user has or waits for; null if it has none yet. @type {Map<object, E | null>} */
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
   * Adds a model. If it fails to load, it is forgotten, so that it can be tried again.
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

  /** Counts a user that waits for the engine. If it has a model already, it keeps it. @param {object} user */
  join(user) {
    if (!this.#uses.has(user)) this.#uses.set(user, null);
    this.onUse(true);
  }

  /**
   * Gives a user this model instead of the one before.
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
   * @returns {boolean} whether the model is still there
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

  /** Forgets all models and users, because the engine has ended. */
  empty() {
    this.#entries.clear();
    this.#uses.clear();
  }

  /** Disposes of models that nobody needs. One that is still loading stays until it has loaded. */
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
 * The models of this page: the one that is shown, one to compare with, and one more. This module does not import
 * the engine, so that a page with saved pictures alone does not load it.
 *
 * @type {ModelCache<Model, SharedModel>}
 */
export const pageModels = new ModelCache(3);
