/** How much each token of a text contributes to an answer, as JSON. */

import {refuseDropped, warnOfCut} from './attend.mjs';
import {readChanges} from './changes.mjs';
import {checkPrecision, loadModel} from './engine.mjs';
import {matrixToJson} from './float32.mjs';
import {checkEnding, checkOutput, warn, writeFileWhole, writeStandardOutput} from './output.mjs';
import {readTextArguments, saying, warnOfNoText} from './texts.mjs';

/** @import {Explanation} from '../../web/engine/host/explanations.js' */

/**
 * @typedef {import('./texts.mjs').TextValues & import('./changes.mjs').ChangeValues & {
 *   method?: string, target?: string, precision?: string, output?: string
 * }} Values
 */

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
  const {method, target} = /** @type {any} */ (values);
  const lines = async function* () {
    for (const given of texts) {
      const {text, where} = given;
      const attended = await saying(where, () => model.attend(text, {...options, interventions}));
      if (!isFile) refuseDropped(attended.dropped);
      warnOfNoText(given);
      if (attended.truncated > 0) warnOfCut(model, attended.truncated, where);
      for (const {message} of attended.dropped) warn(`${where}: ${message}`);
      yield toJson(await saying(where, () => model.explain(attended.pass, method, target)));
    }
  };
  await (output === undefined ? writeStandardOutput(lines()) : writeFileWhole(output, lines()));
}

/** @param {Explanation} explanation */
function toJson({method, target, tokens, value, contributions, remainder, matrix, layers}) {
  const size = tokens.length;
  const listOf = (/** @type {Float32Array} */ values) =>
    matrixToJson(values, values.length).slice(1, -1);
  const fields = [
    JSON.stringify({method, target, tokens}).slice(1, -1),
    `"value":${listOf(Float32Array.of(value)).slice(1, -1)}`,
    `"contributions":${listOf(contributions)}`,
    `"remainder":${listOf(Float32Array.of(remainder)).slice(1, -1)}`,
    ...(matrix ? [`"matrix":${matrixToJson(matrix, size)}`] : []),
    ...(layers ? [`"layers":[${layers.map((layer) => matrixToJson(layer, size)).join(',')}]`] : []),
  ];
  return `{${fields.join(',')}}\n`;
}
