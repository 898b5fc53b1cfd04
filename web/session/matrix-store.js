import {ofAllHeads} from '../attention/display.js';
import {range} from '../attention/range.js';
import {remembered} from '../attention/remembered.js';
import {measures, vectorKindsOf} from '../engine/measures.js';

/** @import {Result} from './pass.js' */
/** @import {Measure} from '../attention/display.js' */
/** @import {Matrices, MatrixRef, PlainSnapshot, VectorKind} from '../attention/snapshot.js' */

/**
 * A request for matrices.
 *
 * @typedef {{arrival: Promise<void>, waiting: number, abort: () => void}} Awaiting
 *   `waiting`: the number of callers that wait for it
 */

/** The matrices of one result of the engine. They arrive in the lists of its snapshots. */
export class MatrixStore {
  /** @type {Map<Measure | VectorKind, Matrices>} */
  #lists = new Map();
  /** The request for each matrix that has not arrived. @type {Map<string, Awaiting>} */
  #awaited = new Map();
  #result;
  #kinds;

  /**
   * @param {Result} result
   * @param {Pick<PlainSnapshot, 'layers' | 'heads' | 'headDim' | 'scoreDivisors' | 'hasPositionScores'>} shape
   * @param {Partial<Record<MatrixRef['kind'], MatrixRef['kind']>>} [kinds]  what the engine calls them, where it has
   *   another name
   */
  constructor(result, shape, kinds = {}) {
    this.#result = result;
    this.shape = shape;
    this.#kinds = kinds;
  }

  /** What a snapshot has of the result: its shape, and lists in which its matrices arrive. @param {Measure} [measure] */
  lists(measure = 'weight') {
    return {
      ...this.shape,
      attention: this.#list(measure),
      vectors: Object.fromEntries(
        vectorKindsOf(this.shape).map((kind) => [kind, this.#list(kind)]),
      ),
    };
  }

  /** @param {readonly MatrixRef[]} refs */
  has(refs) {
    return refs.every((ref) => this.#list(listOf(ref))[this.#placeOf(ref)]);
  }

  /**
   * @param {readonly MatrixRef[]} refs
   * @param {AbortSignal} [signal]  aborted when the caller no longer waits
   */
  async fetch(refs, signal) {
    signal?.throwIfAborted();
    const missing = eachOnce(refs).filter((ref) => !this.has([ref]));
    const unasked = missing.filter((ref) => !this.#awaited.has(nameOf(ref)));
    const isSlow = (/** @type {MatrixRef} */ ref) => measures[measureOf(ref)].isSlow;
    for (const ref of unasked.filter(isSlow)) this.#ask([ref]);
    const others = unasked.filter((ref) => !isSlow(ref));
    if (others.length) this.#ask(others);
    const requests = new Set(missing.flatMap((ref) => this.#awaited.get(nameOf(ref)) ?? []));
    await Promise.all([...requests].map((request) => arrivalOf(request, signal)));
    signal?.throwIfAborted();
  }

  /** @param {readonly MatrixRef[]} refs @param {readonly Float32Array[]} matrices  those that the refs name */
  take(refs, matrices) {
    const columns = this.#result.tokens.length;
    refs.forEach((ref, at) => {
      const {drawnAsShares} = measures[measureOf(ref)];
      const matrix = drawnAsShares ? shares(matrices[at], columns) : matrices[at];
      const heads = isOfAllHeads(ref) ? this.shape.heads : 1;
      const list = this.#list(listOf(ref));
      for (const head of range(heads)) list[this.#placeOf(ref) + head] = matrix;
    });
  }

  /** @param {Measure | VectorKind} name @returns {Matrices} */
  #list(name) {
    const {layers, heads} = this.shape;
    return remembered(this.#lists, name, () => new Array(layers * heads).fill(undefined));
  }

  /** @param {MatrixRef} ref */
  #placeOf(ref) {
    return ref.layer * this.shape.heads + (isOfAllHeads(ref) ? 0 : ref.head);
  }

  /** @param {MatrixRef[]} refs */
  #ask(refs) {
    const controller = new AbortController();
    const forget = () => {
      for (const ref of refs) {
        if (this.#awaited.get(nameOf(ref)) === request) this.#awaited.delete(nameOf(ref));
      }
    };
    const asked = refs.map((ref) => ({...ref, kind: this.#kinds[ref.kind] ?? ref.kind}));
    const arrival = this.#result
      .pull(asked, {signal: controller.signal})
      .then((matrices) => this.take(refs, matrices))
      .finally(forget);
    const abort = () => {
      forget();
      controller.abort();
    };
    const request = {arrival, waiting: 0, abort};
    for (const ref of refs) this.#awaited.set(nameOf(ref), request);
  }
}

/** Lists each matrix once. @param {readonly MatrixRef[]} refs @returns {MatrixRef[]} */
export const eachOnce = (refs) => [...new Map(refs.map((ref) => [nameOf(ref), ref])).values()];

/** Vectors are the same in every measure. @param {MatrixRef} ref */
const measureOf = ({kind, measure = 'weight'}) => (kind === 'attention' ? measure : 'weight');

/** @param {MatrixRef} ref */
const listOf = (ref) =>
  ref.kind === 'attention' ? measureOf(ref) : /** @type {VectorKind} */ (ref.kind);

/** A measure of all heads has one matrix for each layer. @param {MatrixRef} ref */
const isOfAllHeads = (ref) => ofAllHeads.includes(measureOf(ref));

/** @param {MatrixRef} ref */
const nameOf = (ref) => `${listOf(ref)}.${ref.layer}.${isOfAllHeads(ref) ? '' : ref.head}`;

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
