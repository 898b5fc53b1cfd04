import {classifyTokens} from '../engine/token-classes.js';
import {statisticsOf} from '../views/head-statistics.js';
import {importFile} from '../views/import-attention.js';
import {createSnapshot} from '../views/snapshot.js';

/** @import {Model} from './model-pool.js' */
/** @import {Survey} from './surveys.js' */
/** @import {StatisticName} from '../views/head-statistics.js' */
/** @import {Parts} from '../views/import-attention.js' */
/** @import {TokenRef} from '../views/selection.js' */
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
 * @property {string} name  the text, or the file
 * @property {Snapshot} snapshot
 * @property {Parts} [parts]  of an encoder-decoder model; `snapshot` is the first
 * @property {Result | null} result  null when nothing was run
 * @property {(parts: Part[]) => Promise<void>} fetch  makes them available in the snapshot
 * @property {(parts: Part[]) => boolean} has
 * @property {(snapshot: Snapshot) => Promise<Survey>} survey  what its heads do on average
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
   * @param {string} name
   * @param {Model} model
   * @param {Result} result
   */
  constructor(name, model, result) {
    this.name = name;
    this.model = model;
    const {layers, heads, headDim} = model.shape;
    this.result = result;
    this.snapshot = createSnapshot({
      tokens: result.tokens,
      tokenTypeIds: result.sentences,
      special: result.specialTokens,
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

  survey() {
    return this.result.headStatistics();
  }
}

/** @param {Part} part */
function nameOf({kind, layer, head}) {
  return `${kind}.${layer}.${head}`;
}

/**
 * A pass of which everything is there, and for which no engine is needed.
 *
 * @param {string} name
 * @param {Parts} parts
 * @returns {Pass}
 */
export function frozenPass(name, parts) {
  const snapshots = Object.values(parts);
  return {
    name,
    snapshot: snapshots[0],
    parts: snapshots.length > 1 ? parts : undefined,
    result: null,
    fetch: async () => {},
    has: () => true,
    survey,
  };
}

/** @param {string} address  of a model or of saved attention */
export function isSnapshotAddress(address) {
  return /\.(json|npz)$/.test(new URL(address, document.baseURI).pathname);
}

/**
 * What the heads of attention from anywhere do, looked at layer by layer: a long text takes a while,
 * and the page goes on in between.
 *
 * @param {Snapshot} snapshot  of which everything is there
 * @returns {Promise<Survey>}
 */
async function survey({layers, heads, queryTokens, keyTokens, attention}) {
  const classes = queryTokens === keyTokens ? classifyTokens([...keyTokens]) : null;
  /** @type {Partial<Record<StatisticName, Float32Array>>} */
  const statistics = {};
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const weights = attention(layer, head) ?? new Float32Array();
      const found = Object.entries(statisticsOf(weights, keyTokens.length, classes));
      for (const [name, value] of found) {
        const known = /** @type {StatisticName} */ (name);
        statistics[known] ??= new Float32Array(layers * heads).fill(NaN);
        statistics[known][layer * heads + head] = value;
      }
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  return {statistics, names: null};
}

/**
 * @param {string} url  of saved attention
 * @param {AbortSignal} signal
 * @returns {Promise<Pass>}
 */
export async function loadFrozenPass(url, signal) {
  const response = await fetch(url, {signal});
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return frozenPass(
    url.split('/').at(-1) ?? url,
    importFile(new Uint8Array(await response.arrayBuffer())),
  );
}

/**
 * A pin stays while its place holds the same token.
 *
 * @param {TokenRef} token
 * @param {Pass} before
 * @param {Pass} after
 */
export function sameToken({side, index}, before, after) {
  const tokens = (/** @type {Pass} */ {snapshot}) =>
    side === 'query' ? snapshot.queryTokens : snapshot.keyTokens;
  return tokens(before)[index] === tokens(after)[index];
}
