/** Computes what the head view must show from the engine's attention, and compares colours and numbers. */

import assert from 'node:assert/strict';
import {headColour} from '../../web/views/parts/head-colours.js';
import {embedded} from '../support/embedded-model.js';
import {engineAttention} from './support.js';

/** @import {Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */

export const text = '#text=the+cat+sat+on+the+mat&view=head';

/** Averages `[head][query][key]` over heads. @param {number[][][]} heads */
export const meanOf = (heads) =>
  heads[0].map((row, i) =>
    row.map((_, j) => heads.reduce((sum, head) => sum + head[i][j], 0) / heads.length),
  );

/** @param {number[][]} matrix @param {number} key */
export const column = (matrix, key) => matrix.map((row) => row[key]);

/** Gives the colour of a head as red, green and blue. @param {number} head */
export const rgb = (head, dark = false) =>
  [1, 3, 5].map((at) => parseInt(headColour(head, dark).slice(at, at + 2), 16));

/** @param {number[]} found @param {number[]} expected @param {number} tolerance */
export function assertColour(found, expected, tolerance = 8) {
  const near = found.every((value, i) => Math.abs(value - expected[i]) <= tolerance);
  assert.ok(near, `colour ${found}, expected ${expected}`);
}

/** @param {number} found @param {number} expected */
export function assertNear(found, expected, tolerance = 0.04) {
  assert.ok(Math.abs(found - expected) <= tolerance, `${found}, expected ${expected}`);
}

/** @typedef {{query: number, key: number, weight: number}} Link */

/**
 * Finds the head of the model that has the strongest weight between two different tokens of the text, and shows it.
 *
 * @param {Page} page
 * @param {(head: number) => number[]} [shownWith]  the heads of its layer that are shown; none: all
 */
export async function showStrongest(page, shownWith = (head) => [head]) {
  /** @type {Link & {layer: number, head: number, heads: number[][][]} | undefined} */
  let best;
  for (let layer = 0; layer < embedded.layers; layer++) {
    const heads = await engineAttention(page, layer);
    for (const [head, matrix] of heads.entries()) {
      const link = strongest(matrix);
      if (link.weight > (best?.weight ?? 0)) best = {...link, layer, head, heads};
    }
  }
  assert.ok(best && best.weight > 0.5, `a head looks at another token: ${best?.weight} at most`);
  await showHeads(page, best.layer, shownWith(best.head));
  return {...best, matrix: best.heads[best.head]};
}

/**
 * Chooses heads of a layer, and waits until they are drawn.
 *
 * @param {Page} page
 * @param {number} layer
 * @param {number[]} heads  none: all
 */
export async function showHeads(page, layer, heads) {
  await page.evaluate(
    (choice) => {
      /** @type {Scope} */ (document.querySelector('bert-scope')).choose(choice);
    },
    {layer, heads},
  );
  await page.waitForFunction(
    ([layer, head]) => {
      const {drawn} = /** @type {Scope} */ (document.querySelector('bert-scope'));
      return drawn?.snapshot.attention(layer, head);
    },
    [layer, heads[0] ?? 0],
  );
  // Views draw only after the frame's layout, which follows its animation callbacks; so two frames are awaited.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/**
 * The opacity in the middle of a line: the lines between other tokens that cross it there cover it.
 *
 * @param {number[][]} matrix
 * @param {Link} link
 */
export function opacityInTheMiddle(matrix, {query, key}) {
  let clear = 1;
  for (const [i, row] of matrix.entries()) clear *= 1 - (row[query + key - i] ?? 0);
  return 1 - clear;
}

/** Finds the strongest weight between two different tokens. @param {number[][]} matrix @returns {Link} */
export function strongest(matrix) {
  let best = {query: 0, key: 0, weight: 0};
  matrix.forEach((row, query) =>
    row.forEach((weight, key) => {
      if (query !== key && weight > best.weight) best = {query, key, weight};
    }),
  );
  return best;
}
