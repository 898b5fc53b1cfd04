import {strings} from '../strings/index.js';
import {isFrozenBuild} from './frozen-build.js';
import {savedPass, loadSavedPass} from './saved-pass.js';
import {pageModels} from './model-cache.js';
import {nameOfOrigin, originOf} from './pass-origin.js';
import {runPass} from './pass.js';
import {readSource} from './model-address.js';

/** @import {Baseline} from './comparison.js' */
/** @import {BaselineOrigin, Origin} from './pass-origin.js' */
/** @import {Pass} from './pass.js' */
/** @import {Parts} from '../attention/import-attention.js' */

/**
 * What there is to make a pass from.
 *
 * @typedef {object} Sources
 * @property {Pass | null} pass  what is shown; a saved comparison holds the other, too
 * @property {Pass | null} untouched  of the model as it is, where what is shown is of a changed one
 * @property {ReadonlyMap<string, Parts>} files  of the reader, by name
 * @property {boolean} specialTokens
 * @property {boolean} isReady  what is shown is there: before, nothing else is to be loaded
 */

/**
 * A comparison that was saved holds both its sides.
 *
 * @param {Pass | null} pass
 * @returns {{name: string, parts: Parts} | null}  its baseline
 */
export function savedBaseline(pass) {
  const parts = pass?.snapshot.before;
  if (!parts) return null;
  const [{about}] = Object.values(parts);
  return {name: about?.name || about?.text || pass.text, parts};
}

/** What one element compares its pass with: kept by the reader, or made anew from its origin. */
export class BaselineSession {
  /** @type {Baseline | null} */
  baseline = null;
  /** Why it is not there, or not yet. */
  notice = '';
  /** Whether it may still come: neither is it there nor did it fail. */
  isPending = false;
  #onChange;
  /** @type {Pass | null} */
  #pass = null;
  /** The origin that was looked for last, and whether its file was there. */
  #wanted = '';
  #work = new AbortController();

  /** @param {() => void} onChange  it is to be rendered anew */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /**
   * Keeps a pass as it is.
   *
   * @param {Pass} pass
   * @returns {BaselineOrigin}  that leads to it
   */
  keep(pass) {
    this.#take(pass);
    return {...pass.origin, mode: 'side'};
  }

  /**
   * Has what an address or an attribute names; if that is nothing, the model as it is beside a changed one.
   *
   * @param {BaselineOrigin | null} origin
   * @param {Sources} sources
   */
  follow(origin, {pass, untouched, files, specialTokens, isReady}) {
    const name = origin && nameOfOrigin(origin);
    const isThere = this.#pass !== null && nameOfOrigin(this.#pass.origin) === name;
    if (!origin || (!name && !isThere)) {
      this.#clear();
    } else if (!isThere) {
      const saved = savedBaseline(pass);
      const parts = origin.file === saved?.name ? saved.parts : files.get(origin.file);
      const wanted = `${Boolean(parts)} ${name}`;
      if (wanted !== this.#wanted) {
        this.isPending = true;
        if (isReady || parts) {
          this.#wanted = wanted;
          void this.#make(origin, parts, specialTokens);
        }
      }
    }
    const baseline = this.#pass ?? (name ? null : untouched);
    this.baseline = origin && baseline && {pass: baseline, mode: origin.mode};
  }

  /** The element has left the page: models may make room for others, and the engine may end. */
  rest() {
    if (this.isPending) this.#work.abort();
    pageModels.release(this);
  }

  /** It is back; what it compared with may be gone, and is then made again. */
  resume() {
    const {model} = this.#pass ?? {};
    const isCutOff = this.isPending && this.#work.signal.aborted;
    if (!isCutOff && (!model || pageModels.hold(this, model))) return;
    this.#clear();
    this.#onChange();
  }

  /** What is wanted is looked for again. */
  #clear() {
    this.#take(null);
    this.#wanted = '';
  }

  /** What was kept can be asked for more, so its model stays too. @param {Pass | null} pass */
  #take(pass) {
    this.#work.abort();
    this.#pass = pass;
    this.isPending = false;
    this.notice = '';
    if (pass?.model) pageModels.hold(this, pass.model);
    else pageModels.release(this);
  }

  /**
   * @param {Origin} origin
   * @param {Parts | undefined} parts  of its file, where that is there
   * @param {boolean} specialTokens
   */
  async #make(origin, parts, specialTokens) {
    this.#take(null);
    const {signal} = (this.#work = new AbortController());
    if (origin.file && !parts) {
      this.notice = strings.compare.missing(origin.file);
      this.#onChange();
      return;
    }
    this.isPending = true;
    this.notice = strings.compare.loading;
    try {
      const pass = parts
        ? savedPass(origin.file, parts, origin)
        : await this.#run(origin, specialTokens, signal);
      signal.throwIfAborted();
      this.#take(pass);
    } catch (error) {
      if (signal.aborted) return;
      this.isPending = false;
      this.notice = strings.compare.failed(/** @type {Error} */ (error).message);
    }
    this.#onChange();
  }

  /**
   * @param {Origin} origin
   * @param {boolean} specialTokens
   * @param {AbortSignal} signal
   * @returns {Promise<Pass>}
   */
  async #run(origin, specialTokens, signal) {
    const {url, isSnapshot} = readSource(origin.src);
    if (isSnapshot) {
      return Object.assign(await loadSavedPass(url, signal), {origin: originOf(origin)});
    }
    if (isFrozenBuild) throw new Error(strings.scope.frozen);
    const {defaultModel, pageEngine} = await import('./shared-models.js');
    const options = {user: this, onProgress: () => {}, signal};
    const {model} = await pageEngine.model(url || defaultModel, options);
    return runPass(model, origin, {specialTokens, signal});
  }
}
