import assert from 'node:assert/strict';
import {matrixColours} from '../../web/views/parts/weight-colours.js';
import {embedded} from '../support/embedded-model.js';
import {eventually} from '../support/eventually.js';
import {showHeads} from './head-view.js';
import {engineAttention, pinch, researcherTest, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

const text = '#text=the+cat+sat+on+the+mat&view=matrix';

/** @param {Page} page */
const map = (page) => page.locator('.map');

/** @param {Page} page */
const reading = (page) => page.locator('.reading').textContent();

/** Reads the pixel at a point of the map. @param {Page} page @param {number} x @param {number} y */
const pixelAt = (page, x, y) =>
  page.evaluate(
    ([x, y]) => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      const canvas = /** @type {HTMLCanvasElement} */ (root?.querySelector('.map canvas'));
      const ratio = devicePixelRatio;
      const context = canvas.getContext('2d');
      return [...(context?.getImageData(x * ratio, y * ratio, 1, 1).data ?? [])].slice(0, 3);
    },
    [x, y],
  );

/** Moves to a cell with the arrow keys. */
async function findCell(
  /** @type {Page} */ page,
  /** @type {number} */ query,
  /** @type {number} */ key,
) {
  await map(page).focus();
  await page.keyboard.press('ArrowDown');
  for (let i = 0; i < query; i++) await page.keyboard.press('ArrowDown');
  for (let i = 0; i < key; i++) await page.keyboard.press('ArrowRight');
}

userTest(
  'the arrow keys read every cell of the heat map, and Enter keeps its row',
  {hash: `${text}&layer=1&heads=1`},
  async (page) => {
    const [, matrix] = await engineAttention(page, 1);
    await findCell(page, 3, 2);
    assert.match((await reading(page)) ?? '', new RegExp(`^sat → cat ${matrix[3][2].toFixed(3)}`));
    await page.keyboard.press('Enter');
    await page.waitForURL(/token=q3/);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.hash.includes('token'));
  },
);

userTest(
  'a cell has the colour of its weight, and pointing at it shows the weight',
  {hash: `${text}&layer=1&heads=1`},
  async (page) => {
    const [, matrix] = await engineAttention(page, 1);
    const box = await map(page).locator('canvas').boundingBox();
    assert.ok(box);
    // The pointer goes along a line across the map, on which every cell names itself.
    const seen = new Map();
    for (let x = 4; x < box.width - 4; x += 12) {
      await page.mouse.move(box.x + x, box.y + box.height / 2);
      const sentence = (await reading(page)) ?? '';
      const found = /^(\S+) → (\S+) ([\d.]+)/.exec(sentence);
      if (found) seen.set(x, found);
    }
    assert.ok(seen.size > 8, `${seen.size} places are cells`);
    const tokens = ['[CLS]', 'the', 'cat', 'sat', 'on', 'the', 'mat', '[SEP]'];
    const query = 3;
    const printed = [...seen.values()]
      .map(([, , key, weight]) => `${key} ${weight}`)
      .filter((cell, i, all) => cell !== all[i - 1]);
    assert.deepEqual(
      printed,
      tokens.map((key, j) => `${key} ${matrix[query][j].toFixed(3)}`),
    );
    // The strongest weight of the row is drawn in its colour.
    const strongest = Math.max(...matrix[query]).toFixed(3);
    const [x] = [...seen].find(([, found]) => found[3] === strongest) ?? [0];
    await page.mouse.move(0, 0);
    const expected = matrixColours(false, false)[Math.round(Number(strongest) * 255)];
    const found = await pixelAt(page, x, Math.round(box.height / 2) - 14);
    found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 12, `${found}`));
  },
);

researcherTest(
  'the table has the mean of the chosen heads to three decimals, and a click on a column sorts it',
  {hash: `${text}&layer=2&heads=1.4`},
  async (page) => {
    const heads = await engineAttention(page, 2);
    const mean = heads[1].map((row, i) => row.map((weight, j) => (weight + heads[4][i][j]) / 2));
    await page.getByText('The numbers as a table').click();
    await page.locator('.numbers tbody tr').nth(7).waitFor();
    const rows = page.locator('.numbers tbody tr');
    const texts = async () =>
      Promise.all((await rows.all()).map((row) => row.locator('td').allTextContents()));
    const printed = mean.map((row) => [...row, 1].map((weight) => weight.toFixed(3)));
    assert.deepEqual(await texts(), printed);
    await page.locator('.numbers').getByRole('button', {name: 'mat'}).click();
    const sorted = (await texts()).map((row) => row[6]);
    assert.deepEqual(
      sorted,
      printed
        .map((row) => row[6])
        .sort()
        .reverse(),
    );
    await page.getByRole('columnheader', {name: 'mat', includeHidden: false}).waitFor();
    await page.locator('.numbers').getByRole('button', {name: 'query'}).click();
    assert.deepEqual(await texts(), printed);
  },
);

