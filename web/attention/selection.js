import {range} from './range.js';

/** @import {Snapshot} from './snapshot.js' */

/**
 * The layer, heads, filter and pinned token that are shown. All views of one element share them, and the address
 * holds them.
 *
 * @typedef {'all' | 'aa' | 'bb' | 'ab' | 'ba' | 'encoder' | 'decoder' | 'cross'} Filter  the
 *   sentences of a pair that are shown, or the part of an encoder-decoder model
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
 * Returns the queries and keys that a filter leaves. Sentence A is `[0, sentenceB)`, so it includes `[CLS]` and the
 * first `[SEP]`; weights are not renormalised. A single sentence, or a part of an encoder-decoder model, is shown
 * entirely.
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
 * Returns the number of rows of the longer side of a picture.
 *
 * @param {{snapshot: Snapshot, selection: Selection}} picture
 */
export function rowsOf({snapshot, selection}) {
  const {query, key} = filterSlices(selection.filter, snapshot);
  return Math.max(1, query.end - query.start, key.end - key.start);
}

/**
 * Returns the queries and keys that the filter leaves, and as `focus` the pinned token if it is among them.
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
 * Tells whether the pinned token is one that a decoder wrote.
 *
 * @param {Pick<Selection, 'filter' | 'token'>} selection
 */
export const isOfDecoder = ({filter, token}) =>
  token !== null && (filter === 'decoder' || (filter === 'cross' && token.side === 'query'));

/**
 * Returns the index of the written token that the focused token of an encoder-decoder is; null for any other. The
 * decoder reads the token that begins a text, and then what it has written.
 *
 * @param {Pick<Selection, 'filter' | 'token'>} selection
 */
export function writtenToken({filter, token}) {
  if (!token || !isOfDecoder({filter, token})) return null;
  if (filter === 'cross') return token.index;
  return token.index > 0 ? token.index - 1 : null;
}

/** @param {Pick<Snapshot, 'queryTokens' | 'keyTokens'>} snapshot @param {Side} side */
export const tokensOf = ({queryTokens, keyTokens}, side) =>
  side === 'query' ? queryTokens : keyTokens;

/**
 * Returns the queries and keys whose lines are drawn: all, or the focused token and the whole other side.
 *
 * @param {{query: Slice, key: Slice, focus: TokenRef | null}} shown
 */
export function drawnSlices({query, key, focus}) {
  if (!focus) return {query, key};
  const only = {start: focus.index, end: focus.index + 1};
  return focus.side === 'query' ? {query: only, key} : {query, key: only};
}

/**
 * Returns the heads to draw of a model with `count` heads in a layer: those of the choice that exist, or all if
 * there is none.
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
 * Switches all heads off except one; if it is the only one already, switches all on.
 *
 * @param {readonly number[]} active
 * @param {number} head
 * @param {number} count
 */
export function isolateHead(active, head, count) {
  return active.length === 1 && active[0] === head ? activeHeads([], count) : [head];
}
