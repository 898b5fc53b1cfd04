/**
 * Limits of what a model's own tokenizer may make: of one character of a text, of one token, and of
 * a whole text. What each stage may make is counted from the file, before any of them runs.
 */

import {BertscopeError} from '../errors.js';
import {isRecord, MAX_DRAWN, quote} from '../json.js';
import {MAX_REPLACEMENT_BYTES} from './charsmap.js';

/** Hugging Face's tokenizers have at most 6 steps of a kind. */
const MAX_STEPS = 64;
/**
 * The most characters that all steps together may make of one character, or of one token when it
 * becomes text again. Those of ALBERT may make 5,760.
 */
const MAX_GROWTH = 2 ** 13;
/** The most UTF-16 units that a step may make of a whole text. */
const MAX_MADE = 2 ** 26;
/** A piece of a text takes as much memory as this number of units of the text. */
const UNITS_PER_PIECE = 16;
/** The largest vocabularies, such as that of XLM-V, have 901,629 tokens of 7 characters. */
const MAX_TOKENS = 2 ** 20;
const MAX_VOCABULARY = 2 ** 23;
/** The library keeps some 240 bytes for each different beginning of Unigram's tokens. */
const MAX_BEGINNINGS = 2 ** 21;
/** Gemma adds 6,415 tokens to its vocabulary. */
const MAX_ADDED = 2 ** 16;
/** The library keeps some 240 bytes for each character of an added token. */
const MAX_SPELLED = 2 ** 21;

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
/** The same limits for the steps of decoders. @type {Record<string, number>} */
const DECODED_GROWTH = {
  WordPiece: 2, // a space before a token
};

/** The keys under which the sequences of each stage list their steps. */
const STAGES = /** @type {const} */ ({
  normalizer: 'normalizers',
  pre_tokenizer: 'pretokenizers',
  post_processor: 'processors',
  decoder: 'decoders',
});

/**
 * Refuses a tokenizer whose stages multiply a text: sixteen steps that double it make gigabytes of a
 * line.
 * @param {Record<string, unknown>} json `tokenizer.json`
 * @param {string} file The name of the tokenizer's file, for messages.
 */
export function checkLimits(json, file) {
  /** @type {AtMost} */
  const atMost = (most, what, found) => {
    if (found > most) throw refuse(file, `at most ${most} ${what}`, quote(found));
  };
  const [normalized, split, laidOut, decoded] = Object.entries(STAGES).map(([stage, key]) =>
    stepsOf(json[stage], key, (found) => atMost(MAX_STEPS, `steps of the ${stage}`, found)),
  );
  const growth = productOf([...normalized, ...split], growthOf);
  atMost(MAX_GROWTH, 'characters that the steps make of one', growth);
  // With a length of 0 the library would never end.
  const endless = split.find(({type, length}) => type === 'FixedLength' && !isCount(length));
  if (endless) throw refuse(file, 'a FixedLength of at least 1', quote(endless.length));
  for (const {single, pair} of laidOut) checkTemplates([single, pair], atMost);
  const longest = checkVocabulary(json, atMost);
  checkAdded(json, productOf(normalized, growthOf), atMost);
  const made = longest * productOf(decoded, decodedGrowthOf);
  atMost(MAX_GROWTH, 'characters that the decoder makes of a token', made);
}

/** @typedef {(most: number, what: string, found: number) => void} AtMost Refuses a number. */

/**
 * @param {unknown} whole A step, or a sequence of steps, which may hold sequences itself.
 * @param {string} key Where a sequence has its steps.
 * @param {(count: number) => void} check
 * @returns {Record<string, unknown>[]} The steps and the sequences.
 */
function stepsOf(whole, key, check) {
  const steps = [];
  const waiting = [whole];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (!isRecord(next)) continue;
    check(steps.push(next));
    const {[key]: inner} = next;
    if (Array.isArray(inner)) waiting.push(...inner.slice(0, MAX_STEPS + 1));
  }
  return steps;
}

