/** Arithmetic on vectors of a pass. */

/**
 * @param {Float32Array} rows `[count * width]`
 * @param {number} width
 * @returns {Float32Array[]} Views of the rows.
 */
export function rowsOf(rows, width) {
  const count = rows.length / width;
  return Array.from({length: count}, (_, row) => rows.subarray(row * width, (row + 1) * width));
}

/**
 * @param {Float32Array} rows `[count * width]`
 * @param {number} width
 * @returns {Float32Array} The mean of the rows: the vector that sentence-transformers makes of a
 *   text whose pooling is `mean`.
 */
export function meanOfRows(rows, width) {
  const mean = new Float64Array(width);
  for (let at = 0; at < rows.length; at++) mean[at % width] += rows[at];
  return Float32Array.from(mean, (sum) => sum / (rows.length / width));
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
export function dot(a, b) {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 * @returns {number} 1 if one of them is zero.
 */
export function cosine(a, b) {
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  return lengths > 0 ? dot(a, b) / lengths : 1;
}
