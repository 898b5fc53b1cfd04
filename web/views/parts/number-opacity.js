/**
 * How opaque a number is drawn: faint near 0, and never more than opaque.
 *
 * @param {number} number
 * @param {number} typical  the size of a typical number beside it
 */
export function opacityOf(number, typical) {
  return typical ? Math.tanh(Math.abs(number) / typical) : 0;
}
