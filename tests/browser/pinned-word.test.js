/** Tests that a click on a word shows where it looks: in the chosen head, or in another one. */

import assert from 'node:assert/strict';
import {eventually} from '../support/eventually.js';
import {firstState} from '../../web/page/address.js';
import {formatPercent} from '../../web/views/parts/number-format.js';
import {findDividedHead, lookAt, placeOf} from './found-heads.js';
import {assertTrue, shown, told, waitForFirst, waitForLook} from './headline.js';
import {engineAttention, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

/** The words of a column, without special tokens. @param {Page} page @param {'query' | 'key'} side */
const words = (page, side) => page.locator(`.tokens.${side} .token:not(.special)`);

/** The names of the special tokens of a column. @param {Page} page @param {'query' | 'key'} side */
const specialNames = (page, side) => page.locator(`.tokens.${side} .token.special .piece`);

/** Waits until the choice of what colours the map says this. @param {Page} page @param {string} name */
const colouredBy = (page, name) =>
  page.locator('.heads select option:checked', {hasText: name}).waitFor({state: 'attached'});

userTest(
  'a word that looks at no word in the chosen head shows the special token that it looks at, and other heads a click away',
  {fresh: true},
  async (page) => {
    await waitForFirst(page);
    const {word, special} = await findDividedHead(page, 'hardly');
    const hash = `#${new URLSearchParams({text: firstState.text, special: 'hide'})}&${placeOf(word)}`;
    await page.evaluate((hash) => (location.hash = hash), hash);
    await waitForLook(page, word);
    assert.equal(await specialNames(page, 'key').count(), 0);
    // The text begins after [CLS].
    await words(page, 'query')
      .nth(special.query - 1)
      .click();
    await waitForLook(page, special);
    assert.deepEqual(await specialNames(page, 'key').allTextContents(), ['[CLS]', '[SEP]']);
    assert.doesNotMatch((await page.locator('.headline .shows').textContent()) ?? '', /not shown/);
    const otherHeads = page.locator('.other-heads');
    await otherHeads.filter({hasText: 'In other heads:'}).waitFor();
    const {query} = special;
    const clearest = await page.evaluate(async (index) => {
      const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
      const isWord = result.tokens.map((/** @type {string} */ token) => /^\w/.test(token));
      const token = {side: 'query', index};
      return (await result.tokenLinks(token, Uint8Array.from(isWord, Number))).clearest;
    }, query);
    assert.equal(await otherHeads.getByRole('button').count(), clearest.length);

    // The special tokens have moved the rows, and the focus has moved with the word.
    await page.keyboard.press('ArrowUp');
    await waitForLook(page, await lookAt(page, {...special, query: query - 1}));
    await page.keyboard.press('ArrowDown');
    await waitForLook(page, special);
    const [{layer, head, other}] = clearest;
    const there = await lookAt(page, {layer, head, query});
    assert.equal(there.key, other);
    const name = `${there.to} ${formatPercent(there.weight)} (${layer}.${head})`;
    await otherHeads.getByRole('button', {name}).click();
    await waitForLook(page, there);
    await page.getByText(`Layer ${layer}, head ${head}`, {exact: true}).waitFor();
    assert.deepEqual((await shown(page)).token, {side: 'query', index: query});
    await specialNames(page, 'key').first().waitFor({state: 'detached'});
    await otherHeads.waitFor({state: 'detached'});
  },
);

userTest(
  'every word that is clicked has a line, and the headline says the number beside the token it names',
  {fresh: true},
  async (page) => {
    await waitForFirst(page);
    const count = await words(page, 'query').count();
    for (let row = 0; row < count; row++) {
      const word = words(page, 'query').nth(row);
      // Another click on the pinned word would unpin it.
      if ((await word.getAttribute('aria-pressed')) === 'true') continue;
      const name = await word.locator('.piece').textContent();
      await word.click();
      await eventually(`the answer about ${name}`, async () => {
        const {from, to, share} = await told(page);
        const values = await page.locator('.key .token').evaluateAll((rows) =>
          rows.map(({children: [piece, value]}) => ({
            name: piece.textContent,
            percent: Number(value.textContent) * 100,
          })),
        );
        assert.equal(from, name);
        const most = Math.max(...values.map(({percent}) => percent));
        // A percentage and a number of three digits are rounded from the same weight.
        const isShare = (/** @type {number} */ percent) => Math.abs(percent - share) < 0.56;
        const isShown = values.some(({name, percent}) => name === to && isShare(percent));
        if (isShown) assert.ok(isShare(most), `${share}% and ${most}%`);
        else {
          // The largest share goes to a token that is not drawn, and the picture has a clear line all the same.
          assert.match(to, /^\[(CLS|SEP)\]$/);
          assert.match(
            (await page.locator('.headline .shows').textContent()) ?? '',
            /is not shown/,
          );
          assert.ok(share >= most && most >= 15, `${name}: ${share}% and ${most}%`);
        }
        await assertTrue(page);
      });
    }
  },
);

userTest(
  'the map is coloured by the strongest link of the pinned word in each head, and says it',
  {fresh: true},
  async (page) => {
    await waitForFirst(page);
    await colouredBy(page, 'Links of “they”');
    const {token, tokens} = await shown(page);
    const isWord = (/** @type {number} */ at) => at !== token.index && /^\w/.test(tokens[at]);
    for (let layer = 0; layer < 2; layer++) {
      const labels = await page
        .locator(`.head-square[data-layer="${layer}"]`)
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));
      const expected = (await engineAttention(page, layer)).map((matrix, head) => {
        const row = matrix[token.index].map((weight, at) => (isWord(at) ? weight : 0));
        const most = Math.max(...row);
        return `Layer ${layer}, head ${head}: → ${tokens[row.indexOf(most)]} ${formatPercent(most)}`;
      });
      assert.deepEqual(labels, expected);
    }
    // A click on the pinned word unpins it: then it is about the word of the headline.
    await words(page, 'query').filter({hasText: 'they'}).click();
    await page.mouse.move(0, 0);
    await eventually('the map to follow the headline', async () => {
      const {from} = await told(page);
      await colouredBy(page, `Links of “${from}”`);
    });
    assert.match((await page.locator('.head-square').first().getAttribute('aria-label')) ?? '', /: → .+ \d+%$/); // prettier-ignore
  },
);

