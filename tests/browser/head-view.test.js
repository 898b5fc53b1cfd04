import assert from 'node:assert/strict';
import {embedded} from '../support/embedded-model.js';
import {column, meanOf, text} from './head-view.js';
import {
  engineAttention,
  researcherTest,
  token,
  userTest,
  waitForTokens,
  waitForValues,
} from './support.js';

/** @import {Page} from 'playwright-core' */

const allHeads = [...Array(embedded.heads).keys()];
const lastLayer = embedded.layers - 1;
const lastHead = embedded.heads - 1;

/** @param {Page} page @param {number} head */
const square = (page, head) => page.locator('.square').nth(head);

/** @param {Page} page */
const activeHeads = (page) =>
  page
    .locator('.square[aria-pressed=true]')
    .allTextContents()
    .then((texts) => texts.map(Number));

userTest(
  'a query under the pointer shows the weight it gives to each key',
  {hash: text},
  async (page) => {
    const mean = meanOf(await engineAttention(page, 0));
    await token(page, 'query', 2).hover();
    await waitForValues(page, 'key', mean[2]);
    assert.equal(await page.locator('.query .value').nth(0).textContent(), '');
  },
);

userTest(
  'a key under the pointer shows the weight it receives from each query',
  {hash: text},
  async (page) => {
    const mean = meanOf(await engineAttention(page, 0));
    await token(page, 'key', 3).hover();
    await waitForValues(page, 'query', column(mean, 3));
  },
);

userTest('the weights disappear when the pointer leaves the column', {hash: text}, async (page) => {
  await token(page, 'query', 2).hover();
  await page.locator('.key .value').nth(0).filter({hasText: /\d/}).waitFor();
  await page.locator('#text').hover();
  await page.locator('.key .value').nth(0).filter({hasNotText: /\d/}).waitFor({state: 'attached'});
});

researcherTest(
  'another layer shows its own weights, of the same heads',
  {hash: `${text}&heads=2.3`},
  async (page) => {
    await page.getByRole('radio', {name: String(lastLayer)}).check();
    const heads = await engineAttention(page, lastLayer);
    await token(page, 'query', 1).hover();
    await waitForValues(page, 'key', meanOf([heads[2], heads[3]])[1]);
    assert.deepEqual(await activeHeads(page), [2, 3]);
  },
);

researcherTest(
  'a click on a square switches its head, but never the last active one',
  {hash: text},
  async (page) => {
    const heads = await engineAttention(page, 0);
    await square(page, 5).click();
    const others = allHeads.filter((head) => head !== 5);
    assert.deepEqual(await activeHeads(page), others);
    await token(page, 'query', 3).hover();
    await waitForValues(page, 'key', meanOf(heads.filter((_, head) => head !== 5))[3]);
    for (const head of others.slice(0, -1)) await square(page, head).click();
    assert.deepEqual(await activeHeads(page), [lastHead]);
    await square(page, lastHead).click();
    assert.deepEqual(await activeHeads(page), [lastHead]);
    await page.getByRole('button', {name: 'All', exact: true}).click();
    assert.deepEqual(await activeHeads(page), allHeads);
  },
);

researcherTest(
  'a double click leaves one head on, and a second one brings all back',
  {hash: text},
  async (page) => {
    const heads = await engineAttention(page, 0);
    await square(page, 4).dblclick();
    assert.deepEqual(await activeHeads(page), [4]);
    await token(page, 'query', 3).hover();
    await waitForValues(page, 'key', heads[4][3]);
    await square(page, 4).dblclick();
    assert.deepEqual(await activeHeads(page), allHeads);
    await square(page, 2).click();
    await square(page, 2).dblclick();
    assert.deepEqual(await activeHeads(page), [2]);
  },
);

researcherTest(
  'a click with Shift on a square chooses all heads up to it',
  {hash: `${text}&heads=2`},
  async (page) => {
    await square(page, 5).click({modifiers: ['Shift']});
    assert.deepEqual(await activeHeads(page), [2, 3, 4, 5]);
    await square(page, 1).click({modifiers: ['Shift']});
    assert.deepEqual(await activeHeads(page), [1, 2, 3, 4, 5]);
  },
);

researcherTest(
  'a filter of a pair shortens both columns and leaves the weights unchanged',
  {hash: `${text}&pair=the+cat+lay+on+the+rug`},
  async (page) => {
    const tokens = await page.evaluate(
      () => /** @type {any} */ (document.querySelector('bert-scope')).result.tokens,
    );
    const start = tokens.indexOf('[SEP]') + 1;
    const [a, b] = [tokens.slice(0, start), tokens.slice(start)];
    for (const [label, left, right] of [
      ['A→A', a, a],
      ['B→B', b, b],
      ['B→A', b, a],
      ['A→B', a, b],
    ]) {
      await page.getByRole('radio', {name: label}).check();
      await waitForTokens(page, left, 'query');
      await waitForTokens(page, right, 'key');
    }
    const mean = meanOf(await engineAttention(page, 0));
    await token(page, 'query', 1).hover();
    await waitForValues(page, 'key', mean[1].slice(start));
    await page.getByRole('radio', {name: 'All'}).check();
    await waitForTokens(page, tokens, 'key');
  },
);

userTest('one sentence has no filters', {hash: text}, async (page) => {
  assert.equal(await page.getByRole('radio', {name: 'A→B'}).count(), 0);
});

userTest('a click pins a token, and Escape releases it', {hash: text}, async (page) => {
  const mean = meanOf(await engineAttention(page, 0));
  await token(page, 'query', 3).click();
  await page.locator('#text').hover();
  await waitForValues(page, 'key', mean[3]);
  assert.equal(await token(page, 'query', 3).getAttribute('aria-pressed'), 'true');
  // Another token of the same side is previewed, then the pinned one comes back.
  await token(page, 'query', 5).hover();
  await waitForValues(page, 'key', mean[5]);
  await page.locator('#text').hover();
  await waitForValues(page, 'key', mean[3]);
  await page.keyboard.press('Escape');
  await page.locator('.token[aria-pressed=true]').waitFor({state: 'detached'});
  assert.equal(await page.locator('.key .value').nth(0).textContent(), '');
});

userTest(
  'a tooltip on a token across from the pinned one gives the weight of every active head',
  {hash: `${text}&heads=1.6&layer=2`},
  async (page) => {
    const heads = await engineAttention(page, 2);
    await token(page, 'query', 3).click();
    await token(page, 'key', 5).hover();
    const tooltip = page.locator('.tooltip');
    await tooltip.waitFor();
    const numbers = await tooltip.locator('.number').allTextContents();
    const [one, six] = [heads[1][3][5], heads[6][3][5]];
    assert.deepEqual(
      numbers,
      [one, six, (one + six) / 2].map((weight) => weight.toFixed(3)),
    );
  },
);

for (const compared of ['', '&compare-mode=side&compare-text=the+mat'])
  researcherTest(
    `hints are not cut off at a width of 1300 px${compared && ', side by side'}`,
    {hash: `${text}${compared}`, viewport: {width: 1300, height: 800}},
    async (page) => {
      for (const view of ['Head', 'Model', 'Matrix']) {
        await page.getByRole('radio', {name: view, exact: true}).check();
        const views = page.locator(`.${view.toLowerCase()}-view`);
        await views.nth(compared ? 1 : 0).waitFor();
        const cut = await page
          .locator('.reading')
          .evaluateAll((all) =>
            all
              .filter(
                (one) =>
                  one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1,
              )
              .map((one) => one.textContent),
          );
        assert.deepEqual(cut, []);
      }
    },
  );
