import {loadSavedPass} from './saved-pass.js';
import {whenNear} from './when-visible.js';
import {savedContent} from './inline-snapshot.js';
import {namesSnapshot, readSource} from './model-address.js';

/** @import {BertScope} from './bert-scope.js' */
/** @import {Pass} from './pass.js' */
/** @import {Session} from './session.js' */

/** What an element shows at once, and when its session loads what is heavy. */
export class Arrival {
  /** A saved picture that stands in for the live one. @type {Pass | null} */
  poster = null;
  #element;
  #session;
  #stopWaiting = () => {};
  #isWaiting = false;

  /** @param {BertScope} element @param {Session} session */
  constructor(element, session) {
    this.#element = element;
    this.#session = session;
  }

  /** Shows what is there at once; what is heavy waits until the reader comes near. */
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
    if (!this.poster && namesSnapshot(poster)) void this.#showPoster(poster);
    if (loading === 'eager') this.load();
    else this.#loadWhenNear();
  }

  load() {
    void this.#session.load(this.#element.src, this.poster);
  }

  /** Whoever moves the element to another place in the page waits on. */
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

  /** @param {string} address  of a snapshot */
  async #showPoster(address) {
    const {signal} = new AbortController();
    try {
      const pass = await loadSavedPass(readSource(address).url, signal);
      if (this.#session.pass || this.#element.poster !== address) return;
      this.poster = pass;
      this.#session.showSaved(pass);
    } catch (error) {
      if (!this.#session.pass) this.#session.fail(error);
    }
  }
}
