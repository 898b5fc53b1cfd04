/**
 * Makes the tokenizer's library split texts as Hugging Face's own tokenizers do, which are written in Rust.
 *
 * Each repair names the file of `@huggingface/tokenizers` 0.2.0 that it mends, and says what that does and what Rust
 * does; `tests/engine/text/library-faults.test.js` has a text for each. One that the library no longer needs fails there.
 */

import {BYTE_SIGNS} from './byte-signs.js';
import {Charsmap} from './charsmap.js';
import {isRecord} from '../json.js';
import {likeliestPieces, UNKNOWN_PENALTY} from './unigram.js';

/** @import {Tokenizer} from '@huggingface/tokenizers' */

/**
 * @typedef {object} Step A step of the library. `normalizers`, `tokenizers` or `decoders` are those of
 *   a sequence.
 * @property {(Step | null)[]} [normalizers]
 * @property {(Step | null)[]} [tokenizers]
 * @property {(Step | null)[]} [decoders]
 * @property {string} [charsmap]
 * @property {RegExp} [pattern]
 * @property {(text: string) => string} normalize
 * @property {(text: string) => string[]} pre_tokenize_text
 * @property {(tokens: string[]) => string[]} decode_chain
 * @property {{content: string}[]} [added_tokens] A decoder has them.
 */

/**
 * @typedef {object} Unigram The library's model of that type.
 * @property {{common_prefix_search: (characters: string[], at: number) => Iterable<string>}} trie
 * @property {Map<string, number>} tokens_to_ids
 * @property {number[]} scores
 * @property {number} unk_score
 * @property {(text: string) => string[]} tokenize
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
const IS_BLANK = new RegExp(BLANK, 'u');

/** The repairs of the steps of each type. @type {Record<string, (step: Step, json: Record<string, unknown>) => void>} */
const REPAIRS = {
  /** `src/core/normalizer/Precompiled.ts` has one table of characters for all models. Rust has the model's. */
  Precompiled(step) {
    if (typeof step.charsmap !== 'string' || step.charsmap === '') return;
    const charsmap = new Charsmap(step.charsmap);
    step.normalize = (text) => charsmap.normalize(text);
  },
  /** `src/core/normalizer/BertNormalizer.ts`: as `Lowercase`. */
  BertNormalizer(step, {lowercase}) {
    if (lowercase) forgetFinalSigma(step);
  },
  Lowercase: forgetFinalSigma,
  /** `src/core/preTokenizer/ByteLevel.ts`: `\s` has U+FEFF and does not have U+0085. Rust has Unicode's white space. */
  ByteLevel(step) {
    step.pattern = BYTE_LEVEL_WORDS;
  },
  /**
   * `src/core/normalizer/Replace.ts` and `src/core/preTokenizer/Replace.ts` give the content to `replaceAll` as a text,
   * in which `$1` is a reference. Rust takes it as it is written.
   */
  Replace(step, {content}) {
    const {pattern} = step;
    if (!pattern || typeof content !== 'string') return;
    step.normalize = (text) => text.replaceAll(pattern, () => content);
    step.pre_tokenize_text = (text) => [step.normalize(text)];
  },
  /** `src/core/normalizer/Strip.ts`: `trim` removes U+FEFF and leaves U+0085. Rust has Unicode's white space. */
  Strip(step, {strip_left: left, strip_right: right}) {
    step.normalize = (text) => {
      let [begin, end] = [0, text.length];
      while (left && begin < end && IS_BLANK.test(text[begin])) begin++;
      while (right && begin < end && IS_BLANK.test(text[end - 1])) end--;
      return text.slice(begin, end);
    };
  },
  /** `src/core/preTokenizer/Split.ts`: `split` gives the groups of the pattern as well. Rust removes them. */
  Split(step, {behavior, invert}) {
    const {pattern} = step;
    if (!pattern || invert || String(behavior).toLowerCase() !== 'removed') return;
    step.pre_tokenize_text = (text) => between(text.matchAll(pattern), text);
  },
  /** `whitespace_split` in `src/utils/core.ts` splits at `\S+`. Rust has Unicode's white space. */
  WhitespaceSplit(step) {
    step.pre_tokenize_text = (text) => text.match(WORDS) ?? [];
  },
};

