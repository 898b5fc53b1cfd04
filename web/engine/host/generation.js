/** Continues a text with the tokens that a causal model predicts, one after the other. */

import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {quote} from '../json.js';
import {randomNumbers} from '../random-numbers.js';
import {indexOfLargest} from './softmax-top.js';
import {TextWriter} from '../text/text-writer.js';

/** @import {DecoderConfig, WritingRules} from '../files/model-config.js' */
/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {Tokenizer} from '../text/tokenizer.js' */
/** @import {WasmModule} from '../wasm-module.d.ts' */

/**
 * @typedef {object} GenerateOptions
 * @property {number} [tokens] How many are added at most; the default is 20.
 * @property {number} [temperature] What logits are divided by before a token is drawn, to 100. The
 *   default 0 takes the likeliest token each time.
 * @property {number} [seed] Of the draws, below 2^32; the default is 0.
 * @property {(progress: {done: number, total: number, text: string}) => void} [onProgress] Counts
 *   tokens. The text is what was added so far, in whole characters.
 * @property {AbortSignal} [signal] Ends it between two tokens.
 */

/**
 * @typedef {object} Generated
 * @property {number[]} ids Those that were added.
 * @property {string[]} tokens
 * @property {string} text What was added.
 * @property {boolean} ended Whether the model ended the text. The token for that is not among
 *   `ids`.
 */

const GREATEST_TEMPERATURE = 100;

/**
 * @param {Pick<WasmModule, 'ContinuedText'>} module
 * @param {Encoder} encoder
 * @param {Tokenizer} tokenizer
 * @param {PassInput} pass
 * @param {GenerateOptions} options
 * @returns {Promise<Generated>}
 */
export async function generate(module, encoder, tokenizer, pass, options) {
  const {tokens: wanted = 20, temperature = 0, seed = 0, signal, onProgress} = options;
  checkNumber('tokens', wanted, {greatest: 2 ** 31, isWhole: true});
  checkNumber('temperature', temperature, {greatest: GREATEST_TEMPERATURE});
  checkNumber('seed', seed, {greatest: 2 ** 32 - 1, isWhole: true});
  const total = Math.min(wanted, encoder.config.positions - pass.ids.length);
  const end = tokenizer.endId;
  const random = randomNumbers(seed);
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
      if (rules) excludeTokens(rules, written, end, logits);
      const id = choose(logits, temperature, random);
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

/**
 * @param {Float32Array} logits
 * @param {number} temperature
 * @param {() => number} random
 * @returns {number} The likeliest token, the first of several; with a temperature one that is
 *   drawn.
 */
function choose(logits, temperature, random) {
  const likeliest = indexOfLargest(logits);
  if (temperature === 0) return likeliest;
  const weights = logits.map((logit) => Math.exp((logit - logits[likeliest]) / temperature));
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const drawn = weights.findIndex((weight) => (left -= weight) < 0);
  return drawn < 0 ? likeliest : drawn; // rounding may leave a rest
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {{greatest: number, isWhole?: boolean}} range From 0.
 */
function checkNumber(name, value, {greatest, isWhole = false}) {
  const isNumber = isWhole ? Number.isInteger(value) : typeof value === 'number';
  if (isNumber && Number(value) >= 0 && Number(value) <= greatest) return;
  const kind = isWhole ? 'a whole number' : 'a number';
  const message = `generate: expected ${name} to be ${kind} from 0 to ${greatest}, found ${quote(value)}`;
  throw new BertscopeError('bad-option', message);
}
