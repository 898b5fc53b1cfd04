import {formatNumber} from '../../views/parts/number-format.js';

/**
 * Formats a number with some digits, or as a power of ten if these would all be 0: `1.7e−13`.
 *
 * @param {number} number
 * @param {number} digits
 */
export function formatPower(number, digits) {
  const plain = formatNumber(number, digits);
  if (number === 0 || Number(plain.replace('−', '-')) !== 0) return plain;
  return number.toExponential(1).replaceAll('-', '−');
}
