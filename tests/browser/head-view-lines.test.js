import assert from 'node:assert/strict';
import {npz} from '../../web/engine/files/npz-writer.js';
import {assertAccessible} from './axe.js';
import {
  assertColour,
  assertNear,
  column,
  meanOf,
  opacityInTheMiddle,
  rgb,
  showHeads,
  showStrongest,
  strongest,
  text,
} from './head-view.js';
import {pressInMore} from './more-menu.js';
import {drawing, engineAttention, pinch, pixel, token, userTest, waitForValues} from './support.js';
import {embedded} from '../support/embedded-model.js';

/** @import {Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */

/** The opacity of the line and the strip of a focused token. @param {number} weight */
const lifted = (weight) => weight ** 0.4;

userTest(
  'a line has the colour of its head and the opacity of its weight',
  {hash: text},
  async (page) => {
    const {head, matrix, ...link} = await showStrongest(page);
    const {width, rowHeight} = await drawing(page);
    const y = ((link.query + link.key + 1) / 2) * rowHeight;
    const {colour, opacity} = await pixel(page, width / 2, y);
    assertColour(colour, rgb(head));
    assertNear(opacity, opacityInTheMiddle(matrix, link));
  },
);

userTest(
  'a line of two active heads has the opacity of half of each weight, lifted',
  {hash: text},
  async (page) => {
    const beside = (/** @type {number} */ head) => (head ? [head - 1, head] : [0, 1]);
    const {head, heads, query, key} = await showStrongest(page, beside);
    const two = beside(head).map((each) => heads[each]);
    const {width, rowHeight} = await drawing(page);
    // The token is in focus, so that no other line runs through the point; two strips take 16 pixels.
    await token(page, 'query', query).hover();
    await waitForValues(page, 'key', meanOf(two)[query]);
    const y = (query + 0.5 + (key - query) * 0.3) * rowHeight;
    const {opacity} = await pixel(page, (width - 16) * 0.3, y);
    const [first, second] = two.map((matrix) => matrix[query][key] / 2);
    assertNear(opacity, lifted(1 - (1 - first) * (1 - second)));
  },
);

userTest(
  'the faint lines of the mean of a layer are stronger, and a larger weight stays the stronger line',
  {hash: `${text}&layer=1`},
  async (page) => {
    const mean = meanOf(await engineAttention(page, 1));
    const {width, rowHeight} = await drawing(page);
    const query = 2;
    await token(page, 'query', query).hover();
    await waitForValues(page, 'key', mean[query]);
    const found = [];
    for (const [key, weight] of mean[query].entries()) {
      const y = (query + 0.5 + (key - query) * 0.4) * rowHeight;
      const {opacity} = await pixel(page, (width - 64) * 0.4, y);
      found.push({weight, opacity});
    }
    const faint = found.filter(({weight}) => weight < 0.15 && weight > 0.01);
    assert.ok(faint.length > 0, 'some lines are faint');
    // The opacity of all heads together is a little less than their mean.
    for (const {weight, opacity} of faint) {
      assert.ok(opacity > 1.1 * weight, `${opacity} for ${weight}`);
      assert.ok(opacity < 0.5, `${opacity} for ${weight}`);
    }
    const sorted = found.toSorted((a, b) => a.weight - b.weight);
    assert.ok(sorted[0].opacity < sorted[sorted.length - 1].opacity);
  },
);

userTest(
  'lines have the colours of the dark theme in the dark',
  {hash: text, colorScheme: 'dark'},
  async (page) => {
    const {head, query, key} = await showStrongest(page);
    const {width, rowHeight} = await drawing(page);
    const {colour} = await pixel(page, width / 2, ((query + key + 1) / 2) * rowHeight);
    assertColour(colour, rgb(head, true));
  },
);

userTest(
  'a token in focus hides the lines that do not touch it and shows a strip for each head',
  {hash: text},
  async (page) => {
    const {head, heads, query, key, weight} = await showStrongest(page, () => []);
    const {width, rowHeight} = await drawing(page);
    // No line of another token passes this point near the query.
    const near = /** @type {const} */ ([
      width / 10,
      (query + 0.5 + (key - query) / 10) * rowHeight,
    ]);
    assert.ok((await pixel(page, ...near)).opacity > 0.05);

    const far = query < 4 ? 7 : 0;
    await token(page, 'query', far).hover();
    await waitForValues(page, 'key', meanOf(heads)[far]);
    assert.ok((await pixel(page, ...near)).opacity < 0.05, 'a line out of focus is hidden');

    await token(page, 'query', query).hover();
    await waitForValues(page, 'key', meanOf(heads)[query]);
    // The strips of eight heads or more share 64 pixels, which end at the keys.
    const inStrip = (64 / embedded.heads) * (head + 0.5);
    const strip = await pixel(page, width - 64 + inStrip, (key + 0.5) * rowHeight);
    assertColour(strip.colour, rgb(head));
    assertNear(strip.opacity, lifted(weight), 0.02);

    // For a key, the strips of received attention are on the left.
    await token(page, 'key', key).hover();
    await waitForValues(page, 'query', column(meanOf(heads), key));
    const received = await pixel(page, inStrip, (query + 0.5) * rowHeight);
    assertColour(received.colour, rgb(head));
    assertNear(received.opacity, lifted(weight), 0.02);
  },
);

