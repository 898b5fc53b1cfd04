import {activeHeads, filterSlices} from '../attention/selection.js';
import {originalToken} from '../attention/display.js';
import {holds} from '../attention/shape.js';
import {strings} from '../strings/index.js';

/** @import {BertScope} from './bert-scope.js' */
/** @import {ViewName} from '../views/view-kinds.js' */
/** @import {Display} from '../attention/display.js' */

/**
 * @typedef {object} Shortcut
 * @property {string} keys  the keys as the dialog prints them
 * @property {string} label
 * @property {RegExp} [pattern]  matches `KeyboardEvent.key`, with `Shift+` before arrows; by default, it is `keys`
 * @property {(actions: Shortcuts, key: string) => void} act
 */

const {labels} = strings.shortcuts;

/** @type {readonly Shortcut[]} */
export const shortcuts = [
  {keys: 'h', label: labels.head, act: (to) => to.showView('head')},
  {keys: 'm', label: labels.model, act: (to) => to.showView('model')},
  {keys: 'n', label: labels.neuron, act: (to) => to.showView('neuron')},
  {keys: 'x', label: labels.matrix, act: (to) => to.showView('matrix')},
  {
    keys: '↑ ↓',
    label: labels.token,
    pattern: /^Arrow(Up|Down)$/,
    act: (to, key) => to.moveToken(key === 'ArrowUp' ? -1 : 1),
  },
  {
    keys: '← →',
    label: labels.moveHead,
    pattern: /^Arrow(Left|Right)$/,
    act: (to, key) => to.moveHead(key === 'ArrowLeft' ? -1 : 1),
  },
  {
    keys: 'Shift ↑ ↓',
    label: labels.moveLayer,
    pattern: /^Shift\+Arrow(Up|Down)$/,
    act: (to, key) => to.moveLayer(key === 'Shift+ArrowUp' ? -1 : 1),
  },
  {
    keys: '0 … 9',
    label: labels.digit,
    pattern: /^\d$/,
    act: (to, key) => to.onlyHead(Number(key)),
  },
  {keys: 'a', label: labels.allHeads, act: (to) => to.allHeads()},
  {keys: 'w', label: labels.words, act: (to) => to.toggleWords()},
  {keys: 's', label: labels.special, act: (to) => to.nextSpecial()},
  {keys: 't', label: labels.strongest, act: (to) => to.toggleStrongest()},
  {keys: 'p', label: labels.large, act: (to) => to.toggleLarge()},
  {keys: 'Esc', label: labels.escape, pattern: /^Escape$/, act: (to) => to.release()},
  {keys: '?', label: labels.help, act: (to) => to.help()},
];

/** A digit that follows another one within this time, in ms, belongs to the same number. */
const secondDigit = 800;

/** @type {readonly Display['special'][]} */
const specialChoices = ['show', 'hide', 'renormalise'];

/** Runs the shortcuts of an element, wherever the focus is, except in elements that use the key themselves. */
export class Shortcuts {
  #scope;
  /** The digit that was typed last, and when. */
  #typed = {digit: 0, at: -Infinity};

  /**
   * @param {BertScope} scope
   * @param {() => void} help
   */
  constructor(scope, help) {
    this.#scope = scope;
    this.help = help;
  }

