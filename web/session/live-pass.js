import {ofAllHeads} from '../attention/display.js';
import {createSnapshot} from '../attention/snapshot.js';
import {frameOf, inNamesOf} from '../attention/special-tokens.js';
import {measures} from '../engine/measures.js';
import {liveStrings} from '../strings/live.js';
import {toEngineOptions, isUntouched} from '../attention/interventions.js';
import {formatPercent} from '../views/parts/number-format.js';
import {runTranslation} from './translated-pass.js';

/** @import {Model} from './shared-engine.js' */
/** @import {Origin} from './pass-origin.js' */
/** @import {Survey} from './head-surveys.js' */
/** @import {Pass, Result} from './pass.js' */
/** @import {Measure} from '../attention/display.js' */
/** @import {StatisticName} from '../attention/head-statistics.js' */
/** @import {MatrixRef, Snapshot} from '../attention/snapshot.js' */
/** @import {Habit} from '../views/parts/inspector.js' */

/**
 * @typedef {object} RunOptions
 * @property {boolean} specialTokens
 * @property {AbortSignal} signal
 * @property {MatrixRef[]} [parts]  the matrices that come with the pass
 * @property {boolean} [isBesideChanged]  whether the unchanged model runs the text of a changed one. Both passes are
 *   named after the state of the model then, since they have the same text.
 */

/** @typedef {keyof typeof liveStrings.analysis.heads} HeadName */

const {analysis, changes} = liveStrings;

