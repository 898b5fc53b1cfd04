import {LivePass, frozenPass, isSnapshotAddress, loadFrozenPass} from './passes.js';

/** @import {Engine, Model, Progress} from './model-pool.js' */
/** @import {Part, Pass} from './passes.js' */
/** @import {Parts} from '../views/import-attention.js' */

/**
 * @typedef {object} SessionListener
 * @property {() => void} onChange  something is to be rendered anew
 * @property {(loaded: {engine: Engine, model: Model, bytes: number}) => void} onReady
 * @property {(pass: Pass, before: Pass | null) => void} onPass
 * @property {(error: Error) => void} onError
 */

/** One element's model, and the pass of its latest text. */
export class Session {
  /** @type {Model | null} */
  model = null;
  /** @type {Pass | null} the latest that is complete */
  pass = null;
  /** @type {Error | null} */
  failure = null;
  /** @type {Progress} */
  progress = {loaded: 0, total: 0};
  #listener;
  #loading = new AbortController();
  /** Everything done for the current text. */
  #work = new AbortController();
  #isRunning = false;

  /** @param {SessionListener} listener */
  constructor(listener) {
    this.#listener = listener;
  }

  /** What the model, or the saved snapshot, has of each. */
  get shape() {
    return this.pass?.snapshot ?? this.model?.shape ?? {layers: 1, heads: 0};
  }

  /**
   * Loads a model, or a snapshot where the address ends in `.json` or `.npz`. The engine is a module
   * of its own: what shows snapshots alone never asks for it.
   *
   * @param {string} address
   * @param {Pass | null} [meanwhile]  shown until the first text has run
   */
  async load(address, meanwhile = null) {
    this.#loading.abort();
    this.#work.abort();
    const {signal} = (this.#loading = new AbortController());
    this.model = null;
    this.pass = meanwhile;
    this.failure = null;
    this.progress = {loaded: 0, total: 0};
    this.#listener.onChange();
    try {
      const url = new URL(address, document.baseURI);
      if (isSnapshotAddress(address)) {
        this.#show(await loadFrozenPass(url.href, signal));
        return;
      }
      const {sharedModel} = await import('./model-pool.js');
      const loaded = await sharedModel(url.href, (progress) => {
        if (signal.aborted) return;
        this.progress = progress;
        this.#listener.onChange();
      });
      if (signal.aborted) return;
      this.model = loaded.model;
      this.#listener.onReady(loaded);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /**
   * Runs a text and fetches the matrices that `wanted` then names. The latest text wins: an older
   * pass is aborted. Without a text there is no pass.
   *
   * @param {string} text
   * @param {string} pair
   * @param {boolean} specialTokens
   * @param {(pass: Pass) => Part[]} wanted
   */
  async run(text, pair, specialTokens, wanted) {
    this.#work.abort();
    const work = (this.#work = new AbortController());
    const {signal} = work;
    if (!this.model) return;
    if (!text.trim()) {
      this.pass = null;
      this.failure = null;
      this.#listener.onChange();
      return;
    }
    this.#isRunning = true;
    try {
      const options = {pair: pair.trim() ? pair : undefined, specialTokens, signal};
      const name = pair.trim() ? `${text} / ${pair}` : text;
      const pass = new LivePass(name, this.model, await this.model.attend(text, options));
      await pass.fetch(wanted(pass));
      if (!signal.aborted) this.#show(pass);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      if (work === this.#work) this.#isRunning = false;
    }
  }

  /**
   * Shows attention that was made elsewhere, until the next text.
   *
   * @param {string} name
   * @param {Parts} parts
   */
  showFrozen(name, parts) {
    this.showSaved(frozenPass(name, parts));
  }

  /** Likewise, a pass that needs no engine. @param {Pass} pass */
  showSaved(pass) {
    this.#work.abort();
    this.#show(pass);
  }

  /** Shows why there is nothing to show. @param {unknown} error */
  fail(error) {
    this.#fail(error);
  }

  /**
   * Makes matrices of a pass available, unless a newer one is on its way.
   *
   * @param {Pass} pass
   * @param {Part[]} parts
   */
  async fetch(pass, parts) {
    if (this.#isRunning) return;
    const {signal} = this.#work;
    try {
      await pass.fetch(parts);
      this.#listener.onChange();
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** @param {Pass} pass */
  #show(pass) {
    const before = this.pass;
    this.pass = pass;
    this.failure = null;
    this.#listener.onPass(pass, before);
    this.#listener.onChange();
  }

  /** @param {unknown} error */
  #fail(error) {
    this.failure = error instanceof Error ? error : new Error(String(error));
    this.#listener.onError(this.failure);
    this.#listener.onChange();
  }
}
