/** What the heads of a model do on average, over one text or many. */

import {BertscopeError} from './errors.js';
import {classifyTokens} from './token-classes.js';

/** @import {HeadName, HeadStatistic, WasmHeads, WasmModule} from './wasm-module.d.ts' */

/**
 * @typedef {object} HeadStatistics Defined in `src/analysis/head_statistics.h`.
 * @property {number} layers
 * @property {number} heads
 * @property {Record<HeadStatistic, Float32Array>} statistics Each `[layers * heads]`. `entropy` is in
 *   nats, `distance` in tokens, `breadth` a share of the greatest entropy; the others are shares of
 *   a token's attention.
 * @property {HeadName[]} names `[layers * heads]`
 */

/**
 * @param {Pick<WasmModule, 'Heads'>} module
 * @param {{layers: number, heads: number}} shape
 * @param {(heads: WasmHeads) => void | Promise<void>} add Counts texts in.
 * @returns {Promise<HeadStatistics>}
 */
export async function collectHeadStatistics(module, {layers, heads}, add) {
  const sums = new module.Heads(layers, heads);
  try {
    await add(sums);
    return {layers, heads, statistics: sums.means(), names: sums.names()};
  } finally {
    sums.delete();
  }
}

/**
 * Of attention from anywhere.
 * @param {Pick<WasmModule, 'Heads'>} module
 * @param {ArrayLike<ArrayLike<Float32Array>>} attention `[layer][head]`, each `[tokens * tokens]`.
 * @param {string[]} tokens BERT's word pieces.
 */
export function statisticsOfAttention(module, attention, tokens) {
  const shape = {layers: attention.length, heads: attention[0]?.length ?? 0};
  const classes = classifyTokens(tokens);
  return collectHeadStatistics(module, shape, (sums) => {
    for (let layer = 0; layer < shape.layers; layer++) {
      for (let head = 0; head < shape.heads; head++) {
        const failure = sums.add(layer, head, attention[layer][head], classes);
        if (failure) throw new BertscopeError(failure.code, failure.message);
      }
    }
  });
}
