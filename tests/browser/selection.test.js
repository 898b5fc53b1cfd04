import assert from 'node:assert/strict';
import {embedded} from '../support/embedded-model.js';
import {
  engineAttention,
  passTime,
  researcherTest,
  token,
  userTest,
  waitForTokens,
  waitForValues,
} from './support.js';

/** @import {Page} from 'playwright-core' */

const text = '#text=the+cat+sat+on+the+mat&view=head';

/** @param {Page} page */
const selection = (page) =>
  page.evaluate(() => {
    const {view, selection} = /** @type {any} */ (document.querySelector('bert-scope'));
    return {view, ...selection};
  });

/** Takes the focus from the fields, so that keys act on the picture. @param {Page} page */
const leaveFields = (page) =>
  page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());

userTest(
  'every view shows the same layer, heads and pinned token',
  {hash: `${text}&layer=1&heads=1`},
  async (page) => {
    const [, matrix] = await engineAttention(page, 1);
    await token(page, 'query', 3).click();
    await page.getByRole('radio', {name: 'Matrix'}).check();
    await page.waitForURL(/view=matrix&layer=1&heads=1&token=q3/);
    const percent = (/** @type {number} */ weight) => `${Math.round(weight * 100)}%`;
    const most = Math.max(...matrix[3]);
    const key = matrix[3].indexOf(most);
    const name = '[CLS] the cat itself on the mat [SEP]'.split(' ')[key];
    const sentence = page.locator('.reading', {hasText: /^sat gives/});
    const told = (await sentence.textContent()) ?? '';
    assert.ok(told.startsWith(`sat gives ${percent(most)} of its attention to ${name}`), told);
    await page.getByRole('radio', {name: 'Head', exact: true}).check();
    await waitForValues(page, 'key', matrix[3]);
    await page.goBack();
    await page.locator('.matrix-view').waitFor();
  },
);

userTest(
  'the head view draws the head that was opened from the model view',
  {hash: text},
  async (page) => {
    await page.getByRole('radio', {name: 'Model'}).check();
    await page
      .getByRole('button', {name: /Layer 1, head 1/})
      .first()
      .click();
    await page.getByRole('button', {name: 'Show in the head view'}).click();
    await page.waitForURL(/view=head&layer=1&heads=1/);
    const [, matrix] = await engineAttention(page, 1);
    await token(page, 'query', 4).hover();
    await waitForValues(page, 'key', matrix[4]);
  },
);

researcherTest(
  'the neuron view has one chosen head',
  {hash: text.replace('head', 'neuron')},
  async (page) => {
    const pressed = page.locator('.square[aria-pressed=true]');
    assert.deepEqual(await pressed.allTextContents().then((all) => all.map(Number)), [0]);
    await page.locator('.square').nth(5).click();
    await page.waitForURL(/view=neuron&layer=0&heads=5/);
    assert.deepEqual(await pressed.allTextContents().then((all) => all.map(Number)), [5]);
    await page.locator('.neuron-view').getByText('Layer 0, head 5').waitFor();
    await page.getByRole('radio', {name: 'Head', exact: true}).check();
    assert.deepEqual((await selection(page)).heads, [5]);
  },
);

userTest('keys choose view, layer, head and token', {hash: text}, async (page) => {
  await leaveFields(page);
  const {keyboard} = page;
  await keyboard.press('3');
  await keyboard.press('ArrowRight');
  await keyboard.press('Shift+ArrowDown');
  await keyboard.press('Shift+ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  assert.deepEqual(await selection(page), {
    view: 'head',
    layer: 2,
    heads: [4],
    filter: 'all',
    token: {side: 'query', index: 1},
  });
  const heads = await engineAttention(page, 2);
  await waitForValues(page, 'key', heads[4][1]);
  await keyboard.press('x');
  await page.locator('.matrix-view').waitFor();
  await keyboard.press('a');
  assert.equal((await selection(page)).heads.length, embedded.heads);
  await keyboard.press('Escape');
  await page.waitForURL(/view=matrix&layer=2$/);
});

