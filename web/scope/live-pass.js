import {ofAllHeads} from '../attention/display.js';
import {createSnapshot} from '../attention/snapshot.js';
import {liveStrings} from '../strings/live.js';
import {fit, isUntouched} from '../attention/interventions.js';

/** @import {Model} from './shared-engine.js' */
/** @import {Origin} from './pass-origin.js' */
/** @import {Survey} from './head-surveys.js' */
/** @import {Pass, Result} from './pass.js' */
/** @import {Measure} from '../attention/display.js' */
/** @import {MatrixRef, Snapshot} from '../attention/snapshot.js' */

/**
 * @typedef {object} RunOptions
 * @property {boolean} specialTokens
 * @property {AbortSignal} signal
 * @property {boolean} [isBesideChanged]  whether the unchanged model runs the text of a changed one. Both passes are
 *   named after the state of the model then, since they have the same text.
 */

const {analysis, changes} = liveStrings;

/**
 * A request for a matrix.
 *
 * @typedef {{arrival: Promise<void>, waiting: number, abort: () => void}} Awaiting
 *   `waiting`: the number of callers that wait for it
 */

/**
 * A pass that the engine has run. It asks the engine for matrices.
 *
 * @implements {Pass}
 */
export class LivePass {
  /** @type {Map<string, Float32Array>} */
  #matrices = new Map();
  /** The requests that have no answer yet. @type {Map<string, Awaiting>} */
  #awaited = new Map();
  /** @type {Map<Measure, Snapshot>} */
  #snapshots = new Map();

  /**
   * @param {Origin} origin
   * @param {Model} model
   * @param {Result} result
   * @param {string} [name]  its name beside another pass; by default, the text
   */
  constructor(origin, model, result, name) {
    const {text, textPair: pair} = origin;
    this.text = pair.trim() ? `${text} / ${pair}` : text;
    this.name = name ?? this.text;
    this.origin = origin;
    this.model = model;
    this.result = result;
  }

  get snapshot() {
    return this.measured('weight');
  }

  /** @param {Measure} measure */
  measured(measure) {
    const {layers, heads, headDim} = this.model.shape;
    const {tokens, sentences, specialTokens, offsets} = this.result;
    const snapshot =
      this.#snapshots.get(measure) ??
      createSnapshot({
        tokens,
        tokenTypeIds: sentences,
        special: specialTokens,
        offsets,
        isByteLevel: this.model.isByteLevel,
        layers,
        heads,
        attention: (layer, head) =>
          this.#matrices.get(nameOf({kind: 'attention', measure, layer, head})),
        headDim,
        vectors: (kind, layer, head) => this.#matrices.get(nameOf({kind, layer, head})),
      });
    this.#snapshots.set(measure, snapshot);
    return snapshot;
  }

  /** @param {MatrixRef[]} parts */
  has(parts) {
    return parts.every((part) => this.#matrices.has(nameOf(part)));
  }

  /**
   * @param {MatrixRef[]} parts
   * @param {AbortSignal} [signal]  aborted when the caller no longer waits
   */
  async fetch(parts, signal) {
    signal?.throwIfAborted();
    const wanted = new Map(parts.map((part) => [nameOf(part), part]));
    const missing = [...wanted].filter(([name]) => !this.#matrices.has(name));
    await Promise.all(missing.map(([name, part]) => this.#arrival(name, part, signal)));
    signal?.throwIfAborted();
  }

  /** @param {string} name @param {MatrixRef} part @param {AbortSignal} [signal] */
  #arrival(name, part, signal) {
    const awaited = this.#awaited.get(name) ?? this.#ask(name, part);
    awaited.waiting++;
    const giveUp = () => {
      awaited.waiting--;
      if (!awaited.waiting) awaited.abort();
    };
    signal?.addEventListener('abort', giveUp, {once: true});
    return awaited.arrival;
  }

  /** @param {string} name @param {MatrixRef} part @returns {Awaiting} */
  #ask(name, part) {
    const controller = new AbortController();
    const forget = () => {
      if (this.#awaited.get(name) === awaited) this.#awaited.delete(name);
    };
    const arrival = pull(this.result, part, controller.signal)
      .then((matrix) => void this.#matrices.set(name, matrix))
      .finally(forget);
    const abort = () => {
      forget();
      controller.abort();
    };
    const awaited = {arrival, waiting: 0, abort};
    this.#awaited.set(name, awaited);
    return awaited;
  }

  /** @returns {Promise<Survey>} */
  async survey() {
    const {statistics, names} = await this.result.headStatistics();
    return {statistics, habits: names.map((name) => analysis.heads[name])};
  }
}

/**
 * Runs a text through a model with the interventions of an origin.
 *
 * @param {Model} model
 * @param {Origin} origin
 * @param {RunOptions} options
 */
export async function runPass(model, origin, {specialTokens, signal, isBesideChanged}) {
  const {text, textPair: pair, interventions} = origin;
  const isChanged = !isUntouched(interventions);
  const result = await model.attend(text, {
    pair: pair.trim() ? pair : undefined,
    specialTokens,
    signal,
    ...(isChanged ? {interventions: fit(interventions, model.shape)} : {}),
  });
  const {before, after} = changes;
  return new LivePass(
    origin,
    model,
    result,
    isChanged ? after : isBesideChanged ? before : undefined,
  );
}

/**
 * Returns the key of a matrix. A measure of all heads has one matrix for each layer.
 *
 * @param {MatrixRef} part
 */
function nameOf({kind, measure = 'weight', layer, head}) {
  if (kind !== 'attention') return `${kind}.${layer}.${head}`;
  return ofAllHeads.includes(measure) ? `${measure}.${layer}` : `${measure}.${layer}.${head}`;
}

/**
 * @param {Result} result
 * @param {MatrixRef} part
 * @param {AbortSignal} signal
 */
async function pull(result, {kind, measure = 'weight', layer, head}, signal) {
  if (kind !== 'attention' || measure === 'weight') return result[kind](layer, head);
  const matrix = await result.measure(measure, layer, head, {signal});
  return measure === 'norm' ? shares(matrix, result.tokens.length) : matrix;
}

/**
 * Divides each row by its sum, because views draw rows that sum to 1. The norms of vectors do not.
 *
 * @param {Float32Array} matrix
 * @param {number} columns
 */
function shares(matrix, columns) {
  return matrix.map((value, at) => {
    const start = at - (at % columns);
    const sum = matrix.subarray(start, start + columns).reduce((total, each) => total + each, 0);
    return sum ? value / sum : 0;
  });
}
