/** Measures what the heads of a model do on average over one or more texts. */

import {attempt} from './attempt.js';

/** @import {HeadMap, HeadName, HeadStatistic, WasmHeads, WasmModule} from '../wasm-module.d.ts' */

/**
 * @typedef {object} HeadStatistics Defined in `src/analysis/head_statistics.h`.
 * @property {number} layers
 * @property {number} heads
 * @property {Record<HeadStatistic, Float32Array>} statistics Each `[layers * heads]`. `entropy` is
 *   in nats, `distance` in tokens and `breadth` a share of the greatest possible entropy; the
 *   others are shares of a token's attention.
 * @property {HeadName[]} names `[layers * heads]`
 */

/** @typedef {HeadStatistics & {map?: HeadMap}} HeadGuide */

/**
 * @param {Pick<WasmModule, 'Heads'>} module
 * @param {{layers: number, heads: number}} shape
 * @param {(heads: WasmHeads) => void | Promise<void>} add Adds the texts to the sums.
 * @param {{similar?: boolean}} [options] Whether to measure how alike the heads are too.
 * @returns {Promise<HeadGuide>}
 */
export async function collectHeads(module, {layers, heads}, add, {similar = false} = {}) {
  const sums = new module.Heads(layers, heads, similar);
  try {
    await add(sums);
    const means = attempt('heads', () => sums.means());
    const names = attempt('heads', () => sums.names());
    const map = attempt('heads', () => sums.map());
    const statistics = {layers, heads, statistics: means, names};
    return map ? {...statistics, map} : statistics;
  } finally {
    sums.delete();
  }
}