userTest(
  'the reader chooses beside the map what colours it, also while a word is pinned',
  {fresh: true},
  async (page) => {
    await waitForFirst(page);
    await colouredBy(page, 'Links of “they”');
    const choice = page.locator('.heads').getByLabel('Colour of the map');
    const first = page.locator('.head-square').first();
    for (const [name, told] of /** @type {const} */ ([
      ['Previous token', /: \d+%$/],
      ['Entropy', / nats$/],
      ['Links of “they”', /: → .+ \d+%$/],
    ])) {
      await choice.selectOption({label: name});
      await colouredBy(page, name);
      await eventually(`the map of ${name}`, async () =>
        assert.match((await first.getAttribute('aria-label')) ?? '', told),
      );
    }
  },
);

userTest(
  'a colour of the map that is chosen while a word is pinned is in the address, and there after a reload',
  {fresh: true},
  async (page) => {
    await colouredBy(page, 'Links of “they”');
    const choice = page.locator('.heads').getByLabel('Colour of the map');
    await choice.selectOption({label: 'Previous token'});
    await page.waitForURL(/[#&]colour=previous\b/);
    await page.reload();
    await waitForFirst(page);
    await colouredBy(page, 'Previous token');
    await choice.selectOption({label: 'Links of “they”'});
    await colouredBy(page, 'Links of “they”');
    await page.waitForURL((url) => !url.hash.includes('colour='));
  },
);

userTest(
  'no head is marked as alike where the chosen one follows no simple pattern',
  {fresh: true},
  async (page) => {
    const name = page.locator('.names').getByRole('button', {name: 'follows no simple pattern'});
    await name.click();
    await page.locator('.names [aria-pressed=true]', {hasText: 'no simple pattern'}).waitFor();
    await page.locator('.head-square.alike').first().waitFor({state: 'detached'});
  },
);

userTest(
  'a name of what heads do shows its heads one after another, and the map marks them all',
  {fresh: true},
  async (page) => {
    const names = page.locator('.names').first().getByRole('button');
    await names.first().waitFor();
    const several = await names.evaluateAll((all) =>
      all.flatMap(({children: [name, places]}) =>
        /no simple pattern/.test(name.textContent ?? '') ||
        !/\d\s+\d/.test(places.textContent ?? '')
          ? []
          : [name.textContent ?? ''],
      ),
    );
    assert.ok(several.length > 0, 'no name of what heads do is that of several heads');
    const name = names.filter({has: page.getByText(several[0], {exact: true})});
    await name.click();
    await page.locator('.names [aria-pressed=true]', {hasText: several[0]}).waitFor();
    const places = ((await name.locator('small').textContent()) ?? '').trim().split(/\s+/);
    assert.ok(
      places.length > 1 && places.every((place) => /^\d+\.\d+$/.test(place)),
      places.join(),
    );
    await eventually('the map to mark them', async () => {
      const marked = await page.locator('.head-square.alike').evaluateAll((cells) =>
        cells.map((cell) => {
          const {layer, head} = /** @type {HTMLElement} */ (cell).dataset;
          return `${layer}.${head}`;
        }),
      );
      assert.deepEqual(marked, places);
    });
    for (const place of places.slice(1, 3)) {
      await name.click();
      const {layer, heads} = await shown(page);
      assert.equal(`${layer}.${heads}`, place);
    }
  },
);
