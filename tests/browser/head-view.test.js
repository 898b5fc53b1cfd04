import assert from 'node:assert/strict';
import {npz} from '../../web/engine/files/npz-writer.js';
import {headColour} from '../../web/views/parts/head-colours.js';
import {
  drawing,
  engineAttention,
  pinch,
  pixel,
  token,
  userTest,
  waitForTokens,
  waitForValues,
} from './support.js';
import {assertAccessible} from './axe.js';

/** @import {Page} from 'playwright-core' */

const text = '#text=the+cat+sat+on+the+mat';
const pairText = `${text}&pair=the+cat+lay+on+the+rug`;

/** @param {Page} page @param {number} head */
const square = (page, head) => page.locator('.square').nth(head);

/** @param {Page} page */
const activeHeads = (page) =>
  page
    .locator('.square[aria-pressed=true]')
    .allTextContents()
    .then((texts) => texts.map(Number));

/** Mean over heads of `[head][query][key]`. @param {number[][][]} heads */
const meanOf = (heads) =>
  heads[0].map((row, i) =>
    row.map((_, j) => heads.reduce((sum, head) => sum + head[i][j], 0) / heads.length),
  );

/** @param {number[][]} matrix @param {number} key */
const column = (matrix, key) => matrix.map((row) => row[key]);

/** @param {number} head */
const rgb = (head, dark = false) =>
  [1, 3, 5].map((at) => parseInt(headColour(head, dark).slice(at, at + 2), 16));

/** @param {number[]} found @param {number[]} expected @param {number} tolerance */
function assertColour(found, expected, tolerance = 8) {
  const near = found.every((value, i) => Math.abs(value - expected[i]) <= tolerance);
  assert.ok(near, `colour ${found}, expected ${expected}`);
}

/** @param {number} found @param {number} expected */
function assertNear(found, expected, tolerance = 0.04) {
  assert.ok(Math.abs(found - expected) <= tolerance, `${found}, expected ${expected}`);
}

/** The strongest weight between two different tokens. @param {number[][]} matrix */
function strongest(matrix) {
  let best = {query: 0, key: 0, weight: 0};
  matrix.forEach((row, query) =>
    row.forEach((weight, key) => {
      if (query !== key && weight > best.weight) best = {query, key, weight};
    }),
  );
  return best;
}

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

userTest('leaving the column brings every line back', {hash: text}, async (page) => {
  await token(page, 'query', 2).hover();
  await page.locator('.key .value').nth(0).filter({hasText: /\d/}).waitFor();
  await page.locator('#text').hover();
  await page.locator('.key .value').nth(0).filter({hasNotText: /\d/}).waitFor({state: 'attached'});
});

userTest(
  'a line has the colour of its head and the opacity of its weight',
  {hash: `${text}&layer=1&heads=1`},
  async (page) => {
    const [, matrix] = await engineAttention(page, 1);
    const {query, key, weight} = strongest(matrix);
    const {width, rowHeight} = await drawing(page);
    assert.ok(weight > 0.9, `head 1-1 looks at the previous token: ${weight}`);
    const {colour, opacity} = await pixel(page, width / 2, ((query + key + 1) / 2) * rowHeight);
    assertColour(colour, rgb(1));
    assertNear(opacity, weight);
  },
);

userTest(
  'with two heads active each line has half the opacity of its weight',
  {hash: `${text}&layer=1&heads=0.1`},
  async (page) => {
    const heads = await engineAttention(page, 1);
    const {query, key} = strongest(heads[1]);
    const {width, rowHeight} = await drawing(page);
    // In focus, so that no other line runs through the point; two strips take 16 pixels.
    await token(page, 'query', query).hover();
    await waitForValues(page, 'key', meanOf(heads.slice(0, 2))[query]);
    const y = (query + 0.5 + (key - query) * 0.3) * rowHeight;
    const {opacity} = await pixel(page, (width - 16) * 0.3, y);
    const [first, second] = heads.map((matrix) => matrix[query][key] / 2);
    assertNear(opacity, 1 - (1 - first) * (1 - second));
  },
);

