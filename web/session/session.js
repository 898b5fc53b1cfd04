import {strings} from '../strings/index.js';
import {savedPass, loadSavedPass} from './saved-pass.js';
import {isUntouched, noReaderChanges} from '../attention/reader-changes.js';
import {originOf} from './pass-origin.js';
import {sourceOf} from './source-address.js';

/** @import {EngineAccess} from './engine-access.js' */
/** @import {Engine, Model, Progress} from './shared-engine.js' */
/** @import {ReaderChanges} from '../attention/reader-changes.js' */
/** @import {Origin} from './pass-origin.js' */
/** @import {Pass, Result} from './pass.js' */
/** @import {SnapshotParts} from '../attention/import-attention.js' */
/** @import {Shape} from '../attention/shape.js' */
/** @import {MatrixRef} from '../attention/snapshot.js' */

/**
 * An error that the reader may be able to do something about.
 *
 * @typedef {Error & {code?: string, grant?: () => void, label?: string}} Failure  `grant`: what the reader has to
 *   allow before the next attempt; `label`: the words of the button for it
 *
 * @typedef {object} SessionListener
 * @property {() => void} onChange  called when the element has to render again
 * @property {(loaded: {engine: Engine, model: Model, bytes: number}) => void} onReady
 * @property {(pass: Pass, before: Pass | null) => void} onPass
 * @property {() => void} onUntouched  called when the pass of the unchanged model is there
 * @property {(error: Error) => void} onError
 */

/**
 * A text to run, and how.
 *
 * @typedef {object} Request
 * @property {string} text
 * @property {string} pair  empty if there is no second sentence
 * @property {readonly number[]} ids  of the tokens of the text; empty: those that the tokenizer gives
 * @property {boolean} specialTokens
 * @property {ReaderChanges} interventions
 */

/** One element's model, and the pass of its latest text. */
export class Session {
  /** @type {Model | null} */
  model = null;
  /** @type {Pass | null} the latest complete pass */
  pass = null;
  /**
   * The pass of the unchanged model, if `pass` is of a changed one.
   *
   * @type {Pass | null}
   */
  untouched = null;
  /** @type {Error | null} */
  failure = null;
  /** @type {Progress} */
  progress = {loaded: 0, total: 0};
  /** Whether a saved picture is loading. */
  loadsSaved;
  #listener;
  #engine;
  #loading = new AbortController();
  #isLoading = false;
  /** Aborts all work for the current text. */
  #work = new AbortController();
  /** Whether a newer pass than the one that is shown is being made. */
  isRunning = false;
  /** Aborts the latest fetch for the picture of a pass. @type {WeakMap<Pass, AbortController>} */
  #fetches = new WeakMap();
  /** The address of the model. */
  #address = '';
  /**
   * Why the model was loaded again: its engine had ended. Null once the text after that one runs.
   *
   * @type {Error | null}
   */
  recoveredFrom = null;
  /** Whether the model was loaded again and has run no text since. */
  #isRecovering = false;

  /**
   * @param {SessionListener & {engine: EngineAccess | null}} options  `engine`: null if only saved pictures can be shown
   */
  constructor({engine, ...listener}) {
    this.#listener = listener;
    this.#engine = engine;
    this.loadsSaved = !engine;
  }

  /** Whether there is a model whose engine still runs. */
  get canRun() {
    return this.model !== null && !hasLostEngine(this.failure);
  }

  /** The layers and heads of the pass, or of the model before its first pass. */
  get shape() {
    return this.pass?.snapshot ?? this.model?.shape ?? {layers: 1, heads: 0};
  }