  hostConnected() {
    this.#scope.addEventListener('keydown', this.#onOwnKey);
    document.addEventListener('keydown', this.#onPageKey);
  }

  hostDisconnected() {
    document.removeEventListener('keydown', this.#onPageKey);
  }

  /** Runs a shortcut if the focus is in the element, and not in what is put into it. */
  #onOwnKey = (/** @type {KeyboardEvent} */ event) => {
    if (/** @type {ShadowRoot} */ (this.#scope.renderRoot).activeElement) this.#run(event);
  };

  /** Runs a shortcut while nothing in the page has the focus, if the page is there for the element. */
  #onPageKey = (/** @type {KeyboardEvent} */ event) => {
    const scope = this.#scope;
    if (event.target === document.body && scope.ownsKeys && scope.checkVisibility())
      this.#run(event);
  };

  /** Runs the shortcut of a key. The page around, such as a deck of slides, does not get a key that is used here. @param {KeyboardEvent} event */
  #run(event) {
    const target = /** @type {Element} */ (event.composedPath()[0]);
    const isUsed = usesKey(target, event.key);
    // Escape leaves a field; a dialog it closes.
    if (isUsed && event.key === 'Escape' && !event.isComposing && !target.closest('dialog'))
      /** @type {HTMLElement} */ (target).blur();
    if (event.defaultPrevented || isUsed) return event.stopPropagation();
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const key = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
    const shortcut = shortcuts.find(({keys, pattern}) => keys === key || pattern?.test(key));
    if (!shortcut) return;
    event.preventDefault();
    event.stopPropagation();
    shortcut.act(this, key);
  }

  /** @param {ViewName} view */
  showView(view) {
    this.#scope.choose({view});
  }

  /** @param {number} step */
  moveToken(step) {
    const {drawn} = this.#scope;
    if (!drawn) return;
    const {snapshot, selection} = drawn;
    const {side, index} = selection.token ?? {side: /** @type {const} */ ('query'), index: null};
    const {start, end} = filterSlices(selection.filter, snapshot)[side];
    const first = step > 0 ? start : end - 1;
    const next = index === null ? first : Math.max(start, Math.min(index + step, end - 1));
    this.#scope.choose({token: originalToken(snapshot, {side, index: next})});
  }

  /** @param {number} step */
  moveHead(step) {
    const {availableSelection, availableShape: shape} = this.#scope;
    const {layer, heads} = availableSelection;
    const from = heads.length === 1 ? heads[0] : step > 0 ? -1 : shape.heads;
    const next = after(from, step, shape.heads).find((head) => holds(shape, layer, head));
    if (next !== undefined) this.#scope.choose({heads: [next]});
  }

  /** @param {number} step */
  moveLayer(step) {
    const {availableSelection, availableShape: shape} = this.#scope;
    const isThere = (/** @type {number} */ layer) =>
      activeHeads([], shape.heads).some((head) => holds(shape, layer, head));
    const next = after(availableSelection.layer, step, shape.layers).find(isThere);
    if (next !== undefined) this.#scope.choose({layer: next});
  }

  /** @param {number} digit  soon after another one, it makes a number of two digits */
  onlyHead(digit) {
    const {heads: count} = this.#scope.availableShape;
    const {digit: before, at} = this.#typed;
    const now = performance.now();
    const both = 10 * before + digit;
    const head = now - at < secondDigit && both < count ? both : digit;
    this.#typed = {digit, at: now};
    if (head < count) this.#scope.choose({heads: [head]});
  }

  allHeads() {
    this.#scope.choose({heads: activeHeads([], this.#scope.availableShape.heads)});
  }

  toggleWords() {
    this.#scope.choose({words: !this.#scope.words});
  }

  nextSpecial() {
    const next = within(specialChoices.indexOf(this.#scope.special) + 1, specialChoices.length);
    this.#scope.choose({special: specialChoices[next]});
  }

  toggleStrongest() {
    this.#scope.choose({strongest: this.#scope.strongest < 1 ? 1 : 0.7});
  }

  toggleLarge() {
    this.#scope.choose({large: !this.#scope.large});
  }

  release() {
    const {token, controls} = this.#scope;
    if (token && controls !== 'none') this.#scope.choose({token: null});
    // Without the focus, the element leaves its keys to the page, such as a deck of slides.
    else /** @type {any} */ (this.#scope.renderRoot).activeElement?.blur();
  }
}

/** @param {number} value @param {number} length */
const within = (value, length) => (value + length) % length;

/**
 * All indices of a list, in steps after `from`; the first index follows the last one.
 *
 * @param {number} from
 * @param {number} step
 * @param {number} length
 */
const after = (from, step, length) =>
  Array.from({length}, (_, i) => within(from + step * (i + 1), length));

const choosers = ['radio', 'checkbox', 'range'].map((type) => `input[type=${type}]`);
const writing = `input:not(${choosers}), textarea, select, dialog, dialog *`;

/**
 * Whether the focused element uses a key itself. A radio button, a checkbox or a slider keeps the focus after a
 * click, but uses no letters, so letters are still shortcuts.
 *
 * @param {Element} target
 * @param {string} key
 */
function usesKey(target, key) {
  // A clicker sends Page Down and Page Up.
  if (key.startsWith('Page')) return false;
  if (target.matches(writing)) return true;
  if (key === ' ' || key === 'Enter') return target.matches('button, input, summary, a');
  return target.matches('[type=radio], [type=range]') && key.startsWith('Arrow');
}
