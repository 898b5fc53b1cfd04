import {alignmentOf, sharedWords} from '../attention/alignment.js';
import {differenceOf} from '../attention/difference.js';
import {drawnToken} from '../attention/display.js';
import {filters} from '../attention/selection.js';
import {placeIn} from './available-heads.js';
import {readingOf} from './display-cache.js';
import {displayIn, kindsOf, partsOf} from '../views/view-kinds.js';
import {displayOf} from './state-fields.js';
import {strings} from '../strings/index.js';
import {SnapshotError} from '../attention/snapshot.js';

/** @import {ComparedPass} from './comparison.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {ViewData, ViewName} from '../views/view-kinds.js' */
/** @import {Alignment} from '../attention/alignment.js' */
/** @import {Display, Measure} from '../attention/display.js' */
/** @import {Filter, Selection, Slice, TokenRef} from '../attention/selection.js' */
/** @import {Shape} from '../attention/shape.js' */
/** @import {LazySnapshot, MatrixRef, Snapshot} from '../attention/snapshot.js' */

/**
 * A choice of the reader, whether or not a pass has it.
 *
 * @typedef {object} Choice
 * @property {number} layer
 * @property {number[]} heads  empty for all
 * @property {Filter} filter
 * @property {TokenRef | null} token
 * @property {Display} display
 * @property {ViewData['grid']} grid
 * @property {boolean} dark
 */

/** The grid of every view that has none. */
const noGrid = Object.freeze({isOpen: false, layers: [], heads: []});

/** @param {ScopeProperties} scope @returns {Choice} */
export function choiceOf(scope) {
  const {layer, heads, filter, token, open, onlyLayers, onlyHeads} = scope;
  const {hasGrid} = kindsOf[scope.view];
  const grid = hasGrid ? {isOpen: open, layers: onlyLayers, heads: onlyHeads} : noGrid;
  const display = {...displayOf(scope), ...scope.reading};
  return {layer, heads, filter, token, display, grid, dark: scope.isDark};
}

/**
 * Returns the filters of a pass: the sentences of a pair, or the parts of an encoder-decoder model.
 *
 * @param {Pass | null} pass
 * @returns {readonly Filter[]}
 */
export function filtersOf(pass) {
  if (pass?.parts) return /** @type {Filter[]} */ (Object.keys(pass.parts));
  return pass && pass.snapshot.sentenceB !== null ? filters : ['all'];
}

/**
 * Returns the snapshot of a pass for a filter and a measure.
 *
 * @param {Pass} pass
 * @param {Filter} filter
 * @param {Measure} [measure]
 */
export function baseOf(pass, filter, measure = 'weight') {
  const {parts} = pass;
  return parts?.[/** @type {keyof typeof parts} */ (filter)] ?? pass.measured(measure);
}

/**
 * Returns the selection for a choice. It has only layers and heads that exist, and a filter of the pass.
 *
 * @param {Choice} choice
 * @param {Shape} shape
 * @param {Pass | null} pass
 * @returns {Selection}
 */
export function selectionOf(choice, shape, pass) {
  const {filter, token} = choice;
  const known = filtersOf(pass);
  return {
    ...placeIn(shape, choice),
    filter: known.includes(filter) ? filter : known[0],
    token,
  };
}

/**
 * Returns the matrices of a pass that a view needs.
 *
 * @param {Pass} pass
 * @param {ViewName} view
 * @param {Choice} choice
 * @returns {MatrixRef[]}
 */
export function neededOf(pass, view, choice) {
  return partsIn(baseOf(pass, choice.filter), view, choice);
}

/**
 * Returns the matrices that a view needs of any pass of a shape.
 *
 * @param {Shape} shape
 * @param {ViewName} view
 * @param {Choice} choice
 * @returns {MatrixRef[]}
 */
export function partsIn(shape, view, choice) {
  const display = displayIn(view, choice.display);
  return partsOf(view, placeIn(shape, choice), shape, {...choice, display});
}

/**
 * Makes the data that a view draws: words are merged, tokens are hidden, and the pinned token has its new index.
 *
 * @param {Pass} pass
 * @param {ViewName} view
 * @param {Choice} choice
 * @returns {ViewData}
 */
export function drawingOf(pass, view, choice) {
  const display = displayIn(view, choice.display);
  const snapshot = readingOf(baseOf(pass, choice.filter, display.measure), display);
  return dataOf(snapshot, pass, choice);
}

/**
 * Makes the snapshots of two passes readable, so that they can be compared. If their tokenizers cut the same text
 * differently, rows and columns are the words that correspond, except in views that keep the tokens.
 *
 * @param {Pass} before
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 */
function alignedReadings(before, after, view, choice) {
  const display = displayIn(view, choice.display);
  const [first, second] = [before, after].map((pass) =>
    baseOf(pass, choice.filter, display.measure),
  );
  const alignment = before.text === after.text ? alignmentOf(first, second) : null;
  if (alignment && !kindsOf[view].isPlain) {
    const from = readingOf(first, display, {runs: alignment.before, as: alignment.after});
    const to = readingOf(second, display, {runs: alignment.after, as: alignment.after});
    return {from, to, alignment};
  }
  return {from: readingOf(first, display), to: readingOf(second, display), alignment};
}

/**
 * Makes the data of two pictures side by side. A token that is pinned in one is pinned in the other too.
 *
 * @param {[ComparedPass, ComparedPass]} passes
 * @param {ViewName} view
 * @returns {[ViewData, ViewData]}  the data in the order of the passes
 */
