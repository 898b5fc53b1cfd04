import assert from 'node:assert/strict';
import {createRequire} from 'node:module';

/** @import {Page} from 'playwright-core' */

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** @param {Page} page */
export async function assertAccessible(page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.addScriptTag({path: axe});
  const violations = await page.evaluate(async () => {
    const {violations} = await /** @type {any} */ (window).axe.run();
    return violations.map((/** @type {any} */ {id, nodes}) => {
      const targets = nodes.map(
        (/** @type {any} */ node) => `${node.target} ${node.failureSummary}`,
      );
      return `${id}: ${targets.join('; ')}`;
    });
  });
  assert.deepEqual(violations, []);
}
