/** @import {Model} from '../../session/shared-models.js' */

/**
 * The attention of one token in every head, layer after layer.
 *
 * @param {Model['shape']} shape
 * @param {Awaited<ReturnType<Model['attend']>>} result
 * @param {number} token
 */
export async function rowsOfToken({layers, heads}, result, token) {
  const size = result.tokens.length;
  const rows = [];
  for (let layer = 0; layer < layers; layer++) {
    const weights = await result.layerAttention(layer);
    for (let head = 0; head < heads; head++) {
      const start = (head * size + token) * size;
      rows.push(weights.subarray(start, start + size));
    }
  }
  return rows;
}
