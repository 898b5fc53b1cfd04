import {strings} from '../strings/index.js';
import {remembered} from './remembered.js';
import {commonOf, withHas} from './shape.js';
import {SnapshotError} from './snapshot.js';

/** @import {LazySnapshot} from './snapshot.js' */

/**
 * Values by two objects, for as long as something else refers to both.
 *
 * @template {object} K
 * @template V
 * @typedef {WeakMap<K, WeakMap<K, V>>} Pairs
 */

/** The differences of snapshots, which keep the matrices that they have computed. @type {Pairs<LazySnapshot, LazySnapshot>} */
const known = new WeakMap();

/**
 * Subtracts the weights of `before` from those of `after`, in the heads that both have. Both sides need the same
 * number of tokens.
 *
 * @param {LazySnapshot} before
 * @param {LazySnapshot} after
 * @returns {LazySnapshot}
 */
export function differenceOf(before, after) {
  return ofBoth(known, before, after, () => subtract(before, after));
}

/**
 * @template {object} K
 * @template V
 * @param {Pairs<K, V>} pairs
 * @param {K} before
 * @param {K} after
 * @param {() => V} make
 */
const ofBoth = (pairs, before, after, make) =>
  remembered(
    remembered(pairs, after, () => new WeakMap()),
    before,
    make,
  );

/** @param {LazySnapshot} before @param {LazySnapshot} after @returns {LazySnapshot} */
function subtract(before, after) {
  expectSame('queries', before.queryTokens.length, after.queryTokens.length);
  expectSame('keys', before.keyTokens.length, after.keyTokens.length);
  const queryTokens = before.queryTokens.map((token, i) => both(token, after.queryTokens[i]));
  const keyTokens = before.keyTokens.map((token, i) => both(token, after.keyTokens[i]));
  /** The heads of a layer share a matrix in a measure of all heads. @type {Pairs<Float32Array, Float32Array>} */
  const made = new WeakMap();
  return {
    queryTokens,
    keyTokens,
    special: after.special,
    sentenceB: before.sentenceB === after.sentenceB ? after.sentenceB : null,
    ...withHas(commonOf(before, after)),
    isDifference: true,
    sides: {before, after},
    runs: after.runs,
    attention(layer, head) {
      const from = before.attention(layer, head);
      const to = after.attention(layer, head);
      return from && to && ofBoth(made, from, to, () => to.map((weight, i) => weight - from[i]));
    },
  };
}

/**
 * Names both tokens of a row, in the order of the subtraction. Tokens that differ only in case are equal: some models
 * ignore it.
 *
 * @param {string} before
 * @param {string} after
 */
function both(before, after) {
  return before.toLowerCase() === after.toLowerCase() ? after : `${after} | ${before}`;
}

/** @param {keyof typeof strings.compare.counted} what @param {number} before @param {number} after */
function expectSame(what, before, after) {
  if (before === after) return;
  const {uneven, counted} = strings.compare;
  throw new SnapshotError(uneven(counted[what], before, after));
}
