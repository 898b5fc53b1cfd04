/**
 * A number with a real minus sign, and no sign on a zero.
 *
 * @param {number} number
 * @param {number} [digits]
 */
export function formatNumber(number, digits = 3) {
  const text = Math.abs(number).toFixed(digits);
  return number < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/**
 * How opaque a number is drawn: faint near 0, and never more than opaque.
 *
 * @param {number} number
 * @param {number} typical  the size of a typical number beside it
 */
export function opacityOf(number, typical) {
  return typical ? Math.tanh(Math.abs(number) / typical) : 0;
}
