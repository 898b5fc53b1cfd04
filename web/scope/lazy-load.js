import {loadSavedPass} from '../session/saved-pass.js';
import {whenNear} from './when-visible.js';
import {savedContent} from './inline-snapshot.js';
import {namesSnapshot, sourceOf} from '../session/source-address.js';

/** @import {BertScope} from './bert-scope.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {EngineAccess} from '../session/engine-access.js' */
/** @import {Session} from '../session/session.js' */

/** Decides what an element shows at once, and when its session loads the engine and the model. */
export class LazyLoader {
  /** A saved picture that stands in for the live one. @type {Pass | null} */
  poster = null;
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

  /** Shows a saved picture at once. The engine and the model load when the reader comes near, or now if `eager`. */
  begin() {
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
