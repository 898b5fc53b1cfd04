/** How much each token of a text contributes to an answer, as JSON. */

import {BertscopeError} from '../../web/engine/errors.js';
import {matrixToJson, numberToJson, rowToJson} from './float32.mjs';
import {writeLines} from './text-lines.mjs';
import {saying} from './texts.mjs';

/** @import {Explanation} from '../../web/engine/host/explanations.js' */
/** @import {PassInput} from '../../web/engine/host/encoder.js' */
/** @import {Attended, LoadedModel} from '../../web/engine/host/loaded-model.js' */

/**
 * @typedef {import('./text-lines.mjs').LineValues & {
 *   method?: string, target?: string, instead?: string, 'patch-from'?: string
 * }} Values
 */

const PATCH_FROM = '--patch-from';

/**
 * @param {Values} values
 * @param {string[]} positionals
 */
export async function explain(values, positionals) {
  // The engine refuses other methods and targets by name.
  const {method, target, instead, 'patch-from': from} = /** @type {any} */ (values);
  /** @type {Attended | undefined} */
  let other;
  await writeLines(values, positionals, async (model, run, given) => {
    if (from !== undefined) other ??= await run({text: from, where: PATCH_FROM});
    const {where} = given;
    // Only the vector is the encoder's own answer.
    if (model.translator && target !== 'vector') {
      const message = `${model.name}: expected a model that reads one text, found an encoder-decoder: translate --explain says what it wrote each token from`;
      throw new BertscopeError('not-available', message);
    }
    const {pass} = await run(given);
    const explanation = await saying(where, () => model.explain(pass, method, target, {instead}));
    const patched = () => other && mapsOf(model, pass, other, target);
    return toJson(explanation, await saying(where, () => saying(PATCH_FROM, patched)));
  });
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
    `"value":${numberToJson(value)}`,
    `"contributions":${rowToJson(contributions)}`,
    ...(baseline === undefined ? [] : [`"baseline":${numberToJson(baseline)}`]),
    ...(remainder === undefined ? [] : [`"remainder":${numberToJson(remainder)}`]),
    ...(matrix ? [`"matrix":${matrixToJson(matrix, size)}`] : []),
    ...(layers ? [`"layers":[${layers.map((layer) => matrixToJson(layer, size)).join(',')}]`] : []),
    ...(maps ? [`"patch":${maps}`] : []),
  ];
  return `{${fields.join(',')}}\n`;
}

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
    `"value":${numberToJson(value)}`,
    `"fromValue":${numberToJson(fromValue)}`,
    `"hidden":${matrixToJson(hidden.map, hidden.shape[1])}`,
    `"heads":${matrixToJson(heads.map, heads.shape[1])}`,
  ];
  return `{${fields.join(',')}}`;
}
