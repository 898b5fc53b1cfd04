import {strings} from '../strings/index.js';
import {savedPass, loadSavedPass} from './saved-pass.js';
import {originOf} from './pass-origin.js';
import {sourceOf} from './source-address.js';

/** @import {EngineAccess} from './engine-access.js' */
/** @import {BaselineOrigin, CompareMode, Origin} from './pass-origin.js' */
/** @import {Failure} from './session.js' */
/** @import {Pass} from './pass.js' */
/** @import {SnapshotParts} from '../attention/import-attention.js' */

/**
 * The pass that another one is compared with, and the mode of the comparison.
 *
 * @typedef {{pass: Pass, mode: CompareMode}} Baseline
 *
 * The sources that a baseline can come from.
 *
 * @typedef {object} Sources
 * @property {Pass | null} pass  the pass that is shown; a saved comparison contains its baseline
 * @property {Pass | null} untouched  the pass of the unchanged model, if `pass` is of a changed one
 * @property {ReadonlyMap<string, SnapshotParts>} files  the reader's files, by name
 * @property {boolean} specialTokens
 * @property {boolean} isReady  whether the picture is there; nothing else is loaded before it
 */

/**
 * Finds the baseline in a saved comparison, which contains both sides.
 *
 * @param {Pass | null} pass
 * @returns {{name: string, parts: SnapshotParts} | null}  null if the pass is not a saved comparison
 */
export function savedBaseline(pass) {
  const parts = pass?.snapshot.before;
  if (!parts) return null;
  const [{about}] = Object.values(parts);
  return {name: about?.name || about?.text || pass.text, parts};
}

/** The baseline of one element: a pass that the reader kept, or one that is made again from its origin. */
export class BaselineSession {
  /** @type {Baseline | null} */
  baseline = null;
  /** The reason why the baseline is not there, or not yet; empty if there is none. */
  notice = '';
  /** The failure that the reader can do something about; null if there is none. @type {Failure | null} */
  question = null;
  /** Whether the baseline may still come: it is not there, and it has not failed. */
  isPending = false;
  #onChange;
  #engine;
  #nameOf;
  /** @type {Pass | null} */
  #pass = null;
  /** The origin of the latest attempt, and whether its file was there. */
  #wanted = '';
  #work = new AbortController();

  /**
   * @param {object} options
   * @param {() => void} options.onChange  called when the element has to render again
   * @param {EngineAccess | null} options.engine  null: only saved pictures can be compared
   * @param {(origin: Origin) => string} options.nameOf  names an origin; equal origins have one name
   */
  constructor({onChange, engine, nameOf}) {
    this.#onChange = onChange;
    this.#engine = engine;
    this.#nameOf = nameOf;
  }

  /**
   * Makes a pass the baseline.
   *
   * @param {Pass} pass
   * @returns {BaselineOrigin}  the origin that leads to this pass
   */
  keep(pass) {
    this.#take(pass);
    return {...pass.origin, mode: 'side'};
  }

  /**
   * Makes the baseline that an address or an attribute names. If they give a mode only, the baseline of a changed
   * model is the unchanged one.
   *
   * @param {BaselineOrigin | null} origin
   * @param {Sources} sources
   */
  follow(origin, {pass, untouched, files, specialTokens, isReady}) {
    const name = origin && this.#nameOf(origin);
    const isThere = this.#pass !== null && this.#nameOf(this.#pass.origin) === name;
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

  /** Releases the model when the element has left the page, so that other models have room and the engine can end. */
  releaseModel() {
    if (this.isPending) this.#work.abort();
    this.#engine?.releaseModel(this);
  }

  /** Holds the model again when the element is back. If it is gone, the next update makes the baseline again. */
  resume() {
    const {model} = this.#pass ?? {};
    const isCutOff = this.isPending && this.#work.signal.aborted;
    if (!isCutOff && (!model || this.#engine?.holdModel(this, model))) return;
    this.#clear();
    this.#onChange();
  }

  /** Allows what the failure asks for, and tries again. */
  grant() {
    this.question?.grant?.();
    this.#clear();
    this.#onChange();
  }

  /** Forgets the baseline and the latest attempt, so that the next update tries again. */
  #clear() {
    this.#take(null);
    this.#wanted = '';
  }

  /**
   * Sets the baseline. Its model stays loaded, because the pass may have to fetch more matrices.
   *
   * @param {Pass | null} pass
   */
  #take(pass) {
    this.#work.abort();
    this.#pass = pass;
    this.isPending = false;
    this.notice = '';
    this.question = null;
    if (pass?.model) this.#engine?.holdModel(this, pass.model);
    else this.#engine?.releaseModel(this);
  }

  /**
   * @param {Origin} origin
   * @param {SnapshotParts | undefined} parts  the content of its file, if that is there
   * @param {boolean} specialTokens
   */
  async #make(origin, parts, specialTokens) {
    this.#work.abort();
    // While a model runs another text, the picture of the text before stays.
    if (origin.file || this.#pass?.origin.src !== origin.src) this.#take(null);
    const {signal} = (this.#work = new AbortController());
    if (origin.file && !parts) {
      this.notice = strings.compare.missing(origin.file);
      this.#onChange();
      return;
    }
    this.isPending = true;
    this.notice = this.#pass ? '' : strings.compare.loading;
    try {
      const pass = parts
        ? savedPass(origin.file, parts, origin)
        : await this.#run(origin, specialTokens, signal);
      signal.throwIfAborted();
      this.#take(pass);
    } catch (error) {
      if (signal.aborted) return;
      const failure = /** @type {Failure} */ (error);
      this.#take(null);
      this.question = failure.grant ? failure : null;
      this.notice = this.question ? failure.message : strings.compare.failed(failure.message);
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
    const {url, isSnapshot} = sourceOf(origin.src, this.#engine);
    if (isSnapshot) {
      const saved = await loadSavedPass(url, signal, this.#engine);
      return Object.assign(saved, {origin: originOf(origin)});
    }
    const engine = this.#engine;
    if (!engine) throw new Error(strings.scope.frozen);
    const use = {user: this, onProgress: () => {}, signal};
    const {model} = await engine.loadModel(url, use);
    return engine.runPass(model, origin, {specialTokens, signal});
  }
}
