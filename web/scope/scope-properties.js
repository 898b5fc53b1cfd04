import {LitElement} from 'lit';
import {contrast, initialState, properties, usable} from './state.js';

/** @import {State} from './state.js' */
/** @import {Parts} from '../attention/import-attention.js' */

/** Whether the reader's system asks for dark colours. */
export const darkScheme = matchMedia('(prefers-color-scheme: dark)');

const Base = /** @type {Omit<typeof LitElement, never> & (new () => LitElement & State)} */ (
  /** @type {unknown} */ (LitElement)
);

/** The properties of `<bert-scope>`: its state, and what else a page sets. */
export class ScopeProperties extends Base {
  static properties = {
    ...properties,
    contrast: {noAccessor: true},
    files: {attribute: false},
    notice: {attribute: false},
  };

  constructor() {
    super();
    Object.assign(this, initialState);
    /** The page that shows the same, and that page for a frame. @type {(() => {page: string, frame: string}) | null} */
    this.permalink = null;
    /** Said above the picture, and as an `error` event. */
    this.notice = '';
    /** Attention that `file` or a comparison may name. @type {ReadonlyMap<string, Parts>} */
    this.files = new Map();
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} value
   */
  attributeChangedCallback(name, before, value) {
    super.attributeChangedCallback(name, before, value);
    // One that is not understood changes no property, but there is something to say about it.
    this.requestUpdate();
  }

  /** How the model as it is stands beside a changed one, empty if it does not. */
  get contrast() {
    return contrast.format(this.compare) ?? '';
  }

  set contrast(mode) {
    if (this.compare && !this.contrast) return;
    Object.assign(this, {compare: contrast.parse(mode) ?? null});
  }

  /** The view that is drawn, whatever `view` says. */
  get shownView() {
    return usable(['view'], this).view;
  }

  get isDark() {
    return this.theme === 'dark' || (this.theme !== 'light' && darkScheme.matches);
  }
}
