import {importFile} from '../views/import-attention.js';
import {createSnapshot} from '../views/snapshot.js';

/** @import {Model} from './model-pool.js' */
/** @import {Parts} from '../views/import-attention.js' */
/** @import {Snapshot, VectorKind} from '../views/snapshot.js' */
/** @typedef {Awaited<ReturnType<Model['attend']>>} Result */

/**
 * One matrix of a pass.
 *
 * @typedef {{kind: 'attention' | VectorKind, layer: number, head: number}} Part
 *
 * What an element shows: a snapshot that can be asked for more.
 *
 * @typedef {object} Pass
 * @property {Snapshot} snapshot
 * @property {Parts} [parts]  of an encoder-decoder model; `snapshot` is the first
 * @property {Result | null} result  null when nothing was run
 * @property {(parts: Part[]) => Promise<void>} fetch  makes them available in the snapshot
 * @property {(parts: Part[]) => boolean} has
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
    const {layers, heads, headDim} = model.shape;
    this.result = result;
    this.snapshot = createSnapshot({
      tokens: result.tokens,
      tokenTypeIds: result.tokenTypeIds,
      layers,
      heads,
      attention: (layer, head) => this.#matrices.get(nameOf({kind: 'attention', layer, head})),
      headDim,
      vectors: (kind, layer, head) => this.#matrices.get(nameOf({kind, layer, head})),
    });
  }

  /** @param {Part[]} parts */
  has(parts) {
    return parts.every((part) => this.#matrices.has(nameOf(part)));
  }

  /** @param {Part[]} parts */
  async fetch(parts) {
    const missing = parts.filter((part) => !this.has([part]));
    await Promise.all(
      missing.map(async (part) => {
        const {kind, layer, head} = part;
        this.#matrices.set(nameOf(part), await this.result[kind](layer, head));
      }),
    );
  }
}

/** @param {Part} part */
function nameOf({kind, layer, head}) {
  return `${kind}.${layer}.${head}`;
}

/**
 * A pass of which everything is there, and for which no engine is needed.
 *
 * @param {Parts} parts
 * @returns {Pass}
 */
export function frozenPass(parts) {
  const snapshots = Object.values(parts);
  return {
    snapshot: snapshots[0],
    parts: snapshots.length > 1 ? parts : undefined,
    result: null,
    fetch: async () => {},
    has: () => true,
  };
}

/**
 * @param {string} url  of saved attention
 * @param {AbortSignal} signal
 * @returns {Promise<Pass>}
 */
export async function loadFrozenPass(url, signal) {
  const response = await fetch(url, {signal});
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return frozenPass(importFile(new Uint8Array(await response.arrayBuffer())));
}