/**
 * A text that comes twice in each of thirty templates becomes 2^30 texts.
 * @param {unknown[]} templates
 * @param {AtMost} atMost
 */
function checkTemplates(templates, atMost) {
  for (const template of templates) {
    if (!Array.isArray(template)) continue;
    atMost(MAX_STEPS, 'parts of a template', template.length);
    for (const text of ['A', 'B']) {
      const {length} = template.filter((part) => part?.Sequence?.id === text);
      atMost(1, `${text} in a template`, length);
    }
  }
}

/**
 * @param {Record<string, unknown>} json
 * @param {AtMost} atMost
 * @returns {number} The length of the longest token, at least 1.
 */
function checkVocabulary({model, added_tokens: added}, atMost) {
  if (!isRecord(model)) return 1;
  const {vocab, merges, max_input_chars_per_word: word} = model;
  // For each word the library tries all of its parts.
  atMost(MAX_DRAWN, 'as max_input_chars_per_word', Number(word) || 0);
  const affixes = Object.keys(model).filter((key) => /_(prefix|suffix)$/.test(key));
  for (const key of affixes) atMost(MAX_DRAWN, `characters of ${key}`, lengthOf(model[key]));
  atMost(MAX_TOKENS, 'merges', Array.isArray(merges) ? merges.length : 0);
  const tokens = Array.isArray(vocab)
    ? vocab.map((entry) => (Array.isArray(entry) ? entry[0] : entry))
    : Object.keys(isRecord(vocab) ? vocab : {});
  atMost(MAX_TOKENS, 'tokens', tokens.length);
  const whole = tokens.reduce((sum, token) => sum + lengthOf(token), 0);
  atMost(MAX_VOCABULARY, 'characters of all tokens', whole);
  if (Array.isArray(vocab)) {
    atMost(MAX_BEGINNINGS, 'different beginnings of tokens', beginningsOf(tokens, whole));
  }
  const longest = [model.unk_token, ...contentsOf(added)]
    .concat(tokens)
    .reduce((/** @type {number} */ most, token) => Math.max(most, lengthOf(token)), 1);
  atMost(MAX_GROWTH, 'characters of a token', longest);
  return longest;
}

/**
 * @param {Record<string, unknown>} json
 * @param {number} growth What the normalizer may make of one character.
 * @param {AtMost} atMost
 */
function checkAdded({added_tokens: added}, growth, atMost) {
  const tokens = Array.isArray(added) ? added : [];
  atMost(MAX_ADDED, 'added tokens', tokens.length);
  let spelled = 0;
  for (const token of tokens) {
    const length = lengthOf(token?.content);
    // A text must spell out an added token, so real ones are short.
    atMost(MAX_DRAWN, 'characters of an added token', length);
    spelled += token?.normalized === true ? length * growth : length;
  }
  atMost(MAX_SPELLED, 'characters of all added tokens', spelled);
}

/**
 * What a step of the library does with a text, or with pieces of one.
 * @typedef {object} CountedStep
 * @property {(CountedStep | null)[]} [normalizers] Those of a sequence; so are the next two.
 * @property {(CountedStep | null)[]} [tokenizers]
 * @property {(CountedStep | null)[]} [decoders]
 * @property {(text: string) => string} [normalize]
 * @property {(text: string | string[], options?: object) => string[]} [pre_tokenize]
 * @property {(tokens: string[]) => string[]} [decode_chain]
 */

/**
 * Makes each step of a stage refuse a text of which it may make too much. A text is long or short, so
 * this is counted when the step is about to run.
 * @param {CountedStep | null} step
 * @param {unknown} json What it was made of.
 * @param {string} file The name of the tokenizer's file, for messages.
 */
