import assert from 'node:assert/strict';
import {embedded} from '../support/embedded-model.js';
import {showHeads} from './head-view.js';
import {pressInMore} from './more-menu.js';
import {engineAttention, phone, researcherTest, token, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

const text = '#text=the+cat+sat+on+the+mat&view=head';

/** @param {Page} page @param {number} layer @param {number} head */
const square = (page, layer, head) =>
  page.locator(`.head-square[data-layer="${layer}"][data-head="${head}"]`);

/** @param {Page} page */
const chosen = (page) =>
  page
    .locator('.head-square[aria-selected=true]')
    .evaluateAll((cells) =>
      cells.map((cell) => `${cell.getAttribute('data-layer')}-${cell.getAttribute('data-head')}`),
    );

/** Averages the weight on the token before over the words, without [CLS] and [SEP]. @param {number[][]} matrix */
const previous = (matrix) =>
  matrix.slice(1, -1).reduce((sum, row, i) => sum + row[i], 0) / (matrix.length - 2);

/**
 * Finds how much each head looks at the previous token, the one that does it most first.
 *
 * @param {Page} page
 */
async function byPrevious(page) {
  const found = [];
  for (let layer = 0; layer < embedded.layers; layer++) {
    for (const [head, matrix] of (await engineAttention(page, layer)).entries())
      found.push({layer, head, matrix, share: previous(matrix)});
  }
  return found.sort((a, b) => b.share - a.share);
}

/** @param {number} share */
const percent = (share) => `${Math.round(share * 100)}%`;

researcherTest(
  'every head has a square, coloured by a statistic of the engine’s weights',
  {hash: `${text}&layer=1&heads=1`},
  async (page) => {
    const heads = await engineAttention(page, 1);
    await square(page, 1, 1)
      .and(page.getByLabel(`Layer 1, head 1: ${percent(previous(heads[1]))}`))
      .waitFor();
    const all = await byPrevious(page);
    assert.equal(await page.locator('.head-square').count(), all.length);
    for (const head of [0, 3, embedded.heads - 1]) {
      const name = await square(page, 1, head).getAttribute('aria-label');
      assert.equal(name, `Layer 1, head ${head}: ${percent(previous(heads[head]))}`);
    }
    const luminance = (/** @type {{layer: number, head: number}} */ {layer, head}) =>
      square(page, layer, head).evaluate((cell) => {
        const [red, green, blue] = getComputedStyle(cell).backgroundColor.match(/\d+/g) ?? [];
        return Number(red) + Number(green) + Number(blue);
      });
    const [most, least] = [all[0], all[all.length - 1]];
    assert.ok(most.share > 0.7, `a head looks at the previous token: ${most.share} at most`);
    assert.ok((await luminance(most)) < (await luminance(least)) / 2, 'more weight is darker');
    assert.deepEqual(await chosen(page), ['1-1']);

    await page.locator('.map-head select').selectOption('entropy');
    await square(page, 1, 1).hover();
    await page.locator('.pointed', {hasText: /^Layer 1, head 1: [\d.]+ nats$/}).waitFor();
    await page.waitForURL(/colour=entropy/);
    const row = (/** @type {number[]} */ weights) =>
      weights.reduce((sum, weight) => sum - (weight > 0 ? weight * Math.log(weight) : 0), 0);
    const words = heads[1].slice(1, -1);
    const entropy = words.reduce((sum, weights) => sum + row(weights), 0) / words.length;
    const told = await page.locator('.pointed').textContent();
    assert.equal(told, `Layer 1, head 1: ${entropy.toFixed(2)} nats`);
  },
);

researcherTest(
  'a click on a square chooses its head, and Shift or a drag chooses several',
  {hash: text},
  async (page) => {
    await square(page, 2, 5).click();
    await page.waitForURL(/layer=2&heads=5/);
    assert.deepEqual(await chosen(page), ['2-5']);
    await square(page, 2, 7).click({modifiers: ['Shift']});
    await page.waitForURL(/layer=2&heads=5\.6\.7/);
    // The picture of several layers is their mean.
    const [from, to] = [await square(page, 0, 1).boundingBox(), await square(page, 1, 2).boundingBox()]; // prettier-ignore
    assert.ok(from && to);
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + 5, {steps: 4});
    await page.mouse.up();
    await page.waitForURL(/layer=0&heads=1\.2&layers=0\.1/);
    assert.deepEqual(await chosen(page), ['0-1', '0-2', '1-1', '1-2']);
    const layers = [await engineAttention(page, 0), await engineAttention(page, 1)];
    const means = layers[0][0][2].map((_, key) => {
      const weights = layers.flatMap((heads) => [1, 2].map((head) => heads[head][2][key]));
      return weights.reduce((sum, weight) => sum + weight, 0) / 4;
    });
    await token(page, 'query', 2).hover();
    await page
      .locator('.key .value')
      .nth(0)
      .filter({hasText: means[0].toFixed(3)})
      .waitFor();
    await page.reload();
    await page.locator('.head-square').first().waitFor();
    assert.deepEqual(await chosen(page), ['0-1', '0-2', '1-1', '1-2']);
    await square(page, 3, 3).click();
    await page.waitForURL((url) => /layer=3&heads=3/.test(url.hash) && !/layers=/.test(url.hash));
  },
);

