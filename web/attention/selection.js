import {range} from './range.js';

/** @import {Snapshot} from './snapshot.js' */

/**
 * What the reader has chosen. All views of one element share it, and the page writes it into the
 * address.
 *
 * @typedef {'all' | 'aa' | 'bb' | 'ab' | 'ba' | 'encoder' | 'decoder' | 'cross'} Filter  sentences of
 *   a pair, or the part of an encoder-decoder model
 * @typedef {'query' | 'key'} Side
 * @typedef {{side: Side, index: number}} TokenRef
 *
 * @typedef {object} Selection
 * @property {number} layer
 * @property {number[]} heads  active heads, ascending, never empty
 * @property {Filter} filter
 * @property {TokenRef | null} token  the pinned token
 *
 * @typedef {{start: number, end: number}} Slice  a run of tokens, `end` excluded
 */

/** @type {readonly Filter[]} */
export const filters = ['all', 'aa', 'bb', 'ab', 'ba'];

/**
 * The queries and keys a filter leaves. Sentence A is `[0, b)`, so it includes `[CLS]` and the
 * first `[SEP]`; weights are not renormalised. One sentence has no filters, and a part of an
 * encoder-decoder model is shown entirely.
 *
 * @param {Filter} filter
 * @param {Snapshot} snapshot
 * @returns {{query: Slice, key: Slice}}
 */
export function filterSlices(filter, {queryTokens, keyTokens, sentenceB}) {
  const slice = (/** @type {string} */ sentence, /** @type {number} */ length) =>
    sentenceB === null || sentence === ''
      ? {start: 0, end: length}
      : sentence === 'a'
        ? {start: 0, end: sentenceB}
        : {start: sentenceB, end: length};
  const [query, key] = filter.length === 2 ? filter : ['', ''];
  return {query: slice(query, queryTokens.length), key: slice(key, keyTokens.length)};
}

/**
 * The queries and keys that the filter leaves, and the pinned token if it is among them.
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
 * The queries and keys whose lines are drawn: all, or the focused token against the other side.
 *
 * @param {{query: Slice, key: Slice, focus: TokenRef | null}} shown
 */
export function drawnSlices({query, key, focus}) {
  if (!focus) return {query, key};
  const only = {start: focus.index, end: focus.index + 1};
  return focus.side === 'query' ? {query: only, key} : {query, key: only};
}

/**
 * The heads to draw of a model with `count` heads: an empty choice, or one that names none of its
 * heads, means all.
 *
 * @param {readonly number[]} heads
 * @param {number} count
 * @returns {number[]}
 */
export function activeHeads(heads, count) {
  const known = [...new Set(heads)]
    .filter((head) => head >= 0 && head < count)
    .sort((a, b) => a - b);
  return known.length ? known : range(count);
}

/**
 * Switches one head on or off; the last one stays on.
 *
 * @param {readonly number[]} active
 * @param {number} head
 */
export function toggleHead(active, head) {
  if (!active.includes(head)) return [...active, head].sort((a, b) => a - b);
  return active.length === 1 ? [...active] : active.filter((other) => other !== head);
}

/**
 * Leaves one head on; when it already is the only one, all come back.
 *
 * @param {readonly number[]} active
 * @param {number} head
 * @param {number} count
 */
export function isolateHead(active, head, count) {
  return active.length === 1 && active[0] === head ? activeHeads([], count) : [head];
}
