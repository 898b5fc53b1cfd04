/** @import {Engine} from '../elements/model-pool.js' */
/** @import {Tensor} from './tensor.js' */

/**
 * The rows of a random embedding table for some tokens, as `nn.Embedding` begins: N(0, 1). A token
 * has the same row wherever it occurs, and in every browser.
 *
 * @param {Engine['lab']} lab
 * @param {ArrayLike<number>} ids
 * @param {number} size  numbers a row
 * @param {number} seed
 * @returns {Promise<Tensor>}  [1, tokens, size]
 */
export async function randomEmbedding(lab, ids, size, seed) {
  const tokens = Array.from(ids);
  const rows = new Map(
    await Promise.all(
      [...new Set(tokens)].map(async (id) => {
        const {data} = await lab.normal([size], seed * 1_000_003 + id);
        return /** @type {const} */ ([id, data]);
      }),
    ),
  );
  const data = new Float32Array(tokens.length * size);
  tokens.forEach((id, at) => data.set(/** @type {Float32Array} */ (rows.get(id)), at * size));
  return {shape: [1, tokens.length, size], data};
}

/**
 * A vector of each token of a text.
 *
 * @param {Tensor} tensor  [1, tokens, size]
 * @param {number} token
 */
export function rowOf({shape, data}, token) {
  const size = shape[shape.length - 1];
  return data.subarray(token * size, (token + 1) * size);
}

/**
 * How much two vectors point the same way, from -1 to 1.
 *
 * @param {Float32Array} a
 * @param {Float32Array} b
 */
export function cosine(a, b) {
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** @param {Float32Array} a @param {Float32Array} b */
export function dot(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** @param {Float32Array} a */
export const lengthOf = (a) => Math.sqrt(dot(a, a));
