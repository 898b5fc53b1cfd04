import {commonOf, isSameShape, unionOf} from '../attention/shape.js';
import {SnapshotError} from '../attention/snapshot.js';
import {strings} from '../strings/index.js';
import {kindsOf} from '../views/view-kinds.js';
import {coverageOf, placeIn, sharedChoice} from './available-heads.js';
import {baseOf, differenceDrawingOf, unmatchedIn} from './view-data.js';

/** @import {Coverage} from './available-heads.js' */
/** @import {Choice} from './view-data.js' */
/** @import {Baseline} from '../session/baseline-session.js' */
/** @import {Pass} from '../session/pass.js' */
/** @import {ViewName} from '../views/view-kinds.js' */
/** @import {Shape} from '../attention/shape.js' */

/**
 * One of the two passes in a comparison, and how much of the choice it has.
 *
 * @typedef {Coverage & {pass: Pass, name: string}} ComparedPass
 *
 * The difference of two passes, and how much of the choice both have.
 *
 * @typedef {Coverage & {problem: string}} Subtraction  `problem`: the reason why there is no difference, or empty
 *
 * A pass and its baseline.
 *
 * @typedef {object} Comparison
 * @property {Shape} shape  the layers and heads that at least one of the passes has
 * @property {{layer: number, heads: number[]}} place  the chosen layer and heads, whether or not both passes have them
 * @property {[ComparedPass, ComparedPass]} passes  the two passes, the baseline first
 * @property {ComparedPass} inspected  the pass that the map of heads, the inspector and the export describe
 * @property {string} pictureName  the inspector's name for the picture: the name of one pass, or of the difference
 * @property {Subtraction | null} subtraction  null if the passes stand side by side
 */

/**
 * Compares a pass with its baseline. The preferred one of them is inspected, unless only the other one has chosen
 * heads.
 *
 * @param {Baseline} baseline
 * @param {Pass} pass
 * @param {ViewName} view
 * @param {Choice} choice
 * @param {boolean} [prefersBaseline]  whether the reader wants to inspect the baseline
 * @returns {Comparison}
 */
export function comparisonOf({pass: baseline, mode}, pass, view, choice, prefersBaseline = false) {
  const bases = [baseline, pass].map((each) => baseOf(each, choice.filter));
  const shape = unionOf(bases[0], bases[1]);
  const shared = sharedChoice(view, choice, shape);
  const compared = (
    /** @type {Pass} */ own,
    /** @type {Pass} */ other,
    /** @type {Shape} */ base,
  ) => {
    const name = shortName(own, other);
    return {pass: own, name, ...coverageOf(view, shared, base, name)};
  };
  const before = compared(baseline, pass, bases[0]);
  const after = compared(pass, baseline, bases[1]);
  /** @type {[ComparedPass, ComparedPass]} */
  const passes = [before, after];
  const [preferred, other] = prefersBaseline ? [before, after] : [after, before];
  const inspected = preferred.lacksChosen && !other.lacksChosen ? other : preferred;
  const subtraction = mode === 'side' ? null : subtractionOf(passes, bases, view, shared);
  const isOfOne = !subtraction || subtraction.problem || subtraction.lacksChosen;
  const difference = `${after.name} ${strings.compare.minus} ${before.name}`;
  const pictureName = isOfOne ? inspected.name : difference;
  return {shape, place: placeIn(shape, shared), passes, inspected, pictureName, subtraction};
}

/**
 * @param {[ComparedPass, ComparedPass]} passes
 * @param {Shape[]} shapes  the shape of each pass
 * @param {ViewName} view
 * @param {Choice} shared  the choice for both passes
 * @returns {Subtraction}
 */
function subtractionOf(passes, [first, second], view, shared) {
  const shape = commonOf(first, second);
  const common = coverageOf(view, shared, shape, '');
  const {lack} = strings.compare;
  const isGrid = kindsOf[view].hasGrid && !common.choice.grid.isOpen;
  const missing = [
    ...passes.flatMap((each) => each.missing),
    ...(common.isEmpty ? [lack.difference] : []),
    ...(isGrid && !isSameShape(first, second) ? [lack.common(shape)] : []),
  ];
  const [before, after] = passes.map(({pass}) => pass);
  const problem = common.isEmpty
    ? strings.text.sentences(missing)
    : problemOf(before, after, view, common.choice);
  return {...common, missing, problem};
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
 * Says that words are compared, and which of them only one pass has.
 *
 * @param {Baseline} baseline
 * @param {Pass} after
 * @param {ViewName} view
 * @param {Choice} choice
 * @returns {string}  empty if the tokens correspond one by one
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

/**
 * The name of a pass beside another one. It includes the model if the models differ.
 *
 * @param {Pass} pass
 * @param {Pass} other
 */
export function nameBeside(pass, other) {
  return isOfOtherModel(pass, other) ? `${modelOf(pass)}: ${pass.name}` : pass.name;
}

/**
 * The shortest name that tells a pass from another one: its model if the models differ, or its own name.
 *
 * @param {Pass} pass
 * @param {Pass} other
 */
function shortName(pass, other) {
  return isOfOtherModel(pass, other) ? modelOf(pass) : pass.name;
}

/** @param {Pass} pass @param {Pass} other */
function isOfOtherModel(pass, other) {
  const [model, otherModel] = [pass, other].map(modelOf);
  return Boolean(model && otherModel) && model !== otherModel;
}

/** Returns the name of the model, or an empty string if it is not known. @param {Pass} pass */
export function modelOf({model, snapshot}) {
  return model?.name ?? snapshot.about?.model ?? '';
}
