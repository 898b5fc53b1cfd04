/** Sorts the tokens of a text into the kinds that the head statistics count. */

import {BERT_TOKENS} from './vocabulary.js';

/** @import {TokenClasses} from '../wasm-module.d.ts' */
/** @typedef {import('./vocabulary.js').SpecialTokenNames} SpecialTokens Their names in a tokenizer. */

const startsBertWord = (/** @type {string} */ token) => !token.startsWith('##');

const KIND = {ordinary: 0, cls: 1, sep: 2, punctuation: 3};

/**
 * BERT's tokenizer takes these for punctuation: what Unicode does, and all of ASCII but letters,
 * digits and spaces.
 */
const PUNCTUATION = /^[\p{P}!-/:-@[-`{-~]+$/u;

/**
 * @param {string[]} tokens
 * @param {object} [tokenizer] The default is BERT's: pieces that continue a word start with `##`.
 * @param {SpecialTokens} [tokenizer.special]
 * @param {(token: string) => boolean} [tokenizer.startsWord]
 * @returns {TokenClasses}
 */
export function classifyTokens(tokens, {special = BERT_TOKENS, startsWord = startsBertWord} = {}) {
  const kinds = Uint8Array.from(tokens, (token) => kindOf(token, special));
  const occurrences = new Int32Array(tokens.length).fill(-1);
  /** @type {Map<number, string>} The word of each occurrence. */
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

/** @param {string} token Without the mark of a piece that continues or begins a word. */
const plain = (token) => token.replace(/^(##|[Ġ▁])(?=.)/u, '').toLowerCase();
