/**
 * Gives the opacity of a number: low near 0, and below 1 for any size.
 *
 * @param {number} number
 * @param {number} typical  the size of a typical number beside it
 */
export function opacityOf(number, typical) {
  return typical ? Math.tanh(Math.abs(number) / typical) : 0;
}
