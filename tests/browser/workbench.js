/** Reads the page's numbers and the engine's own, to compare them in tests of the workbench. */

/** @import {Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */

export const sentence = '#text=the+cat+sat+on+the+mat.&layer=3&heads=3';

/**
 * Asks the engine about the shown text.
 *
 * @param {Page} page
 * @param {string} ask  an expression on `result` and `untouched`
 * @returns {Promise<any>}
 */
export const ask = (page, ask) =>
  page.evaluate((ask) => {
    const {result, untouched} = /** @type {Scope} */ (document.querySelector('bert-scope'));
    // oxlint-disable-next-line typescript/no-implied-eval -- the expression is the test's own
    return new Function('result', 'untouched', `return ${ask}`)(result, untouched);
  }, ask);

/** Reads a percentage as the page writes it. @param {string} text */
export const percentOf = (text) => Number(/(\d+)%/.exec(text)?.[1]);

/** Reads a change in percentage points as the page writes it. @param {string} text */
export function pointsOf(text) {
  return Number((/([−+]?[\d.]+) points/.exec(text) ?? [])[1].replace('−', '-'));
}

/** @param {readonly number[]} row */
export function sum(row) {
  return row.reduce((total, weight) => total + weight, 0);
}
