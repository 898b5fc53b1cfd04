/** Opens the neuron view of one head, and reads what it shows. */

import assert from 'node:assert/strict';
import {headArithmetic} from '../../web/attention/head-arithmetic.js';
import {token} from './support.js';

/** @import {Page} from 'playwright-core' */
/** @typedef {HTMLElement & Record<string, any>} Scope */

export const hash = '#text=time+leaps+like+an+archer&view=neuron&layer=2&heads=3';
/** The same, with a token pinned. */
export const ofTime = `${hash}&token=q1`;
export const tokens = '[CLS] time leap ##s like an arch ##er [SEP]'.split(' ');

/** Writes a number as the view does. @param {number} number */
export const written = (number, digits = 3) => number.toFixed(digits).replace('-', '−');

/**
 * Asks the engine for the vectors of one head, and computes the arithmetic of each of its queries.
 *
 * @param {Page} page
 */
export async function engineHead(page, layer = 2, head = 3) {
  const parts = await page.evaluate(
    async ([layer, head]) => {
      const {result} = /** @type {Scope} */ (document.querySelector('bert-scope'));
      const kinds = ['attention', 'queries', 'keys', 'values'];
      return Promise.all(kinds.map(async (kind) => [...(await result[kind](layer, head))]));
    },
    [layer, head],
  );
  const [attention, queries, keys, values] = parts.map((part) => Float32Array.from(part));
  const headDim = queries.length / tokens.length;
  const of = (/** @type {number} */ query) =>
    headArithmetic({queries, keys, values, headDim}, query);
  return {attention, keys, values, headDim, of};
}

/** @param {Page} page @param {string} name */
export const text = (page, name) => page.locator(`bert-scope ${name}`).innerText();

/** Finds the token whose arithmetic is shown. @param {Page} page */
export const shownQuery = (page) =>
  page
    .locator('.query .token')
    .evaluateAll((rows) => rows.findIndex((row) => row.matches('.current')));

/** Opens the tables of the view, and reads the rows of one. @param {Page} page @param {number} table */
export async function openTable(page, table) {
  await page.locator('.neuron-view summary').click();
  await page.locator('.neuron-view tbody tr').first().waitFor();
  return rowsOf(page, table);
}

/** Reads the cells of a table that is open. @param {Page} page @param {number} table */
export const rowsOf = (page, table) =>
  page.evaluate((table) => {
    const root = document.querySelector('bert-scope')?.shadowRoot;
    const rows = root?.querySelectorAll('.neuron-view table')[table].querySelectorAll('tbody tr');
    return [...(rows ?? [])].map((row) => [...row.children].map((cell) => cell.textContent));
  }, table);

/**
 * Finds the cell of a row in a column of the picture, in CSS pixels of the page.
 *
 * @param {Page} page
 * @param {string} title
 * @param {number} row
 */
export async function cellOf(page, title, row, along = 0.5) {
  const head = await page.locator('.neuron-head').getByText(title, {exact: true}).boundingBox();
  const line = await token(page, 'key', row).boundingBox();
  assert.ok(head && line);
  return {x: head.x + head.width * along, y: line.y + line.height / 2};
}
