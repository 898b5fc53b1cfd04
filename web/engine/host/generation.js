/** Continues a text with the tokens that a causal model predicts, one after the other. */

import {yieldIfDue} from '../event-loop.js';
import {randomNumbers} from '../random-numbers.js';
import {checkNumber, checkedSampling, choose, penalizeRepetition} from './sampling.js';
import {TextWriter} from '../text/text-writer.js';

/** @import {DecoderConfig, WritingRules} from '../files/model-config.js' */
/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {Sampling} from './sampling.js' */
/** @import {Tokenizer} from '../text/tokenizer.js' */
/** @import {WasmModule} from '../wasm-module.d.ts' */

/**
 * @typedef {object} GenerateOnlyOptions
 * @property {number} [tokens] How many are added at most; the default is 20.
 * @property {(progress: {done: number, total: number, text: string}) => void} [onProgress] Counts
 *   tokens. The text is what was added so far, in whole characters.
 * @property {AbortSignal} [signal] Ends it between two tokens.
 */

/** @typedef {Sampling & GenerateOnlyOptions} GenerateOptions */

/**
 * @typedef {object} Generated
 * @property {number[]} ids Those that were added.
 * @property {string[]} tokens
 * @property {string} text What was added.
 * @property {boolean} ended Whether the model ended the text. The token for that is not among
 *   `ids`.
 */

/**
 * @param {Pick<WasmModule, 'ContinuedText'>} module
 * @param {Encoder} encoder
 * @param {Tokenizer} tokenizer
 * @param {PassInput} pass
 * @param {GenerateOptions} options
 * @returns {Promise<Generated>}
 */
export async function generate(module, encoder, tokenizer, pass, options) {
  const {tokens: wanted = 20, signal, onProgress} = options;
  checkNumber('tokens', wanted, {greatest: 2 ** 31, isWhole: true});
  const sampling = checkedSampling(options);
  const total = Math.min(wanted, encoder.config.positions - pass.ids.length);
  const end = tokenizer.endId;
  const random = randomNumbers(sampling.seed);
  const rules =
    'startToken' in encoder.config ? /** @type {DecoderConfig} */ (encoder.config) : null;
  const text = new module.ContinuedText();
  /** @type {number[]} */
  const ids = [];
  const written = [...pass.ids];
  const soFar = new TextWriter(tokenizer);
  let ended = false;
  try {
    // The last token that is added needs no room: nothing follows it.
    const capacity = pass.ids.length + Math.max(total - 1, 0);
    const {next, append} = await encoder.beginText(pass, text, capacity);
    while (ids.length < total) {
      await yieldIfDue(signal);
      const logits = next();
      penalizeRepetition(logits, written, sampling.repetitionPenalty);
      if (rules) excludeTokens(rules, written, end, logits);
      const id = choose(logits, sampling, random);
      ended = id === end;
      if (ended) break;
      ids.push(id);
      written.push(id);
      if (isShown(id, encoder)) soFar.add(id);
      onProgress?.({done: ids.length, total, text: soFar.text});
      if (ids.length < total) append(id);
    }
  } finally {
    text.delete();
  }
  const tokens = ids.map((id) => tokenizer.token(id));
  return {ids, tokens, text: textOf(ids, encoder, tokenizer), ended};
}

/**
 * Decodes what was written.
 * @param {number[]} ids
 * @param {Pick<Encoder, 'config'>} encoder
 * @param {Tokenizer} tokenizer
 */
export function textOf(ids, encoder, tokenizer) {
  return tokenizer.decode(ids.filter((id) => isShown(id, encoder)));
}

/**
 * Tells whether a token is shown. The token that begins every text of a decoder is not.
 * @param {number} id
 * @param {Pick<Encoder, 'config'>} encoder
 */
const isShown = (id, {config}) => !('firstToken' in config) || id !== config.firstToken;

/**
 * Excludes the tokens that the rules of a decoder forbid. Source: `LogitsProcessor` of
 * transformers.
 * @param {WritingRules} rules
 * @param {number[]} written It begins with the token that stands before every text.
 * @param {number | undefined} end The token that ends a text.
 * @param {Float32Array} logits
 */
function excludeTokens({firstToken, bannedTokens, leastTokens, unrepeated}, written, end, logits) {
  const exclude = (/** @type {number} */ id) => (logits[id] = -Infinity);
  bannedTokens.forEach(exclude);
  if (end !== undefined && written.length < leastTokens) exclude(end);
  for (let at = unrepeated; unrepeated > 0 && at <= written.length; at++) {
    const before = written.slice(at - unrepeated, at - 1);
    const isAgain = before.every((id, i) => id === written.at(i + 1 - unrepeated));
    if (isAgain) exclude(written[at - 1]);
  }
  if (firstToken === undefined || written.length > 1) return;
  logits.fill(-Infinity);
  logits[firstToken] = 0;
}