userTest(
  'a token in focus hides the lines that do not touch it and shows a strip for each head',
  {hash: `${text}&layer=1`},
  async (page) => {
    const heads = await engineAttention(page, 1);
    const {query, key, weight} = strongest(heads[1]);
    const {width, rowHeight} = await drawing(page);
    // Near its query, where no line of another comes by.
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
    // Eight strips of 8 pixels end at the keys; the second belongs to head 1.
    const strip = await pixel(page, width - 64 + 8 * 1 + 4, (key + 0.5) * rowHeight);
    assertColour(strip.colour, rgb(1));
    assertNear(strip.opacity, weight, 0.02);

    // The other way round: received attention, on the left.
    await token(page, 'key', key).hover();
    await waitForValues(page, 'query', column(meanOf(heads), key));
    const received = await pixel(page, 8 * 1 + 4, (query + 0.5) * rowHeight);
    assertColour(received.colour, rgb(1));
    assertNear(received.opacity, weight, 0.02);
  },
);

userTest(
  'another layer shows its own weights, with the heads that were chosen',
  {hash: `${text}&heads=2.3`},
  async (page) => {
    await page.getByRole('radio', {name: '4'}).check();
    const heads = await engineAttention(page, 4);
    await token(page, 'query', 1).hover();
    await waitForValues(page, 'key', meanOf([heads[2], heads[3]])[1]);
    assert.deepEqual(await activeHeads(page), [2, 3]);
  },
);

userTest(
  'a click on a square switches its head, and the last one stays on',
  {hash: text},
  async (page) => {
    const heads = await engineAttention(page, 0);
    await square(page, 5).click();
    assert.deepEqual(await activeHeads(page), [0, 1, 2, 3, 4, 6, 7]);
    await token(page, 'query', 3).hover();
    await waitForValues(page, 'key', meanOf(heads.filter((_, head) => head !== 5))[3]);
    for (const head of [0, 1, 2, 3, 4, 6]) await square(page, head).click();
    assert.deepEqual(await activeHeads(page), [7]);
    await square(page, 7).click();
    assert.deepEqual(await activeHeads(page), [7]);
    await page.getByRole('button', {name: 'All'}).click();
    assert.deepEqual(await activeHeads(page), [0, 1, 2, 3, 4, 5, 6, 7]);
  },
);

userTest(
  'a double click leaves one head on, and a second one brings all back',
  {hash: text},
  async (page) => {
    const heads = await engineAttention(page, 0);
    await square(page, 4).dblclick();
    assert.deepEqual(await activeHeads(page), [4]);
    await token(page, 'query', 3).hover();
    await waitForValues(page, 'key', heads[4][3]);
    await square(page, 4).dblclick();
    assert.deepEqual(await activeHeads(page), [0, 1, 2, 3, 4, 5, 6, 7]);
    await square(page, 2).click();
    await square(page, 2).dblclick();
    assert.deepEqual(await activeHeads(page), [2]);
  },
);

userTest(
  'Shift on a square of the heads takes all up to it, as on the map',
  {hash: `${text}&heads=2`},
  async (page) => {
    await square(page, 5).click({modifiers: ['Shift']});
    assert.deepEqual(await activeHeads(page), [2, 3, 4, 5]);
    await square(page, 1).click({modifiers: ['Shift']});
    assert.deepEqual(await activeHeads(page), [1, 2, 3, 4, 5]);
  },
);

