/** Says which tokens of two texts make their sentence vectors similar. */

import {yieldIfDue} from '../event-loop.js';
import {cosine, dot, meanOfRows, rowsOf} from './vectors.js';

/**
 * @typedef {object} SentenceSimilarity
 * @property {number} cosine Of the angle between the two sentence vectors, each the mean of the last
 *   hidden states of its text's tokens.
 * @property {[string[], string[]]} tokens
 * @property {Float32Array} grid `[tokens of A * tokens of B]`: what each pair of tokens adds to the
 *   cosine. The cells sum to it. A token's hidden state says what the token means in its text, so a
 *   cell speaks of two tokens in their contexts, not of two words.
 */

/**
 * @param {Float32Array} a `[tokens * hiddenSize]`
 * @param {Float32Array} b
 * @param {number} hiddenSize
 * @param {AbortSignal} [signal]
 * @returns {Promise<Pick<SentenceSimilarity, 'cosine' | 'grid'>>}
 */
export async function similarityGrid(a, b, hiddenSize, signal) {
  const [means, rows] = [
    [a, b].map((x) => meanOfRows(x, hiddenSize)),
    [a, b].map((x) => rowsOf(x, hiddenSize)),
  ];
  const grid = new Float32Array(rows[0].length * rows[1].length);
  const scale = Math.sqrt(dot(means[0], means[0]) * dot(means[1], means[1])) * grid.length;
  const similarity = cosine(means[0], means[1]);
  // A zero vector has no direction that a token could be responsible for.
  if (scale === 0) return {cosine: similarity, grid: grid.fill(similarity / grid.length)};
  for (const [i, row] of rows[0].entries()) {
    await yieldIfDue(signal);
    rows[1].forEach((other, j) => (grid[i * rows[1].length + j] = dot(row, other) / scale));
  }
  return {cosine: similarity, grid};
}
