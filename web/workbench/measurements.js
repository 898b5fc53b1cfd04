/** What was measured of each model, which stays when the panel is closed. */

/** @import {Measurement} from '../engine/syntax/saved-report.js' */
/** @import {SyntaxReport} from '../engine/syntax/score-treebank.js' */
/** @import {Model} from '../session/shared-models.js' */
/** @import {Treebank} from './treebank.js' */

/**
 * @typedef {object} Measured
 * @property {Measurement} of  what was measured; the model may be another one, if it was opened from a file
 * @property {boolean} [isOpened]  whether it was opened from a file
 * @property {Treebank | null} treebank  null if only its numbers are there
 * @property {SyntaxReport} report
 */

/** @type {WeakMap<Model, Measured>} */
const latest = new WeakMap();

/** The latest measurement that is shown with a model; null without one. @param {Model | null} model */
export const measurementOf = (model) => (model && latest.get(model)) ?? null;

/** Whether what was measured are a model's own heads. @param {Measured | null} found @param {Model} model */
export const isOfModel = (found, model) => found?.of.model === model.name;

/** @param {Model} model @param {Measured} measured */
export function keepMeasurement(model, measured) {
  latest.set(model, measured);
}