export function sideDrawingsOf([before, after], view) {
  const {from, to, alignment} = alignedReadings(before.pass, after.pass, view, after.choice);
  const isOwn = alignment && kindsOf[view].isPlain;
  const {token} = after.choice;
  const there = isOwn ? partnerOf(alignment, token) : pinIn(after, before, token);
  const labels = {
    queryTokens: [...from.queryTokens, ...to.queryTokens],
    keyTokens: [...from.keyTokens, ...to.keyTokens],
  };
  return [
    {
      ...dataOf(from, before.pass, {...before.choice, token: there}),
      ...{isUnmarked: before.lacksChosen, labels},
    },
    {...dataOf(to, after.pass, after.choice), isUnmarked: after.lacksChosen, labels},
  ];
}

/**
 * Finds the token of one side of a comparison in the place of one of the other side.
 *
 * @param {ComparedPass} other
 * @param {ComparedPass} side
 * @param {TokenRef | null} token  of `other`
 * @returns {TokenRef | null}  null if this side has none
 */
export const pinIn = ({pass: other}, {pass, choice: {filter}}, token) =>
  other.text === pass.text ? token : tokenIn(baseOf(pass, filter), baseOf(other, filter), token);

/**
 * Finds the token of one text in the place of one of another text.
 *
 * @param {Snapshot} there
 * @param {Snapshot} here
 * @param {TokenRef | null} token  of `here`
 * @returns {TokenRef | null}  null if only `here` has its word
 */
export function tokenIn(there, here, token) {
  const shared = sharedWords(there, here);
  // Where both have as many tokens, a word that they do not share has been replaced.
  const isLike = !shared || there.queryTokens.length === here.queryTokens.length;
  return (shared && partnerOf(shared, token)) ?? (isLike ? token : null);
}

/**
 * Makes the two snapshots that are subtracted, row by row. If the passes have different numbers of tokens, words are
 * merged; if they have different numbers of words, only the words that both have are left.
 *
 * @param {Pass} before
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 * @returns {{from: LazySnapshot, to: LazySnapshot, alignment: Alignment | null, isShared?: boolean}}
 *   `isShared`: whether only the words that both texts have are left
 */
function subtractedReadings(before, after, view, choice) {
  const {from, to, alignment} = alignedReadings(before, after, view, choice);
  const [lengthBefore, length] = [from, to].map(({queryTokens}) => queryTokens.length);
  if (lengthBefore === length) return {from, to, alignment};
  if (kindsOf[view].isPlain)
    throw new SnapshotError(strings.compare.noPieces(lengthBefore, length));
  if (!choice.display.words) {
    const words = {...choice, display: {...choice.display, words: true}};
    return subtractedReadings(before, after, view, words);
  }
  const display = displayIn(view, choice.display);
  const [first, second] = [before, after].map((pass) =>
    baseOf(pass, choice.filter, display.measure),
  );
  const shared = sharedWords(first, second);
  if (!shared) throw new SnapshotError(strings.compare.noneShared);
  return {
    from: readingOf(first, display, {runs: shared.before, as: shared.after}),
    to: readingOf(second, display, {runs: shared.after, as: shared.after}),
    alignment: shared,
    isShared: true,
  };
}

/**
 * Makes the data of a difference: the weights of `after` less those of `before`.
 *
 * @param {Pass} before
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 * @param {boolean} [lacksChosen]  whether the two have none of the chosen heads in common
 * @returns {ViewData}
 */
export function differenceDrawingOf(before, after, view, choice, lacksChosen = false) {
  const {from, to} = subtractedReadings(before, after, view, choice);
  return {...dataOf(differenceOf(from, to), after, choice), isUnmarked: lacksChosen};
}

/**
 * Returns the words that only one of two passes has, which a comparison leaves out. It returns null if the tokens
 * correspond one by one.
 *
 * @param {Pass} before
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 * @param {boolean} isDifference
 * @returns {{before: string[], after: string[], isShared: boolean} | null}
 *   `isShared`: whether the texts differ, and only the words that both have are compared
 */
export function unmatchedIn(before, after, view, choice, isDifference) {
  if (kindsOf[view].isPlain) return null;
  const compare = isDifference ? subtractedReadings : alignedReadings;
  /** @type {ReturnType<typeof subtractedReadings>} */
  const {alignment, isShared = false} = compare(before, after, view, choice);
  return alignment && {...alignment.unmatched, isShared};
}

/**
 * @param {Alignment} alignment
 * @param {TokenRef | null} token  a token of `after`
 * @returns {TokenRef | null}  its partner in `before`
 */
function partnerOf({before, after}, token) {
  const isOf = (/** @type {Slice} */ {start, end}) =>
    token !== null && token.index >= start && token.index < end;
  const run = before[after.findIndex(isOf)];
  return token && run ? {...token, index: run.start} : null;
}

/**
 * @param {LazySnapshot} snapshot
 * @param {Pass} pass
 * @param {Choice} choice
 * @returns {ViewData}
 */
function dataOf(snapshot, pass, choice) {
  const selection = selectionOf(choice, snapshot, pass);
  const token = drawnToken(snapshot, choice.token);
  const {length} = token?.side === 'key' ? snapshot.keyTokens : snapshot.queryTokens;
  const isThere = token && token.index < length;
  const {
    dark,
    grid,
    display: {fullScale},
  } = choice;
  const shown = {...selection, token: isThere ? token : null};
  return {snapshot, selection: shown, dark, grid, fullScale};
}
