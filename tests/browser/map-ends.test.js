/** Tests the ends of the map of heads: the way to the words that come into the model, and to what comes out of it. */

import assert from 'node:assert/strict';
import {eventually} from '../support/eventually.js';
import {jsonFile, layers, openFile, tokens} from './attention-files.js';
import {loadGolden} from './models.js';
import {openPage, userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

const hash = '#text=the+cat+sat+on+the+mat&layer=1&heads=0';

/** @param {Page} page @param {string} name */
const end = (page, name) => page.locator('.heads').getByRole('button', {name, exact: true});

/** The places of the parts of the map, from the top. @param {Page} page @param {string[]} parts */
const tops = (page, parts) =>
  Promise.all(
    parts.map((part) =>
      page
        .locator(part)
        .first()
        .evaluate((one) => one.getBoundingClientRect().top),
    ),
  );

userTest(
  'the map says where words come in and where the guess comes out, marks the layer on show, and leads to both',
  {hash},
  async (page) => {
    await end(page, 'Guess out').waitFor();
    const places = await tops(page, ['.end.in', '.head-square', '.end.out', '.legend']);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    const bold = await page
      .locator('.squares [role=rowheader]')
      .evaluateAll((all) => all.map((one) => Number(getComputedStyle(one).fontWeight) > 500));
    assert.deepEqual(bold, bold.map((_, layer) => layer === 1)); // prettier-ignore

    await end(page, 'Words in').click();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'text');

    await end(page, 'Guess out').click();
    await page.locator('workbench-guess table').waitFor();
    assert.equal(await end(page, 'Guess out').getAttribute('aria-current'), 'true');
    assert.equal(await page.locator('.drawer:focus').count(), 1, 'the keys go on in the panel');
    await page.getByRole('button', {name: 'Close', exact: true}).click();
    assert.equal(await end(page, 'Guess out').getAttribute('aria-current'), 'false');
  },
);

userTest(
  'the Tab key goes through the map as the model is built: words, heads, guess',
  {hash},
  async (page) => {
    await end(page, 'Guess out').waitFor();
    await end(page, 'Words in').focus();
    await page.keyboard.press('Tab');
    assert.equal(await page.locator('.head-square:focus').count(), 1);
    await page.keyboard.press('Tab');
    assert.equal(await page.locator('.end.out:focus').count(), 1);
    await page.keyboard.press('Enter');
    await page.locator('.drawer').waitFor();
  },
);

userTest('the map does not move when its ends arrive', {fresh: true, open: false}, async (page) => {
  let arrive = () => {};
  const arrival = new Promise((resolve) => (arrive = () => resolve(undefined)));
  await page.route('**/explore-later-*.js', async (route) => {
    await arrival;
    await route.continue();
  });
  await openPage(page);
  const parts = ['.heads h2', '.head-square', '.legend'];
  const before = await tops(page, parts);
  arrive();
  await end(page, 'Guess out').waitFor();
  assert.deepEqual(await tops(page, parts), before);
});

for (const [model, name] of [
  ['gpt2', 'Next word out'],
  ['marian', 'What it writes'],
  ['half-classifier', ''],
])
  userTest(
    `out of “${model}” comes ${name || 'no guess'}`,
    {fresh: true, hash: '#text=the+cat+sat+on'},
    async (page) => {
      await loadGolden(page, model);
      await end(page, 'Words in').waitFor();
      await eventually('the end of the map', async () =>
        assert.deepEqual(
          (await page.locator('.end.out').allInnerTexts()).map((text) => text.trim()),
          name ? [name] : [],
        ),
      );
    },
  );

userTest(
  'attention from a file has no guess, and its words are in the picture',
  {hash},
  async (page) => {
    await end(page, 'Guess out').waitFor();
    await openFile(page, jsonFile('chat.json', {tokens, attention: layers}));
    await waitForTokens(page, tokens);
    await page.locator('.end.out').waitFor({state: 'detached'});
    await end(page, 'Words in').click();
    assert.equal(await page.locator('.content .token:focus').count(), 1);
  },
);
