import {commonOf, isSameShape, unionOf} from '../attention/shape.js';
import {SnapshotError} from '../attention/snapshot.js';
import {strings} from '../strings/index.js';
import {coverageOf, placeIn, sharedChoice} from './available-heads.js';
import {baseOf, differenceDrawingOf, unmatchedIn} from './view-data.js';

/** @import {Coverage} from './available-heads.js' */
/** @import {Choice} from './view-data.js' */
/** @import {CompareMode} from './pass-origin.js' */
/** @import {Pass} from './pass.js' */
/** @import {ViewName} from '../views/view-kinds.js' */
/** @import {Shape} from '../attention/shape.js' */

/**
 * What a pass is compared with, and how.
 *
 * @typedef {{pass: Pass, mode: CompareMode}} Baseline
 *
 * One of two passes that are compared, and how much it has of what is chosen.
 *
 * @typedef {Coverage & {pass: Pass, name: string}} ComparedPass
 *
 * What is subtracted, as if it were one pass.
 *
 * @typedef {Coverage & {problem: string}} Subtraction  `problem`: why there is no difference
 *
 * A pass and its baseline.
 *
 * @typedef {object} Comparison
 * @property {Shape} shape  the layers and heads that either has
 * @property {{layer: number, heads: number[]}} place  those that are meant of both, whether or not each has them
 * @property {[ComparedPass, ComparedPass]} passes  the baseline first
 * @property {ComparedPass} inspected  the one that the map of heads, the inspector and the export are of
 * @property {string} pictureName  of what the inspector says that the picture shows: one pass, or what
 *   is subtracted from what
 * @property {Subtraction | null} subtraction  null: they stand side by side
 */

/**
 * Compares a pass with its baseline. Of the two, the one that is not preferred is inspected only where
 * it alone has what is chosen.
 *
 * @param {Baseline} baseline
 * @param {Pass} pass
 * @param {ViewName} view
 * @param {Choice} choice
 * @param {boolean} [prefersBaseline]  the reader wants to inspect it
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
 * @param {Shape[]} shapes  of each
 * @param {ViewName} view
 * @param {Choice} shared  what is meant of both
 * @returns {Subtraction}
 */
function subtractionOf(passes, [first, second], view, shared) {
  const shape = commonOf(first, second);
  const common = coverageOf(view, shared, shape, '');
  const {lack} = strings.compare;
  const isGrid = view === 'model' && !common.choice.grid.isOpen;
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
