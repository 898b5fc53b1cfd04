/** What a decoder may write: what its file forbids, and what a reader makes less likely. */

import {penalizeRepetition} from './sampling.js';

/** @import {DecoderConfig, WritingRules} from '../files/model-config.js' */
/** @import {Encoder} from './encoder.js' */

/**
 * Returns what changes the logits of the next token, or their log-probabilities, in place. Its other argument is the
 * tokens so far, of which the first stands before every text of an encoder-decoder.
 * @param {Encoder['config']} config
 * @param {number | undefined} end The token that ends a text.
 * @param {number} repetitionPenalty
 * @returns {(values: Float32Array, written: readonly number[]) => void}
 */
export function writingRules(config, end, repetitionPenalty) {
  const rules = 'startToken' in config ? /** @type {DecoderConfig} */ (config) : null;
  return (values, written) => {
    penalizeRepetition(values, written, repetitionPenalty);
    if (rules) excludeTokens(rules, written, end, values);
  };
}

/**
 * Excludes the tokens that the rules of a decoder forbid. Source: `LogitsProcessor` of transformers.
 * @param {WritingRules} rules
 * @param {readonly number[]} written
 * @param {number | undefined} end
 * @param {Float32Array} values
 */
function excludeTokens({firstToken, bannedTokens, leastTokens, unrepeated}, written, end, values) {
  const exclude = (/** @type {number} */ id) => (values[id] = -Infinity);
  bannedTokens.forEach(exclude);
  if (end !== undefined && written.length < leastTokens) exclude(end);
  for (let at = unrepeated; unrepeated > 0 && at <= written.length; at++) {
    const before = written.slice(at - unrepeated, at - 1);
    const isAgain = before.every((id, i) => id === written.at(i + 1 - unrepeated));
    if (isAgain) exclude(written[at - 1]);
  }
  if (firstToken === undefined || written.length > 1) return;
  values.fill(-Infinity);
  values[firstToken] = 0;
}
