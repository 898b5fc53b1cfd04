import {methods} from '../engine/methods.js';

/** @import {Method} from '../engine/methods.js' */
/** @import {Slice} from './selection.js' */

/**
 * @typedef {{index: number, amount: number}} Contribution
 *
 * @typedef {object} ContributionSummary
 * @property {Contribution[]} most  the tokens that contribute most, without special tokens
 * @property {Contribution[]} against  the tokens that contribute most against the answer; none for shares
 * @property {number} special  what all special tokens contribute together
 */

/** The tokens of a text up to which an explanation takes about a second. */
export const fewTokens = 64;

/**
 * What each method needs, in the order in which the page offers them; null: no single text is explained by it.
 * `norms`: where norms must stand, after the parts of a layer or before them, if the method is not defined for both;
 * `isSlow`: its time grows with the square of the tokens.
 *
 * @type {Record<Method, {norms?: 'after' | 'before', isSlow?: true} | null>}
 */
const needs = {
  'alti-plus': null,
  'alti-logit': {norms: 'before'},
  decompx: {norms: 'after', isSlow: true},
  'integrated-gradients': {isSlow: true},
  gradient: {},
  alti: {},
  globenc: {norms: 'after'},
  norm: {},
  'value-zeroing': {isSlow: true},
};

/** The methods that explain what an encoder-decoder writes, in the order in which the page offers them; the usual one first. */
export const methodsOfWritten = /** @type {Method[]} */ (Object.keys(needs)).filter(
  (name) => methods[name].ofWritten,
);

/**
 * The methods that are defined for a model. DecompX and GlobEnc follow what a norm after each part of its layers makes of
 * tokens. Where word embeddings are normalized before anything is added to them, an answer does not depend on their lengths, so
 * that gradient × input is 0. ALTI-Logit is of the next word. T5 explains what it writes instead.
 *
 * @param {{normBefore?: boolean, isCausal?: boolean, embeddingNorm?: boolean, rotaryBase?: number, noPositions?: boolean, unscaledScores?: boolean}} config  BERT's choices unless it says otherwise
 * @returns {Method[]}  in the order in which the page offers them
 */
export function methodsOf({
  normBefore = false,
  isCausal = false,
  embeddingNorm = true,
  rotaryBase = 0,
  noPositions = false,
  unscaledScores = false,
}) {
  if (unscaledScores) return [];
  const hasLengths = !embeddingNorm || (rotaryBase === 0 && !noPositions);
  return /** @type {Method[]} */ (Object.keys(needs)).filter(
    (name) =>
      needs[name] &&
      needs[name].norms !== (normBefore ? 'after' : 'before') &&
      (name !== 'gradient' || hasLengths) &&
      (name !== 'alti-logit' || isCausal),
  );
}

/**
 * The method that explains an answer unless another is chosen. DecompX says most, since its numbers sum to the answer,
 * but its time grows with the square of the tokens.
 *
 * @param {number} tokens
 * @param {readonly Method[]} defined  the methods that the model has
 * @returns {Method}
 */
export function usualMethod(tokens, defined = methodsOf({})) {
  const usual = tokens > fewTokens ? quickMethods : defined;
  return usual.find((method) => defined.includes(method)) ?? defined[0] ?? 'alti';
}

/** What is chosen for a long text, if the model has it. @type {readonly Method[]} */
const quickMethods = ['alti-logit', 'alti'];

/** Whether an explanation takes so long that the reader should ask for it. @param {Method} method @param {number} tokens */
export const takesLong = (method, tokens) => tokens > fewTokens && Boolean(needs[method]?.isSlow);

/** The number of tokens that a summary names, for the answer and against it. */
const named = 3;

/** A contribution below this share of the largest one of a word is not named. */
const faintest = 0.1;

/** Whether the contributions of a method have a sign; otherwise they are shares of 1. @param {Method} method */
export const isSigned = (method) => methods[method].signed;

/** What the contributions of a method sum to. @param {Method} method */
export const sumOf = (method) =>
  /** @type {'one' | 'value' | 'attention' | 'difference' | 'nothing'} */ (methods[method].sum);

/**
 * Tells which tokens contribute most to an answer.
 *
 * @param {ArrayLike<number>} contributions  `[tokens]`
 * @param {readonly boolean[]} special  whether each token is a special one
 * @returns {ContributionSummary}
 */
export function summaryOf(contributions, special) {
  const all = Array.from(contributions, (amount, index) => ({index, amount}));
  const words = all.filter(({index}) => !special[index]);
  const least = faintest * largestOf(words);
  const strongest = (/** @type {1 | -1} */ sign) =>
    words
      .filter(({amount}) => amount * sign > 0 && amount * sign >= least)
      .sort((a, b) => (b.amount - a.amount) * sign)
      .slice(0, named);
  return {
    most: strongest(1),
    against: strongest(-1),
    special: all.reduce((sum, {index, amount}) => sum + (special[index] ? amount : 0), 0),
  };
}

/**
 * @param {readonly (number | null)[]} words  the word of each token; null for a token outside of words
 * @returns {Slice[]} the tokens of each word; any other token stands alone
 */
export function piecesOfWords(words) {
  /** @type {Slice[]} */
  const runs = [];
  words.forEach((word, index) => {
    const continues = word !== null && word === words[index - 1];
    if (continues) runs[runs.length - 1].end = index + 1;
    else runs.push({start: index, end: index + 1});
  });
  return runs;
}

/**
 * Adds up what the pieces of each word contribute.
 *
 * @param {ArrayLike<number>} contributions  `[tokens]`
 * @param {readonly Slice[]} words  the tokens of each
 * @returns {number[]} `[words]`
 */
export const sumsOfWords = (contributions, words) =>
  words.map(({start, end}) =>
    Array.from(contributions)
      .slice(start, end)
      .reduce((sum, amount) => sum + amount, 0),
  );

/** @param {readonly Contribution[]} contributions */
const largestOf = (contributions) =>
  Math.max(0, ...contributions.map(({amount}) => Math.abs(amount)));