userTest(
  'arrow keys go to the next token and the next head after a click on a token',
  {hash: text},
  async (page) => {
    await leaveFields(page);
    await page.keyboard.press('3');
    await token(page, 'query', 2).click();
    await page.keyboard.press('ArrowDown');
    assert.deepEqual((await selection(page)).token, {side: 'query', index: 3});
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    const chosen = await selection(page);
    assert.deepEqual([chosen.token, chosen.heads], [{side: 'query', index: 3}, [4]]);
    const heads = await engineAttention(page, chosen.layer);
    await waitForValues(page, 'key', heads[4][3]);
    await token(page, 'key', 1).click();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    const {token: pinned, heads: now} = await selection(page);
    assert.deepEqual([pinned, now], [{side: 'key', index: 2}, [3]]);
  },
);

researcherTest(
  'keys still work after a click on a view or a layer, and arrow keys stay in the clicked group',
  {hash: text},
  async (page) => {
    await page.locator('.segment', {hasText: 'Matrix'}).click();
    await page.keyboard.press('3');
    assert.deepEqual((await selection(page)).heads, [3]);
    await page.keyboard.press('h');
    await page.locator('.head-view').waitFor();
    await page.locator('.segment', {hasText: '2'}).click();
    await page.keyboard.press('ArrowRight');
    const {layer, heads} = await selection(page);
    assert.deepEqual({layer, heads}, {layer: 3, heads: [3]});
    await page.getByRole('slider').focus();
    await page.keyboard.press('a');
    assert.equal((await selection(page)).heads.length, embedded.heads);
  },
);

userTest(
  'two digits in a row choose a head above nine',
  {fresh: true, hash: text},
  async (page) => {
    const size = 2;
    const heads = Array.from({length: 12}, () => [[0.5, 0.5], [0.5, 0.5]]); // prettier-ignore
    const file = {tokens: ['a', 'b'], attention: [heads]};
    await page.route('**/twelve.json', (route) => route.fulfill({json: file}));
    await page.evaluate(() =>
      document.querySelector('bert-scope')?.setAttribute('src', 'twelve.json'),
    );
    await page.waitForFunction(
      (size) =>
        document.querySelector('bert-scope')?.shadowRoot?.querySelectorAll('.query .token')
          .length === size,
      size,
    );
    await leaveFields(page);
    // The page gets the keys as fast as a hand presses them, however slow the machine.
    const press = (/** @type {string[]} */ ...keys) =>
      page.evaluate((keys) => {
        for (const key of keys) {
          document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
        }
      }, keys);
    await press('1');
    assert.deepEqual((await selection(page)).heads, [1]);
    await passTime(page, 1000);
    await press('1', '1');
    assert.deepEqual((await selection(page)).heads, [11]);
    // There is no head 19, so the second digit chooses head 9.
    await press('1', '9');
    assert.deepEqual((await selection(page)).heads, [9]);
  },
);

researcherTest(
  'keys do not change the picture while the reader types',
  {hash: text},
  async (page) => {
    await page.locator('#text').press('End');
    await page.keyboard.type(' x3?');
    await page.getByLabel('Special tokens').focus();
    await page.keyboard.press('x');
    assert.deepEqual(await selection(page), {
      view: 'head',
      layer: 0,
      heads: [...Array(embedded.heads).keys()],
      filter: 'all',
      token: null,
    });
  },
);

userTest(
  'the question mark opens a list of all keys, and Escape closes it',
  {hash: text},
  async (page) => {
    await leaveFields(page);
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', {name: 'Shortcuts'});
    await dialog.waitFor();
    assert.equal(await dialog.locator('dt').count(), 15);
    await page.keyboard.press('Escape');
    await dialog.waitFor({state: 'hidden'});
    await page.getByRole('radio', {name: 'Settings'}).check();
    await page.getByRole('button', {name: 'Shortcuts'}).click();
    await dialog.getByRole('button', {name: 'Close'}).click();
    await dialog.waitFor({state: 'hidden'});
  },
);

