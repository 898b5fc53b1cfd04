import {commonOf, isSameShape, unionOf} from '../views/shape.js';
import {SnapshotError} from '../views/snapshot.js';
import {strings} from '../strings/index.js';
import {baseOf, differenceDrawingOf, unmatchedIn} from './drawing.js';
import {placeIn, sharedChoice, sideOf} from './reach.js';

/** @import {Choice} from './drawing.js' */
/** @import {CompareMode} from './origin.js' */
/** @import {Pass} from './passes.js' */
/** @import {ViewName} from './scope-views.js' */
/** @import {Shape} from '../views/shape.js' */

/** @typedef {{pass: Pass, mode: CompareMode}} Kept */

/**
 * One of two that are held against each other.
 *
 * @typedef {object} Side
 * @property {Pass} pass
 * @property {string} name
 * @property {Choice} choice  what of it is shown
 * @property {boolean} lacks  it has none of the chosen heads
 * @property {boolean} isEmpty  it has nothing to show
 * @property {string[]} said  what it has not
 */

/**
 * @typedef {object} Compared
 * @property {Side[]} sides  what was kept first
 * @property {Side} speaker  the one that is spoken of beside the picture
 * @property {string} pictured  the name of what the picture shows and is spoken of
 * @property {Common | null} common  what is subtracted; null: they stand side by side
 *
 * @typedef {Omit<Side, 'pass' | 'name'> & {problem: string}} Common  `problem`: why there is no difference
 */

/**
 * Two that are held against each other. Of them, the one that is not wanted is spoken of only where it
 * alone has what is chosen.
 *
 * @param {Kept} kept
 * @param {Pass} pass
 * @param {ViewName} view
 * @param {Choice} choice
 * @param {boolean} isOfKept  what was kept is to be spoken of
 * @returns {Compared}
 */
export function comparedIn({pass: before, mode}, pass, view, choice, isOfKept) {
  const sides = sidesOf(before, pass, view, choice);
  const [kept, now] = sides;
  const [wanted, other] = isOfKept ? [kept, now] : [now, kept];
  const speaker = wanted.lacks && !other.lacks ? other : wanted;
  if (mode === 'side') return {sides, speaker, pictured: speaker.name, common: null};
  const common = subtractionIn(sides, view, choice);
  const isOfOne = Boolean(common.problem) || common.lacks;
  const pictured = isOfOne ? speaker.name : `${now.name} ${strings.compare.minus} ${kept.name}`;
  return {sides, speaker, pictured, common};
}

/**
 * @param {Pass} before
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 * @returns {[Side, Side]}
 */
export function sidesOf(before, after, view, choice) {
  const [first, second] = [before, after].map((pass) => baseOf(pass, choice.filter));
  const shared = sharedChoice(view, choice, unionOf(first, second));
  const sideFor = (
    /** @type {Pass} */ pass,
    /** @type {Pass} */ other,
    /** @type {Shape} */ base,
  ) => {
    const name = shortName(pass, other);
    return {pass, name, ...sideOf(view, shared, base, name)};
  };
  return [sideFor(before, after, first), sideFor(after, before, second)];
}

/**
 * The layer and heads that are meant of both, whether or not each has them.
 *
 * @param {Pass} before
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 * @returns {{layer: number, heads: number[]}}
 */
export function placeOfBoth(before, after, view, choice) {
  const reach = unionOf(baseOf(before, choice.filter), baseOf(after, choice.filter));
  return placeIn(reach, sharedChoice(view, choice, reach));
}

/**
 * What can be subtracted, as if it were one side.
 *
 * @param {Side[]} sides
 * @param {ViewName} view
 * @param {Choice} choice
 * @returns {Common}
 */
export function subtractionIn(sides, view, choice) {
  const [first, second] = sides.map(({pass}) => baseOf(pass, choice.filter));
  const shared = sharedChoice(view, choice, unionOf(first, second));
  const shape = commonOf(first, second);
  const common = sideOf(view, shared, shape, '');
  const {lack} = strings.compare;
  const isGrid = view === 'model' && !common.choice.grid.isOpen;
  const said = [
    ...sides.flatMap((side) => side.said),
    ...(common.isEmpty ? [lack.difference] : []),
    ...(isGrid && !isSameShape(first, second) ? [lack.common(shape)] : []),
  ];
  const [before, after] = sides.map(({pass}) => pass);
  const problem = common.isEmpty
    ? strings.text.sentences(said)
    : problemOf(before, after, view, common.choice);
  return {...common, said, problem};
}

/**
 * @param {Pass} before
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 */
function problemOf(before, after, view, choice) {
  try {
    differenceDrawingOf(before, after, view, choice);
    return '';
  } catch (error) {
    if (error instanceof SnapshotError) return error.message;
    throw error;
  }
}

/**
 * Says that words are compared, and which of them only one side has.
 *
 * @param {Kept} kept
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 * @returns {string}  empty where tokens themselves correspond
 */
export function alignmentRemark({pass: before, mode}, after, view, choice) {
  const unmatched = unmatchedIn(before, after, view, choice, mode === 'difference');
  if (!unmatched) return '';
  const {aligned, shared} = strings.compare;
  const only = (/** @type {string} */ side, /** @type {string[]} */ found) =>
    found.length ? aligned.only(side, [...new Set(found)]) : [];
  const said = unmatched.isShared
    ? [shared.rule, only(shared.before, unmatched.before), only(shared.after, unmatched.after)]
    : [
        aligned.rule,
        only(modelOf(before), unmatched.before),
        only(modelOf(after), unmatched.after),
      ];
  return strings.text.sentences(said.flat());
}

/** Passes of two models are told apart by their models. @param {Pass} pass @param {Pass} other */
export function nameBeside(pass, other) {
  return isOfOtherModel(pass, other) ? `${modelOf(pass)}: ${pass.name}` : pass.name;
}

/** What tells them apart, and no more. @param {Pass} pass @param {Pass} other */
function shortName(pass, other) {
  return isOfOtherModel(pass, other) ? modelOf(pass) : pass.name;
}

/** @param {Pass} pass @param {Pass} other */
function isOfOtherModel(pass, other) {
  const [model, otherModel] = [pass, other].map(modelOf);
  return Boolean(model && otherModel) && model !== otherModel;
}

/** @param {Pass} pass  empty: it is not known */
export function modelOf({model, snapshot}) {
  return model?.name ?? snapshot.about?.model ?? '';
}