export function countText(step, json, file) {
  if (!step || !isRecord(json)) return;
  const inner = step.normalizers ?? step.tokenizers ?? step.decoders;
  if (inner) {
    const {
      [step.normalizers ? 'normalizers' : step.tokenizers ? 'pretokenizers' : 'decoders']: parts,
    } = json;
    inner.forEach((each, index) => countText(each, Array.isArray(parts) && parts[index], file));
    return;
  }
  /** @param {string | string[]} text @param {number} units What it may make of each. */
  const count = (text, units) => {
    const pieces = typeof text === 'string' ? [text] : text;
    const length = pieces.reduce((sum, piece) => sum + lengthOf(piece) + 1, 0);
    if (length * units <= MAX_MADE) return;
    const expected = `at most ${MAX_MADE} units that ${quote(json.type)} makes of a text`;
    throw refuse(file, expected, `${length * units}`);
  };
  const {normalize, pre_tokenize: split, decode_chain: decode} = step;
  if (normalize && !split) {
    step.normalize = (text) => {
      count(text, growthOf(json));
      return normalize.call(step, text);
    };
  }
  if (split) {
    step.pre_tokenize = (text, options) => {
      count(text, growthOf(json) * UNITS_PER_PIECE);
      return split.call(step, text, options);
    };
  }
  if (decode) {
    step.decode_chain = (tokens) => {
      count(tokens, decodedGrowthOf(json));
      return decode.call(step, tokens);
    };
  }
}

/**
 * @param {unknown[]} tokens
 * @param {number} whole How many characters they have together.
 * @returns {number} At most how many different texts they begin with, each token among them.
 */
function beginningsOf(tokens, whole) {
  if (whole <= MAX_BEGINNINGS) return whole; // sorting a million takes a second
  const sorted = tokens.filter((token) => typeof token === 'string').sort();
  return sorted.reduce((sum, token, index) => {
    const before = sorted[index - 1] ?? '';
    let shared = 0;
    while (shared < token.length && token[shared] === before[shared]) shared += 1;
    return sum + token.length - shared;
  }, 0);
}

/**
 * @param {Record<string, unknown>[]} steps
 * @param {(step: Record<string, unknown>) => number} of
 */
const productOf = (steps, of) => steps.reduce((product, step) => product * of(step), 1);

/**
 * @param {Record<string, unknown>} step
 * @returns {number} At most how many UTF-16 units it makes of one.
 */
function growthOf(step) {
  const {type, prepend, replacement} = step;
  if (type === 'Replace') return replacedGrowth(step);
  if (type === 'Prepend') return 1 + lengthOf(prepend);
  // It puts one replacement in place of the character, and one before it.
  if (type === 'Metaspace') return 2 * Math.max(1, lengthOf(replacement), lengthOf(step.str_rep));
  return typeof type === 'string' && Object.hasOwn(GROWTH, type) ? GROWTH[type] : 1;
}

/** @param {Record<string, unknown>} step A step of a decoder. */
function decodedGrowthOf(step) {
  const {type, suffix} = step;
  if (type === 'Replace') return replacedGrowth(step);
  // Without a suffix, the library puts a space between all characters.
  if (type === 'BPEDecoder') return lengthOf(suffix) > 0 ? 1 : 3;
  return typeof type === 'string' && Object.hasOwn(DECODED_GROWTH, type) ? DECODED_GROWTH[type] : 1;
}

/** @param {Record<string, unknown>} step */
function replacedGrowth({content, pattern}) {
  // A regular expression may also match nothing, between the characters, which then stay.
  const always = isRecord(pattern) && typeof pattern.String === 'string' && pattern.String !== '';
  return Math.max(1, lengthOf(content) + (always ? 0 : 1));
}

/** @param {unknown} added @returns {unknown[]} */
const contentsOf = (added) => (Array.isArray(added) ? added.map((token) => token?.content) : []);

const lengthOf = (/** @type {unknown} */ text) => (typeof text === 'string' ? text.length : 0);

const isCount = (/** @type {unknown} */ value) => Number.isInteger(value) && Number(value) > 0;

/** @param {string} file @param {string} expected @param {string} found */
const refuse = (file, expected, found) =>
  new BertscopeError('bad-tokenizer', `${file}: expected ${expected}, found ${found}`);
