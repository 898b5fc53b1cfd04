/** What each part of a model adds to the logit of a word, as JSON. */

import {matrixToJson, numberToJson, rowToJson} from './float32.mjs';
import {numberOf} from './numbers.mjs';
import {writeLines} from './text-lines.mjs';
import {saying} from './texts.mjs';

/** @import {LogitAttribution} from '../../web/engine/host/explanations.js' */

/**
 * @typedef {import('./text-lines.mjs').LineValues & {
 *   word?: string, token?: string, instead?: string
 * }} Values
 */

/**
 * @param {Values} values
 * @param {string[]} positionals
 */
export async function attribution(values, positionals) {
  const {word, instead} = values;
  const token = numberOf('--token', values.token);
  await writeLines(values, positionals, async (model, run, given) => {
    const {pass} = await run(given);
    const place = {token: token ?? pass.ids.length - 1};
    const target = word === undefined ? place : {...place, word};
    const found = () => model.logitAttribution(pass, target, {instead});
    return toJson(await saying(given.where, found), model.shape.heads);
  });
}

/** @param {LogitAttribution} found @param {number} heads In a layer. */
function toJson({target, instead, tokens, ...parts}, heads) {
  const fields = [
    JSON.stringify({target, instead, tokens}).slice(1, -1),
    `"value":${numberToJson(parts.value)}`,
    `"heads":${matrixToJson(parts.heads, heads)}`,
    `"attention_biases":${rowToJson(parts.attentionBiases)}`,
    `"feed_forward":${rowToJson(parts.feedForward)}`,
    `"words":${numberToJson(parts.words)}`,
    `"positions":${numberToJson(parts.positions)}`,
    `"bias":${numberToJson(parts.bias)}`,
    `"remainder":${numberToJson(parts.remainder)}`,
  ];
  return `{${fields.join(',')}}\n`;
}
