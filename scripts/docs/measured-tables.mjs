/**
 * Reads the measured tables of the README, and those that it has no room for, so that the documentation has no second
 * copy of their numbers.
 */

import {readFileSync} from 'node:fs';

/** @import {Table} from '../../web/docs/documented.d.ts' */

const SOURCES = ['README.md', 'web/docs/tables.md'];

/** @returns {Record<string, Table>} The tables by the heading that they stand under. */
export function readTables() {
  /** @type {Record<string, Table>} */
  const tables = {};
  for (const source of SOURCES) addTables(source, tables);
  return tables;
}

/**
 * @param {string} source The path of a Markdown file, from the root.
 * @param {Record<string, Table>} tables
 */
function addTables(source, tables) {
  let heading = '';
  const text = readFileSync(new URL(`../../${source}`, import.meta.url), 'utf8');
  for (const block of text.split(/\n{2,}/)) {
    const [, title] = block.match(/^##+ (.+)$/m) ?? [];
    if (title) heading = title;
    if (!block.startsWith('|')) continue;
    const [head, rule, ...rows] = block.trim().split('\n').map(cells);
    if (
      !rule.every((cell) => /^:?-+:?$/.test(cell)) ||
      rows.some((row) => row.length !== head.length)
    ) {
      throw new Error(`${source}: expected a table with a head under “${heading}”, found ${block}`);
    }
    if (heading in tables) {
      throw new Error(`${source}: expected one table under “${heading}”, found another`);
    }
    tables[heading] = {head, rows};
  }
}

/** @param {string} line */
function cells(line) {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}
