/** The sizes of a model that pictures of it depend on. */

/** @import {ModelConfig} from '../wasm-module.d.ts' */

/**
 * @typedef {object} ModelShape
 * @property {number} layers
 * @property {number} heads
 * @property {number} headDim
 * @property {number} hiddenSize
 * @property {number} positions The greatest number of tokens of a text.
 * @property {number[]} [scoreDivisors] What the products of queries and keys are divided by in each layer, if not by the
 *   root of `headDim`.
 * @property {boolean} [hasPositionScores] Whether the distance of a key from its query adds something to its score.
 */

/** @param {ModelConfig} config @returns {ModelShape} */
export function shapeOf({layers, heads, headSize, hiddenSize, positions, ...scores}) {
  const {unscaledScores, layerScaledScores, distanceVectors, distanceBuckets} = scores;
  const headDim = headSize || hiddenSize / heads;
  const sizes = {layers, heads, headDim, hiddenSize, positions};
  const shape = distanceBuckets ? {...sizes, hasPositionScores: true} : sizes;
  if (!unscaledScores && !layerScaledScores && !distanceVectors) return shape;
  const times = distanceVectors ? 3 : 1; // a score is a sum of three products
  const divisorOf = (/** @type {number} */ layer) =>
    unscaledScores ? 1 : Math.sqrt(times * headDim) * (layerScaledScores ? layer + 1 : 1);
  const scoreDivisors = Array.from({length: layers}, (_, layer) => divisorOf(layer));
  return {...shape, scoreDivisors};
}