userTest(
  'the strongest lines of a pinned token show their percentage until the token is released',
  {hash: `${text}&layer=1&heads=1&token=q3`},
  async (page) => {
    /** Counts pixels in the colour of text on the lines. */
    const inked = () =>
      page.evaluate(() => {
        const root = document.querySelector('bert-scope')?.shadowRoot;
        const canvas = /** @type {HTMLCanvasElement} */ (root?.querySelector('.lines canvas'));
        const context = canvas.getContext('2d');
        const x = Math.round(canvas.width * 0.6);
        const {data} = /** @type {ImageData} */ (
          context?.getImageData(x, 0, Math.round(canvas.width * 0.2), canvas.height)
        );
        let dark = 0;
        for (let i = 0; i < data.length; i += 4) {
          dark += Number(data[i] < 60 && data[i + 1] < 60 && data[i + 2] < 70 && data[i + 3] > 200);
        }
        return dark;
      });
    assert.ok((await inked()) > 20, 'digits stand on the line');
    await token(page, 'query', 3).click();
    await page.locator('.token[aria-pressed=true]').waitFor({state: 'detached'});
    await page.locator('#text').hover();
    assert.equal(await inked(), 0);
  },
);

userTest('pointing at a line shows its weights', {hash: text}, async (page) => {
  const {layer, head, query, key, weight} = await showStrongest(page);
  // The inspector beside the picture comes later and may move it once.
  await page.getByLabel(new RegExp(`^Layer ${layer}, head ${head}: `)).waitFor();
  const {width, rowHeight} = await drawing(page);
  const position = {x: width / 2, y: ((query + key + 1) / 2) * rowHeight};
  await page.locator('.lines canvas').hover({position});
  const tooltip = page.locator('.tooltip');
  await tooltip.waitFor();
  const tokens = await page.locator('.query .piece').allTextContents();
  assert.equal(await tooltip.locator('.pair').textContent(), `${tokens[query]} → ${tokens[key]}`);
  assert.deepEqual(await tooltip.locator('.number').allTextContents(), [weight.toFixed(3)]);
  await page.locator('#text').hover();
  await tooltip.waitFor({state: 'hidden'});
});

userTest(
  'a tap pins a token, a second tap releases it, and a tap on a line shows its weights',
  {
    hash: text,
    viewport: {width: 390, height: 844},
    hasTouch: true,
    isMobile: true,
  },
  async (page) => {
    const {matrix, query, key, weight} = await showStrongest(page);
    await token(page, 'query', 2).tap();
    await waitForValues(page, 'key', matrix[2]);
    await token(page, 'query', 2).tap();
    await page.locator('.token[aria-pressed=true]').waitFor({state: 'detached'});
    const {width, rowHeight} = await drawing(page);
    const position = {x: width / 2, y: ((query + key + 1) / 2) * rowHeight};
    await page.locator('.lines canvas').tap({position});
    await page.locator('.tooltip .number', {hasText: weight.toFixed(3)}).waitFor();
  },
);

const longText = Array.from({length: 20}, (_, i) =>
  `the old man ${i} sat on a bank of the river and she put her money in the house.`.replaceAll(
    ' ',
    '+',
  ),
).join('+');

userTest(
  '256 tokens scroll within the view, and the visible part is drawn',
  {hash: `#text=${longText}&layer=0`},
  async (page) => {
    const size = 256;
    // The test looks for a head with a strong weight among the tokens on the screen.
    const first = 110;
    const attended = async (/** @type {number} */ layer, /** @type {number} */ head) => {
      const weights = await page.evaluate(
        async ([layer, head]) => {
          const {result} = /** @type {Scope} */ (document.querySelector('bert-scope'));
          return [...(await result.attention(layer, head))];
        },
        [layer, head],
      );
      assert.equal(weights.length, size * size);
      const matrix = Array.from({length: size}, (_, i) => weights.slice(i * size, (i + 1) * size));
      return {matrix, ...strongest(matrix.slice(first, 120).map((row) => row.slice(first, 120)))};
    };
    const ofHeads = [];
    for (let head = 0; head < embedded.heads; head++) ofHeads.push(await attended(0, head));
    const weight = Math.max(...ofHeads.map((each) => each.weight));
    const head = ofHeads.findIndex((each) => each.weight === weight);
    const {matrix, query, key} = ofHeads[head];
    assert.ok(weight > 0.3, `a head of layer 0 looks at a token nearby: ${weight} at most`);
    await showHeads(page, 0, [head]);
    await token(page, 'query', 120).scrollIntoViewIfNeeded();
    await token(page, 'query', first + query).hover();
    await waitForValues(page, 'key', matrix[first + query]);
    const strip = await page.evaluate((row) => {
      const root = /** @type {any} */ (document.querySelector('bert-scope')).shadowRoot;
      const canvas = root.querySelector('canvas');
      const box = root.querySelectorAll('.key .token')[row].getBoundingClientRect();
      const y = (box.top + box.bottom) / 2 - canvas.getBoundingClientRect().top;
      return [...canvas.getContext('2d').getImageData(canvas.width - 8, Math.round(y), 1, 1).data];
    }, first + key);
    assertNear(strip[3] / 255, lifted(weight), 0.02);
    assertColour(strip.slice(0, 3), rgb(head));
  },
);

