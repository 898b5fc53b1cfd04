/** The files that a measurement is saved in, and opened from. */

import {rowsOfReport} from '../engine/syntax/report-csv.js';
import {jsonOfReport, readReport} from '../engine/syntax/saved-report.js';
import {csv} from '../export/csv.js';
import {fileName, save} from '../export/download.js';
import {grammarStrings as words} from '../strings/grammar.js';
import {grammarFigure} from './grammar-figure.js';
import {builtInTreebank} from './treebank.js';

/** @import {Model} from '../session/shared-models.js' */
/** @import {Measured} from './measurements.js' */

/** The ending of a measurement that can be opened again. */
export const SAVED_ENDING = '.json';

/** A measurement of a thousand heads and two hundred relations takes half of this. */
const mostBytes = 5_000_000;

/** @param {File} file */
export const isSavedReport = ({name}) => name.toLowerCase().endsWith(SAVED_ENDING);

/**
 * Opens a saved measurement, to show it with the model that was measured, or with one that has as many heads.
 *
 * @param {File} file
 * @param {Model} model
 * @returns {Promise<Measured>}
 * @throws {Error} It is no measurement, or one of a model of another shape.
 */
export async function openReport(file, {name, shape}) {
  if (file.size > mostBytes) throw new Error(words.largeFile(file.name, mostBytes / 1e6));
  const {of, report} = readReport(await file.text(), file.name, shape);
  // With other weights, a head fails elsewhere.
  const isOwn = of.treebank === '' && of.model === name && of.precision === 'int8';
  return {of, isOpened: true, treebank: isOwn ? await builtInTreebank() : null, report};
}

export const reportFormats = /** @type {const} */ (['CSV', 'JSON', 'SVG']);

/**
 * Saves a table of all relations, everything that was measured, to be opened again, or a figure of the frequent relations.
 *
 * @param {Measured} found
 * @param {(typeof reportFormats)[number]} format
 * @param {{dark: boolean, like: Element}} looks  of the figure
 */
export async function saveReport(found, format, looks) {
  const {model, treebank} = found.of;
  const name = fileName(['grammar', model, treebank], format.toLowerCase());
  save(name, await contentOf(found, format, looks));
}

/** @param {Measured} found @param {string} format @param {{dark: boolean, like: Element}} looks */
async function contentOf(found, format, {dark, like}) {
  const {of, report} = found;
  if (format === 'CSV') return new Blob([csv(rowsOfReport(report))], {type: 'text/csv'});
  if (format === 'JSON') return new Blob([jsonOfReport(report, of)], {type: 'application/json'});
  const {svg} = await grammarFigure(found, dark, like);
  return new Blob([svg], {type: 'image/svg+xml'});
}
