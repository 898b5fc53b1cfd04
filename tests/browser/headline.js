/** Reads the headline above the picture. */

import assert from 'node:assert/strict';
import {firstState} from '../../web/page/address.js';
import {explore} from '../../web/strings/en/explore.js';
import {formatPercent} from '../../web/views/parts/number-format.js';
import {eventually} from '../support/eventually.js';
import {engineAttention} from './support.js';

/** @import {Page} from 'playwright-core' */
/** @import {Look} from './found-heads.js' */

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
  const most = Math.max(...row);
  const target = row.indexOf(most);
  assert.equal(to ?? from, tokens[target]);
  assert.equal(to === undefined, target === token.index, 'it is “itself” that has no name');
  assert.equal(share, Math.round(most * 100), `${from} gives ${most} to ${to}`);
}

/** The sentence that tells a link. @param {Pick<Look, 'from' | 'to' | 'kind' | 'weight'>} look */
export const sentenceOf = ({from, to, kind, weight}) =>
  explore.headline
    .looks({from, to, kind, share: formatPercent(weight), isBefore: false, isMark: false})
    .map((part) => (typeof part === 'string' ? part : part.token))
    .join('');

/** Waits until the headline tells a link. @param {Page} page @param {Parameters<typeof sentenceOf>[0]} look */
export const waitForLook = (page, look) =>
  headline(page)
    .filter({hasText: sentenceOf(look)})
    .waitFor();

/**
 * Waits until the page shows a token in a head, and the headline says what the engine computed for it.
 *
 * @param {Page} page
 * @param {{layer: number, head: number, query: number}} place
 */
export const waitForPlace = (page, {layer, head, query}) =>
  eventually(`layer ${layer}, head ${head}, token ${query}`, async () => {
    const {layer: shownLayer, heads, token} = await shown(page);
    assert.deepEqual([shownLayer, heads, token], [layer, [head], {side: 'query', index: query}]);
    await assertTrue(page);
  });

/** Waits until the page shows what it opens with: a pronoun that finds what it stands for. @param {Page} page */
export async function waitForFirst(page) {
  await headline(page).filter({hasText: 'they looks at children: '}).waitFor();
  const {layer, heads, token} = firstState;
  await waitForPlace(page, {layer, head: heads[0], query: token?.index ?? NaN});
}

/** Waits until a fact stands below the headline. @param {Page} page @param {string} said */
export const saidBelow = (page, said) =>
  page.locator('.headline .shows', {hasText: said}).waitFor();
