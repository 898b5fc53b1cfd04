/** Reads the headline above the picture. */

import assert from 'node:assert/strict';
import {engineAttention} from './support.js';

/** @import {Page} from 'playwright-core' */

/** The sentence above the picture. @param {Page} page */
export const headline = (page) => page.locator('.headline .told');

/** Reads a headline as two words and a percentage. @param {Page} page */
export async function told(page) {
  const [from, to] = await page.locator('.headline .word').allTextContents();
  const share = Number(/(\d+)%$/.exec((await headline(page).textContent())?.trim() ?? '')?.[1]);
  return {from, to, share};
}

/** Reads the selection and the tokens of the text. @param {Page} page */
export const shown = (page) =>
  page.evaluate(() => {
    const {selection, result} = /** @type {any} */ (document.querySelector('bert-scope'));
    return {...selection, tokens: result.tokens};
  });

/** Checks that the headline says what the engine computed for the shown head. @param {Page} page */
export async function assertTrue(page) {
  const {from, to, share} = await told(page);
  const {layer, heads, token, tokens} = await shown(page);
  assert.equal(heads.length, 1);
  assert.equal(tokens[token.index], from);
  const row = (await engineAttention(page, layer))[heads[0]][token.index];
  const weights = row
    .filter((_, at) => tokens[at] === to)
    .map((weight) => Math.round(weight * 100));
  assert.ok(weights.includes(share), `${from} gives ${weights} percent to ${to}, not ${share}`);
}

/** Waits until a fact stands below the headline. @param {Page} page @param {string} said */
export const saidBelow = (page, said) =>
  page.locator('.headline .shows', {hasText: said}).waitFor();
