/** Limits of what a model's own tokenizer may do to a text before it is split. */

import {BertscopeError} from '../errors.js';
import {isRecord, quote} from '../json.js';
import {MAX_REPLACEMENT_BYTES} from './charsmap.js';

/** Hugging Face's tokenizers have at most 6 steps of a kind. */
const MAX_STEPS = 64;
/** The most characters that all steps together may make of one. Those of ALBERT may make 5,760. */
const MAX_GROWTH = 2 ** 13;
/**
 * The most UTF-16 units that a step of each type makes of one. Those of Unicode's forms are the
 * maximum expansion factors of Unicode's FAQ on normalization.
 * @type {Record<string, number>}
 */
const GROWTH = {
  BertNormalizer: 3, // a space on both sides of an ideograph
  ByteLevel: 4, // a space, and a sign for each of the three bytes
  Lowercase: 2, // İ
  NFC: 3,
  NFD: 4,
  NFKC: 18,
  NFKD: 18,
  Precompiled: MAX_REPLACEMENT_BYTES,
};

/**
 * Refuses a tokenizer whose steps multiply a text: sixteen that double it make gigabytes of a line.
 * @param {Record<string, unknown>} json `tokenizer.json`
 * @param {string} file The name of the tokenizer's file, for messages.
 */
export function refuseGrowth({normalizer, pre_tokenizer: split}, file) {
  let growth = 1;
  for (const [name, whole] of Object.entries({normalizer, pre_tokenizer: split})) {
    const steps = stepsOf(whole);
    if (steps.length > MAX_STEPS) {
      throw refuse(file, `a ${name} of at most ${MAX_STEPS} steps`, `more`);
    }
    growth = steps.reduce((product, step) => product * growthOf(step), growth);
  }
  if (growth > MAX_GROWTH) {
    const expected = `steps that make at most ${MAX_GROWTH} characters of one`;
    throw refuse(file, expected, `some that may make ${quote(growth)}`);
  }
}

/**
 * @param {unknown} step A step, or a sequence of steps, which may hold sequences itself.
 * @returns {Record<string, unknown>[]} At most one more than the limit.
 */
function stepsOf(step) {
  const steps = [];
  const waiting = [step];
  while (waiting.length > 0 && steps.length <= MAX_STEPS) {
    const next = waiting.pop();
    if (!isRecord(next)) continue;
    steps.push(next);
    for (const inner of [next.normalizers, next.pretokenizers]) {
      if (Array.isArray(inner)) waiting.push(...inner.slice(0, MAX_STEPS + 1));
    }
  }
  return steps;
}

/**
 * @param {Record<string, unknown>} step
 * @returns {number} At most how many UTF-16 units it makes of one.
 */
function growthOf(step) {
  const {type, content, pattern, prepend, replacement} = step;
  if (type === 'Replace') {
    // A regular expression may also match nothing, between the characters, which then stay.
    const always = isRecord(pattern) && typeof pattern.String === 'string' && pattern.String !== '';
    return Math.max(1, lengthOf(content) + (always ? 0 : 1));
  }
  if (type === 'Prepend') return 1 + lengthOf(prepend);
  // One in place of the character, and one before it.
  if (type === 'Metaspace') return 2 * Math.max(1, lengthOf(replacement), lengthOf(step.str_rep));
  return typeof type === 'string' && Object.hasOwn(GROWTH, type) ? GROWTH[type] : 1;
}

const lengthOf = (/** @type {unknown} */ text) => (typeof text === 'string' ? text.length : 0);

/** @param {string} file @param {string} expected @param {string} found */
const refuse = (file, expected, found) =>
  new BertscopeError('bad-tokenizer', `${file}: expected ${expected}, found ${found}`);
