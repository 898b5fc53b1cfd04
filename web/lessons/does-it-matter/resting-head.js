import {rowsOfToken} from '../parts/rows-of-token.js';

/** @import {Model} from '../../session/shared-models.js' */

/**
 * The head that looks at special tokens most.
 *
 * @typedef {{layer: number, head: number, share: number}} Resting  `share`: of its attention from the blank
 */

/**
 * The share of a blank's attention that each head gives to special tokens, such as `[SEP]`.
 *
 * @param {Model} model
 * @param {Awaited<ReturnType<Model['attend']>>} result
 * @param {number} blank  the place of the blank
 */
export async function restingShares({shape}, result, blank) {
  const rows = await rowsOfToken(shape, result, blank);
  return rows.map((row) =>
    row.reduce((sum, weight, key) => sum + (result.specialTokens[key] ? weight : 0), 0),
  );
}

/**
 * Finds the head that gives the largest share of a blank's attention to special tokens.
 *
 * @param {Model} model
 * @param {Awaited<ReturnType<Model['attend']>>} result
 * @param {number} blank  the place of the blank
 * @returns {Promise<Resting>}
 */
export async function restingHead(model, result, blank) {
  const shares = await restingShares(model, result, blank);
  const share = Math.max(...shares);
  const at = shares.indexOf(share);
  const {heads} = model.shape;
  return {layer: Math.floor(at / heads), head: at % heads, share};
}
