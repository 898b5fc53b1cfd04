/** Printed figures against computed attention: as far as their last place goes, and no further. */

/**
 * @typedef {object} Figures A part of a printed matrix.
 * @property {string} name
 * @property {number} layer
 * @property {number | 'mean'} head One head, or the mean over all of the layer.
 * @property {number[]} queries Rows.
 * @property {number[]} keys Columns.
 * @property {number[][]} values `[queries][keys]`; rows may be cut.
 * @property {number} [decimals] Places behind the point that were printed, or
 * @property {number} [digits] significant digits.
 */

/**
 * @typedef {object} Expected
 * @property {string} text
 * @property {number[]} ids
 * @property {string[]} tokens
 * @property {string} decoded
 * @property {Record<string, number>} shape
 * @property {Figures[]} figures
 */

/**
 * @typedef {object} Found
 * @property {number[]} ids
 * @property {string} decoded
 * @property {Record<string, number>} shape
 * @property {(layer: number, head: number) => Promise<Float32Array>} attention `[tokens * tokens]`
 */

/**
 * Arithmetic in another order; what the golden models show is 7e-7 (README, "How exact"), and
 * twelve wide layers are given some room.
 */
export const TOLERANCE = 2e-5;

/**
 * @param {Expected} expected
 * @param {Found} found
 * @param {number} [tolerance] Beyond the rounding of the printed figure.
 * @returns {Promise<{compared: number, differences: string[], largest: number}>} One sentence a
 *   difference; `largest` is the largest distance of a figure, rounding included.
 */
export async function compare(expected, found, tolerance = TOLERANCE) {
  const differences = [];
  let compared = 0;
  let largest = 0;
  /** @param {string} what @param {unknown} wanted @param {unknown} actual */
  const same = (what, wanted, actual) => {
    compared += 1;
    if (String(wanted) === String(actual)) return true;
    differences.push(`${what}: expected ${wanted}, found ${actual}`);
    return false;
  };

  for (const [name, size] of Object.entries(expected.shape)) same(name, size, found.shape[name]);
  const comparable = same('ids', expected.ids, found.ids);
  same('decoded', expected.decoded, found.decoded);
  if (!comparable) {
    const count = expected.figures.reduce((sum, {values}) => sum + values.flat().length, 0);
    differences.push(`${count} figures: not compared, the ids being others`);
    return {compared, differences, largest};
  }

  for (const figures of expected.figures) {
    const matrix = await matrixOf(figures, found);
    if (!matrix) {
      const place = `layer ${figures.layer}, head ${figures.head}`;
      differences.push(`${figures.name}: expected a model with ${place}, found none`);
      continue;
    }
    for (const [row, query] of figures.queries.entries()) {
      for (const [column, wanted] of figures.values[row].entries()) {
        const key = figures.keys[column];
        const actual = matrix[query * expected.tokens.length + key];
        const off = Math.abs(actual - wanted);
        compared += 1;
        largest = Math.max(largest, off);
        if (off <= lastPlace(figures, wanted) / 2 + tolerance) continue;
        const pair = `“${expected.tokens[query]}” → “${expected.tokens[key]}”`;
        differences.push(
          `${figures.name}, ${pair}: expected ${printed(figures, wanted)}, found ${actual.toPrecision(5)} (off by ${off.toPrecision(2)})`,
        );
      }
    }
  }
  return {compared, differences, largest};
}

/**
 * @param {Figures} figures
 * @param {Found} found
 * @returns {Promise<ArrayLike<number> | null>}
 */
async function matrixOf({layer, head}, {shape, attention}) {
  if (layer >= shape.layers) return null;
  if (head !== 'mean') return head < shape.heads ? attention(layer, head) : null;
  const all = await Promise.all(
    Array.from({length: shape.heads}, (_, index) => attention(layer, index)),
  );
  return Float64Array.from(
    all[0],
    (_, at) => all.reduce((sum, matrix) => sum + matrix[at], 0) / all.length,
  );
}

/**
 * @param {Figures} figures
 * @param {number} value
 * @returns {number} The unit of the last place that was printed.
 */
function lastPlace({decimals, digits}, value) {
  if (decimals !== undefined) return 10 ** -decimals;
  return 10 ** (Math.floor(Math.log10(value)) - /** @type {number} */ (digits) + 1);
}

/** @param {Figures} figures @param {number} value */
function printed({decimals, digits}, value) {
  return decimals === undefined ? value.toPrecision(digits) : value.toFixed(decimals);
}
