import {
  headArithmetic,
  hiddenKeys,
  isCausal,
  largestAt,
  row,
  sum,
  typicalSize,
} from '../../attention/head-arithmetic.js';
import {namedToken} from '../../attention/byte-level-tokens.js';
import {formatMagnitude, formatNumber} from '../parts/number-format.js';
import {indicesIn} from '../../attention/range.js';
import {filterSlices} from '../../attention/selection.js';
import {attentionOf, vectorsOf} from '../../attention/snapshot.js';

/** @import {Arithmetic, HeadVectors} from '../../attention/head-arithmetic.js' */
/** @import {Selection, Slice} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */
/** @import {Story} from '../../strings/en/neuron.js' */

/**
 * The vectors of one head and the tokens that the neuron view shows.
 *
 * @typedef {object} NeuronScene
 * @property {number} layer
 * @property {number} head
 * @property {HeadVectors} vectors
 * @property {Float32Array} attention  `[queries * keys]`
 * @property {number} stride  the number of keys in a row of attention
 * @property {Slice} queries  the queries that the filter leaves
 * @property {Slice} keys  the keys that the filter leaves
 * @property {boolean} causal  whether no query sees a key after itself
 * @property {readonly boolean[]} hidden  which keys no query sees
 * @property {{before: NeuronScene, after: NeuronScene}} [sides]  of a difference: each number is after less before
 *
 * @typedef {object} QueryScene  the numbers of one query
 * @property {number} query
 * @property {Slice} keys  the keys that the filter leaves and the query sees
 * @property {Arithmetic} arithmetic
 * @property {Float32Array} weights  α, `[keys]`
 * @property {boolean} changed  whether the weights are not the softmax of the scores
 * @property {number} strongest  the largest weight
 * @property {{vector: number, product: number, value: number, weighted: number, output: number}} typical
 */

/** Attention that differs more than this from its softmax has been changed by interventions. */
const tolerance = 1e-3;

/**
 * @param {Snapshot} snapshot
 * @param {Selection} selection
 * @returns {NeuronScene | null}  null if the vectors are not known
 */
export function neuronScene(snapshot, selection) {
  if ('sides' in snapshot && snapshot.sides) {
    const before = neuronScene(snapshot.sides.before, selection);
    const after = neuronScene(snapshot.sides.after, selection);
    return before && after && sameVectors(before, after) ? changeOf(before, after) : null;
  }
  const {layer, heads, filter} = selection;
  const [head] = heads;
  const {headDim, scoreDivisors, hasPositionScores} = snapshot;
  const attention = attentionOf(snapshot, layer, head);
  const queries = vectorsOf(snapshot, 'queries', layer, head);
  const keys = vectorsOf(snapshot, 'keys', layer, head);
  const values = vectorsOf(snapshot, 'values', layer, head);
  const positionScores = hasPositionScores
    ? vectorsOf(snapshot, 'positionScores', layer, head)
    : undefined;
  if (!headDim || !attention || !queries || !keys || !values) return null;
  if (hasPositionScores && !positionScores) return null;
  const stride = snapshot.keyTokens.length;
  const slices = filterSlices(filter, snapshot);
  return {
    layer,
    head,
    vectors: {
      ...{queries, keys, values, positionScores},
      ...{headDim, divisor: scoreDivisors?.[layer]},
    },
    attention,
    stride,
    queries: slices.query,
    keys: slices.key,
    causal: snapshot.queryTokens.length === stride && isCausal(attention, stride),
    hidden: hiddenKeys(attention, stride),
  };
}

/** @param {NeuronScene} before @param {NeuronScene} after */
function sameVectors({vectors: a}, {vectors: b}) {
  return a.headDim === b.headDim && a.keys.length === b.keys.length;
}

