/** How much each token of a text contributes to an answer, as JSON. */

import {readChanges} from './changes.mjs';
import {checkPrecision, loadModel} from './engine.mjs';
import {matrixToJson} from './float32.mjs';
import {checkEnding, checkOutput, writeFileWhole, writeStandardOutput} from './output.mjs';
import {attendTo, readTextArguments, saying} from './texts.mjs';

/** @import {Explanation} from '../../web/engine/host/explanations.js' */
/** @import {PassInput} from '../../web/engine/host/encoder.js' */
/** @import {Attended, LoadedModel} from '../../web/engine/host/loaded-model.js' */
/** @import {Text} from './texts.mjs' */

/**
 * @typedef {import('./texts.mjs').TextValues & import('./changes.mjs').ChangeValues & {
 *   method?: string, target?: string, instead?: string, 'patch-from'?: string, precision?: string, output?: string
 * }} Values
 */

const PATCH_FROM = '--patch-from';

/**
 * @param {Values} values
 * @param {string[]} positionals
 */
export async function explain(values, positionals) {
  const {output} = values;
  const precision = checkPrecision(values.precision);
  const interventions = readChanges(values);
  const {path, texts, isFile, options} = await readTextArguments(values, positionals);
  if (output !== undefined) {
    checkEnding(output, isFile ? ['.json', '.jsonl'] : ['.json']);
    await checkOutput(output);
  }
  const model = await loadModel(path, precision);
  // The engine refuses other methods and targets by name.
  const {method, target, instead, 'patch-from': from} = /** @type {any} */ (values);
  const run = (/** @type {Text} */ given) =>
    attendTo(model, given, {...options, interventions}, isFile);
  const other = from === undefined ? undefined : await run({text: from, where: PATCH_FROM});
  const lines = async function* () {
    for (const given of texts) {
      const {where} = given;
      const {pass} = await run(given);
      const explanation = await saying(where, () => model.explain(pass, method, target, {instead}));
      const patched = () => other && mapsOf(model, pass, other, target);
      yield toJson(explanation, await saying(where, () => saying(PATCH_FROM, patched)));
    }
  };
  await (output === undefined ? writeStandardOutput(lines()) : writeFileWhole(output, lines()));
}

/**
 * @param {Explanation} explanation
 * @param {string} [maps] JSON
 */
function toJson({tokens, matrix, layers, ...explanation}, maps) {
  const {method, target, instead, value, contributions, baseline, remainder} = explanation;
  const size = tokens.length;
  const fields = [
    JSON.stringify({method, target, instead, tokens}).slice(1, -1),
    `"value":${number(value)}`,
    `"contributions":${listOf(contributions)}`,
    ...(baseline === undefined ? [] : [`"baseline":${number(baseline)}`]),
    ...(remainder === undefined ? [] : [`"remainder":${number(remainder)}`]),
    ...(matrix ? [`"matrix":${matrixToJson(matrix, size)}`] : []),
    ...(layers ? [`"layers":[${layers.map((layer) => matrixToJson(layer, size)).join(',')}]`] : []),
    ...(maps ? [`"patch":${maps}`] : []),
  ];
  return `{${fields.join(',')}}\n`;
}

/** @param {Float32Array} values */
const listOf = (values) => matrixToJson(values, values.length).slice(1, -1);

/** @param {number} value */
const number = (value) => listOf(Float32Array.of(value)).slice(1, -1);

/**
 * @param {LoadedModel} model
 * @param {PassInput} pass
 * @param {Attended} other
 * @param {any} target
 * @returns {Promise<string>} JSON: both maps, of hidden states and of heads.
 */
async function mapsOf(model, pass, other, target) {
  const hidden = await model.patch(pass, other.pass, {what: 'hidden', target});
  const heads = await model.patch(pass, other.pass, {what: 'heads', target});
  const {target: answer, against, value, fromValue} = hidden;
  const fields = [
    JSON.stringify({from: other.tokens, target: answer, against}).slice(1, -1),
    `"value":${number(value)}`,
    `"fromValue":${number(fromValue)}`,
    `"hidden":${matrixToJson(hidden.map, hidden.shape[1])}`,
    `"heads":${matrixToJson(heads.map, heads.shape[1])}`,
  ];
  return `{${fields.join(',')}}`;
}
