import {parseRoute} from '../routes/routes.js';
import {formatAddress} from '../scope/state-fields.js';
import {parseAddress, unreadChanges} from './address.js';
import {keptTheme} from './theme.js';

/** @import {BertScope} from '../scope/bert-scope.js' */

/** The delay in milliseconds: browsers refuse to change the address too often, and a reader types fast. */
const delay = 200;

/** Controls that are used in many small steps. */
const continuous = 'textarea, input:is([type=text], [type=range])';

/**
 * Writes the state of the element into the address, and reads it at back and forward. One act of the reader is one
 * entry of the history; typing or dragging is one act until the reader does something else. Changes that follow from
 * an act, and a panel that opens beside the picture, rewrite its entry. While a section is shown, the address is not
 * changed.
 */
export class AddressHistory {
  /** The interventions in the address that cannot be read, as `off=x`; empty after an act of the reader. */
  unread = '';
  #scope;
  /** The address of the state; the entry gets it after at most `delay`. */
  #address = '';
  /** The panel in it, and the address without panels. */
  #beside = {panel: '', address: ''};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pending;
  /** The last event from the reader. @type {Event | undefined} */
  #event;
  /** The control in which the reader types or drags. @type {EventTarget | null} */
  #control = null;

  /** @param {BertScope} scope @param {() => void} onNavigate */
  constructor(scope, onNavigate) {
    this.#scope = scope;
    this.#read(null);
    // The address of a section does not hold the theme, so it is restored after a reload.
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
    // The state is written before a link to a section is followed, so that back leads to it.
    document.addEventListener('click', () => this.#write(), {capture: true});
    addEventListener('pagehide', () => this.#write());
  }

  /** @param {unknown} entry  null: the address came from a link, so its theme is taken, too */
  #read(entry) {
    clearTimeout(this.#pending);
    this.#pending = undefined;
    this.#control = null;
    const state = parseAddress(location.hash);
    const {theme} = entry ? this.#scope : state;
    // A token that is pinned again is one of the new text, also if it is as far from its start as the one before.
    Object.assign(this.#scope, {token: null}, state, {theme});
    this.unread = unreadChanges(location.hash);
    this.#address = formatAddress(this.#scope);
    this.#noteBeside();
    if (theme !== state.theme) this.#rewrite();
    if (!entry && !parseRoute(location.hash)) history.replaceState({}, '');
  }

  /** @param {boolean} byReader */
  #record(byReader) {
    const isPanel = this.#noteBeside();
    const isNew = byReader && !this.#continues() && !isPanel;
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

  /** Notes what stands beside the picture. @returns {boolean} whether another panel is all that has changed */
  #noteBeside() {
    const before = this.#beside;
    const {panel} = this.#scope;
    const fields = new URLSearchParams(formatAddress(this.#scope).slice(1));
    for (const name of ['panel', 'workbench']) fields.delete(name);
    const address = String(fields);
    this.#beside = {panel, address};
    // The researcher view is more than a panel.
    const isOther = panel !== before.panel && panel !== 'all' && before.panel !== 'all';
    return isOther && address === before.address;
  }

  /** Tells whether the reader continues the last act: holds a key, clicks twice, types or drags. */
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
