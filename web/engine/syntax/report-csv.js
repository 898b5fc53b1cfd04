/** A report as a table for other programs: the best head of each relation beside the best offset. */

/** @import {SyntaxReport} from './score-treebank.js' */

const COLUMNS =
  'relation,links,layer,head,direction,right,share,low,high,offset,position_right,position_share';

/** @param {SyntaxReport} report */
export function csvOfReport({relations}) {
  const rows = relations.map(({relation, links, best, position}) =>
    [
      relation,
      links,
      best.layer,
      best.head,
      best.direction,
      best.right,
      ...[best.share, ...best.interval].map((share) => share.toFixed(4)),
      position.offset,
      position.right,
      position.share.toFixed(4),
    ].join(','),
  );
  return [COLUMNS, ...rows].map((row) => `${row}\n`).join('');
}
