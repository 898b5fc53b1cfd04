/** What kinds of token a text is made of, as the head statistics count them. */

import {specialTokenNames} from './vocabulary.js';

/**
 * @typedef {object} TokenClasses One entry a token.
 * @property {Uint8Array} kinds As in `src/analysis/head_statistics.h`.
 * @property {Int32Array} words Equal where a word occurs again, whatever its case; -1 for special
 *   tokens and punctuation.
 * @property {Int32Array} occurrences Equal for the pieces of one occurrence.
 */

/** @typedef {ReturnType<typeof specialTokenNames>} SpecialTokens What a tokenizer calls them. */

const BERTS = {
  special: specialTokenNames({}),
  startsWord: (/** @type {string} */ token) => !token.startsWith('##'),
};

const KIND = {ordinary: 0, cls: 1, sep: 2, punctuation: 3};

/** As BERT's tokenizer has it: Unicode's punctuation, and ASCII that is no letter, digit or space. */
const PUNCTUATION = /^[\p{P}!-/:-@[-`{-~]+$/u;

/**
 * @param {string[]} tokens
 * @param {object} [tokenizer] BERT's unless given: pieces that go on with a word start with `##`.
 * @param {SpecialTokens} tokenizer.special
 * @param {(token: string) => boolean} tokenizer.startsWord
 * @returns {TokenClasses}
 */
export function classifyTokens(tokens, {special, startsWord} = BERTS) {
  const kinds = Uint8Array.from(tokens, (token) => kindOf(token, special));
  const occurrences = new Int32Array(tokens.length).fill(-1);
  /** @type {Map<number, string>} By occurrence. */
  const spellings = new Map();
  const wordless = [special.mask, special.unknown, special.pad];
  tokens.forEach((token, at) => {
    if (kinds[at] !== KIND.ordinary || wordless.includes(token)) return;
    const before = at > 0 && !startsWord(token) ? occurrences[at - 1] : -1;
    occurrences[at] = before < 0 ? at : before;
    spellings.set(occurrences[at], (spellings.get(occurrences[at]) ?? '') + plain(token));
  });
  const different = [...new Set(spellings.values())];
  const words = occurrences.map((occurrence) =>
    different.indexOf(spellings.get(occurrence) ?? '\0'),
  );
  return {kinds, words, occurrences};
}

/**
 * @param {string} token
 * @param {SpecialTokens} special
 */
function kindOf(token, special) {
  if (token === special.begin) return KIND.cls;
  if (token === special.separator) return KIND.sep;
  if (Object.values(special).includes(token)) return KIND.ordinary;
  return PUNCTUATION.test(plain(token)) ? KIND.punctuation : KIND.ordinary;
}

/** @param {string} token Without the mark of a piece that goes on with a word, or of one that begins. */
const plain = (token) => token.replace(/^(##|[Ġ▁])(?=.)/u, '').toLowerCase();
