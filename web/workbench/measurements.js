/** What was measured of each model, which stays when the panel is closed. */

/** @import {Measurement} from '../engine/syntax/saved-report.js' */
/** @import {SyntaxReport} from '../engine/syntax/score-treebank.js' */
/** @import {Model} from '../session/shared-models.js' */
/** @import {Treebank} from './treebank.js' */

/**
 * @typedef {object} Measured
 * @property {string} name  of the sentences; empty for those of the page
 * @property {Treebank | null} treebank  null if only their numbers are there: they were opened from a saved file
 * @property {SyntaxReport} report
 * @property {Measurement} [savedWith]  what a saved file says of it
 */

/** @type {WeakMap<Model, Measured>} */
const latest = new WeakMap();

/** The latest measurement of a model; null without one. @param {Model | null} model */
export const measurementOf = (model) => (model && latest.get(model)) ?? null;

/** @param {Model} model @param {Measured} measured */
export function keepMeasurement(model, measured) {
  latest.set(model, measured);
}