/** @param {NeuronScene} before @param {NeuronScene} after @returns {NeuronScene} */
function changeOf(before, after) {
  const {queries, keys, values} = after.vectors;
  const less = before.vectors;
  return {
    ...after,
    vectors: {
      ...after.vectors,
      queries: minus(queries, less.queries),
      keys: minus(keys, less.keys),
      values: minus(values, less.values),
      positionScores: addedMore(after.vectors, less),
    },
    attention: minus(after.attention, before.attention),
    sides: {before, after},
  };
}

/**
 * Computes how much more the distances add after a change; undefined if they add nothing on either side.
 *
 * @param {{positionScores?: Float32Array}} after
 * @param {{positionScores?: Float32Array}} before
 */
function addedMore({positionScores: after}, {positionScores: before}) {
  if (!before) return after;
  return after ? minus(after, before) : before.map((number) => -number);
}

/** @param {Float32Array} a @param {Float32Array} b */
function minus(a, b) {
  return a.map((number, i) => number - b[i]);
}

/**
 * Computes how the arithmetic of a query has changed, number by number.
 *
 * @param {NeuronScene} change
 * @param {QueryScene} before
 * @param {QueryScene} after
 * @returns {QueryScene}
 */
function changeOfQuery({vectors}, before, after) {
  const [a, b] = [after.arithmetic, before.arithmetic];
  const arithmetic = {
    headDim: a.headDim,
    query: minus(a.query, b.query),
    products: minus(a.products, b.products),
    sums: minus(a.sums, b.sums),
    positionScores: addedMore(a, b),
    scores: minus(a.scores, b.scores),
    softmax: minus(a.softmax, b.softmax),
    weighted: minus(a.weighted, b.weighted),
    output: minus(a.output, b.output),
  };
  const weights = minus(after.weights, before.weights);
  return {
    ...after,
    arithmetic,
    weights,
    changed: false,
    strongest: weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0),
    typical: {
      vector: Math.max(typicalSize(vectors.queries), typicalSize(vectors.keys)),
      product: typicalSize(arithmetic.products),
      value: typicalSize(vectors.values),
      weighted: typicalSize(arithmetic.weighted),
      output: typicalSize(arithmetic.output),
    },
  };
}

/**
 * @param {NeuronScene} scene
 * @param {number} query
 * @returns {QueryScene}
 */
export function queryScene(scene, query) {
  const {vectors, attention, stride, keys, causal, hidden, sides} = scene;
  if (sides) {
    return changeOfQuery(scene, queryScene(sides.before, query), queryScene(sides.after, query));
  }
  const seen = causal ? query + 1 : stride;
  const weights = row(attention, query, stride);
  const arithmetic = headArithmetic(vectors, query, {seen, hidden, weights});
  const value = typicalSize(vectors.values);
  const strongest = weights.reduce((a, b) => Math.max(a, b), 0);
  return {
    query,
    keys: {start: Math.min(keys.start, seen), end: Math.min(keys.end, seen)},
    arithmetic,
    weights,
    changed: arithmetic.softmax.some((share, i) => Math.abs(share - weights[i]) > tolerance),
    strongest,
    typical: {
      vector: Math.max(typicalSize(vectors.queries), typicalSize(vectors.keys)),
      product: typicalSize(arithmetic.products),
      value,
      // With this size, the key with the most weight looks the same in the columns of values and of weighted values.
      weighted: value * strongest,
      output: Math.max(value * strongest, typicalSize(arithmetic.output)),
    },
  };
}

/**
 * Finds the key that the query attends to most, among those shown.
 *
 * @param {QueryScene} scene
 */
export function strongestKey({weights, keys}) {
  return keys.start + largestAt(weights.subarray(keys.start, keys.end), Math.abs);
}

/**
 * Finds the keys that the query attends to most, among those shown, strongest first.
 *
 * @param {QueryScene} scene
 * @param {number} count
 */
export function strongestKeys({weights, keys}, count) {
  return indicesIn(keys)
    .sort((a, b) => Math.abs(weights[b]) - Math.abs(weights[a]))
    .slice(0, count);
}

