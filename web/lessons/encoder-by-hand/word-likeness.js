import {dot, rowOf, unit} from '../parts/vectors.js';

/** @import {Tensor} from '../parts/tensor.js' */

/**
 * The first word that both sentences have.
 *
 * @param {readonly string[]} tokens
 * @param {ArrayLike<number>} sentences  of each token, 0 or 1
 * @returns {[number, number] | null}  its places
 */
export function sameWord(tokens, sentences) {
  for (const [a, token] of tokens.entries()) {
    if (sentences[a] !== 0 || isSpecial(token)) continue;
    const b = tokens.findIndex((other, i) => sentences[i] === 1 && other === token);
    if (b >= 0) return [a, b];
  }
  return null;
}

/**
 * How alike the vectors of two tokens are, and how alike those of two different words are on
 * average: in a text all vectors may come closer from layer to layer (Ethayarajh 2019,
 * https://arxiv.org/abs/1909.00512, section 4.1).
 *
 * @param {Tensor} state  [1, tokens, hidden]
 * @param {readonly string[]} tokens
 * @param {[number, number]} pair
 */
export function likeness(state, tokens, [a, b]) {
  const words = [...tokens.keys()].filter((i) => !isSpecial(tokens[i]));
  // There are hundreds of pairs, so each vector is normalized only once.
  const directions = tokens.map((_, i) => unit(rowOf(state, i)));
  let sum = 0;
  let count = 0;
  for (const i of words) {
    for (const j of words) {
      if (j >= i || tokens[i] === tokens[j]) continue;
      sum += dot(directions[i], directions[j]);
      count++;
    }
  }
  return {same: dot(directions[a], directions[b]), different: count ? sum / count : 0};
}

/** @param {string} token */
const isSpecial = (token) => /^\[[A-Z]+\]$/.test(token);
