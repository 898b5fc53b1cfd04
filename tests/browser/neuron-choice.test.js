/** Tests how the query, the key, the head and the dimension of the neuron view are chosen. */

import assert from 'node:assert/strict';
import {cellOf, engineHead, hash, ofTime, openTable, text, tokens, written} from './neuron-view.js';
import {researcherTest, token, userTest, waitForTokens} from './support.js';

userTest('a click on a token makes it the query, also after a reload', {hash}, async (page) => {
  await waitForTokens(page, tokens);
  await token(page, 'query', 4).click();
  await page.mouse.move(2, 2);
  await page.waitForFunction(() => location.hash.includes('token=q4'));
  await page.locator('.neuron-view .story', {hasText: 'the query of like'}).waitFor();
  await page.reload();
  await page.locator('.neuron-view .story', {hasText: 'the query of like'}).waitFor();
  await page.keyboard.press('Tab');
  await token(page, 'query', 4).focus();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !location.hash.includes('token='));
});

userTest('the query under the pointer stays while another head is chosen', {hash}, async (page) => {
  await waitForTokens(page, tokens);
  await token(page, 'query', 4).hover();
  await page.locator('.neuron-view .story', {hasText: 'the query of like'}).waitFor();
  await page.evaluate(() => (location.hash = location.hash.replace('heads=3', 'heads=5')));
  await page.locator('.neuron-view .reading', {hasText: 'Layer 2, head 5'}).waitFor();
  assert.match(await text(page, '.neuron-view .story'), /the query of like/);
});

researcherTest(
  'the view shows the first of several chosen heads, and a click shows another',
  {hash: hash.replace('heads=3', 'heads=3.5')},
  async (page) => {
    await waitForTokens(page, tokens);
    const reading = page.locator('.neuron-view .reading');
    assert.match(await reading.innerText(), /Layer 2, head 3\s+the first of 2 chosen heads/);
    await page.locator('.square').nth(6).click();
    await reading.getByText('Layer 2, head 6').waitFor();
    assert.doesNotMatch(await reading.innerText(), /chosen heads/);
  },
);

userTest('a click on a key pins it, and the chosen query stays', {hash}, async (page) => {
  await waitForTokens(page, tokens);
  const title = (/** @type {string} */ pair) =>
    page.locator('.neuron-view .zoom-title', {hasText: pair}).waitFor();
  await token(page, 'query', 4).click();
  await token(page, 'key', 6).click();
  await page.waitForFunction(() => location.hash.includes('token=k6'));
  await page.mouse.move(2, 2);
  await title('like → arch');
  // A second click releases the key, and the query is pinned again.
  await token(page, 'key', 6).click();
  await page.waitForFunction(() => location.hash.includes('token=q4'));
  const {x, y} = await cellOf(page, 'k', 7, 0.3);
  await page.mouse.click(x, y);
  await page.waitForFunction(() => location.hash.includes('token=k7'));
  assert.match(await text(page, '.neuron-view .tooltip'), /like → ##er/);
  await token(page, 'key', 7).focus();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !location.hash.includes('token='));
  await page.mouse.move(2, 2);
  assert.equal(await page.locator('.neuron-view [aria-pressed=true]').count(), 0);
});

userTest(
  'a key that another view has pinned is the key in focus, of the query that looks at it most',
  {hash: `${hash}&token=k6`},
  async (page) => {
    await waitForTokens(page, tokens);
    const {attention} = await engineHead(page);
    const received = tokens.map((_, query) => attention[query * tokens.length + 6]);
    const query = tokens[received.indexOf(Math.max(...received))];
    assert.ok((await text(page, '.neuron-view .zoom-title')).startsWith(`${query} → arch, `));
    assert.equal(await token(page, 'key', 6).getAttribute('aria-pressed'), 'true');
  },
);

researcherTest(
  'the keyboard chooses a dimension, and both tables follow',
  {hash: ofTime},
  async (page) => {
    await waitForTokens(page, tokens);
    const {of, keys, headDim} = await engineHead(page);
    const {query} = of(1);
    await page.getByRole('slider', {name: 'Dimension'}).focus();
    await page.keyboard.press('Home');
    assert.match(await text(page, '.zoom-title'), /dimension 0$/);
    await page.keyboard.press('ArrowRight');
    assert.match(await text(page, '.zoom-title'), /dimension 1$/);
    // The slider got the arrow key, so layer and head have not changed.
    assert.match(await text(page, '.neuron-view .reading'), /Layer 2, head 3/);
    await token(page, 'key', 4).click();
    await page.mouse.move(2, 2);
    assert.match(await text(page, '.zoom-title'), /time → like, dimension 1$/);
    const rows = await openTable(page, 1);
    assert.equal(rows.length, headDim);
    assert.deepEqual(rows[1].slice(0, 3), [
      '1',
      written(query[1], 4),
      written(keys[4 * headDim + 1], 4),
    ]);
  },
);
