import assert from 'node:assert/strict';
import {headColour} from '../../web/views/parts/head-colours.js';
import {embedded} from '../support/embedded-model.js';
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
import {importFixed} from './exported.js';
import {
  engineAttention,
  phone,
  researcherTest,
  token,
  userTest,
  waitForTokens,
  waitForValues,
} from './support.js';

/** @import {Page} from 'playwright-core' */

const hash = '#text=the+cat+sat+on+the+mat&view=model';
const pairHash = '#text=the+cat+sat&pair=the+mat+lay&view=model';
const tokens = '[CLS] the cat sat on the mat [SEP]'.split(' ');
const lastLayer = embedded.layers - 1;
const lastHead = embedded.heads - 1;
/** The number of heads in all layers. */
const headCount = embedded.layers * embedded.heads;

/** @param {Page} page @param {number} layer @param {number} head */
const thumbnail = (page, layer, head) =>
  page.getByRole('button', {name: `Layer ${layer}, head ${head}`, exact: true});

/**
 * Waits until the sentence on the head under the pointer has these words, and reads it.
 * @param {Page} page @param {string} words
 */
const reading = (page, words) => page.locator('.overview .reading', {hasText: words}).innerText();

/**
 * Measures the ink of one thumbnail: the sum of the opacities of its pixels, and its strongest colour.
 *
 * @param {Page} page
 * @param {number} layer
 * @param {number} head
 */
const ink = (page, layer, head) =>
  page.evaluate(
    ([layer, head]) => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      const canvas = /** @type {HTMLCanvasElement} */ (root?.querySelector('.sheet canvas'));
      const button = root?.querySelector(`.thumbnail[data-layer="${layer}"][data-head="${head}"]`);
      const box = button?.getBoundingClientRect();
      const sheet = canvas.getBoundingClientRect();
      const context = canvas.getContext('2d');
      if (!context || !box) throw new Error('nothing is drawn');
      const ratio = devicePixelRatio;
      const {data} = context.getImageData(
        Math.round((box.x - sheet.x) * ratio),
        Math.round((box.y - sheet.y) * ratio),
        Math.round(box.width * ratio),
        Math.round(box.height * ratio),
      );
      let sum = 0;
      let strongest = 3;
      for (let i = 3; i < data.length; i += 4) {
        sum += data[i] / 255;
        if (data[i] > data[strongest]) strongest = i;
      }
      return {sum, colour: [...data.slice(strongest - 3, strongest)]};
    },
    [layer, head],
  );

/** @param {number} head */
const rgb = (head) =>
  [1, 3, 5].map((at) => parseInt(headColour(head, false).slice(at, at + 2), 16));

/** Finds the strongest weight of a head. @param {number[][]} matrix */
function strongest(matrix) {
  const weight = Math.max(...matrix.flat());
  const query = matrix.findIndex((row) => row.includes(weight));
  return {query, key: matrix[query].indexOf(weight), weight};
}

userTest('every head of every layer is drawn, in its colour', {hash}, async (page) => {
  for (const [layer, head] of [
    [0, 0],
    [0, lastHead],
    [lastLayer, 0],
    [2, 4],
    [lastLayer, lastHead],
  ]) {
    await eventually(`layer ${layer}, head ${head} to be drawn`, async () => {
      const {sum, colour} = await ink(page, layer, head);
      assert.ok(sum > 20, `it has ${sum} pixels of ink`);
      const off = Math.max(...colour.map((value, i) => Math.abs(value - rgb(head)[i])));
      assert.ok(off < 12, `it has the colour ${colour}`);
    });
  }
  const names = await page.locator('.axis').allInnerTexts();
  const expected = [...Array(embedded.heads).keys(), ...Array(embedded.layers).keys()];
  assert.deepEqual(names.map(Number), expected);
});

userTest(
  'pointing at a head shows its strongest link, with the engine’s weight',
  {hash},
  async (page) => {
    const attention = await engineAttention(page, 3);
    await thumbnail(page, 3, 4).hover();
    const {query, key, weight} = strongest(attention[4]);
    const text = await reading(page, 'Layer 3, head 4: strongest');
    assert.ok(text.includes(`${tokens[query]} → ${tokens[key]} ${weight.toFixed(3)}`), text);
  },
);

userTest(
  'the reading of the head under the pointer stays while another head is chosen',
  {hash},
  async (page) => {
    await thumbnail(page, 3, 4).hover();
    await reading(page, 'Layer 3, head 4: strongest');
    await page.evaluate(() => (location.hash += '&layer=2&heads=6'));
    await page.locator('.thumbnail[aria-current][data-layer="2"]').waitFor();
    assert.match(await reading(page, ''), /^Layer 3, head 4: strongest/);
    await page.mouse.move(0, 0);
    await reading(page, 'Point at a head');
  },
);