  /**
   * Loads a model, or a snapshot if the address ends in `.json` or `.npz`. The engine is imported only for a model,
   * so a page with snapshots alone does not load it.
   *
   * @param {string} address  empty for the embedded model
   * @param {Pass | null} [meanwhile]  the pass that is shown until the first text has run
   */
  async load(address, meanwhile = null) {
    this.#loading.abort();
    this.#stop();
    this.#engine?.releaseModel(this);
    const {signal} = (this.#loading = new AbortController());
    this.#isLoading = true;
    this.#address = address;
    this.model = null;
    this.pass = meanwhile;
    this.untouched = null;
    this.failure = null;
    this.progress = {loaded: 0, total: 0};
    try {
      const {url, isSnapshot} = sourceOf(address, this.#engine);
      this.loadsSaved = isSnapshot || !this.#engine;
      this.#listener.onChange();
      if (isSnapshot) {
        this.#show(await loadSavedPass(url, signal, this.#engine));
        return;
      }
      if (!this.#engine) throw new Error(strings.scope.frozen);
      const onProgress = (/** @type {Progress} */ progress) => {
        this.progress = progress;
        this.#listener.onChange();
      };
      const loaded = await this.#engine.loadModel(url, {user: this, onProgress, signal});
      if (signal.aborted) return;
      this.model = loaded.model;
      this.#listener.onReady(loaded);
      // The parts that depend on the model alone are rendered while its first pass runs.
      this.#listener.onChange();
    } catch (error) {
      if (!signal.aborted) this.#failToLoad(error);
    } finally {
      if (!signal.aborted) this.#isLoading = false;
    }
  }

  /** Releases the model when the element has left the page, so that other models have room and the engine can end. */
  releaseModel() {
    if (this.#isLoading) this.#loading.abort();
    this.#engine?.releaseModel(this);
  }

  /** @returns {boolean} whether the element, back on the page, still has what it had loaded */
  resume() {
    if (this.#loading.signal.aborted) return false;
    return this.model === null || Boolean(this.#engine?.holdModel(this, this.model));
  }

  /**
   * Runs a text. The matrices that `wanted` names come with the pass. The latest text wins: an older pass is aborted.
   * Without a text there is no pass. After a changed model, the unchanged one runs too, unless its pass is known.
   *
   * @param {Request} request
   * @param {(shape: Shape) => MatrixRef[]} wanted  names the matrices of the picture, for the model's shape
   */
  async run({text, pair, ids, specialTokens, interventions}, wanted) {
    this.#work.abort();
    const work = (this.#work = new AbortController());
    const {signal} = work;
    const {model} = this;
    this.isRunning = false;
    if (!this.#isRecovering) this.recoveredFrom = null;
    const engine = this.#engine;
    if (!engine || !model) return;
    if (!text.trim()) {
      this.pass = null;
      this.untouched = null;
      this.failure = null;
      this.#listener.onChange();
      return;
    }
    this.isRunning = true;
    const changed = originOf({text, textPair: pair, ids, src: this.#address, interventions});
    const passOf = async (/** @type {Origin} */ origin, isBesideChanged = false) => {
      const parts = wanted(model.shape);
      const pass = await engine.runPass(model, origin, {
        specialTokens,
        signal,
        parts,
        isBesideChanged,
      });
      // The reader may have chosen another picture meanwhile.
      await pass.fetch(wanted(model.shape), signal);
      signal.throwIfAborted();
      return pass;
    };
    try {
      const pass = await passOf(changed);
      this.#isRecovering = false;
      engine.forgiveEnds(this.#address);
      const read = readBy(pass);
      if (isUntouched(interventions) || !read) {
        this.untouched = null;
        this.#show(pass);
        return;
      }
      const known = this.untouched?.model === model ? readBy(this.untouched) : null;
      const isKnown = known !== null && isSameText(known, read);
      if (!isKnown) this.untouched = null;
      this.#show(pass);
      if (isKnown) return;
      const origin = {...changed, interventions: noReaderChanges};
      this.untouched = await passOf(origin, true);
      this.#listener.onUntouched();
      this.#listener.onChange();
    } catch (error) {
      if (!signal.aborted) this.#recoverOrFail(error);
    } finally {
      if (work === this.#work) this.isRunning = false;
    }
  }

  /**
   * Loads the model again in another engine if its own has ended: another model may have been the cause. If this model
   * is, it fails again, and that is shown.
   *
   * @param {unknown} error
   */
  #recoverOrFail(error) {
    if (hasLostEngine(error)) this.#engine?.noteEnd(this.#address);
    if (!hasLostEngine(error) || this.#isRecovering || this.#isLoading) return this.#fail(error);
    this.#isRecovering = true;
    this.recoveredFrom = /** @type {Error} */ (error);
    void this.load(this.#address, this.pass);
  }

  /**
   * A model that cannot be loaded again, perhaps because it was not kept yet, fails for the reason that ended its engine.
   *
   * @param {unknown} error
   */
  #failToLoad(error) {
    if (hasLostEngine(error)) this.#engine?.noteEnd(this.#address);
    this.#fail(this.recoveredFrom && !hasLostEngine(error) ? this.recoveredFrom : error);
  }

  /**
   * Shows attention from a file until the next text.
   *
   * @param {string} name
   * @param {SnapshotParts} parts
   */
  showFile(name, parts) {
    this.showSaved(savedPass(name, parts));
  }

  /** Ends the work for a text that is replaced. */
  #stop() {
    this.#work.abort();
    this.isRunning = false;
  }

  /** Shows a pass that needs no engine, until the next text. @param {Pass} pass */
  showSaved(pass) {
    this.#stop();
    this.untouched = null;
    this.#show(pass);
  }

  /** Shows an error in place of the picture. @param {unknown} error */
  fail(error) {
    this.#fail(error);
  }

  /**
   * Fetches matrices of a pass for the picture, and aborts its earlier fetch. While a newer pass is being made, this
   * does nothing.
   *
   * @param {Pass} pass
   * @param {MatrixRef[]} parts
   */
  async fetch(pass, parts) {
    if (this.isRunning) return;
    const before = this.#fetches.get(pass);
    const {signal: work} = this.#work;
    const fetch = new AbortController();
    this.#fetches.set(pass, fetch);
    const arrival = pass.fetch(parts, fetch.signal);
    // The earlier fetch is aborted only now, so that matrices that both need are not requested again.
    before?.abort();
    try {
      await arrival;
      this.#listener.onChange();
    } catch (error) {
      if (!work.aborted && !fetch.signal.aborted) this.#recoverOrFail(error);
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

/** Whether the engine of a model has ended. @param {unknown} error */
const hasLostEngine = (error) =>
  ['engine-crashed', 'engine-stuck'].includes(
    /** @type {{code?: string} | null} */ (error)?.code ?? '',
  );

/** The text that the model read. @param {Pass} pass @returns {Result | null} */
const readBy = ({result, translation}) => result ?? translation?.encoder ?? null;

/** @param {Result} a @param {Result} b */
function isSameText(a, b) {
  return [a.ids, a.tokenTypeIds].join() === [b.ids, b.tokenTypeIds].join();
}