researcherTest(
  'the mean of all layers is drawn and printed',
  {hash: `${text}&heads=3`},
  async (page) => {
    await page.getByLabel('Mean of all layers').check();
    await page.waitForURL(/layers=mean/);
    const layers = [];
    for (let layer = 0; layer < embedded.layers; layer++)
      layers.push((await engineAttention(page, layer))[3]);
    const mean = layers.reduce((sum, matrix) => sum + matrix[2][1] / layers.length, 0);
    await findCell(page, 2, 1);
    assert.match((await reading(page)) ?? '', new RegExp(`^cat → the ${mean.toFixed(3)}`));
  },
);

userTest(
  'a map of 256 tokens fits the view, can be enlarged, and fits again on a click',
  {hash: `#text=${'the+old+man+sat+on+a+bank+of+the+river+'.repeat(30)}&view=matrix`},
  async (page) => {
    const width = () => page.locator('.map > .spacer').evaluate((spacer) => spacer.clientWidth);
    const shown = await map(page).evaluate((element) => element.clientWidth);
    assert.ok((await width()) <= shown + 1, 'the whole map fits');
    const larger = page.getByRole('button', {name: 'Larger cells'});
    for (let i = 0; i < 8; i++) await larger.click();
    assert.ok((await width()) > 5 * shown);
    await page.getByRole('button', {name: 'Fit'}).click();
    assert.ok((await width()) <= shown + 1);
  },
);

userTest(
  'a tap reads a cell and pins its row, a second tap releases it, and two fingers enlarge the map',
  {
    hash: `${text}&heads=1&layer=1`,
    viewport: {width: 390, height: 844},
    hasTouch: true,
    isMobile: true,
  },
  async (page) => {
    const [, matrix] = await engineAttention(page, 1);
    const canvas = page.locator('.map canvas');
    const box = await canvas.boundingBox();
    assert.ok(box);
    const position = {x: box.width / 2, y: box.height / 2};
    await canvas.tap({position});
    const sentence = await page.locator('.reading', {hasText: '→'}).textContent();
    const [, query, weight] = /^(\S+) → \S+ ([\d.]+)/.exec(sentence ?? '') ?? [];
    await page.waitForURL(/token=q\d/);
    const index = Number(/token=q(\d)/.exec(page.url())?.[1]);
    assert.equal(['[CLS]', 'the', 'cat', 'sat', 'on', 'the', 'mat', '[SEP]'][index], query);
    assert.ok(matrix[index].some((value) => value.toFixed(3) === weight));
    await canvas.tap({position});
    await page.waitForURL((url) => !url.hash.includes('token'));
    const width = () => page.locator('.map > .spacer').evaluate((spacer) => spacer.clientWidth);
    const before = await width();
    await page.evaluate((top) => scrollTo(0, top), box.y / 2);
    const shown = await canvas.boundingBox();
    assert.ok(shown);
    const below = {x: shown.x + shown.width * 0.7, y: shown.y + shown.height * 0.6};
    await pinch(page, below);
    assert.ok((await width()) > 1.25 * before, `${await width()} against ${before}`);
    const tapped = async () => {
      await page.touchscreen.tap(below.x, below.y);
      const sentence = await page.locator('.reading', {hasText: '→'}).textContent();
      return /→ (\S+)/.exec(sentence ?? '')?.[1];
    };
    const enlarged = await tapped();
    // A click would scroll to the button first.
    await page
      .getByRole('button', {name: 'Fit'})
      .evaluate((/** @type {HTMLElement} */ button) => button.click());
    assert.equal(await tapped(), enlarged);
  },
);

researcherTest(
  'colours run to the largest weight, or from 0 to 1 if the reader chooses so',
  {hash: text},
  async (page) => {
    // The head whose weights are the smallest: none of them is near 1.
    let [most, layer, head] = [1, 0, 0];
    /** @type {number[][]} */
    let matrix = [];
    for (let at = 0; at < embedded.layers; at++) {
      for (const [other, weights] of (await engineAttention(page, at)).entries()) {
        const largest = Math.max(...weights.flat());
        if (largest < most) [most, layer, head, matrix] = [largest, at, other, weights];
      }
    }
    assert.ok(most <= 0.5, `a head spreads its attention: ${most} at least`);
    await showHeads(page, layer, [head]);
    await eventually('a scale up to the largest weight', async () => {
      const limit = Number(await page.locator('.legend span').last().textContent());
      assert.ok(most <= limit && limit < 1, `${most} under ${limit}`);
    });
    await page.getByLabel('Colours from 0 to 1').check();
    await page.waitForURL(/scale=full/);
    assert.equal(await page.locator('.legend span').last().textContent(), '1');
    const colours = matrixColours(false, false);
    const expected = matrix.flat().map((weight) => colours[Math.round(weight * 255)].join());
    const seen = await page.evaluate(() => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      const canvas = /** @type {HTMLCanvasElement} */ (root?.querySelector('.map canvas'));
      const {data} = /** @type {ImageData} */ (
        canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height)
      );
      const found = new Set();
      for (let i = 0; i < data.length; i += 4) found.add([...data.slice(i, i + 3)].join());
      return [...found];
    });
    for (const colour of expected) assert.ok(seen.includes(colour), `no cell is ${colour}`);
    await page.reload();
    await page.locator('.legend').getByText('1', {exact: true}).waitFor();
  },
);
