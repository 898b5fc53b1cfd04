import {LitElement} from 'lit';
import {strings} from '../strings/index.js';
import {views} from '../views/loaded-views.js';
import {data} from './codecs.js';
import {readProperty} from './property-values.js';
import {contrast} from './baseline-codec.js';
import {properties} from './reflected-properties.js';
import {fields, initialState} from './state-fields.js';

/** @import {PropertyDeclaration} from 'lit' */
/** @import {FieldTable} from './field-table.js' */
/** @import {State} from './state-fields.js' */
/** @import {BaselineOrigin} from '../session/pass-origin.js' */
/** @import {SnapshotParts} from '../attention/import-attention.js' */
/** @import {Display} from '../attention/display.js' */
/** @import {Statistic} from '../attention/head-statistics.js' */
/** @import {ViewName} from '../views/view-kinds.js' */

/** Whether the reader's system asks for dark colours. */
const darkScheme = matchMedia('(prefers-color-scheme: dark)');

/** Whether the picture has controls beside it. @param {Pick<ScopeProperties, 'controls'>} scope */
export function hasControls({controls}) {
  return controls !== 'none' && Boolean(controls);
}

/** The colour schemes that the page supports where an element is, such as `light dark`. @param {Element} element */
function schemesAround({parentElement}) {
  const {colorScheme} = getComputedStyle(parentElement ?? document.documentElement);
  /** @type {HTMLMetaElement | null} */
  const meta = document.querySelector('meta[name=color-scheme]');
  return colorScheme === 'normal' && meta ? meta.content : colorScheme;
}

/**
 * `Omit` leaves out what Lit protects; a class may override it.
 *
 * @typedef {{getPropertyDescriptor(name: string, key: string | symbol, options: PropertyDeclaration): PropertyDescriptor}} Accessors
 */

const Base =
  /** @type {Omit<typeof LitElement, never> & Accessors & (new () => LitElement & State)} */ (
    /** @type {unknown} */ (LitElement)
  );

/** @param {any} value @returns {value is SnapshotParts} */
const isParts = (value) =>
  Object.values(value).length > 0 &&
  Object.values(value).every(
    ({attention} = {}) => typeof attention === 'function' || Array.isArray(attention),
  );

/** @param {unknown} value @returns {value is ReadonlyMap<string, SnapshotParts>} */
const isFiles = (value) => value instanceof Map && [...value.values()].every(isParts);

/** What can be set to a value that is not understood: the state, and data. @type {FieldTable} */
const checked = {
  ...fields,
  contrast: {initial: null, codec: contrast},
  files: {initial: new Map(), codec: data(isFiles, 'new Map()')},
  saved: {initial: null, codec: data(isParts, 'importAttention(…)')},
};

/** The fields that `ids` belong to, which mean nothing beside others. */
const ownersOfIds = ['text', 'textPair', 'src'];

/** The properties of `<bert-scope>`: its state, and others that a page can set. */
export class ScopeProperties extends Base {
  static properties = {
    ...properties,
    contrast: {
      noAccessor: true,
      converter: (/** @type {string | null} */ text) => contrast.parse(text ?? '') ?? null,
    },
    files: {attribute: false},
    ownsKeys: {attribute: false},
    saved: {attribute: false},
    notice: {attribute: false},
  };

  /** The sentences about properties whose values are not understood. @type {Map<string, string>} */
  #problems = new Map();
  /**
   * The colour schemes around the element, read once in an update, before it changes anything: afterwards, the browser
   * would have to compute a layout. Empty until they are read.
   *
   * @protected
   */
  schemes = '';
  /** @protected @type {ViewName | null} */
  lastDrawnView = null;

  #onScheme = () => this.requestUpdate();

  constructor() {
    super();
    Object.assign(this, initialState);
    /**
     * How a page has the picture read for now, in place of what the reader chose.
     *
     * @type {Partial<Display> | undefined}
     */
    this.reading = undefined;
    /**
     * What a page has the map of heads coloured by for now, in place of a statistic of all tokens; null
     * while the page does not know it yet.
     *
     * @type {Statistic | null | undefined}
     */
    this.mapped = undefined;
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
    /** Attention from files, by name. `file` and `compare` can use these names. @type {ReadonlyMap<string, SnapshotParts>} */
    this.files = new Map();
    /** Saved attention, in place of a `<script type="application/json">` inside the element. @type {SnapshotParts | null} */
    this.saved = null;
  }

  /**
   * Makes a property that has a usable value, whatever it is set to.
   *
   * @param {string} name
   * @param {string | symbol} key
   * @param {PropertyDeclaration} options
   */
  static getPropertyDescriptor(name, key, options) {
    const descriptor = super.getPropertyDescriptor(name, key, options);
    return {
      ...descriptor,
      /** @this {ScopeProperties} @param {unknown} given */
      set(given) {
        const value = this.#read(name, given);
        const isOther = this.hasUpdated && value !== Reflect.get(this, name);
        if (isOther && ownersOfIds.includes(name)) this.ids = [];
        descriptor.set?.call(this, value);
      },
    };
  }

  /**
   * Returns a usable value, and notes what is wrong with the one that is given.
   *
   * @param {string} name
   * @param {unknown} given
   */
  #read(name, given) {
    const field = checked[name];
    if (!field) return given;
    const {value, unread} = readProperty(field, given);
    const {expected = ''} = field.codec;
    const before = this.#problems.get(name) ?? '';
    const now = unread && strings.scope.badProperty(name, expected, unread);
    if (now) this.#problems.set(name, now);
    else this.#problems.delete(name);
    // The value may be the same as before, but its notice is not.
    if (now !== before) this.requestUpdate();
    return value;
  }

  connectedCallback() {
    super.connectedCallback();
    darkScheme.addEventListener('change', this.#onScheme);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    darkScheme.removeEventListener('change', this.#onScheme);
  }

  /** The sentences about properties that a script has set to what they do not understand. */
  get propertyProblems() {
    return [...this.#problems.values()];
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

  set contrast(given) {
    /** @type {BaselineOrigin | null} */
    const compare = this.#read('contrast', given);
    if (!this.compare || this.contrast) Object.assign(this, {compare});
  }

  /** The view that is drawn: while the file of the chosen one is on its way, the view before. */
  get shownView() {
    return views[this.view] ? this.view : (this.lastDrawnView ?? this.view);
  }

  /** Whether the colours are dark. */
  get isDark() {
    if (this.theme !== 'auto') return this.theme === 'dark';
    const schemes = (this.schemes ||= schemesAround(this));
    return schemes.includes('dark') && (darkScheme.matches || !schemes.includes('light'));
  }
}
