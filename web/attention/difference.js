import {strings} from '../strings/index.js';
import {commonOf} from './shape.js';
import {SnapshotError} from './snapshot.js';

/** @import {Snapshot} from './snapshot.js' */

/**
 * Subtracts the weights of `before` from those of `after`, in the heads that both have. Both sides need the same
 * number of tokens.
 *
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @returns {Snapshot}
 */
export function differenceOf(before, after) {
  expectSame('queries', before.queryTokens.length, after.queryTokens.length);
  expectSame('keys', before.keyTokens.length, after.keyTokens.length);
  const queryTokens = before.queryTokens.map((token, i) => both(token, after.queryTokens[i]));
  const keyTokens = before.keyTokens.map((token, i) => both(token, after.keyTokens[i]));
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
      return from && to?.map((weight, i) => weight - from[i]);
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
