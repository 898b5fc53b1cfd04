import {strings} from '../strings/index.js';
import {commonOf} from './shape.js';
import {SnapshotError} from './snapshot.js';

/** @import {Snapshot} from './snapshot.js' */

/**
 * The latest difference of each snapshot, which keeps the matrices that it has computed.
 *
 * @type {WeakMap<Snapshot, {before: Snapshot, difference: Snapshot}>}
 */
const known = new WeakMap();

/**
 * Subtracts the weights of `before` from those of `after`, in the heads that both have. Both sides need the same
 * number of tokens.
 *
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @returns {Snapshot}
 */
export function differenceOf(before, after) {
  const last = known.get(after);
  if (last?.before === before) return last.difference;
  const difference = subtract(before, after);
  known.set(after, {before, difference});
  return difference;
}

/** @param {Snapshot} before @param {Snapshot} after @returns {Snapshot} */
function subtract(before, after) {
  expectSame('queries', before.queryTokens.length, after.queryTokens.length);
  expectSame('keys', before.keyTokens.length, after.keyTokens.length);
  const queryTokens = before.queryTokens.map((token, i) => both(token, after.queryTokens[i]));
  const keyTokens = before.keyTokens.map((token, i) => both(token, after.keyTokens[i]));
  /**
   * The matrices by those of `after`, which the heads of a layer share in a measure of all heads.
   *
   * @type {WeakMap<Float32Array, {from: Float32Array, matrix: Float32Array}>}
   */
  const made = new WeakMap();
  return {
    queryTokens,
    keyTokens,
    special: after.special,
    sentenceB: before.sentenceB === after.sentenceB ? after.sentenceB : null,
    ...commonOf(before, after),
    isDifference: true,
    sides: {before, after},
    runs: after.runs,
    attention(layer, head) {
      const from = before.attention(layer, head);
      const to = after.attention(layer, head);
      if (!from || !to) return undefined;
      const last = made.get(to);
      if (last?.from === from) return last.matrix;
      const matrix = to.map((weight, i) => weight - from[i]);
      made.set(to, {from, matrix});
      return matrix;
    },
  };
}

/** Tokens that differ only in case are equal: some models ignore it. @param {string} before @param {string} after */
function both(before, after) {
  return before.toLowerCase() === after.toLowerCase() ? after : `${before} | ${after}`;
}

/** @param {keyof typeof strings.compare.counted} what @param {number} before @param {number} after */
function expectSame(what, before, after) {
  if (before === after) return;
  const {uneven, counted} = strings.compare;
  throw new SnapshotError(uneven(counted[what], before, after));
}
