/** @import {Tensor} from '../tensor.js' */

/**
 * A matrix as CSV (RFC 4180), with the tokens as first row and first column, full precision.
 *
 * @param {readonly string[]} tokens
 * @param {Tensor} matrix  [tokens, tokens]
 */
export function tableAsCsv(tokens, {data}) {
  const size = tokens.length;
  const rows = tokens.map((token, i) => [token, ...data.subarray(i * size, (i + 1) * size)]);
  return [['', ...tokens], ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

/** @param {string | number} value */
function field(value) {
  const text = typeof value === 'number' ? String(Number(value.toPrecision(7))) : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * @param {string} name  becomes the file's
 * @param {readonly string[]} tokens
 * @param {Tensor} matrix
 */
export function saveTable(name, tokens, matrix) {
  const link = document.createElement('a');
  const file =
    name
      .trim()
      .slice(0, 40)
      .replace(/[^\p{L}\p{N}]+/gu, '-') || 'attention';
  link.download = `${file}.csv`;
  link.href = URL.createObjectURL(new Blob([tableAsCsv(tokens, matrix)], {type: 'text/csv'}));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
