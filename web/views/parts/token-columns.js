import {strings} from '../../strings/index.js';
import {TokenColumn} from './token-column.js';

/** @import {Side} from '../../attention/selection.js' */

/**
 * Makes the columns of the queries and of the keys. The left and right keys lead from one to the other.
 *
 * @param {(side: Side, index: number | null) => void} onHover  gets the token under pointer or focus; null when left
 * @param {(side: Side, index: number) => void} onClick
 */
export function tokenColumns(onHover, onClick) {
  const columnOf = (/** @type {Side} */ side, /** @type {Side} */ other) =>
    new TokenColumn({
      side,
      label: side === 'query' ? strings.view.queries : strings.view.keys,
      onHover: (index) => onHover(side, index),
      onClick: (index) => onClick(side, index),
      onCross: (row) => columns[other].focusRow(row),
    });
  const columns = {query: columnOf('query', 'key'), key: columnOf('key', 'query')};
  return columns;
}
