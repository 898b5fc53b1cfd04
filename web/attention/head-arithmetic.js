/**
 * This file computes what one head does for one query, number by number:
 * `output = Σ softmax(q·k / √d) · v` (Vaswani et al. 2017, section 3.2.1).
 *
 * @typedef {object} HeadVectors  the vectors of all tokens, `[tokens * headDim]` each, and how they become scores
 * @property {Float32Array} queries
 * @property {Float32Array} keys
 * @property {Float32Array} values
 * @property {number} headDim
 * @property {number} [divisor]  of the products; √d unless given
 * @property {Float32Array} [positionScores]  what the distance of each key from its query adds to its score,
 *   `[tokens * tokens]`
 *
 * @typedef {object} Arithmetic
 * @property {number} headDim
 * @property {Float32Array} query  `[headDim]`
 * @property {Float32Array} products  q × k, `[keys * headDim]`
 * @property {Float32Array} sums  q·k, `[keys]`
 * @property {Float32Array} [positionScores]  b, what the distance of each key adds to its score, `[keys]`
 * @property {Float32Array} scores  q·k / √d + b
 * @property {Float32Array} softmax  the softmax of the scores of the keys that are seen; 0 for the others
 * @property {Float32Array} weighted  α·v, `[keys * headDim]`
 * @property {Float32Array} output  the sum of `weighted`, `[headDim]`
 */

/**
 * @param {HeadVectors} vectors
 * @param {number} query  the index of the token that attends
 * @param {object} [options]
 * @param {number} [options.seen]  how many of the first keys a causal query sees; default all
 * @param {readonly boolean[]} [options.hidden]  which keys are hidden from every query; default none
 * @param {ArrayLike<number>} [options.weights]  α, where attention was changed and is not the softmax
 * @returns {Arithmetic}
 */
export function headArithmetic({queries, keys, values, headDim, ...scoring}, query, options = {}) {
  const count = keys.length / headDim;
  const seen = Math.min(options.seen ?? count, count);
  const own = queries.subarray(query * headDim, (query + 1) * headDim);
  const products = new Float32Array(keys.length);
  const sums = new Float32Array(count);
  for (let key = 0; key < count; key++) {
    for (let i = 0, at = key * headDim; i < headDim; i++, at++) products[at] = own[i] * keys[at];
    sums[key] = sum(row(products, key, headDim));
  }
  const {divisor = Math.sqrt(headDim)} = scoring;
  const positionScores = scoring.positionScores && row(scoring.positionScores, query, count);
  const scores = sums.map((number, key) => number / divisor + (positionScores?.[key] ?? 0));
  const hidden = options.hidden ?? [];
  const shares = softmax(
    scores.subarray(0, seen).map((score, key) => (hidden[key] ? -Infinity : score)),
  );
  const all = new Float32Array(count);
  all.set(shares);
  const weights = options.weights ?? all;
  const weighted = new Float32Array(values.length);
  const output = new Float32Array(headDim);
  for (let key = 0; key < count; key++) {
    for (let i = 0, at = key * headDim; i < headDim; i++, at++) {
      weighted[at] = weights[key] * values[at];
      output[i] += weighted[at];
    }
  }
  return {
    headDim,
    query: own,
    products,
    sums,
    positionScores,
    scores,
    softmax: all,
    weighted,
    output,
  };
}

/** @param {Float32Array} scores */
export function softmax(scores) {
  // The largest score is subtracted, so that no exponential overflows.
  const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = sum(powers);
  return powers.map((power) => power / total);
}

/**
 * @param {Float32Array} matrix
 * @param {number} index
 * @param {number} columns
 */
export function row(matrix, index, columns) {
  return matrix.subarray(index * columns, (index + 1) * columns);
}

/** @param {ArrayLike<number>} numbers */
export function sum(numbers) {
  let total = 0;
  for (let i = 0; i < numbers.length; i++) total += numbers[i];
  return total;
}

/**
 * Returns the index of the number with the largest `measure`; 0 for an empty list.
 *
 * @param {ArrayLike<number>} numbers
 * @param {(number: number) => number} [measure]
 */
export function largestAt(numbers, measure = (number) => number) {
  let best = 0;
  for (let i = 1; i < numbers.length; i++) {
    if (measure(numbers[i]) > measure(numbers[best])) best = i;
  }
  return best;
}

/**
 * Returns the root mean square of numbers, by which bands of numbers are scaled.
 *
 * @param {Float32Array} numbers
 */
export function typicalSize(numbers) {
  let squares = 0;
  for (const number of numbers) squares += number * number;
  return Math.sqrt(squares / Math.max(1, numbers.length));
}

/**
 * Tells whether no token attends to a later one: each weight above the diagonal is exactly 0.
 *
 * @param {Float32Array} weights  `[tokens * tokens]`
 * @param {number} tokens
 */
export function isCausal(weights, tokens) {
  if (tokens < 2) return false;
  for (let query = 0; query < tokens; query++) {
    for (let key = query + 1; key < tokens; key++) {
      if (weights[query * tokens + key] !== 0) return false;
    }
  }
  return true;
}

/**
 * Tells which keys no query sees: softmax leaves each key that is seen some weight, however small.
 *
 * @param {Float32Array} weights  `[queries * keys]`
 * @param {number} keys
 */
export function hiddenKeys(weights, keys) {
  const hidden = Array.from({length: keys}, () => true);
  for (let at = 0; at < weights.length; at++) if (weights[at] !== 0) hidden[at % keys] = false;
  return hidden;
}
