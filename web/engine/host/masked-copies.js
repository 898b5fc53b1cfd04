/** Copies of a text with other tokens masked in each, which run as one batch. */

/** @import {PassInput} from './encoder.js' */

/** Enough rows to make good use of the kernels, few enough to let an abort in soon. */
const ROWS_AT_ONCE = 128;

/** @param {number} tokens @returns {number} How many copies of a text run at once. */
export const copiesAtOnce = (tokens) => Math.max(1, Math.floor(ROWS_AT_ONCE / tokens));

/**
 * @param {Omit<PassInput, 'id'>} pass
 * @param {readonly (readonly number[])[]} masked The tokens to mask in each copy.
 * @param {number} maskId
 * @returns {Omit<PassInput, 'id'>}
 */
export function withMasks({ids, tokenTypes, changes}, masked, maskId) {
  const size = ids.length;
  const batch = {
    ids: new Int32Array(masked.length * size),
    tokenTypes: new Int32Array(masked.length * size),
    lengths: new Int32Array(masked.length).fill(size),
    changes,
  };
  masked.forEach((tokens, copy) => {
    batch.ids.set(ids, copy * size);
    for (const token of tokens) batch.ids[copy * size + token] = maskId;
    batch.tokenTypes.set(tokenTypes, copy * size);
  });
  return batch;
}