userTest('a click shows a head large, and a second click closes it', {hash}, async (page) => {
  const attention = await engineAttention(page, 3);
  await thumbnail(page, 3, 4).click();
  await waitForTokens(page, tokens);
  assert.match(await page.locator('.detail .title').innerText(), /Layer 3, head 4/);
  await token(page, 'query', 2).hover();
  await waitForValues(page, 'key', attention[4][2]);
  await page.locator('.detail .title').click();
  await thumbnail(page, 0, 0).waitFor();
  assert.equal(await page.locator('.detail').count(), 0);
});

userTest(
  'arrow keys move through the heads, Enter shows one large, and Escape closes it',
  {hash},
  async (page) => {
    const focused = () =>
      page.evaluate(
        () => document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-label') ?? '',
      );
    await thumbnail(page, 0, 0).focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowLeft'])
      await page.keyboard.press(key);
    assert.equal(await focused(), 'Layer 1, head 0');
    await page.keyboard.press('End');
    assert.equal(await focused(), `Layer 1, head ${lastHead}`);
    await page.keyboard.press('Control+Home');
    assert.equal(await focused(), 'Layer 0, head 0');
    await page.keyboard.press('ArrowRight');
    await reading(page, 'Layer 0, head 1');
    await page.keyboard.press('Enter');
    assert.match(await page.locator('.detail .title').innerText(), /Layer 0, head 1/);
    await page.keyboard.press('Escape');
    assert.equal(await focused(), 'Layer 0, head 1');
  },
);

userTest('a button shows the large head in the head view', {hash}, async (page) => {
  await thumbnail(page, 2, 5).click();
  await page.getByRole('button', {name: 'Show in the head view'}).click();
  await page.waitForFunction(() => {
    const hash = new URLSearchParams(location.hash.slice(1));
    return hash.get('layer') === '2' && hash.get('heads') === '5' && hash.get('view') !== 'model';
  });
});

userTest('the large head is the chosen one, and follows the choice', {hash}, async (page) => {
  const title = page.locator('.detail .title');
  await thumbnail(page, 2, 5).click();
  await page.waitForFunction(() => /layer=2.*heads=5|heads=5.*layer=2/.test(location.hash));
  await title.getByText('Layer 2, head 5').waitFor();
  await page.keyboard.press('Shift+ArrowDown');
  await title.getByText('Layer 3, head 5').waitFor();
  await page.keyboard.press('4');
  await title.getByText('Layer 3, head 4').waitFor();
  await waitForTokens(page, tokens);
  const attention = await engineAttention(page, 3);
  await token(page, 'query', 2).hover();
  await waitForValues(page, 'key', attention[4][2]);
  await page.keyboard.press('Escape');
  const marked = await page.locator('.thumbnail[aria-current]').getAttribute('aria-label');
  assert.equal(marked, 'Layer 3, head 4');
});

userTest('the address says that a head is large, and back closes it', {hash}, async (page) => {
  const title = page.locator('.detail .title');
  await thumbnail(page, 2, 5).click();
  await page.waitForURL(/open=1/);
  await page.reload();
  await title.getByText('Layer 2, head 5').waitFor();
  const attention = await engineAttention(page, 2);
  await token(page, 'query', 2).hover();
  await waitForValues(page, 'key', attention[5][2]);
  await title.click();
  await page.waitForURL((url) => !url.hash.includes('open='));
  await thumbnail(page, 1, 1).click();
  await title.getByText('Layer 1, head 1').waitFor();
  await page.goBack();
  await thumbnail(page, 1, 1).waitFor();
});

researcherTest(
  'a click on a head’s square, on the map or in the row, shows that head large',
  {hash},
  async (page) => {
    const title = page.locator('.detail .title');
    await page.locator('.square').nth(6).click();
    await title.getByText('Layer 0, head 6').waitFor();
    await page.locator(`.head-square[data-layer="${lastLayer}"][data-head="2"]`).click();
    await title.getByText(`Layer ${lastLayer}, head 2`).waitFor();
    await page.waitForURL(new RegExp(`layer=${lastLayer}&heads=2&open=1`));
    await title.click();
    await thumbnail(page, lastLayer, 2).waitFor();
  },
);

