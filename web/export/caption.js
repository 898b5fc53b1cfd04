import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';
import {publishStrings as words} from '../strings/publish.js';
import {kindsOf} from '../views/view-kinds.js';
import {shownWeights, strongestPartners} from '../attention/weights.js';
import {readingLine} from '../views/parts/attention-sentence.js';
import {unknownLine} from '../attention/unknown-line.js';

/** @import {Shown, ShownPass} from './export-content.js' */

const {compare, display: aids, controls} = strings;
const {analysis} = liveStrings;

/** The most changes of the model that a caption names. */
const mostChanges = 50;

/**
 * The caption below a picture: the text, and everything that its numbers depend on. A comparison has
 * one for each side.
 *
 * @param {Shown} shown
 * @returns {string[]}  lines
 */
export function captionOf(shown) {
  const {text, measure, comparison, unknown} = shown;
  const ofPicture = [
    measure === 'weight' ? '' : analysis.measures[measure].name,
    ...headsShownIn(shown),
    ...aidsOf(shown),
    words.direction,
  ];
  if (!comparison)
    return [text, ...unknownLine(unknown), joined([...originOf(shown), ...ofPicture])];
  const {mode, before, remark} = comparison;
  const sides = [before, shown].map(sideLine);
  return [
    ...(mode === 'difference' ? sides.reverse() : sides),
    joined(ofPicture),
    ...(remark ? [remark] : []),
  ];
}

/** What the unknown tokens of a picture, or of both, stand for. @param {Shown} shown @returns {string[]}  lines */
export const unknownLines = ({unknown, comparison}) =>
  [...new Set([comparison?.before.unknown, unknown].flatMap((each) => (each ? unknownLine(each) : [])))]; // prettier-ignore

/**
 * The picture in words, for a reader whose page cannot draw it: the text, what is said of the token that is pinned, and
 * what the numbers depend on.
 *
 * @param {Shown} shown
 * @returns {string[]}  lines
 */
export function wordsFor(shown) {
  const [text, ...origin] = captionOf(shown);
  const {snapshot, selection} = shown.data;
  const weights = shownWeights(snapshot, selection);
  const {token} = selection;
  if (shown.comparison || !token || !weights.matrices.length) return [text, ...origin];
  const told = readingLine(snapshot, token, strongestPartners(weights, token, Infinity));
  const line = told.map((part) => (typeof part === 'string' ? part : part.textContent)).join('');
  return [text, line, ...origin];
}

/** The parts of the name of a picture's file. @param {Shown} shown */
export const fileParts = (shown) => [shown.view, headsShownIn(shown)[0], shown.text];

/** @param {Shown} shown  with what it is compared with */
export function differenceTitle({name, comparison}) {
  return `${name} ${compare.minus} ${comparison?.before.name}`;
}

/** @param {ShownPass} side */
function sideLine(side) {
  const {name, text, unknown} = side;
  return joined([
    name,
    name.includes(text) ? '' : text,
    ...originOf(side),
    ...unknownLine(unknown),
  ]);
}

/** The text, and what was changed in the model. @param {ShownPass} side */
const originOf = ({model, changes}) => [
  model,
  ...changes.slice(0, mostChanges),
  ...(changes.length > mostChanges ? ['…'] : []),
];

/** @param {string[]} parts */
const joined = (parts) => parts.filter(Boolean).join(' · ');

/** The heads that are shown, and how several of them are combined. @param {Shown} shown */
function headsShownIn({view, data: alone, chosen, display, comparison}) {
  const difference = comparison?.mode === 'difference' ? comparison.difference : null;
  const {grid, selection} = difference ?? alone;
  const {layer, heads} = difference ? selection : chosen;
  const part = selection.filter === 'all' ? [] : [controls.filterHelp[selection.filter]];
  // In a comparison, a side that lacks the chosen head shows all its heads; the other side shows the one.
  const isOpen = grid.isOpen || (!difference && comparison?.before.data.grid.isOpen);
  const {hasGrid, isSingle} = kindsOf[view];
  if (hasGrid && !isOpen) return [words.grid(grid.layers, grid.heads), ...part];
  const isOne = hasGrid || isSingle || heads.length === 1;
  const shown = isOne ? heads.slice(0, 1) : heads;
  const {meanLayers} = display;
  const where = meanLayers.length
    ? words.meanOfLayers(meanLayers, shown)
    : words.where(layer, shown);
  return [where, isOne ? '' : words.meanOfHeads, ...part];
}

/** The display settings that change numbers. @param {Shown} shown */
function aidsOf({display: {words: isOfWords, special, strongest}}) {
  return [
    isOfWords ? aids.words : '',
    special === 'show' ? '' : `${aids.special}: ${aids.specialChoices[special]}`,
    strongest < 1 ? aids.strongest(Math.round(strongest * 100)) : '',
  ];
}