const pieces = '#text=the+zebrafish+rugs&heads=1&layer=1';

researcherTest(
  'whole words get the sum over their pieces as keys and the mean as queries',
  {hash: pieces},
  async (page) => {
    const [, matrix] = await engineAttention(page, 1);
    const tokens = await page.evaluate(
      () => /** @type {any} */ (document.querySelector('bert-scope')).result.tokens,
    );
    /** @type {number[][]} */
    const runs = [];
    tokens.forEach((/** @type {string} */ piece, /** @type {number} */ i) =>
      piece.startsWith('##') ? runs[runs.length - 1].push(i) : runs.push([i]),
    );
    assert.ok(runs.length < tokens.length, `${tokens} has a word of several pieces`);
    await page.getByLabel('Whole words').check();
    await page.getByText('A word receives the sum').waitFor();
    await waitForTokens(page, ['[CLS]', 'the', 'zebrafish', 'rugs', '[SEP]']);
    await token(page, 'query', 2).hover();
    const expected = runs.map((keys) => {
      const rows = runs[2].map((i) => keys.reduce((sum, j) => sum + matrix[i][j], 0));
      return rows.reduce((sum, value) => sum + value, 0) / rows.length;
    });
    await waitForValues(page, 'key', expected);
    await token(page, 'query', 3).click();
    await page.waitForURL(new RegExp(`token=q${runs[3][0]}&words=1`));
  },
);

researcherTest(
  'special tokens can be hidden, with unchanged or renormalised weights',
  {hash: `${text}&heads=1&layer=3`},
  async (page) => {
    const [, matrix] = await engineAttention(page, 3);
    const row = matrix[2].slice(1, -1);
    await page.getByLabel('Special tokens').selectOption('hide');
    await waitForTokens(page, ['the', 'cat', 'sat', 'on', 'the', 'mat'], 'key');
    await token(page, 'query', 1).hover();
    await waitForValues(page, 'key', row);
    await page.getByLabel('Special tokens').selectOption('renormalise');
    await token(page, 'query', 1).hover();
    const sum = row.reduce((total, weight) => total + weight, 0);
    await waitForValues(
      page,
      'key',
      row.map((weight) => weight / sum),
    );
    await page.waitForURL(/special=renormalise/);
  },
);

researcherTest(
  'only the strongest share of each row is drawn',
  {hash: `${text}&heads=5&layer=3`},
  async (page) => {
    const matrix = (await engineAttention(page, 3))[5];
    await page.getByRole('slider').fill('70');
    await page.waitForURL(/keep=70/);
    const row = matrix[2];
    const order = [...row].sort((a, b) => b - a);
    let kept = 0;
    let count = 0;
    while (kept < 0.7) kept += order[count++];
    await token(page, 'query', 2).hover();
    await waitForValues(
      page,
      'key',
      row.map((weight) => (weight >= order[count - 1] ? weight : 0)),
    );
  },
);

researcherTest('large type enlarges the picture and the page', {hash: text}, async (page) => {
  const sizes = () =>
    page.evaluate(() => {
      const row = document.querySelector('bert-scope')?.shadowRoot?.querySelector('.token');
      return [row, document.querySelector('.explanation')].map((element) =>
        parseFloat(getComputedStyle(/** @type {Element} */ (element)).fontSize),
      );
    });
  const before = await sizes();
  await page.getByLabel('Large type').check();
  await page.waitForURL(/large=1/);
  // The hint is not cut off.
  const cut = await page
    .locator('.reading')
    .evaluate((hint) => [
      hint.scrollWidth - hint.clientWidth,
      hint.scrollHeight - hint.clientHeight,
    ]);
  assert.ok(Math.max(...cut) <= 1, `${cut}`);
  const after = await sizes();
  after.forEach((size, i) => assert.ok(size > 1.3 * before[i], `${after} against ${before}`));
});
