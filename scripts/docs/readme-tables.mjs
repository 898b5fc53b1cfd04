/** Reads the measured tables of the README, so that the documentation has no second copy of their numbers. */

import {readFileSync} from 'node:fs';

/** @import {Table} from '../../web/docs/documented.d.ts' */

const README = new URL('../../README.md', import.meta.url);

/** @returns {Record<string, Table>} The tables by the heading that they stand under. */
export function readTables() {
  /** @type {Record<string, Table>} */
  const tables = {};
  let heading = '';
  for (const block of readFileSync(README, 'utf8').split(/\n{2,}/)) {
    const [, title] = block.match(/^##+ (.+)$/m) ?? [];
    if (title) heading = title;
    if (!block.startsWith('|')) continue;
    const [head, rule, ...rows] = block.trim().split('\n').map(cells);
    if (
      !rule.every((cell) => /^:?-+:?$/.test(cell)) ||
      rows.some((row) => row.length !== head.length)
    ) {
      throw new Error(`README.md: expected a table with a head under “${heading}”, found ${block}`);
    }
    tables[heading] = {head, rows};
  }
  return tables;
}

/** @param {string} line */
function cells(line) {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}