researcherTest(
  'arrow keys move through the squares, and choose several with Shift',
  {hash: `${text}&layer=1&heads=1`},
  async (page) => {
    await square(page, 1, 1).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    assert.deepEqual(await chosen(page), ['2-2']);
    await page.keyboard.press('Shift+ArrowRight');
    assert.deepEqual(await chosen(page), ['2-2', '2-3']);
    // The square names its number as soon as the statistics are there.
    await square(page, 2, 3).and(page.locator(':focus[aria-label^="Layer 2, head 3: "]')).waitFor();
    await page.keyboard.press('End');
    assert.deepEqual(await chosen(page), [`2-${embedded.heads - 1}`]);
  },
);

researcherTest(
  'the inspector says in a sentence what a pinned token attends to, and what its head does',
  {hash: `${text}&token=q2`},
  async (page) => {
    const heads = await byPrevious(page);
    const found = heads.find(({matrix}) => Math.max(...matrix[2]) === matrix[2][1]);
    assert.ok(found && found.share > 0.5, `a head looks at the previous token: ${found?.share}`);
    const {layer, head, matrix} = found;
    await showHeads(page, layer, [head]);
    const panel = page.getByRole('complementary', {name: 'What the picture shows'});
    const tokens = ['[CLS]', 'the', 'cat', 'sat', 'on', 'the', 'mat', '[SEP]'];
    const partners = matrix[2]
      .map((weight, i) => ({weight, token: tokens[i]}))
      .sort((a, b) => b.weight - a.weight);
    const [first] = partners;
    await panel.getByText(`Layer ${layer}, head ${head}`, {exact: true}).waitFor();
    // The picture says the sentence, so that it is said once.
    assert.equal(await panel.locator('.sentence').isVisible(), false);
    const reading = (await page.locator('.head-view .reading').textContent()) ?? '';
    assert.ok(reading.startsWith(`cat gives ${percent(first.weight)} of its attention to ${first.token} (1)`), reading); // prettier-ignore
    assert.deepEqual(
      await panel.locator('.partners .number').allTextContents(),
      partners.slice(0, 5).map(({weight}) => percent(weight)),
    );
    // Each line is whole by itself.
    assert.equal(
      await panel.locator('.partners .name').first().innerText(),
      `cat → ${first.token} (1)`,
    );
    const before = percent(previous(matrix));
    await panel.getByText(`this head mostly looks at the previous token (${before} on average).`).waitFor(); // prettier-ignore
    await panel.getByText('all tokens but the special ones').waitFor();
    const statistics = await panel.locator('dl .bar').allInnerTexts();
    assert.match(statistics[0], new RegExp(`^Previous token\\s+${before}$`));

    // Without a pin, the inspector names the strongest link.
    await token(page, 'query', 2).click();
    await panel.getByText('Most attention:').waitFor();
    const strongest = Math.max(...matrix.flat());
    await panel.locator('.sentence', {hasText: percent(strongest)}).waitFor();
    assert.equal(await panel.getByText('[UNK]').count(), 0);
    await page.locator('#text').fill('the 𓀀 sat');
    await waitForTokens(page, ['[CLS]', 'the', '[UNK]', 'sat', '[SEP]']);
    await panel.getByText('[UNK] stands for a word').waitFor();
  },
);

researcherTest(
  'the map shows attention from a file, and offers only statistics that it has',
  {hash: text},
  async (page) => {
    const tokens = ['[CLS]', 'un', '##do', '[SEP]'];
    const before = tokens.map((_, i) => tokens.map((_, j) => Number(j === Math.max(0, i - 1))));
    const even = tokens.map(() => tokens.map(() => 0.25));
    const buffer = Buffer.from(JSON.stringify({tokens, attention: [[before, even]]}));
    await pressInMore(page, 'Open attention from a file…');
    await page
      .locator('#import-file')
      .setInputFiles({name: 'one.json', mimeType: 'application/json', buffer});
    await page.getByRole('button', {name: 'Show', exact: true}).click();
    await waitForTokens(page, tokens);
    await page.getByLabel('Layer 0, head 0: 100%').waitFor();
    await page.getByLabel('Layer 0, head 1: 25%').click();
    assert.deepEqual(await chosen(page), ['0-1']);
    // No word occurs twice, so this statistic is not offered.
    assert.equal(await page.locator('.map-controls option', {hasText: 'Same word'}).count(), 0);
  },
);

researcherTest(
  'a phone shows the squares as a strip above the picture, and the inspector as a sheet below it',
  {hash: `${text}&layer=1&heads=1&token=q2`, ...phone},
  async (page) => {
    const map = await page.locator('.squares').boundingBox();
    const view = await page.locator('.head-view').boundingBox();
    assert.ok(map && view && map.y + map.height < view.y && map.height < 140);
    const sheet = await page.locator('.inspector').boundingBox();
    assert.ok(sheet && Math.abs(sheet.y + sheet.height - 844) < 1, 'at the lower edge');
    assert.ok(await page.locator('.inspector .place').isVisible());
    // The inspector does not repeat what the picture says on the same screen.
    assert.equal(await page.locator('.inspector .sentence').isVisible(), false);
    assert.equal(await page.locator('.inspector .partners').isVisible(), false);
    await page.locator('.inspector summary').tap();
    assert.ok(await page.locator('.inspector .partners').isVisible());
    await page.locator('.inspector summary').tap();
    await square(page, 3, 4).tap();
    await page.waitForURL(/layer=3&heads=4/);
  },
);
