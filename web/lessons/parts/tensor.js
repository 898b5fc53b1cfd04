/** @typedef {import('../../engine/lab/lab-types.js').Tensor} Tensor */

/**
 * @typedef {readonly string[] | readonly (readonly string[])[]} RowNames
 *   one name a row, or a list of them for each block or the blocks of each batch
 */

/**
 * The indices of a number.
 *
 * @param {number} flat
 * @param {readonly number[]} shape
 */
export function indicesOf(flat, shape) {
  return shape.map((_, axis) => {
    const below = shape.slice(axis + 1).reduce((product, size) => product * size, 1);
    return Math.floor(flat / below) % shape[axis];
  });
}

/**
 * The names of the rows of one block. If there are fewer lists than blocks, each list serves equally many
 * consecutive blocks.
 *
 * @param {RowNames} rows
 * @param {number} block
 * @param {number} [blocks]
 * @returns {readonly string[]}
 */
export function rowsOf(rows, block, blocks = rows.length) {
  const names = Array.isArray(rows[0]) ? rows[Math.floor((block * rows.length) / blocks)] : rows;
  return /** @type {readonly string[]} */ (names ?? []);
}

/** @param {number} value */
export function formatInfinite(value) {
  return value < 0 ? '−∞' : '∞';
}