/** The repairs of the steps of each type of decoder. @type {typeof REPAIRS} */
const DECODER_REPAIRS = {
  /** `src/core/decoder/Replace.ts`: as `Replace` above. */
  Replace(step, {content}) {
    const {pattern} = step;
    if (!pattern || typeof content !== 'string') return;
    step.decode_chain = (tokens) => tokens.map((token) => token.replaceAll(pattern, () => content));
  },
  /**
   * `src/core/decoder/ByteLevel.ts` compares each token with all that were added, and makes a list of all characters. It
   * gives what Rust gives, but the time of a long text is the product of both.
   */
  ByteLevel(step) {
    const added = new Set(step.added_tokens?.map((token) => token.content));
    step.decode_chain = (tokens) => textsOfBytes(tokens, added);
  },
};

const BYTES = new Map(BYTE_SIGNS.map((sign, byte) => [sign, byte]));
const UTF8 = new TextDecoder('utf-8', {ignoreBOM: true});

/**
 * @param {string[]} tokens Their characters stand for bytes.
 * @param {Set<string>} added Those that are texts.
 * @returns {string[]}
 */
function textsOfBytes(tokens, added) {
  /** @type {string[]} */
  const texts = [];
  let signs = '';
  const end = () => {
    if (signs !== '') texts.push(UTF8.decode(Uint8Array.from(signs, byteOf)));
    signs = '';
  };
  for (const token of tokens) {
    if (!added.has(token)) signs += token;
    else {
      end();
      texts.push(token);
    }
  }
  end();
  return texts;
}

const byteOf = (/** @type {string} */ sign) => BYTES.get(sign) ?? 0;

/**
 * @param {Iterable<RegExpExecArray>} matches
 * @param {string} text
 * @returns {string[]} What stands between the matches.
 */
function between(matches, text) {
  const pieces = [];
  let begin = 0;
  for (const {index, 0: match} of matches) {
    pieces.push(text.slice(begin, index));
    begin = index + match.length;
  }
  pieces.push(text.slice(begin));
  return pieces.filter((piece) => piece !== '');
}

/**
 * `src/core/normalizer/Lowercase.ts`: `toLowerCase` makes ς of a Σ at the end of a word. Rust looks at one character at a
 * time, and makes σ.
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
  repair(stepOf(tokenizer.normalizer), json.normalizer, REPAIRS);
  repair(stepOf(tokenizer.pre_tokenizer), json.pre_tokenizer, REPAIRS);
  repair(stepOf(tokenizer.decoder), json.decoder, DECODER_REPAIRS);
  const model = /** @type {unknown} */ (tokenizer.model);
  if (isRecord(json.model) && Array.isArray(json.model.vocab)) {
    const unigram = /** @type {Unigram} */ (model);
    unigram.scores = unigram.scores.map(asRustReads);
    unigram.unk_score = asRustReads(unigram.unk_score + UNKNOWN_PENALTY) - UNKNOWN_PENALTY;
    unigram.tokenize = (text) => split(unigram, text);
  }
}

/**
 * `src/core/tokenizerModelImplementations/Unigram.ts` has the scores that `JSON.parse` reads. Rust's parser of JSON does
 * not round to the nearest number. Which of two ways is the likelier depends on this where both have the same pieces in
 * another order, as in a row of dashes. Source: `f64_from_parts` of serde_json.
 * @param {number} score
 */
function asRustReads(score) {
  const [, sign, whole, fraction] = /^(-?)(\d+)\.(\d+)$/.exec(String(score)) ?? [];
  if (fraction === undefined) return score;
  return (sign ? -1 : 1) * (Number(whole + fraction) / 10 ** fraction.length);
}

/**
 * `src/utils/data-structures/TokenLattice.ts` adds the score of the next piece before it compares the ways to a place, and
 * then rounding decides. Rust compares the sums up to that place.
 * @param {Unigram} model
 * @param {string} text
 */
function split({trie, tokens_to_ids: ids, scores, unk_score: unknown}, text) {
  /** @param {string[]} characters @param {number} at @returns {Generator<[number, number], void>} */
  function* piecesAt(characters, at) {
    for (const token of trie.common_prefix_search(characters, at)) {
      yield [[...token].length, scores[ids.get(token) ?? -1]];
    }
  }
  return likeliestPieces([...text], piecesAt, unknown, Float64Array);
}

/**
 * @param {Step | null} step
 * @param {unknown} json What it was made of.
 * @param {typeof REPAIRS} repairs
 */
function repair(step, json, repairs) {
  if (!step || !isRecord(json)) return;
  const {type, normalizers, pretokenizers, decoders} = json;
  if (typeof type === 'string' && Object.hasOwn(repairs, type)) repairs[type](step, json);
  const inner = step.normalizers ?? step.tokenizers ?? step.decoders ?? [];
  const texts = normalizers ?? pretokenizers ?? decoders;
  inner.forEach((each, index) =>
    repair(each, Array.isArray(texts) ? texts[index] : undefined, repairs),
  );
}
