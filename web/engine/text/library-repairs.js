/**
 * Makes the tokenizer's library split texts as Hugging Face's own tokenizers do, which are written
 * in Rust. JavaScript has another idea of white space and of lower case, and the library has one
 * table of characters for all models.
 */

import {Charsmap} from './charsmap.js';
import {isRecord} from '../json.js';

/** @import {Tokenizer} from '@huggingface/tokenizers' */

/**
 * @typedef {object} Step A step of the library. `normalizers` or `tokenizers` are those of a sequence.
 * @property {(Step | null)[]} [normalizers]
 * @property {(Step | null)[]} [tokenizers]
 * @property {string} [charsmap]
 * @property {RegExp} [pattern]
 * @property {(text: string) => string} normalize
 * @property {(text: string) => string[]} pre_tokenize_text
 */

/** Unicode's white space is not that of `\s`, which has U+FEFF and does not have U+0085. */
const [BLANK, INK] = ['\\p{White_Space}', '\\P{White_Space}'];

/** GPT-2's pattern (Radford et al. 2019). */
const BYTE_LEVEL_WORDS = new RegExp(
  [
    "'s|'t|'re|'ve|'m|'ll|'d",
    ` ?\\p{L}+| ?\\p{N}+| ?[^${BLANK}\\p{L}\\p{N}]+`,
    `${BLANK}+(?!${INK})|${BLANK}+`,
  ].join('|'),
  'gu',
);
const WORDS = new RegExp(`${INK}+`, 'gu');

/** What is done with the steps of each type. @type {Record<string, (step: Step, json: Record<string, unknown>) => void>} */
const REPAIRS = {
  Precompiled(step) {
    if (typeof step.charsmap !== 'string' || step.charsmap === '') return;
    const charsmap = new Charsmap(step.charsmap);
    step.normalize = (text) => charsmap.normalize(text);
  },
  BertNormalizer(step, {lowercase}) {
    if (lowercase) forgetFinalSigma(step);
  },
  Lowercase: forgetFinalSigma,
  ByteLevel(step) {
    step.pattern = BYTE_LEVEL_WORDS;
  },
  WhitespaceSplit(step) {
    step.pre_tokenize_text = (text) => text.match(WORDS) ?? [];
  },
};

/**
 * Rust's tokenizers look at one character at a time, so a Σ at the end of a word becomes σ as well.
 * @param {Step} step
 */
function forgetFinalSigma(step) {
  const normalize = step.normalize.bind(step);
  step.normalize = (text) => normalize(text.replaceAll('Σ', 'σ'));
}

/**
 * @param {Tokenizer} tokenizer
 * @param {Record<string, unknown>} json `tokenizer.json`
 */
export function repairLibrary(tokenizer, json) {
  const stepOf = (/** @type {unknown} */ step) => /** @type {Step | null} */ (step);
  repair(stepOf(tokenizer.normalizer), json.normalizer);
  repair(stepOf(tokenizer.pre_tokenizer), json.pre_tokenizer);
}

/**
 * @param {Step | null} step
 * @param {unknown} json What it was made of.
 */
function repair(step, json) {
  if (!step || !isRecord(json)) return;
  const {type, normalizers, pretokenizers} = json;
  if (typeof type === 'string' && Object.hasOwn(REPAIRS, type)) REPAIRS[type](step, json);
  const inner = step.normalizers ?? step.tokenizers ?? [];
  const texts = normalizers ?? pretokenizers;
  inner.forEach((each, index) => repair(each, Array.isArray(texts) ? texts[index] : undefined));
}
