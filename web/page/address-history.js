import {parseRoute} from '../routes/routes.js';
import {formatAddress, parseAddress, unreadChanges} from './address.js';
import {keptTheme} from './theme.js';

/** @import {BertScope} from '../scope/bert-scope.js' */

/** Browsers refuse to rewrite the address too often, and a reader types fast; ms. */
const delay = 200;

/** What is used in many small steps. */
const continuous = 'textarea, input[type=range]';

/**
 * Keeps the address in step with the state of the element, and the state with back and forward. One act of
 * the reader is one entry; so is typing into a text, or dragging a slider, until the reader does anything
 * else. What follows from an act by itself rewrites its entry. While the address is that of a place beside
 * the viewer, it is left alone.
 */
export class AddressHistory {
  /** What the address that was gone to asks of the model and cannot be done, as `off=x`. */
  unread = '';
  #scope;
  /** Of the state; the entry has it soon. */
  #address = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pending;
  /** What the reader did last. @type {Event | undefined} */
  #event;
  /** Where the reader went on typing or dragging. @type {EventTarget | null} */
  #control = null;

  /** @param {BertScope} scope @param {() => void} onNavigate */
  constructor(scope, onNavigate) {
    this.#scope = scope;
    this.#read(null);
    // In a place, whose address does not say it, the theme is what it was before a reload.
    if (parseRoute(location.hash)) scope.theme = keptTheme();
    scope.addEventListener('change', (event) =>
      this.#record(/** @type {CustomEvent<{byReader: boolean}>} */ (event).detail.byReader),
    );
    addEventListener('popstate', ({state}) => {
      if (parseRoute(location.hash)) return;
      this.#read(state);
      onNavigate();
    });
    for (const type of ['keydown', 'click', 'dblclick', 'input']) {
      addEventListener(type, (event) => (this.#event = event), {capture: true});
    }
    addEventListener('focusin', () => (this.#control = null));
    // Before a link to a place is followed: back leads to what was there.
    document.addEventListener('click', () => this.#write(), {capture: true});
    addEventListener('pagehide', () => this.#write());
  }

  /** @param {unknown} entry  null: the address came from a link, which says the theme, too */
  #read(entry) {
    clearTimeout(this.#pending);
    this.#pending = undefined;
    this.#control = null;
    const state = parseAddress(location.hash);
    const {theme} = entry ? this.#scope : state;
    Object.assign(this.#scope, state, {theme});
    this.unread = unreadChanges(location.hash);
    this.#address = formatAddress(this.#scope);
    if (theme !== state.theme) this.#rewrite();
    if (!entry && !parseRoute(location.hash)) history.replaceState({}, '');
  }

  /** @param {boolean} byReader */
  #record(byReader) {
    const isNew = byReader && !this.#continues();
    if (byReader) this.unread = '';
    const address = formatAddress(this.#scope);
    if (address === this.#address) return;
    if (isNew && !parseRoute(location.hash)) {
      this.#write();
      history.pushState({}, '', address);
    } else {
      this.#rewrite();
    }
    this.#address = address;
  }

  /** Whether the reader goes on with the last act: holds a key, clicks twice, types or drags. */
  #continues() {
    const event = this.#event?.eventPhase ? this.#event : null;
    const [target] = event?.composedPath() ?? [];
    const isRun =
      event?.type === 'input' && target instanceof Element && target.matches(continuous);
    const before = this.#control;
    this.#control = isRun ? target : null;
    if (isRun) return target === before;
    return event instanceof KeyboardEvent
      ? event.repeat
      : event instanceof MouseEvent && event.detail > 1;
  }

  #rewrite() {
    this.#pending ??= setTimeout(() => this.#write(), delay);
  }

  #write() {
    if (this.#pending === undefined) return;
    clearTimeout(this.#pending);
    this.#pending = undefined;
    if (parseRoute(location.hash)) return;
    history.replaceState({}, '', this.#address);
  }
}