/**
 * Finds the size of the largest score among the keys shown, and of the largest part of one that a distance adds. The
 * bars of both are scaled by it.
 *
 * @param {QueryScene} scene
 */
export function largestScore({arithmetic: {scores, positionScores}, keys}) {
  let largest = 0;
  for (let key = keys.start; key < keys.end; key++)
    largest = Math.max(largest, Math.abs(scores[key]), Math.abs(positionScores?.[key] ?? 0));
  return largest;
}

/**
 * Finds the dimension in which the product of query and key is largest, positive or negative.
 *
 * @param {QueryScene} scene
 * @param {number} key
 */
export function strongestDimension({arithmetic: {products, headDim}}, key) {
  return largestAt(row(products, key, headDim), Math.abs);
}

/**
 * Names what a score is, as a formula.
 *
 * @param {NeuronScene} head
 */
export function scoreFormula({vectors}) {
  const {positionScores} = vectors;
  const divisor = divisorOf(vectors, 'd');
  const slash = positionScores ? '/' : ' / '; // With b too, the title of a column has little room.
  return `q·k${divisor && slash + divisor}${positionScores ? ' + b' : ''}`;
}

/**
 * Writes what products are divided by: `√64`; `3√64` in the third layer of a model that divides by the number of the
 * layer too; `√(3·64)` where a score is a sum of three products; an empty text where they are not divided.
 *
 * @param {HeadVectors} vectors
 * @param {string | number} size
 */
export function divisorOf({divisor, headDim}, size) {
  if (divisor === 1) return '';
  const times = divisor === undefined ? 1 : Math.round(divisor ** 2 / headDim);
  const root = Math.sqrt(times);
  if (!Number.isInteger(root)) return `√(${times}${size === 'd' ? '' : '·'}${size})`;
  return `${root > 1 ? root : ''}√${size}`;
}

/**
 * Finds what the distance of a key adds to its score; an empty text where nothing is added.
 *
 * @param {Arithmetic} arithmetic
 * @param {number} key
 */
export function positionOf({positionScores}, key) {
  return positionScores ? formatNumber(positionScores[key]) : '';
}

/**
 * Collects the numbers of the story that the stepper tells.
 *
 * @param {QueryScene} scene
 * @param {NeuronScene} head
 * @param {Snapshot} snapshot
 * @returns {Story}
 */
export function storyOf({query, arithmetic, weights}, {vectors}, {queryTokens, keyTokens}) {
  const {headDim, products, sums, scores, softmax, weighted, output} = arithmetic;
  const [best, next] = [...weights.keys()].sort((a, b) => weights[b] - weights[a]);
  const dimension = largestAt(row(products, best, headDim));
  const at = best * headDim + dimension;
  const along = sum(row(weighted, best, headDim).map((number, i) => number * output[i]));
  const length = sum(output.map((number) => number * number));
  const total = sum(Array.from(scores, (score, i) => (softmax[i] ? Math.exp(score) : 0)));
  return {
    query: namedToken(queryTokens[query]),
    key: namedToken(keyTokens[best]),
    second: next === undefined || !weights[next] ? '' : namedToken(keyTokens[next]),
    size: headDim,
    divisor: divisorOf(vectors, headDim),
    root: formatNumber(vectors.divisor ?? Math.sqrt(headDim), 2),
    position: positionOf(arithmetic, best),
    dimension,
    q: formatNumber(arithmetic.query[dimension]),
    k: formatNumber(vectors.keys[at]),
    product: formatNumber(products[at]),
    sum: formatNumber(sums[best]),
    score: formatNumber(scores[best]),
    power: formatMagnitude(Math.exp(scores[best])),
    total: formatMagnitude(total),
    weight: formatNumber(weights[best]),
    percent: formatNumber(softmax[best] * 100, 0),
    secondWeight: formatNumber(next === undefined ? 0 : weights[next]),
    share: formatNumber((along / length) * 100, 0),
  };
}
