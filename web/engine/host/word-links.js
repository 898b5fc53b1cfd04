/** Measures which words each head links, on words that the caller marks in a text. */

import {BertscopeError} from '../errors.js';

/** @import {Offset} from '../text/token-offsets.js' */
/** @import {Encoder, PassInput} from './encoder.js' */

/**
 * @typedef {object} WordLinkOptions
 * @property {Offset[]} words Their places in the text, in its order.
 * @property {number[]} [mentions] The words that `earlier` may choose; the default is none.
 */

/**
 * @typedef {object} LinkedWords A word is an index into `words`; -1 is none. See
 *   `src/analysis/word_links.h`.
 * @property {number} layers
 * @property {number} heads
 * @property {number} truncated Tokens that the model has no positions for.
 * @property {Int32Array} to `[layers * heads * words]`, the other word that each attends to most.
 * @property {Int32Array} from `[layers * heads * words]`, the other word that attends to each most.
 * @property {Int32Array} earlier `[layers * heads * words]`, the mention before each that it attends
 *   to most.
 * @property {Float32Array} mean `[words * words]`, from row to column, over all heads.
 */

/**
 * @param {string} text
 * @param {WordLinkOptions} options
 */
export function checkWords(text, {words, mentions = []}) {
  let end = 0;
  if (!Array.isArray(words)) refuse('a list of places', words);
  for (const word of words) {
    const isPlace = Array.isArray(word) && word.length === 2 && word.every(Number.isInteger);
    if (!isPlace || word[0] < end || word[1] <= word[0] || word[1] > text.length) {
      refuse(`places that follow each other in a text of ${text.length} characters`, word);
    }
    end = word[1];
  }
  if (!Array.isArray(mentions)) refuse('a list of mentions', mentions);
  for (const mention of mentions) {
    if (!Number.isInteger(mention) || !(mention in words)) {
      refuse(`mentions among ${words.length} words`, mention);
    }
  }
}

/** @param {string} expected @param {unknown} found @returns {never} */
function refuse(expected, found) {
  const message = `the words: expected ${expected}, found ${JSON.stringify(found) ?? typeof found}`;
  throw new BertscopeError('bad-option', message);
}

/**
 * A token belongs to the word in which it begins. Pieces of BERT may begin in one word of a treebank
 * and end in the next: "didn" in "did" and "n't".
 * @param {(Offset | null)[]} offsets The places of the tokens; null for special ones.
 * @param {Offset[]} words
 * @returns {Int32Array} `[tokens]`, -1 for tokens outside words.
 */
export function wordsOfTokens(offsets, words) {
  let word = 0;
  return Int32Array.from(offsets, (offset) => {
    if (!offset || offset[0] === offset[1]) return -1;
    while (word < words.length && words[word][1] <= offset[0]) word++;
    return word < words.length && words[word][0] <= offset[0] ? word : -1;
  });
}

/**
 * @param {Encoder} encoder
 * @param {PassInput} pass
 * @param {{offsets: (Offset | null)[], truncated: number}} encoding
 * @param {WordLinkOptions} options
 * @returns {Promise<LinkedWords>}
 */
export async function linkWords(encoder, pass, encoding, {words, mentions = []}) {
  const isMention = new Int32Array(words.length);
  for (const mention of mentions) isMention[mention] = 1;
  const {layers, heads} = encoder.config;
  const {offsets, truncated} = encoding;
  const links = await encoder.wordLinks(pass, wordsOfTokens(offsets, words), isMention);
  return {layers, heads, truncated, ...links};
}
