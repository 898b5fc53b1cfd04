/** The files that a measurement is saved in, and opened from. */

import {rowsOfReport} from '../engine/syntax/report-csv.js';
import {jsonOfReport, readReport} from '../engine/syntax/saved-report.js';
import {csv} from '../export/csv.js';
import {fileName, save} from '../export/download.js';
import {grammarStrings as words} from '../strings/grammar.js';
import {grammarFigure} from './grammar-figure.js';
import {builtInTreebank, ownName} from './treebank.js';

/** @import {Model} from '../session/shared-models.js' */
/** @import {Measured} from './measurements.js' */

/** The ending of a measurement that can be opened again. */
export const SAVED_ENDING = '.json';

/** No measurement of a treebank with {@link readReport}'s most relations and heads is larger. */
const mostBytes = 50_000_000;

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
  const {of, report} = readReport(await file.text(), file.name);
  const {layers, heads} = report;
  if (layers !== shape.layers || heads !== shape.heads) {
    throw new Error(words.otherShape(file.name, of.model, {layers, heads}, shape));
  }
  const isOwn = of.treebank === ownName;
  const treebank = isOwn && of.model === name ? await builtInTreebank() : null;
  return {name: isOwn ? '' : of.treebank, treebank, report, savedWith: of};
}

export const reportFormats = /** @type {const} */ (['CSV', 'JSON', 'SVG']);

/**
 * Saves a table of all relations, everything that was measured, to be opened again, or a figure of the frequent relations.
 *
 * @param {Measured} found
 * @param {string} model  its name
 * @param {(typeof reportFormats)[number]} format
 * @param {{dark: boolean, like: Element}} looks  of the figure
 */
export async function saveReport(found, model, format, looks) {
  const name = fileName(['grammar', model, found.name], format.toLowerCase());
  save(name, await contentOf(found, model, format, looks));
}

/** @type {typeof saveReport extends (...args: infer Given) => any ? (...args: Given) => Promise<Blob> : never} */
async function contentOf(found, model, format, {dark, like}) {
  const {report} = found;
  switch (format) {
    case 'CSV':
      return new Blob([csv(rowsOfReport(report))], {type: 'text/csv'});
    case 'JSON': {
      const of = {model, precision: /** @type {const} */ ('int8'), treebank: found.name || ownName};
      return new Blob([jsonOfReport(report, of)], {type: 'application/json'});
    }
    case 'SVG': {
      const {svg} = await grammarFigure(found, model, dark, like);
      return new Blob([svg], {type: 'image/svg+xml'});
    }
  }
}
