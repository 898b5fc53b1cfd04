import {liveStrings} from '../strings/live.js';

/** @import {ScopeProperties} from './scope-properties.js' */

/** Milliseconds after which a reader is told that a part is not there. It may come later. */
const mostWait = 15_000;

/** @type {Set<PartLoader<any>>} */
const loaders = new Set();
/** Whether every part is to be loaded before the reader asks for it. */
let isAhead = false;

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
    if (isAhead) void this.loadAhead();
  }

  /**
   * Loads the part unless it is there or on its way. After a failure, the next call tries again; in Firefox it fails
   * until the page is reloaded.
   */
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
   * Loads the part that the reader has asked for. If it does not arrive, a notice above the picture says so until it does.
   *
   * @param {ScopeProperties} scope
   * @param {string} name  what the reader has asked for, as the page calls it
   * @returns {Promise<T | null>}  null if it does not arrive
   */
  async loadFor(scope, name) {
    const said = liveStrings.running.notLoaded(name);
    const loading = this.load().then((loaded) => {
      if (scope.notice === said) scope.notice = '';
      return loaded;
    });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** @type {Promise<null>} */
    const wait = new Promise((resolve) => (timer = setTimeout(resolve, mostWait, null)));
    const loaded = await Promise.race([loading, wait]).catch(() => null);
    clearTimeout(timer);
    if (loaded === null) scope.notice = said;
    return loaded;
  }
}

/** Loads every part before the reader asks for it, and from now on those that other parts bring. */
export async function loadAhead() {
  isAhead = true;
  await Promise.all([...loaders].map((loader) => loader.loadAhead()));
}
