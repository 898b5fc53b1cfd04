import {formatAddress, parseAddress} from './address.js';
import {parseRoute} from './routes.js';

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
  state = parseAddress(location.hash);
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
      onNavigate(this.state);
    });
    addEventListener('pagehide', () => this.#write());
  }

  /**
   * A change worth going back from.
   *
   * @param {string} kind
   * @param {Partial<State>} changed
   */
  record(kind, changed) {
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
