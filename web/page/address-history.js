import {formatAddress, parseAddress, unreadChanges} from './address.js';
import {parseRoute} from '../routes/routes.js';
import {keptTheme} from './theme.js';

/** @import {State} from './address.js' */

/** Changes of one kind that follow each other this closely, in ms, are one entry of the history. */
const burst = 1000;

/** Browsers refuse to rewrite the address too often, and a reader types fast; ms. */
const delay = 200;

/**
 * Keeps the address in step with the state, and the state with back and forward. While the address is
 * that of a place beside the viewer, it is left alone.
 */
export class AddressHistory {
  state = stateAtStart();
  /** What the address that was gone to asks of the model and cannot be done, as `off=x`. */
  unread = unreadChanges(location.hash);
  #kind = '';
  #last = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pending;

  /** @param {(state: State) => void} onNavigate */
  constructor(onNavigate) {
    addEventListener('popstate', () => {
      if (parseRoute(location.hash)) return;
      clearTimeout(this.#pending);
      this.#pending = undefined;
      this.#kind = '';
      this.state = parseAddress(location.hash);
      this.unread = unreadChanges(location.hash);
      onNavigate(this.state);
    });
    // Before a link to a place is followed: back leads to what was there.
    document.addEventListener('click', () => this.#write(), {capture: true});
    addEventListener('pagehide', () => this.#write());
  }

  /**
   * A change worth going back from.
   *
   * @param {string} kind
   * @param {Partial<State>} changed
   */
  record(kind, changed) {
    this.unread = [];
    const now = performance.now();
    if (kind !== this.#kind || now - this.#last > burst) {
      this.#write();
      this.state = {...this.state, ...changed};
      history.pushState(null, '', formatAddress(this.state));
    } else {
      this.amend(changed);
    }
    this.#kind = kind;
    this.#last = now;
  }

  /**
   * A change to where the reader is.
   *
   * @param {Partial<State>} changed
   */
  amend(changed) {
    this.state = {...this.state, ...changed};
    this.#pending ??= setTimeout(() => this.#write(), delay);
  }

  #write() {
    if (this.#pending === undefined) return;
    clearTimeout(this.#pending);
    this.#pending = undefined;
    if (parseRoute(location.hash)) return;
    history.replaceState(null, '', formatAddress(this.state));
  }
}

/** Of the address; in a place, which has no word for it, the theme is what it was before a reload. */
function stateAtStart() {
  const state = parseAddress(location.hash);
  return parseRoute(location.hash) ? {...state, theme: keptTheme()} : state;
}
