/**
 * The step of each key in a grid: rows down, and columns to the right.
 *
 * @type {Readonly<Record<string, readonly [number, number]>>}
 */
export const gridMoves = Object.freeze({
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
});
