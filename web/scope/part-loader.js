import {liveStrings} from '../strings/live.js';

/** @import {ScopeProperties} from './scope-properties.js' */

/** @type {Set<PartLoader<any>>} */
const loaders = new Set();

/**
 * Loads a part of an element or of its page that the first picture does not need.
 *
 * @template T
 */
export class PartLoader {
  /** What was loaded; null until then. @type {T | null} */
  loaded = null;
  #import;
  /** @type {Promise<T> | null} */
  #loading = null;

  /** @param {() => Promise<T>} load  Imports the part. Bundlers must see the import where it is. */
  constructor(load) {
    this.#import = load;
    loaders.add(this);
  }

  /** Loads the part unless it is there or on its way. After a failure, the next call tries again. */
  load() {
    this.#loading ??= this.#import().then(
      (loaded) => (this.loaded = loaded),
      (error) => {
        this.#loading = null;
        throw error;
      },
    );
    return this.#loading;
  }

  /** Loads the part before the reader asks for it. If it does not arrive, it is left until then. */
  loadAhead() {
    return this.load().catch(() => null);
  }

  /**
   * Loads the part that the reader has asked for. If it does not arrive, a notice above the picture says so.
   *
   * @param {ScopeProperties} scope
   * @param {string} name  what the reader has asked for, as the page calls it
   * @returns {Promise<T | null>}  null if it does not arrive
   */
  async loadFor(scope, name) {
    try {
      return await this.load();
    } catch {
      scope.notice = liveStrings.running.notLoaded(name);
      return null;
    }
  }
}

/** Loads every part before the reader asks for it. */
export async function loadAhead() {
  await Promise.all([...loaders].map((loader) => loader.loadAhead()));
}
