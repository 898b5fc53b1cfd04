/** What was measured of each model, which stays when the panel is closed. */

import {remembered} from '../attention/remembered.js';

/** @import {Measurement} from '../engine/syntax/saved-report.js' */
/** @import {RelationScore} from '../engine/syntax/relation-counts.js' */
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

/**
 * @typedef {object} Kept
 * @property {Measured | null} measured  the latest measurement
 * @property {string} asked  what an address has asked for last
 */

/** @type {WeakMap<Model, Kept>} */
const kept = new WeakMap();

/** What is kept of a model, to be read and written. @param {Model} model */
export const keptOf = (model) => remembered(kept, model, () => ({measured: null, asked: ''}));

/**
 * What a grammar panel knows when it is opened again.
 *
 * @typedef {object} GrammarMemory
 * @property {WeakSet<File>} begun  the files that were measured, or are: each is measured once, when it arrives
 * @property {RelationScore | null} onMap  what colours the map, be it of a model that is gone
 */

/** @returns {GrammarMemory} */
export const grammarMemory = () => ({begun: new WeakSet(), onMap: null});

/** The latest measurement that is shown with a model; null without one. @param {Model | null} model */
export const measurementOf = (model) => model && keptOf(model).measured;

/** Whether what was measured are a model's own heads. @param {Measured | null} found @param {Model} model */
export const isOfModel = (found, model) => found?.of.model === model.name;
