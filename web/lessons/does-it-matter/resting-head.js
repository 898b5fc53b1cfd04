/** @import {Model} from '../../scope/shared-models.js' */

/**
 * The head that looks at special tokens most.
 *
 * @typedef {{layer: number, head: number, share: number}} Resting  `share`: of its attention from the blank
 */

/**
 * Finds the head that gives the largest share of a blank's attention to special tokens, such as `[SEP]`.
 *
 * @param {Model} model
 * @param {Awaited<ReturnType<Model['attend']>>} result
 * @param {number} blank  the place of the blank
 * @returns {Promise<Resting>}
 */
export async function restingHead({shape: {layers, heads}}, result, blank) {
  const size = result.tokens.length;
  let best = {layer: 0, head: 0, share: -1};
  for (let layer = 0; layer < layers; layer++) {
    const weights = await result.layerAttention(layer);
    for (let head = 0; head < heads; head++) {
      const start = (head * size + blank) * size;
      const share = weights
        .subarray(start, start + size)
        .reduce((sum, weight, key) => sum + (result.specialTokens[key] ? weight : 0), 0);
      if (share > best.share) best = {layer, head, share};
    }
  }
  return best;
}