/** Makes a file of many tokens, each of which attends to the one before it. @param {number} size */
function longFile(size) {
  const values = new Float32Array(size * size);
  for (let i = 0; i < size; i++) values[i * size + Math.max(0, i - 1)] = 1;
  const names = Array.from({length: size}, (_, i) => `t${i}`);
  const bytes = npz({
    attention: {values, shape: [1, 1, size, size]},
    tokens: {values: names, shape: [size]},
  });
  return {name: 'long.npz', mimeType: 'application/zip', buffer: Buffer.from(bytes)};
}

/** @param {Page} page @param {number} size */
async function openLong(page, size) {
  await pressInMore(page, 'Open attention from a file…');
  await page.locator('#import-file').setInputFiles(longFile(size));
  await page.getByRole('button', {name: 'Show', exact: true}).click();
  await token(page, 'query', size - 1).waitFor({state: 'attached'});
}

/** @param {Page} page */
const scrolled = (page) => page.locator('.scroller').evaluate(({scrollTop}) => scrollTop);

userTest(
  'a minimap beside 512 tokens shows all lines, and a click on it scrolls there',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    assert.equal(await page.locator('.minimap').isVisible(), false);
    await openLong(page, 512);
    await page.locator('.minimap canvas').waitFor();
    // Every line runs one row down at most, so the map is inked from top to bottom.
    await page.waitForFunction(() => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      const canvas = /** @type {HTMLCanvasElement} */ (root?.querySelector('.minimap canvas'));
      const {width, height} = canvas;
      const data = canvas.getContext('2d')?.getImageData(width / 2, 0, 1, height).data ?? [];
      return height > 300 && data.filter((_, i) => i % 4 === 3 && data[i] > 40).length > height / 2;
    });
    await page.locator('.head-body').evaluate((box) => box.scrollIntoView());
    const sheet = await page.locator('.minimap .sheet').boundingBox();
    assert.ok(sheet);
    await page.mouse.click(sheet.x + 10, sheet.y + sheet.height * 0.75);
    const middle = await page
      .locator('.scroller')
      .evaluate((box) => (box.scrollTop + box.clientHeight / 2) / box.scrollHeight);
    assertNear(middle, 0.75, 0.01);
    assert.ok(await token(page, 'query', 384).isVisible());
    await page.mouse.move(sheet.x + 10, sheet.y + sheet.height * 0.75);
    await page.mouse.down();
    await page.mouse.move(sheet.x + 10, sheet.y + 2, {steps: 3});
    await page.mouse.up();
    assert.equal(await scrolled(page), 0);
    // The rows become smaller, down to 3 pixels.
    const rowHeight = () => drawing(page).then((box) => box.rowHeight);
    const before = await rowHeight();
    await page.getByRole('button', {name: 'Smaller rows'}).click();
    assertNear(await rowHeight(), before / 1.5, 0.01);
    const lines = await page.locator('.lines canvas').boundingBox();
    assert.ok(lines);
    await page.mouse.move(lines.x + lines.width / 2, sheet.y + 100);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, 800);
    await page.keyboard.up('Control');
    await page.waitForFunction(() => {
      const box = document.querySelector('bert-scope')?.shadowRoot?.querySelector('.scroller');
      return box && box.scrollHeight < 3.5 * box.clientHeight;
    });
    const {width, rowHeight: small} = await drawing(page);
    const top = await scrolled(page);
    const row = Math.round((top + 100) / small);
    const {opacity} = await pixel(page, width / 2, row * small - top);
    assert.ok(opacity > 0.3, 'lines follow the rows');
    await assertAccessible(page, '.minimap');
  },
);

userTest(
  'two fingers enlarge the rows between them',
  {
    hash: '#text=the+cat&layer=0',
    viewport: {width: 390, height: 844},
    hasTouch: true,
    isMobile: true,
  },
  async (page) => {
    await openLong(page, 128);
    await page.locator('.scroller').evaluate((box) => (box.scrollTop = 1000));
    await page.locator('.scroller').scrollIntoViewIfNeeded();
    const box = await page.locator('.lines canvas').boundingBox();
    assert.ok(box);
    const rowAt = async (/** @type {number} */ y) =>
      ((await scrolled(page)) + y) / (await drawing(page)).rowHeight;
    const x = box.x + box.width / 2;
    const y = box.height / 2;
    const before = {height: (await drawing(page)).rowHeight, row: await rowAt(y)};
    await pinch(page, {x, y: box.y + y});
    const after = (await drawing(page)).rowHeight;
    assertNear(after / before.height, 1.5, 0.1);
    assertNear(await rowAt(y), before.row, 1);
  },
);
