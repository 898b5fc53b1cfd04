import {drawnSlices} from '../../attention/selection.js';
import {attentionOf} from '../../attention/snapshot.js';

/** @import {Slice, TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * The weights of one head, and which of them its thumbnail shows.
 *
 * @typedef {object} Thumbnail
 * @property {Float32Array} weights  `[queries * stride]`
 * @property {number} stride  the number of keys in a row
 * @property {Slice} query  rows on the left
 * @property {Slice} key  rows on the right
 * @property {{query: Slice, key: Slice}} drawn  the rows that have lines
 */

/**
 * @param {Snapshot} snapshot
 * @param {{query: Slice, key: Slice, focus: TokenRef | null}} shown
 * @param {number} layer
 * @param {number} head
 * @returns {Thumbnail | null}  null if the head has not been fetched
 */
export function thumbnail(snapshot, shown, layer, head) {
  const weights = attentionOf(snapshot, layer, head);
  if (!weights) return null;
  const {query, key} = shown;
  return {weights, stride: snapshot.keyTokens.length, query, key, drawn: drawnSlices(shown)};
}