/**
 * A request for matrices.
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
  /** The request for each matrix that has not arrived. @type {Map<string, Awaiting>} */
  #awaited = new Map();
  /** @type {Map<Measure, Snapshot>} */
  #snapshots = new Map();

  /**
   * @param {Origin} origin
   * @param {Model} model
   * @param {Result} result
   * @param {string} [name]  its name beside another pass; by default, the text
   * @param {MatrixMap} [parts]  the matrices that came with the result
   */
  constructor(origin, model, result, name, parts = new Map()) {
    const {text, textPair: pair} = origin;
    this.text = pair.trim() ? `${text} / ${pair}` : text;
    this.name = name ?? this.text;
    this.origin = origin;
    this.model = model;
    this.result = result;
    this.#take(parts, result.matrices);
  }

  get snapshot() {
    return this.measured('weight');
  }

  /** @param {Measure} measure */
  measured(measure) {
    const {layers, heads, headDim, scoreDivisors} = this.model.shape;
    const {tokens, sentences, specialTokens, offsets, ids, scoreBiases} = this.result;
    const snapshot =
      this.#snapshots.get(measure) ??
      createSnapshot({
        tokens,
        tokenTypeIds: sentences,
        special: specialTokens,
        offsets,
        ids,
        isByteLevel: this.model.isByteLevel,
        layers,
        heads,
        attention: (layer, head) =>
          this.#matrices.get(nameOf({kind: 'attention', measure, layer, head})),
        headDim,
        scoreDivisors,
        scoreBiases,
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
    const missing = [...named(parts)].filter(([name]) => !this.#matrices.has(name));
    const unasked = missing.filter(([name]) => !this.#awaited.has(name));
    const isSlow = (/** @type {(typeof missing)[0]} */ [, {measure = 'weight'}]) =>
      measures[measure].isSlow;
    const [slow, others] = [unasked.filter(isSlow), unasked.filter((part) => !isSlow(part))];
    for (const part of slow) this.#ask(new Map([part]));
    if (others.length) this.#ask(new Map(others));
    const requests = new Set(missing.flatMap(([name]) => this.#awaited.get(name) ?? []));
    await Promise.all([...requests].map((request) => arrivalOf(request, signal)));
    signal?.throwIfAborted();
  }

  /** @param {MatrixMap} parts */
  #ask(parts) {
    const controller = new AbortController();
    const forget = () => {
      for (const name of parts.keys()) {
        if (this.#awaited.get(name) === request) this.#awaited.delete(name);
      }
    };
    const arrival = this.result
      .pull([...parts.values()], {signal: controller.signal})
      .then((matrices) => this.#take(parts, matrices))
      .finally(forget);
    const abort = () => {
      forget();
      controller.abort();
    };
    const request = {arrival, waiting: 0, abort};
    for (const name of parts.keys()) this.#awaited.set(name, request);
  }

  /** @param {MatrixMap} parts @param {Float32Array[]} matrices */
  #take(parts, matrices) {
    const columns = this.result.tokens.length;
    [...parts].forEach(([name, {measure = 'weight'}], at) => {
      const matrix = matrices[at];
      this.#matrices.set(name, measures[measure].drawnAsShares ? shares(matrix, columns) : matrix);
    });
  }

  /** @returns {Promise<Survey>} */
  async survey() {
    const {statistics, names} = await this.result.headStatistics();
    const {tokens, specialTokens} = this.result;
    const say = inNamesOf(frameOf(tokens, specialTokens));
    return {statistics, habits: names.map((name, at) => habitOf(name, statistics, at, say))};
  }
}

/**
 * Says what a head does in a text.
 *
 * @param {HeadName} name
 * @param {Record<StatisticName, ArrayLike<number>>} statistics
 * @param {number} at  the place of the head in each of the statistics
 * @param {(words: string) => string} say  names the tokens around the text
 * @returns {Habit}
 */
function habitOf(name, statistics, at, say) {
  const {name: called, rule} = analysis.heads[name];
  const habit = {name: say(called), rule: say(rule)};
  const {told} = analysis;
  if (name === 'content') return {...habit, told: told.content};
  const share = formatPercent(statistics[name === 'broad' ? 'breadth' : name][at]);
  const isPlace = name !== 'broad' && name !== 'sameWord';
  return {
    ...habit,
    isPattern: true,
    told: isPlace ? told.place(habit.name, share) : told[name](share),
  };
}

/**
 * Runs a text through a model with the interventions of an origin.
 *
 * @param {Model} model
 * @param {Origin} origin
 * @param {RunOptions} options
 * @returns {Promise<Pass>}
 */
export async function runPass(model, origin, {specialTokens, signal, parts, isBesideChanged}) {
  if (model.decoderShape) return runTranslation(model, origin, {signal, isBesideChanged});
  const {text, textPair: pair, ids, interventions} = origin;
  const isChanged = !isUntouched(interventions);
  const wanted = named(parts ?? []);
  const result = await model.attend(text, {
    pair: pair.trim() ? pair : undefined,
    specialTokens,
    ids: ids.length ? ids : undefined,
    matrices: [...wanted.values()],
    signal,
    ...(isChanged ? {interventions: toEngineOptions(interventions, model)} : {}),
  });
  const {before, after} = changes;
  return new LivePass(
    origin,
    model,
    result,
    isChanged ? after : isBesideChanged ? before : undefined,
    wanted,
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

/** @typedef {Map<string, MatrixRef>} MatrixMap  matrices by their keys */

/** Lists each matrix once. @param {MatrixRef[]} parts @returns {MatrixMap} */
const named = (parts) => new Map(parts.map((part) => [nameOf(part), part]));

/**
 * Waits for a request, and aborts it when nobody waits for it any longer.
 *
 * @param {Awaiting} request
 * @param {AbortSignal} [signal]
 */
function arrivalOf(request, signal) {
  request.waiting++;
  const giveUp = () => {
    request.waiting--;
    if (!request.waiting) request.abort();
  };
  signal?.addEventListener('abort', giveUp, {once: true});
  return request.arrival.finally(() => signal?.removeEventListener('abort', giveUp));
}

/**
 * Divides each row by its sum, because views draw rows that sum to 1. The norms of vectors do not.
 *
 * @param {Float32Array} matrix
 * @param {number} columns
 */
function shares(matrix, columns) {
  const shared = new Float32Array(matrix.length);
  for (let start = 0; start < matrix.length; start += columns) {
    let sum = 0;
    for (let at = start; at < start + columns; at++) sum += matrix[at];
    if (!sum) continue;
    for (let at = start; at < start + columns; at++) shared[at] = matrix[at] / sum;
  }
  return shared;
}
