import {filterSlices} from './selection.js';
import {attentionOf} from './snapshot.js';

/** @import {Selection, Slice, TokenRef} from './selection.js' */
/** @import {Snapshot} from './snapshot.js' */

/**
 * The weights of the chosen heads of one layer.
 *
 * @typedef {object} ShownWeights
 * @property {{head: number, weights: Float32Array}[]} matrices  the weights of each head, `[queries * stride]`
 * @property {number} stride  the number of keys in a row of a matrix
 * @property {Slice} query  the queries that the filter leaves
 * @property {Slice} key  the keys that the filter leaves
 *
 * @typedef {{query: number, key: number, weight: number}} Link
 */

/**
 * @param {Snapshot} snapshot
 * @param {Selection} selection
 * @returns {ShownWeights}  only the heads that are fetched already
 */
export function shownWeights(snapshot, {layer, heads, filter}) {
  const matrices = [];
  for (const head of heads) {
    const weights = attentionOf(snapshot, layer, head);
    if (weights) matrices.push({head, weights});
  }
  return {matrices, stride: snapshot.keyTokens.length, ...filterSlices(filter, snapshot)};
}

/** @param {readonly {weights: Float32Array}[]} matrices */
export function largestOf(matrices) {
  let largest = 0;
  for (const {weights} of matrices) {
    for (const weight of weights) largest = Math.max(largest, Math.abs(weight));
  }
  return largest;
}

/**
 * @param {Pick<ShownWeights, 'matrices' | 'stride'>} shown
 * @param {number} query
 * @param {number} key
 */
export function meanWeight({matrices, stride}, query, key) {
  let sum = 0;
  for (const {weights} of matrices) sum += weights[query * stride + key];
  return sum / matrices.length;
}

/** @param {Pick<ShownWeights, 'matrices'>} shown  has at least one matrix */
export function meanOfMatrices({matrices}) {
  const [{weights: first}] = matrices;
  if (matrices.length === 1) return first;
  const mean = new Float32Array(first.length);
  for (const {weights} of matrices) {
    for (let i = 0; i < mean.length; i++) mean[i] += weights[i] / matrices.length;
  }
  return mean;
}

/**
 * Finds the tokens of the other side with the strongest mean weights, strongest first.
 *
 * @param {ShownWeights} shown
 * @param {TokenRef} token
 * @param {number} count
 */
export function strongestPartners(shown, {side, index}, count) {
  const {start, end} = side === 'query' ? shown.key : shown.query;
  const partners = [];
  for (let other = start; other < end; other++) {
    const weight =
      side === 'query' ? meanWeight(shown, index, other) : meanWeight(shown, other, index);
    partners.push({index: other, weight});
  }
  return partners.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, count);
}

/**
 * Finds the strongest weights among the drawn queries and keys, strongest first. In a difference, the sign does
 * not count.
 *
 * @param {{weights: Float32Array, stride: number, drawn: {query: Slice, key: Slice}}} matrix
 * @param {number} count
 * @returns {Link[]}
 */
export function strongestLinks({weights, stride, drawn}, count) {
  /** @type {Link[]} */
  const links = [];
  for (let query = drawn.query.start; query < drawn.query.end; query++) {
    for (let key = drawn.key.start; key < drawn.key.end; key++) {
      const weight = weights[query * stride + key];
      const size = Math.abs(weight);
      if (links.length === count && !(size > Math.abs(links[count - 1].weight))) continue;
      if (links.length === count) links.pop();
      const place = links.findIndex((link) => Math.abs(link.weight) < size);
      links.splice(place < 0 ? links.length : place, 0, {query, key, weight});
    }
  }
  return links;
}
