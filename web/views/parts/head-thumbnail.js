import {drawnSlices} from '../head/scene.js';
import {range} from '../../attention/range.js';
import {filterSlices} from '../../attention/selection.js';

/** @import {Selection, Slice, TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */
/** @import {Block} from './head-map.js' */
/** @import {ModelChoice} from '../model/model-view.js' */

/**
 * What a thumbnail shows of one head.
 *
 * @typedef {object} Thumbnail
 * @property {Float32Array} weights  `[queries * stride]`
 * @property {number} stride  keys in a row
 * @property {Slice} query  rows on the left
 * @property {Slice} key  rows on the right
 * @property {{query: Slice, key: Slice}} drawn  those of them that have lines
 *
 * @typedef {{query: number, key: number, weight: number}} Link
 */

/**
 * The layers and heads of the grid: those asked for, or all where none of them is there.
 *
 * @param {Pick<Snapshot, 'layers' | 'heads' | 'has'>} shape
 * @param {Pick<ModelChoice, 'layers' | 'heads'>} [wanted]
 * @returns {Block}
 */
export function blockOf({layers: layerCount, heads: headCount, has}, wanted) {
  const some = (/** @type {readonly number[]} */ numbers, /** @type {number} */ count) => {
    const all = range(count);
    const known = all.filter((index) => numbers.includes(index));
    return known.length ? known : all;
  };
  const layers = some(wanted?.layers ?? [], layerCount);
  const heads = some(wanted?.heads ?? [], headCount);
  if (!has) return {layers, heads};
  return {
    layers: layers.filter((layer) => heads.some((head) => has(layer, head))),
    heads: heads.filter((head) => layers.some((layer) => has(layer, head))),
  };
}

/**
 * What the filter and the pinned token leave, of all heads alike.
 *
 * @param {Snapshot} snapshot
 * @param {Selection} selection
 */
export function shownTokens(snapshot, {filter, token}) {
  const slices = filterSlices(filter, snapshot);
  const {start, end} = token ? slices[token.side] : {start: 0, end: 0};
  const focus = token && token.index >= start && token.index < end ? token : null;
  return {...slices, focus};
}

/**
 * @param {Snapshot} snapshot
 * @param {{query: Slice, key: Slice, focus: TokenRef | null}} shown
 * @param {number} layer
 * @param {number} head
 * @returns {Thumbnail | null}  null where the head has not been fetched
 */
export function thumbnail(snapshot, shown, layer, head) {
  const weights = snapshot.attention(layer, head);
  if (!weights) return null;
  const {query, key} = shown;
  return {weights, stride: snapshot.keyTokens.length, query, key, drawn: drawnSlices(shown)};
}

/**
 * The strongest of the lines drawn, strongest first; of differences, the largest either way.
 *
 * @param {Thumbnail} thumbnail
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
