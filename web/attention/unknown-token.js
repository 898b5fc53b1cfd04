/** @import {Offset} from './snapshot.js' */

/**
 * @typedef {object} ReadText  two sentences as the model read them; each list has an entry for each token
 * @property {readonly string[]} tokens
 * @property {readonly boolean[]} specialTokens  whether the tokenizer put it around the text
 * @property {readonly (Offset | null)[]} offsets
 * @property {ArrayLike<number>} sentences  0 for the text, 1 for its pair
 * @property {string} text
 * @property {string} pair
 */

/** Whether a token stands for a piece of text that is not in the vocabulary. @param {string} token */
export const isUnknown = (token) => /^(\[UNK\]|<unk>)$/.test(token);

/**
 * The piece of the text that each token stands for which the vocabulary lacks.
 *
 * @param {ReadText} read
 * @returns {(string | null)[]}  null for a token of its own
 */
export const unknownTexts = ({tokens, specialTokens, offsets, sentences, text, pair}) =>
  tokens.map((token, at) => {
    const place = offsets[at];
    if (!place || !isUnknown(token) || specialTokens[at]) return null;
    return (sentences[at] === 1 ? pair : text).slice(...place);
  });

/**
 * Finds the pieces of a text that have no token of their own.
 *
 * @param {ReadText} read
 * @returns {{token: string, pieces: string[], count: number}}  the token that stands for them, each piece once, and how
 *   many tokens there are of it
 */
export function unknownPieces(read) {
  const {tokens, specialTokens} = read;
  const places = tokens.flatMap((token, at) => (isUnknown(token) && !specialTokens[at] ? at : []));
  const pieces = unknownTexts(read).filter((piece) => piece !== null);
  return {token: tokens[places[0]] ?? '', pieces: [...new Set(pieces)], count: places.length};
}
