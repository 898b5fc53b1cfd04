import {isByteLevel} from './byte-level-tokens.js';
import {spellingOf, wordRuns, wordText} from './display.js';

/** @import {Slice} from './selection.js' */
/** @import {Snapshot} from './snapshot.js' */

/**
 * The words that correspond on two sides. Where two tokenizers cut one text differently, words are merged until no
 * border of one side lies inside a word of the other: `sat.` corresponds to `sat` and `.`. Tokens around the text
 * correspond by their place (before it, between its sentences, behind it), whatever their number and names.
 *
 * @typedef {object} Alignment
 * @property {Slice[]} before  runs of tokens; each corresponds to the run at the same index of `after`
 * @property {Slice[]} after
 * @property {{before: string[], after: string[]}} unmatched  the words that only one side has
 */

/**
 * @typedef {object} Run
 * @property {Slice} slice
 * @property {number} start  where it starts in the text; runs of the second sentence start behind all of the first
 * @property {number} end  where it ends; equal to `start` for a token without letters of its own
 */

/** This is added to places in the second sentence; no sentence has so many characters. */
const SENTENCE = 2 ** 40;

/**
 * @param {Snapshot} before
 * @param {Snapshot} after  attention on the same text
 * @returns {Alignment | null}  null where the tokens correspond one to one, or a side has no offsets
 */
export function alignmentOf(before, after) {
  if (!before.offsets || !after.offsets) return null;
  if (isSameCut(before, after)) return null;
  const [from, to] = [before, after].map((side) => ({
    around: aroundOf(side),
    words: wordsOf(side),
  }));
  /** @type {Alignment} */
  const alignment = {before: [], after: [], unmatched: {before: [], after: []}};
  const pair = (/** @type {Slice | undefined} */ a, /** @type {Slice | undefined} */ b) => {
    if (a && b) {
      alignment.before.push(a);
      alignment.after.push(b);
    } else if (a) alignment.unmatched.before.push(textOf(before, a));
    else if (b) alignment.unmatched.after.push(textOf(after, b));
  };
  pair(from.around[0], to.around[0]);
  let isSecond = false;
  for (const {before: a, after: b, start} of overlapping(from.words, to.words)) {
    if (start >= SENTENCE && !isSecond) {
      isSecond = true;
      pair(from.around[1], to.around[1]);
    }
    pair(a, b);
  }
  if (!isSecond) pair(from.around[1], to.around[1]);
  pair(from.around[2], to.around[2]);
  return alignment;
}

/**
 * Finds the words that two texts have in common: the longest common subsequence of their words.
 *
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @returns {Alignment | null}  null where they share no word, or where queries and keys are different tokens
 */
export function sharedWords(before, after) {
  const [from, to] = [before, after].map((side) => {
    const {queryTokens, special, sentenceB} = side;
    const runs = wordRuns(queryTokens, special.query, sentenceB, isByteLevel(side, 'query'));
    return {runs, names: runs.map((run) => textOf(side, run).toLowerCase())};
  });
  const isSelf = [before, after].every((side) => side.queryTokens === side.keyTokens);
  const pairs = isSelf ? longestCommon(from.names, to.names) : [];
  const isWord = (/** @type {[number, number]} */ [at]) =>
    !before.special.query[from.runs[at].start];
  if (!pairs.some(isWord)) return null;
  const [own, others] = [0, 1].map((side) => new Set(pairs.map((pair) => pair[side])));
  return {
    before: pairs.map(([at]) => from.runs[at]),
    after: pairs.map(([, at]) => to.runs[at]),
    unmatched: {
      before: from.runs.filter((_, at) => !own.has(at)).map((run) => textOf(before, run)),
      after: to.runs.filter((_, at) => !others.has(at)).map((run) => textOf(after, run)),
    },
  };
}

/**
 * @param {readonly string[]} a
 * @param {readonly string[]} b
 * @returns {[number, number][]}  the indices of equal items
 */
function longestCommon(a, b) {
  // `lengths[i][j]` is the length of the longest common subsequence of `a` from i on and `b` from j on.
  const lengths = a.concat('').map(() => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i][j] =
        a[i] === b[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  /** @type {[number, number][]} */
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}

/** @param {Snapshot} before @param {Snapshot} after */
function isSameCut(before, after) {
  const cut = (/** @type {Snapshot} */ {offsets, sentenceB}) =>
    JSON.stringify([offsets, sentenceB]);
  return cut(before) === cut(after);
}

/**
 * Finds the tokens that the tokenizer put before the text, between its sentences and behind them.
 *
 * @param {Snapshot} snapshot
 * @returns {(Slice | undefined)[]}
 */
function aroundOf({offsets = [], sentenceB}) {
  const first = offsets.findIndex((offset) => offset !== null);
  /** @type {(Slice | undefined)[]} */
  const slices = [undefined, undefined, undefined];
  offsets.forEach((offset, index) => {
    if (offset) return;
    const place = first < 0 || index < first ? 0 : sentenceB !== null && index < sentenceB ? 1 : 2;
    slices[place] = {start: slices[place]?.start ?? index, end: index + 1};
  });
  return slices;
}

/** @param {Snapshot} snapshot @returns {Run[]} */
function wordsOf(snapshot) {
  const {queryTokens, special, sentenceB, offsets = []} = snapshot;
  const isAround = offsets.map((offset) => offset === null);
  const marks = special.query.map((isSpecial, index) => isSpecial || isAround[index]);
  return wordRuns(queryTokens, marks, sentenceB, isByteLevel(snapshot, 'query'))
    .filter(({start}) => !isAround[start])
    .map((slice) => {
      const shift = sentenceB !== null && slice.start >= sentenceB ? SENTENCE : 0;
      const places = offsets.slice(slice.start, slice.end).filter((offset) => offset !== null);
      const seen = places.filter(([start, end]) => end > start);
      const start = (seen[0] ?? places[0])[0];
      const end = (seen.at(-1) ?? places[0])[1];
      return {slice, start: shift + start, end: shift + end};
    });
}

/**
 * Groups the words of two sides that overlap, in the order of the text. No border of a group lies inside a word.
 *
 * @param {Run[]} before
 * @param {Run[]} after
 * @returns {{before?: Slice, after?: Slice, start: number}[]}
 */
function overlapping(before, after) {
  const all = [
    ...before.map((run) => ({...run, side: /** @type {const} */ ('before')})),
    ...after.map((run) => ({...run, side: /** @type {const} */ ('after')})),
  ];
  all.sort((a, b) => a.start - b.start || a.end - b.end);
  /** @type {{before?: Slice, after?: Slice, start: number}[]} */
  const groups = [];
  let groupEnd = -1;
  for (const {slice, start, end, side} of all) {
    if (start >= groupEnd) groups.push({start});
    const group = groups[groups.length - 1];
    group[side] = {start: group[side]?.start ?? slice.start, end: slice.end};
    groupEnd = Math.max(groupEnd, end);
  }
  return groups;
}

/** @param {Snapshot} snapshot @param {Slice} slice */
function textOf(snapshot, {start, end}) {
  return wordText(snapshot.queryTokens.slice(start, end), spellingOf(snapshot, 'query'));
}
