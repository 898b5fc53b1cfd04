import {LitElement} from 'lit';
import {contrast, initialState, properties, usable} from './state-fields.js';

/** @import {State} from './state-fields.js' */
/** @import {Parts} from '../attention/import-attention.js' */

/** Whether the reader's system asks for dark colours. */
export const darkScheme = matchMedia('(prefers-color-scheme: dark)');

/** The colour schemes that the page supports where an element is, such as `light dark`. @param {Element} element */
function schemesAround({parentElement}) {
  const {colorScheme} = getComputedStyle(parentElement ?? document.documentElement);
  /** @type {HTMLMetaElement | null} */
  const meta = document.querySelector('meta[name=color-scheme]');
  return colorScheme === 'normal' && meta ? meta.content : colorScheme;
}

const Base = /** @type {Omit<typeof LitElement, never> & (new () => LitElement & State)} */ (
  /** @type {unknown} */ (LitElement)
);

/** The properties of `<bert-scope>`: its state, and others that a page can set. */
export class ScopeProperties extends Base {
  static properties = {
    ...properties,
    contrast: {noAccessor: true},
    files: {attribute: false},
    ownsKeys: {attribute: false},
    saved: {attribute: false},
    notice: {attribute: false},
  };

  constructor() {
    super();
    Object.assign(this, initialState);
    /**
     * A function that the page sets. It returns the addresses of a page and of a frame that show the same picture, and of
     * the script of an element that does.
     *
     * @type {(() => {page: string, frame: string, script: string}) | null}
     */
    this.permalink = null;
    /** Whether the shortcuts work while nothing in the page has the focus, as on a page that is made for the element. */
    this.ownsKeys = false;
    /** A message above the picture; it also fires an `error` event. */
    this.notice = '';
    /** Attention from files, by name. `file` and `compare` can use these names. @type {ReadonlyMap<string, Parts>} */
    this.files = new Map();
    /** Saved attention, in place of a `<script type="application/json">` inside the element. @type {Parts | null} */
    this.saved = null;
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} value
   */
  attributeChangedCallback(name, before, value) {
    super.attributeChangedCallback(name, before, value);
    // An attribute that is not understood may change no property, but it needs a notice.
    this.requestUpdate();
  }

  /** How a changed model is compared with the unchanged one: `side`, `difference`, or empty if it is not. */
  get contrast() {
    return contrast.format(this.compare) ?? '';
  }

  set contrast(mode) {
    if (this.compare && !this.contrast) return;
    Object.assign(this, {compare: contrast.parse(mode) ?? null});
  }

  /** The view that is drawn: `view`, or the head view if `view` names none. */
  get shownView() {
    return usable(['view'], this).view;
  }

  /** Whether the colours are dark. */
  get isDark() {
    if (this.theme !== 'auto') return this.theme === 'dark';
    const schemes = schemesAround(this);
    return schemes.includes('dark') && (darkScheme.matches || !schemes.includes('light'));
  }
}