for (const compared of ['', '&compare-mode=side&compare-text=the+mat'])
  userTest(
    `hints are not cut on a page of middling width${compared && ', side by side'}`,
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

userTest(
  'filters of a pair cut both sides and keep the weights as they are',
  {hash: pairText},
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

userTest('a click pins a token until Escape', {hash: text}, async (page) => {
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
  'across from a pinned token a tooltip gives the weight of every active head',
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

userTest(
  'the strongest lines of a pinned token say their percent, and lose it with the pin',
  {hash: `${text}&layer=1&heads=1&token=q3`},
  async (page) => {
    /** How much of the text colour is on the lines. */
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

userTest(
  'the pointer on a line reads its weights',
  {hash: `${text}&layer=1&heads=1`},
  async (page) => {
    const [, matrix] = await engineAttention(page, 1);
    const {query, key, weight} = strongest(matrix);
    // What stands beside the picture comes after it and may move it once.
    await page.getByLabel(/^Layer 1, head 1: \d/).waitFor();
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
  },
);

userTest(
  'a finger pins with a tap, lets go with another, and reads a line',
  {
    hash: `${text}&layer=1&heads=1`,
    viewport: {width: 390, height: 844},
    hasTouch: true,
    isMobile: true,
  },
  async (page) => {
    const [, matrix] = await engineAttention(page, 1);
    await token(page, 'query', 2).tap();
    await waitForValues(page, 'key', matrix[2]);
    await token(page, 'query', 2).tap();
    await page.locator('.token[aria-pressed=true]').waitFor({state: 'detached'});
    const {query, key, weight} = strongest(matrix);
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
  '256 tokens scroll within the view and are drawn where they are looked at',
  {hash: `#text=${longText}&layer=0&heads=2`},
  async (page) => {
    const [, , matrix] = await engineAttention(page, 0);
    assert.equal(matrix.length, 256);
    await token(page, 'query', 120).scrollIntoViewIfNeeded();
    // A strong weight among tokens that are then on the screen.
    const first = 110;
    const {query, key, weight} = strongest(
      matrix.slice(first, 120).map((row) => row.slice(first, 120)),
    );
    assert.ok(weight > 0.3, `head 0-2 looks at the next token: ${weight}`);
    await token(page, 'query', first + query).hover();
    await waitForValues(page, 'key', matrix[first + query]);
    const strip = await page.evaluate((row) => {
      const root = /** @type {any} */ (document.querySelector('bert-scope')).shadowRoot;
      const canvas = root.querySelector('canvas');
      const box = root.querySelectorAll('.key .token')[row].getBoundingClientRect();
      const y = (box.top + box.bottom) / 2 - canvas.getBoundingClientRect().top;
      return [...canvas.getContext('2d').getImageData(canvas.width - 8, Math.round(y), 1, 1).data];
    }, first + key);
    assertNear(strip[3] / 255, weight, 0.02);
    assertColour(strip.slice(0, 3), rgb(2));
  },
);

userTest(
  'in the dark the colours are those of the dark theme',
  {hash: `${text}&layer=1&heads=1`, colorScheme: 'dark'},
  async (page) => {
    const [, matrix] = await engineAttention(page, 1);
    const {query, key} = strongest(matrix);
    const {width, rowHeight} = await drawing(page);
    const {colour} = await pixel(page, width / 2, ((query + key + 1) / 2) * rowHeight);
    assertColour(colour, rgb(1, true));
  },
);

/** A snapshot of many tokens, each of which attends to the one before it. @param {number} size */
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
  await page.getByRole('button', {name: 'Open attention from a file…'}).click();
  await page.locator('#import-file').setInputFiles(longFile(size));
  await page.getByRole('button', {name: 'Show', exact: true}).click();
  await token(page, 'query', size - 1).waitFor({state: 'attached'});
}

/** @param {Page} page */
const scrolled = (page) => page.locator('.scroller').evaluate(({scrollTop}) => scrollTop);

userTest(
  'beside 512 tokens a minimap shows all lines, and a click on it goes there',
  {hash: '#text=the+cat'},
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
    // Smaller rows, until all are in sight.
    const rowHeight = () => drawing(page).then((box) => box.rowHeight);
    const before = await rowHeight();
    await page.getByRole('button', {name: 'Smaller rows'}).click();
    assertNear(await rowHeight(), before / 1.5, 0.01);
    await page.mouse.move(sheet.x - 200, sheet.y + 100);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, 800);
    await page.keyboard.up('Control');
    await page.waitForFunction(() => {
      const box = document.querySelector('bert-scope')?.shadowRoot?.querySelector('.scroller');
      return box && box.scrollHeight < 2.5 * box.clientHeight;
    });
    const {width, rowHeight: small} = await drawing(page);
    const {opacity} = await pixel(page, width / 2, 200 * small - (await scrolled(page)));
    assert.ok(opacity > 0.3, 'lines follow the rows');
    await assertAccessible(page);
  },
);

userTest(
  'two fingers enlarge the rows below them',
  {hash: '#text=the+cat', viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true},
  async (page) => {
    await openLong(page, 128);
    await page.locator('.scroller').evaluate((box) => (box.scrollTop = 1000));
    await page.locator('.scroller').scrollIntoViewIfNeeded();
    const box = await page.locator('.lines canvas').boundingBox();
    assert.ok(box);
    const rowAt = async (/** @type {number} */ y) =>
      ((await scrolled(page)) + y) / (await drawing(page)).rowHeight;
    const x = box.x + box.width / 2;
    const y = 250;
    const before = {height: (await drawing(page)).rowHeight, row: await rowAt(y)};
    await pinch(page, {x, y: box.y + y});
    const after = (await drawing(page)).rowHeight;
    assertNear(after / before.height, 1.5, 0.1);
    assertNear(await rowAt(y), before.row, 1);
  },
);
