import {gridMoves} from '../parts/grid-keys.js';

/** @import {Cell, MatrixScene} from './scene.js' */

/**
 * Gives the cell that a key moves to, or null if the key does not move. The first such key goes to the first cell.
 *
 * @param {string} name  the name of the key
 * @param {Cell | null} from
 * @param {MatrixScene} scene
 * @returns {Cell | null}
 */
export function nextCell(name, from, {query, key}) {
  if (!Object.hasOwn(gridMoves, name)) return null;
  const [down, right] = from ? gridMoves[name] : [0, 0];
  const clamp = (/** @type {number} */ value, /** @type {{start: number, end: number}} */ slice) =>
    Math.max(slice.start, Math.min(value, slice.end - 1));
  return {
    query: clamp((from?.query ?? query.start) + down, query),
    key: clamp((from?.key ?? key.start) + right, key),
  };
}

/**
 * Scrolls a cell into view.
 *
 * @param {HTMLElement} scroller
 * @param {MatrixScene} scene
 * @param {Cell} at
 */
export function revealCell(scroller, {cell, left, top, query, key}, at) {
  const nearest = (
    /** @type {number} */ place,
    /** @type {number} */ scrolled,
    /** @type {number} */ room,
  ) => Math.max(place + cell - room, Math.min(scrolled, place));
  const {scrollLeft, scrollTop, clientWidth, clientHeight} = scroller;
  if (at.key !== null) {
    scroller.scrollLeft = nearest((at.key - key.start) * cell, scrollLeft, clientWidth - left);
  }
  if (at.query !== null) {
    scroller.scrollTop = nearest((at.query - query.start) * cell, scrollTop, clientHeight - top);
  }
}
