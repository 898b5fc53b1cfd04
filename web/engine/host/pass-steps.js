/**
 * How far a pass must have run before it can be asked for something. Each layer is run in two steps: its queries, keys
 * and attention, and all that follows.
 */

/** @import {Quantity} from './held-trace.js' */
/** @import {MatrixRef, Measure} from '../measures.js' */

/**
 * Quantities that the first step of a layer makes, or that are made of the first steps up to a
 * layer.
 */
const ATTENDED = ['attention', 'queries', 'keys', 'positionScores', 'rollout', 'flow'];
/** Quantities that are made of one hidden state. Their first index says which one. */
const OF_HIDDEN = ['hiddenStates', 'wordLogits'];
/** One that is made of the last hidden state. Its index is a token. */
const OF_LAST = 'classifierLogits';

/** @type {Record<Measure, Quantity | 'flow'>} */
const measured = {weight: 'attention', norm: 'headNorms', rollout: 'rollout', flow: 'flow'};

/** @param {number} layers */
export const allSteps = (layers) => 2 * layers;

/** How many steps lead to the attention of every layer. @param {number} layers */
export const attendedSteps = (layers) => 2 * layers - 1;

/**
 * @param {Quantity | 'flow'} quantity
 * @param {number[]} indices For the last hidden state, there are none.
 * @param {number} layers
 */
export function stepsTo(quantity, [index], layers) {
  const isOfLast = quantity === OF_LAST || !Number.isInteger(index);
  if (isOfLast || index >= layers) return allSteps(layers);
  const ofLayer = ATTENDED.includes(quantity) ? 1 : 2;
  return 2 * index + (OF_HIDDEN.includes(quantity) ? 0 : ofLayer);
}

/**
 * @param {readonly MatrixRef[]} wanted
 * @param {number} layers
 */
export function stepsToAll(wanted, layers) {
  const steps = wanted.map(({kind, measure = 'weight', layer}) =>
    stepsTo(kind === 'attention' ? measured[measure] : kind, [layer], layers),
  );
  return Math.max(0, ...steps);
}