researcherTest(
  'chosen layers and heads are shown alone, with their own numbers, and are in the address',
  {hash},
  async (page) => {
    const from = await page.locator('.head-square[data-layer="1"][data-head="2"]').boundingBox();
    const to = await page.locator('.head-square[data-layer="3"][data-head="4"]').boundingBox();
    assert.ok(from && to);
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + 5, {steps: 6});
    await page.mouse.up();
    await page.waitForURL(/only-layers=1\.2\.3&only-heads=2\.3\.4/);
    const axes = () => page.locator('.axis').allInnerTexts();
    assert.deepEqual(await axes(), ['2', '3', '4', '1', '2', '3']);
    assert.equal(await page.locator('.thumbnail').count(), 9);
    await page.reload();
    await thumbnail(page, 3, 4).waitFor();
    assert.equal(await page.locator('.thumbnail').count(), 9);
    // The inspector describes heads that the view shows.
    const place = page.locator('.inspector .place');
    await place.getByText('Layer 1, 3 heads on average', {exact: true}).waitFor();
    assert.equal(await page.locator('.thumbnail[aria-current]').count(), 3);
    const {sum, colour} = await ink(page, 3, 4);
    const off = Math.max(...colour.map((value, i) => Math.abs(value - rgb(4)[i])));
    assert.ok(sum > 20 && off < 12, `${sum} pixels of ${colour}`);
    const attention = await engineAttention(page, 3);
    await thumbnail(page, 3, 4).hover();
    const {query, key, weight} = strongest(attention[4]);
    await reading(page, `${tokens[query]} → ${tokens[key]} ${weight.toFixed(3)}`);
    await thumbnail(page, 1, 2).focus();
    for (const key of ['ArrowDown', 'End', 'Enter']) await page.keyboard.press(key);
    await page.locator('.detail .title').getByText('Layer 2, head 4').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', {name: 'Show all'}).click();
    await thumbnail(page, lastLayer, lastHead).waitFor(); // once its weights have been fetched
    assert.equal(await page.locator('.thumbnail').count(), headCount);
    await place.getByText('Layer 2, head 4', {exact: true}).waitFor();
    await page.waitForURL((url) => !url.hash.includes('only-'));
  },
);

userTest(
  'the chosen layer and heads are marked',
  {hash: `${hash}&layer=2&heads=1.4`},
  async (page) => {
    const marked = await page
      .locator('.thumbnail[aria-current]')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
    assert.deepEqual(marked, ['Layer 2, head 1', 'Layer 2, head 4']);
    assert.equal(await page.locator('.axis.current').innerText(), '2');
  },
);

researcherTest(
  'every head shows only the lines of the filter and of the pinned token',
  {hash: pairHash},
  async (page) => {
    const all = (await ink(page, 0, 2)).sum;
    await page.getByRole('radio', {name: 'A→B'}).check({force: true});
    await page.waitForFunction(() => location.hash.includes('filter=ab'));
    const across = (await ink(page, 0, 2)).sum;
    assert.ok(across < all / 2, `${across} of ${all} left`);
    await page.goto(`${page.url().split('#')[0]}#text=the+cat&view=model&token=q2`);
    await page.locator('.overview .reading', {hasText: 'Only the lines of cat'}).waitFor();
  },
);

researcherTest('a table names the strongest link of each head', {hash}, async (page) => {
  const attention = await engineAttention(page, lastLayer);
  await page.locator('.overview summary').click();
  await page.locator('.overview tbody tr').first().waitFor();
  const rows = await page
    .locator('.overview tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.equal(rows.length, headCount);
  const {query, key, weight} = strongest(attention[lastHead]);
  const place = [lastLayer, lastHead].map(String);
  assert.deepEqual(rows.at(-1), [...place, tokens[query], tokens[key], weight.toFixed(3)]);
});

/** Checks that a head of a phone’s model view is in sight, and that only the view scrolls. @param {Page} page @param {number} head */
async function assertInSight(page, head) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 390, `the page is ${width} wide`);
  const box = await thumbnail(page, 0, head).boundingBox();
  assert.ok(box && box.x >= 0 && box.x + box.width <= 390, `head ${head} is visible`);
}

userTest(
  'a phone draws the heads of every layer, of which more than eight scroll inside the view, and a tap shows one large',
  {hash, ...phone, deviceScaleFactor: 2},
  async (page) => {
    await assertInSight(page, Math.min(lastHead, 5));
    assert.ok((await ink(page, 1, 1)).sum > 20);
    await page.getByText('Tap a head to see it large.').waitFor();
    if (embedded.heads > 8) await thumbnail(page, 0, lastHead).scrollIntoViewIfNeeded();
    await assertInSight(page, lastHead);
    await thumbnail(page, lastLayer, lastHead).tap();
    const title = await page.locator('.detail .title').innerText();
    assert.match(title, new RegExp(`Layer ${lastLayer}, head ${lastHead}$`));
    await waitForTokens(page, tokens);
  },
);

userTest('eight heads of a layer fit a phone', {hash, ...phone}, async (page) => {
  await importFixed(page);
  await thumbnail(page, 5, 7).waitFor();
  await assertInSight(page, 7);
});

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  const claim = `axe finds nothing in the ${colorScheme} model view and in a large head`;
  researcherTest(claim, {hash: `${hash}&layer=2&heads=1.4`, colorScheme}, async (page) => {
    await page.locator('.overview summary').click();
    await assertAccessible(page);
    await thumbnail(page, 1, 1).click();
    await assertAccessible(page);
  });
}
