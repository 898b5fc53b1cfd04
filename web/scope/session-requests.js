import {loadSavedPass} from '../session/saved-pass.js';
import {whenNear} from './when-visible.js';
import {savedContent} from './inline-snapshot.js';
import {choiceOf, partsIn} from './view-data.js';
import {namesSnapshot, sourceOf} from '../session/source-address.js';

/** @import {PropertyValues} from 'lit' */
/** @import {BertScope} from './bert-scope.js' */
/** @import {SnapshotParts} from '../attention/import-attention.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {EngineAccess} from '../session/engine-access.js' */
/** @import {Session} from '../session/session.js' */

/** A change of one of these properties needs a new pass. */
const textProperties = /** @type {const} */ ([
  'text',
  'textPair',
  'ids',
  'noSpecialTokens',
  'interventions',
]);

/**
 * Asks the session of an element for what the properties name: a saved picture at once, the engine and the model when
 * the reader comes near, and a pass of each new text.
 */
export class SessionRequests {
  /** A saved picture that stands in for the live one. @type {Pass | null} */
  poster = null;
  /** Whether the pin was set together with a text that has not run yet. */
  isNextPinned = false;
  /** The attention from a file that is shown instead of the text's. @type {SnapshotParts | null} */
  #imported = null;
  /** Whether the first update has begun. One that fails must not begin again, since that would fail for ever. */
  #hasBegun = false;
  #element;
  #session;
  #engine;
  #stopWaiting = () => {};
  #isWaiting = false;

  /** @param {BertScope} element @param {Session} session @param {EngineAccess | null} engine */
  constructor(element, session, engine) {
    this.#element = element;
    this.#session = session;
    this.#engine = engine;
  }

  /** Requests what a change of the element's properties needs. @param {PropertyValues<BertScope>} changed */
  follow(changed) {
    const {file, files} = this.#element;
    const before = this.#imported;
    this.#imported = files.get(file) ?? null;
    const isNewSource = changed.has('src') || !this.#hasBegun;
    this.#hasBegun = true;
    const isNewFile = this.#imported !== before;
    const isNewText = textProperties.some((name) => changed.has(name));
    if (isNewSource || isNewFile || isNewText) this.isNextPinned = changed.has('token');
    if (isNewSource) this.#begin();
    else if (isNewFile || isNewText) this.run();
    if (this.#imported && isNewFile) this.#session.showFile(file, this.#imported);
  }

  /** Runs the text, unless attention from a file is shown instead. */
  run() {
    if (this.#imported) return;
    const element = this.#element;
    const {text, textPair: pair, ids, noSpecialTokens, interventions} = element;
    const request = {text, pair, ids, specialTokens: !noSpecialTokens, interventions};
    void this.#session.run(request, (shape) =>
      partsIn(shape, element.shownView, choiceOf(element)),
    );
  }

  /** Tries again what has failed. */
  retry() {
    if (this.#session.canRun) this.run();
    else this.load();
  }

  /** Shows a saved picture at once. The engine and the model load when the reader comes near, or now if `eager`. */
  #begin() {
    this.stop();
    this.#isWaiting = false;
    this.poster = null;
    const {src, poster, text, loading} = this.#element;
    try {
      this.poster = savedContent(this.#element);
      if (this.poster) this.#session.showSaved(this.poster);
      if (this.poster && !src && !text) return;
    } catch (error) {
      this.#session.fail(error);
      return;
    }
    if (!this.poster && namesSnapshot(poster, this.#engine)) void this.#showPoster(poster);
    if (loading === 'eager') this.load();
    else this.#loadWhenNear();
  }

  load() {
    void this.#session.load(this.#element.src, this.poster);
  }

  /** Goes on waiting after the element was moved to another place in the page. */
  resume() {
    if (this.#isWaiting) this.#loadWhenNear();
  }

  stop() {
    this.#stopWaiting();
  }

  #loadWhenNear() {
    this.stop();
    this.#isWaiting = true;
    this.#stopWaiting = whenNear(this.#element, () => {
      this.#isWaiting = false;
      this.load();
    });
  }

  /** @param {string} address  the address of a snapshot */
  async #showPoster(address) {
    const {signal} = new AbortController();
    try {
      const pass = await loadSavedPass(sourceOf(address, this.#engine).url, signal, this.#engine);
      if (this.#session.pass || this.#element.poster !== address) return;
      this.poster = pass;
      this.#session.showSaved(pass);
    } catch (error) {
      if (!this.#session.pass) this.#session.fail(error);
    }
  }
}
