/** Limits of what a model's own tokenizer may do to a text before it is split. */

import {BertscopeError} from '../errors.js';
import {isRecord, quote} from '../json.js';

/** Hugging Face's tokenizers have at most 6 steps of a kind. */
const MAX_STEPS = 64;
/** The most characters that all steps together may make of one. */
const MAX_GROWTH = 256;
/** The bytes of one UTF-16 unit in UTF-8, each of which a step over bytes makes a character. */
const MOST_BYTES = 3;

/**
 * Refuses a tokenizer whose steps multiply a text: sixteen that double it make gigabytes of a line.
 * @param {Record<string, unknown>} json `tokenizer.json`
 * @param {string} file The name of the tokenizer's file, for messages.
 */
export function refuseGrowth({normalizer, pre_tokenizer: split}, file) {
  for (const [name, whole] of Object.entries({normalizer, pre_tokenizer: split})) {
    const steps = stepsOf(whole);
    if (steps.length > MAX_STEPS) {
      throw refuse(file, `a ${name} of at most ${MAX_STEPS} steps`, `more`);
    }
    const growth = steps.reduce((product, step) => product * growthOf(step), 1);
    if (growth > MAX_GROWTH) {
      const expected = `a ${name} that makes at most ${MAX_GROWTH} characters of one`;
      throw refuse(file, expected, `one that may make ${quote(growth)}`);
    }
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
 * @returns {number} At most how many characters it makes of one. A reference such as `$1`, two
 *   characters long, stands for at most the text that was found.
 */
function growthOf({type, content}) {
  if (type === 'ByteLevel') return MOST_BYTES;
  return type === 'Replace' && typeof content === 'string' ? Math.max(1, content.length) : 1;
}

/** @param {string} file @param {string} expected @param {string} found */
const refuse = (file, expected, found) =>
  new BertscopeError('bad-tokenizer', `${file}: expected ${expected}, found ${found}`);
