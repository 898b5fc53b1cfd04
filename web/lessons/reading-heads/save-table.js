import {csv} from '../../export/csv.js';
import {fileName, save} from '../../export/download.js';

/** @import {Tensor} from '../parts/tensor.js' */

/**
 * Writes a matrix as CSV, with the tokens as first row and first column.
 *
 * @param {readonly string[]} tokens
 * @param {Tensor} matrix  [tokens, tokens]
 */
export function tableAsCsv(tokens, {data}) {
  const size = tokens.length;
  const rows = tokens.map((token, i) => [token, ...data.subarray(i * size, (i + 1) * size)]);
  return csv([['', ...tokens], ...rows]);
}

/**
 * @param {string} text  names the file
 * @param {readonly string[]} tokens
 * @param {Tensor} matrix
 */
export function saveTable(text, tokens, matrix) {
  save(fileName([text], 'csv'), new Blob([tableAsCsv(tokens, matrix)], {type: 'text/csv'}));
}
