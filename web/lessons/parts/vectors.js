import {range} from '../../attention/range.js';

/** @import {Tensor} from './tensor.js' */

/**
 * Returns one row of a table, such as the vector of a token.
 *
 * @param {Tensor} tensor  [rows, size] or [1, rows, size]
 * @param {number} row
 */
export function rowOf({shape, data}, row) {
  const size = shape[shape.length - 1];
  return data.subarray(row * size, (row + 1) * size);
}

/**
 * The cosine of the angle between two vectors, from -1 to 1.
 *
 * @param {Float32Array} a
 * @param {Float32Array} b
 */
export function cosine(a, b) {
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** @param {Float32Array} a @param {Float32Array} b */
export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** @param {Float32Array} a */
export const lengthOf = (a) => Math.sqrt(dot(a, a));

/** The mean length of the vectors of all tokens. @param {Tensor} tensor  [1, tokens, size] */
export const meanLength = (tensor) =>
  range(tensor.shape[1]).reduce((sum, i) => sum + lengthOf(rowOf(tensor, i)), 0) / tensor.shape[1];

/** The vector of length 1 in the same direction. @param {Float32Array} a */
export function unit(a) {
  const length = lengthOf(a);
  return a.map((value) => value / length);
}
