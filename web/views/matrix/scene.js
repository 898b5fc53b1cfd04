import {limitFor} from '../parts/weight-colours.js';
import {filterSlices} from '../../attention/selection.js';
import {attentionOf} from '../../attention/snapshot.js';

/** @import {Selection, Slice, TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * The heat map's numbers and geometry, without a canvas. x and y are CSS pixels from the top left corner of the whole
 * map, which includes the labels.
 *
 * @typedef {object} MatrixScene
 * @property {Float32Array} weights  mean over the chosen heads, `[queries * stride]`
 * @property {number} stride  the number of keys in a row
 * @property {Slice} query  rows
 * @property {Slice} key  columns
 * @property {number} limit  the weight of the strongest colour
 * @property {boolean} isDifference
 * @property {number} cell  width and height of a cell
 * @property {number} left  width of the rows' labels
 * @property {number} top  height of the columns' labels
 * @property {number} right  width of the rows' sums
 *
 * @typedef {{query: number | null, key: number | null}} Cell  `key` is null on the label of a row, `query` on the label
 *   of a column
 */

/**
 * @param {{snapshot: Snapshot, selection: Selection, fullScale?: boolean}} data
 * @returns {MatrixScene}
 */
export function matrixScene({snapshot, selection, fullScale = false}) {
  const weights = meanOfHeads(snapshot, selection);
  const isDifference = snapshot.isDifference ?? false;
  const {query, key} = filterSlices(selection.filter, snapshot);
  let strongest = 0;
  for (let i = query.start; i < query.end; i++) {
    for (let j = key.start; j < key.end; j++) {
      strongest = Math.max(strongest, Math.abs(weights[i * snapshot.keyTokens.length + j]));
    }
  }
  return {
    weights,
    stride: snapshot.keyTokens.length,
    query,
    key,
    limit: fullScale ? 1 : limitFor(strongest),
    isDifference,
    cell: 0,
    left: 0,
    top: 0,
    right: 0,
  };
}

/**
 * @param {Snapshot} snapshot
 * @param {Pick<Selection, 'layer' | 'heads'>} selection
 */
function meanOfHeads(snapshot, {layer, heads}) {
  const mean = new Float32Array(snapshot.queryTokens.length * snapshot.keyTokens.length);
  for (const head of heads) {
    const matrix = attentionOf(snapshot, layer, head);
    if (matrix) for (let i = 0; i < mean.length; i++) mean[i] += matrix[i];
  }
  for (let i = 0; i < mean.length; i++) mean[i] /= heads.length;
  return mean;
}

/**
 * Adds the weights of a row over the keys shown.
 *
 * @param {MatrixScene} scene
 * @param {number} query
 */
export function rowSum({weights, stride, key}, query) {
  let sum = 0;
  for (let j = key.start; j < key.end; j++) sum += weights[query * stride + j];
  return sum;
}

/** @param {MatrixScene} scene */
export function sizeOf({query, key, cell, left, top, right}) {
  return {
    width: left + (key.end - key.start) * cell + right,
    height: top + (query.end - query.start) * cell,
  };
}

/**
 * @param {MatrixScene} scene
 * @param {number} x
 * @param {number} y
 * @returns {Cell | null}
 */
export function cellAt({query, key, cell, left, top}, x, y) {
  const row = query.start + Math.floor((y - top) / cell);
  const column = key.start + Math.floor((x - left) / cell);
  const inRow = row >= query.start && row < query.end;
  const inColumn = column >= key.start && column < key.end;
  if (inRow && inColumn) return {query: row, key: column};
  if (inRow && x < left) return {query: row, key: null};
  if (inColumn && y < top) return {query: null, key: column};
  return null;
}

/**
 * Lists the tokens on the other side of a token, strongest first.
 *
 * @param {MatrixScene} scene
 * @param {TokenRef} token
 */
export function partnersOf({weights, stride, query, key}, {side, index}) {
  const {start, end} = side === 'query' ? key : query;
  const partners = [];
  for (let other = start; other < end; other++) {
    const at = side === 'query' ? index * stride + other : other * stride + index;
    partners.push({index: other, weight: weights[at]});
  }
  return partners.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}
