import {drawnToken} from '../attention/display.js';

/** @import {Side} from '../attention/selection.js' */
/** @import {Snapshot} from '../attention/snapshot.js' */
/** @import {Result} from '../session/pass.js' */
/** @import {Annotation} from '../workbench/grammar-report.js' */

/** @typedef {{query: number, key: number}} Rows  the middles of two rows, in rows from the top */

/**
 * The rows of each link. A word of several tokens has the middle of theirs.
 *
 * @param {Annotation} annotation
 * @param {Pick<Result, 'offsets'>} result
 * @param {Snapshot} snapshot  as it is drawn
 * @returns {Rows[]}  without the links of words that are not shown
 */
export function rowsOf({links}, {offsets}, snapshot) {
  const middle = (
    /** @type {Side} */ side,
    /** @type {readonly [number, number]} */ [begin, end],
  ) => {
    const rows = offsets.flatMap((at, index) => {
      if (!at || at[0] === at[1] || at[0] < begin || at[0] >= end) return [];
      return drawnToken(snapshot, {side, index})?.index ?? [];
    });
    return rows.length ? (Math.min(...rows) + Math.max(...rows) + 1) / 2 : null;
  };
  return links.flatMap((link) => {
    const [query, key] = [middle('query', link.query), middle('key', link.key)];
    return query === null || key === null ? [] : [{query, key}];
  });
}
