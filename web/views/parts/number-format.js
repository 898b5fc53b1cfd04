import {locale} from '../../strings/locale.js';

/**
 * Formats a number with a real minus sign, and a zero without a sign.
 *
 * @param {number} number
 * @param {number} [digits]
 */
export function formatNumber(number, digits = 3) {
  const text = Math.abs(number).toFixed(digits);
  return number < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** @param {number} weight */
function formatWeight(weight) {
  return formatNumber(weight, 3);
}

/** @param {number} difference */
export function formatDifference(difference) {
  const text = formatWeight(difference);
  return difference > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** Gives the function that formats the weights of a snapshot. @param {{isDifference?: boolean}} snapshot */
export function weightFormat({isDifference}) {
  return isDifference ? formatDifference : formatWeight;
}

/** Formats a probability in percent, with two decimals below 1 %. @param {number} probability */
export function formatProbability(probability) {
  const isSmall = probability > 0 && probability < 0.01;
  return `${formatNumber(probability * 100, isSmall ? 2 : 0)}%`;
}

/**
 * Formats a positive number of any size with four digits that count and the others grouped in threes, as a power of ten
 * where it would be too long.
 *
 * @param {number} number
 */
export function formatMagnitude(number) {
  if (number >= 0.001 && number < 1e12) {
    return Number(number.toPrecision(4)).toLocaleString(locale, {maximumFractionDigits: 6});
  }
  const [digits, power] = number.toExponential(3).split('e');
  return `${digits} × 10^${formatNumber(Number(power), 0)}`;
}

/** Formats a guess in a list of them: all in whole percents. @param {number} probability */
export function formatGuess(probability) {
  return probability > 0 && probability < 0.01 ? '<1%' : formatPercent(probability);
}

/** @param {number} weight */
export function formatPercent(weight) {
  return `${formatNumber(weight * 100, 0)}%`;
}
