import {createSnapshot, snapshotFromJson} from '../views/snapshot.js';

/** @import {Model} from './model-pool.js' */
/** @import {Snapshot} from '../views/snapshot.js' */
/** @typedef {Awaited<ReturnType<Model['attend']>>} Result */

/**
 * What an element shows: a snapshot that can be asked for more.
 *
 * @typedef {object} Pass
 * @property {Snapshot} snapshot
 * @property {Result | null} result  null when nothing was run
 * @property {(layer: number, heads: number[]) => Promise<void>} fetch
 *   makes the attention of these heads available
 * @property {(layer: number, heads: number[]) => boolean} has
 */

/**
 * One text through one model.
 *
 * @implements {Pass}
 */
export class LivePass {
  /** @type {Map<string, Float32Array>} */
  #matrices = new Map();

  /**
   * @param {Model} model
   * @param {Result} result
   */
  constructor(model, result) {
    this.result = result;
    this.snapshot = createSnapshot({
      tokens: result.tokens,
      tokenTypeIds: result.tokenTypeIds,
      layers: model.shape.layers,
      heads: model.shape.heads,
      attention: (layer, head) => this.#matrices.get(`${layer}.${head}`),
    });
  }

  /**
   * @param {number} layer
   * @param {number[]} heads
   */
  has(layer, heads) {
    return heads.every((head) => this.#matrices.has(`${layer}.${head}`));
  }

  /**
   * @param {number} layer
   * @param {number[]} heads
   */
  async fetch(layer, heads) {
    const missing = heads.filter((head) => !this.has(layer, [head]));
    await Promise.all(
      missing.map(async (head) => {
        this.#matrices.set(`${layer}.${head}`, await this.result.attention(layer, head));
      }),
    );
  }
}

/**
 * A saved snapshot: everything is there, and no engine is needed.
 *
 * @param {string} url
 * @param {AbortSignal} signal
 * @returns {Promise<Pass>}
 */
export async function loadFrozenPass(url, signal) {
  const response = await fetch(url, {signal});
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const snapshot = snapshotFromJson(await response.json());
  return {snapshot, result: null, fetch: async () => {}, has: () => true};
}
