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

/** @param {number} weight */
export function formatPercent(weight) {
  return `${formatNumber(weight * 100, 0)}%`;
}
