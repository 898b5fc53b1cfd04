import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

/** @import {Page} from 'playwright-core' */

const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const axe = readFileSync(path, 'utf8');

/**
 * Runs axe on the page, or on one part of the picture.
 *
 * @param {Page} page
 * @param {string} [part]  a selector within `<bert-scope>`
 */
export async function assertAccessible(page, part) {
  // The page's policy forbids a script element.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const violations = await page.evaluate(async (part) => {
    const where = part ? {fromShadowDom: ['bert-scope', part]} : document;
    const {violations} = await /** @type {any} */ (window).axe.run(where);
    return violations.map((/** @type {any} */ {id, nodes}) => {
      const targets = nodes.map(
        (/** @type {any} */ node) => `${node.target} ${node.failureSummary}`,
      );
      return `${id}: ${targets.join('; ')}`;
    });
  }, part);
  assert.deepEqual(violations, []);
}
