import {activeHeads, filterSlices} from '../attention/selection.js';
import {originalToken} from '../attention/display.js';
import {holds} from '../attention/shape.js';
import {strings} from '../strings/index.js';

/** @import {BertScope} from './bert-scope.js' */
/** @import {ViewName} from '../views/view-kinds.js' */
/** @import {Display} from '../attention/display.js' */

/**
 * The actions of the shortcuts, which work wherever the focus is, except in elements that use the key themselves.
 *
 * @typedef {object} ShortcutActions
 * @property {(name: ViewName) => void} showView
 * @property {(step: number) => void} moveToken
 * @property {(step: number) => void} moveHead
 * @property {(step: number) => void} moveLayer
 * @property {(digit: number) => void} onlyHead
 * @property {() => void} allHeads
 * @property {() => void} toggleWords
 * @property {() => void} nextSpecial
 * @property {() => void} toggleStrongest
 * @property {() => void} toggleLarge
 * @property {() => void} release
 * @property {() => void} help
 *
 * @typedef {object} Shortcut
 * @property {string} keys  the keys as the dialog prints them
 * @property {string} label
 * @property {RegExp} pattern  matches `KeyboardEvent.key`, with `Shift+` before arrows
 * @property {(actions: ShortcutActions, key: string) => void} act
 */

const {labels} = strings.shortcuts;

/** @type {readonly Shortcut[]} */
export const shortcuts = [
  {keys: 'h', label: labels.head, pattern: /^h$/, act: (to) => to.showView('head')},
  {keys: 'm', label: labels.model, pattern: /^m$/, act: (to) => to.showView('model')},
  {keys: 'n', label: labels.neuron, pattern: /^n$/, act: (to) => to.showView('neuron')},
  {keys: 'x', label: labels.matrix, pattern: /^x$/, act: (to) => to.showView('matrix')},
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
  {keys: 'a', label: labels.allHeads, pattern: /^a$/, act: (to) => to.allHeads()},
  {keys: 'w', label: labels.words, pattern: /^w$/, act: (to) => to.toggleWords()},
  {keys: 's', label: labels.special, pattern: /^s$/, act: (to) => to.nextSpecial()},
  {keys: 't', label: labels.strongest, pattern: /^t$/, act: (to) => to.toggleStrongest()},
  {keys: 'p', label: labels.large, pattern: /^p$/, act: (to) => to.toggleLarge()},
  {keys: 'Esc', label: labels.escape, pattern: /^Escape$/, act: (to) => to.release()},
  {keys: '?', label: labels.help, pattern: /^\?$/, act: (to) => to.help()},
];

/**
 * Runs the shortcut of a key. The page around, such as a deck of slides, does not get a key that is used here.
 *
 * @param {KeyboardEvent} event
 * @param {ShortcutActions} actions
 */
export function runShortcut(event, actions) {
  const target = /** @type {Element} */ (event.composedPath()[0]);
  const isUsed = usesKey(target, event.key);
  // Escape leaves a field; a dialog it closes.
  if (isUsed && event.key === 'Escape' && !event.isComposing && !target.closest('dialog'))
    /** @type {HTMLElement} */ (target).blur();
  if (event.defaultPrevented || isUsed) return event.stopPropagation();
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const key = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
  const shortcut = shortcuts.find(({pattern}) => pattern.test(key));
  if (!shortcut) return;
  event.preventDefault();
  event.stopPropagation();
  shortcut.act(actions, key);
}

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

/** A digit that follows another one within this time, in ms, belongs to the same number. */
const secondDigit = 800;

/** @type {readonly Display['special'][]} */
const specialChoices = ['show', 'hide', 'renormalise'];

/**
 * Makes the actions of the shortcuts for an element.
 *
 * @param {BertScope} scope
 * @param {() => void} help
 * @returns {ShortcutActions}
 */
export function shortcutActions(scope, help) {
  const within = (/** @type {number} */ value, /** @type {number} */ length) =>
    (value + length) % length;
  /**
   * All indices of a list, in steps after `from`; the first index follows the last one.
   *
   * @param {number} from
   * @param {number} step
   * @param {number} length
   */
  const after = (from, step, length) =>
    Array.from({length}, (_, i) => within(from + step * (i + 1), length));
  let typed = {digit: 0, at: -Infinity};
  return {
    help,
    showView: (view) => scope.choose({view}),
    moveToken(step) {
      if (!scope.drawn) return;
      const {snapshot, selection} = scope.drawn;
      const {side, index} = selection.token ?? {side: /** @type {const} */ ('query'), index: null};
      const {start, end} = filterSlices(selection.filter, snapshot)[side];
      const first = step > 0 ? start : end - 1;
      const next = index === null ? first : Math.max(start, Math.min(index + step, end - 1));
      scope.choose({token: originalToken(snapshot, {side, index: next})});
    },
    moveHead(step) {
      const {layer, heads} = scope.availableSelection;
      const shape = scope.availableShape;
      const from = heads.length === 1 ? heads[0] : step > 0 ? -1 : shape.heads;
      const next = after(from, step, shape.heads).find((head) => holds(shape, layer, head));
      if (next !== undefined) scope.choose({heads: [next]});
    },
    moveLayer(step) {
      const shape = scope.availableShape;
      const isThere = (/** @type {number} */ layer) =>
        activeHeads([], shape.heads).some((head) => holds(shape, layer, head));
      const next = after(scope.availableSelection.layer, step, shape.layers).find(isThere);
      if (next !== undefined) scope.choose({layer: next});
    },
    onlyHead(digit) {
      const now = performance.now();
      // A digit soon after another one makes a number of two digits.
      const both = 10 * typed.digit + digit;
      const head = now - typed.at < secondDigit && both < scope.availableShape.heads ? both : digit;
      typed = {digit, at: now};
      if (head < scope.availableShape.heads) scope.choose({heads: [head]});
    },
    allHeads: () => scope.choose({heads: activeHeads([], scope.availableShape.heads)}),
    toggleWords: () => scope.choose({words: !scope.words}),
    nextSpecial() {
      const next = within(specialChoices.indexOf(scope.special) + 1, specialChoices.length);
      scope.choose({special: specialChoices[next]});
    },
    toggleStrongest: () => scope.choose({strongest: scope.strongest < 1 ? 1 : 0.7}),
    toggleLarge: () => scope.choose({large: !scope.large}),
    release() {
      const isPinned = scope.token && scope.controls !== 'none';
      if (isPinned) scope.choose({token: null});
      // Without the focus, the element leaves its keys to the page, such as a deck of slides.
      else /** @type {any} */ (scope.renderRoot).activeElement?.blur();
    },
  };
}
