import {alignmentOf, sharedWords} from '../attention/alignment.js';
import {differenceOf} from '../attention/difference.js';
import {drawnToken} from '../attention/display.js';
import {filters} from '../attention/selection.js';
import {placeIn} from './available-heads.js';
import {readingOf} from './display-cache.js';
import {displayIn, kindsOf, partsOf} from '../views/view-kinds.js';
import {displayOf} from './state.js';
import {strings} from '../strings/index.js';
import {SnapshotError} from '../attention/snapshot.js';

/** @import {ComparedPass} from './comparison.js' */
/** @import {Pass} from './pass.js' */
/** @import {ScopeProperties} from './scope-properties.js' */
/** @import {ViewData, ViewName} from '../views/view-kinds.js' */
/** @import {Alignment} from '../attention/alignment.js' */
/** @import {Display, Measure} from '../attention/display.js' */
/** @import {Filter, Selection, Slice, TokenRef} from '../attention/selection.js' */
/** @import {Shape} from '../attention/shape.js' */
/** @import {MatrixRef, Snapshot} from '../attention/snapshot.js' */

/**
 * What the reader asks for, whether or not a pass has it.
 *
 * @typedef {object} Choice
 * @property {number} layer
 * @property {number[]} heads  empty: all
 * @property {Filter} filter
 * @property {TokenRef | null} token
 * @property {Display} display
 * @property {ViewData['grid']} grid
 * @property {boolean} dark
 */

/** Of every view except the model view. */
const noGrid = Object.freeze({isOpen: false, layers: [], heads: []});

/** @param {ScopeProperties} scope @returns {Choice} */
export function choiceOf(scope) {
  const {layer, heads, filter, token, open, onlyLayers, onlyHeads} = scope;
  const isGrid = scope.view === 'model';
  const grid = isGrid ? {isOpen: open, layers: onlyLayers, heads: onlyHeads} : noGrid;
  return {layer, heads, filter, token, display: displayOf(scope), grid, dark: scope.isDark};
}

/**
 * What can be selected of a pass: the sentences of a pair, or the parts of an encoder-decoder model.
 *
 * @param {Pass | null} pass
 * @returns {readonly Filter[]}
 */
export function filtersOf(pass) {
  if (pass?.parts) return /** @type {Filter[]} */ (Object.keys(pass.parts));
  return pass && pass.snapshot.sentenceB !== null ? filters : ['all'];
}

/**
 * The snapshot a filter and a measure mean.
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
 * Never a layer or head that is not there.
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
 * The matrices a view needs of a pass.
 *
 * @param {Pass} pass
 * @param {ViewName} view
 * @param {Choice} choice
 * @returns {MatrixRef[]}
 */
export function neededOf(pass, view, choice) {
  const display = displayIn(view, choice.display);
  const base = baseOf(pass, choice.filter, display.measure);
  return partsOf(view, selectionOf(choice, base, pass), base, {...choice, display});
}

/**
 * What a view draws of a pass: words merged, tokens hidden, the pinned token where it then is.
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
 * Two passes as they are compared: where their tokenizers cut one text differently, word by word.
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
  if (alignment && !kindsOf[view].keepsTokens) {
    const from = readingOf(first, display, {runs: alignment.before, as: alignment.after});
    const to = readingOf(second, display, {runs: alignment.after, as: alignment.after});
    return {from, to, alignment};
  }
  return {from: readingOf(first, display), to: readingOf(second, display), alignment};
}

/**
 * Two pictures side by side, what is pinned in one of them also in the other.
 *
 * @param {[ComparedPass, ComparedPass]} passes
 * @param {ViewName} view
 * @returns {[ViewData, ViewData]}  in this order
 */
export function sideDrawingsOf([before, after], view) {
  const {from, to, alignment} = alignedReadings(before.pass, after.pass, view, after.choice);
  const isOwn = alignment && kindsOf[view].keepsTokens;
  const {token} = after.choice;
  const there = isOwn ? partnerOf(alignment, token) : token;
  return [
    {
      ...dataOf(from, before.pass, {...before.choice, token: there}),
      isUnmarked: before.lacksChosen,
    },
    {...dataOf(to, after.pass, after.choice), isUnmarked: after.lacksChosen},
  ];
}

/**
 * What is subtracted from what. Texts of different lengths may still have as many words; otherwise it
 * is the words that both have.
 *
 * @param {Pass} before
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 * @returns {{from: Snapshot, to: Snapshot, alignment: Alignment | null, isShared?: boolean}}
 *   `isShared`: of two texts, the words that both have
 */
function subtractedReadings(before, after, view, choice) {
  const {from, to, alignment} = alignedReadings(before, after, view, choice);
  const [lengthBefore, length] = [from, to].map(({queryTokens}) => queryTokens.length);
  if (lengthBefore === length) return {from, to, alignment};
  if (kindsOf[view].keepsTokens)
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
 * How the picture changed since another pass.
 *
 * @param {Pass} before
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 * @param {boolean} [lacksChosen]  the two have none of the chosen heads in common
 * @returns {ViewData}
 */
export function differenceDrawingOf(before, after, view, choice, lacksChosen = false) {
  const {from, to} = subtractedReadings(before, after, view, choice);
  return {...dataOf(differenceOf(from, to), after, choice), isUnmarked: lacksChosen};
}

/**
 * The words that only one of two passes has, which a comparison leaves out; null where tokens
 * themselves correspond.
 *
 * @param {Pass} before
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 * @param {boolean} isDifference
 * @returns {{before: string[], after: string[], isShared: boolean} | null}  `isShared`: the texts are not
 *   the same
 */
export function unmatchedIn(before, after, view, choice, isDifference) {
  if (kindsOf[view].keepsTokens) return null;
  const compare = isDifference ? subtractedReadings : alignedReadings;
  /** @type {ReturnType<typeof subtractedReadings>} */
  const {alignment, isShared = false} = compare(before, after, view, choice);
  return alignment && {...alignment.unmatched, isShared};
}

/**
 * @param {Alignment} alignment
 * @param {TokenRef | null} token  of `after`
 * @returns {TokenRef | null}  of `before`
 */
function partnerOf({before, after}, token) {
  const isOf = (/** @type {Slice} */ {start, end}) =>
    token !== null && token.index >= start && token.index < end;
  const run = before[after.findIndex(isOf)];
  return token && run ? {...token, index: run.start} : null;
}

/**
 * @param {Snapshot} snapshot
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
