/** A report as a table for other programs: the best head of each relation beside the best offset. */

/** @import {SyntaxReport} from './score-treebank.js' */

const COLUMNS = [
  ...['relation', 'links', 'layer', 'head', 'direction', 'right', 'share', 'low', 'high'],
  ...['offset', 'position_right', 'position_share'],
];

/**
 * @param {SyntaxReport} report
 * @returns {(string | number)[][]} The names of the columns, and a row for each relation.
 */
export function rowsOfReport({relations}) {
  const rows = relations.map(({relation, links, best, position}) => [
    ...[relation, links, best.layer, best.head, best.direction],
    ...[best.right, ...[best.share, ...best.interval].map(rounded)],
    ...[position.offset, position.right, rounded(position.share)],
  ]);
  return [COLUMNS, ...rows];
}

/** @param {number} share NaN where there is none. */
const rounded = (share) => (Number.isNaN(share) ? '' : share.toFixed(4));

/** @param {SyntaxReport} report */
export function csvOfReport(report) {
  return rowsOfReport(report)
    .map((row) => `${row.join(',')}\n`)
    .join('');
}
