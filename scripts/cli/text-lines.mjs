/** Writes a line of JSON about each text that a command is given. */

import {readInterventions} from './changes.mjs';
import {checkPrecision, loadModel} from './engine.mjs';
import {checkEnding, checkOutput, writeFileWhole, writeStandardOutput} from './output.mjs';
import {attendTo, readTextArguments} from './texts.mjs';

/** @import {Attended, LoadedModel} from '../../web/engine/host/loaded-model.js' */
/** @import {Text} from './texts.mjs' */

/**
 * @typedef {import('./texts.mjs').TextValues & import('./changes.mjs').ChangeValues & {
 *   precision?: string, output?: string
 * }} LineValues
 */

/**
 * @param {LineValues} values
 * @param {string[]} positionals
 * @param {(model: LoadedModel, run: (given: Text) => Promise<Attended>, given: Text) => Promise<string>} lineOf
 */
export async function writeLines(values, positionals, lineOf) {
  const {output} = values;
  const precision = checkPrecision(values.precision);
  const interventions = readInterventions(values);
  const {path, texts, isFile, options} = await readTextArguments(values, positionals);
  if (output !== undefined) {
    checkEnding(output, isFile ? ['.json', '.jsonl'] : ['.json']);
    await checkOutput(output);
  }
  const model = await loadModel(path, precision);
  const run = (/** @type {Text} */ given) =>
    attendTo(model, given, {...options, interventions}, isFile);
  const lines = async function* () {
    for (const given of texts) yield await lineOf(model, run, given);
  };
  await (output === undefined ? writeStandardOutput(lines()) : writeFileWhole(output, lines()));
}
