/**
 * The shortest decimal that reads back as the same float32: 0.1, not 0.10000000149011612.
 * @param {number} value A float32.
 * @returns {string}
 */
function shortestFloat32(value) {
  if (!Number.isFinite(value)) return 'null'; // as JSON.stringify has it
  // Nine significant digits always suffice. m / 10^n with m < 2^53 and n <= 22 is the double
  // nearest to that decimal, so it prints as the decimal.
  const decimals = 5 - Math.floor(Math.log10(Math.abs(value)));
  if (decimals >= 0 && decimals <= 19) {
    for (let n = decimals; n <= decimals + 3; n++) {
      const scale = POWERS[n];
      const rounded = Math.round(value * scale) / scale;
      if (Math.fround(rounded) === value) return String(rounded);
    }
  }
  for (let digits = 6; digits <= 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(value);
}

const POWERS = Array.from({length: 23}, (_, n) => Number(`1e${n}`));

/**
 * @param {Float32Array} values `[rows * columns]`
 * @param {number} columns
 * @returns {string} JSON, an array of rows.
 */
export function matrixToJson(values, columns) {
  const rows = [];
  for (let begin = 0; begin < values.length; begin += columns) {
    let row = shortestFloat32(values[begin]);
    for (let at = begin + 1; at < begin + columns; at++) row += `,${shortestFloat32(values[at])}`;
    rows.push(`[${row}]`);
  }
  return `[${rows.join(',')}]`;
}

/** @param {Float32Array} values @returns {string} JSON, an array. */
export const rowToJson = (values) => matrixToJson(values, values.length).slice(1, -1);

/** @param {number} value Is rounded to float32. @returns {string} JSON */
export const numberToJson = (value) => shortestFloat32(Math.fround(value));
