/** Tests that a click on a word shows where it looks: in the chosen head, or in another one. */

import assert from 'node:assert/strict';
import {eventually} from '../support/eventually.js';
import {formatPercent} from '../../web/views/parts/number-format.js';
import {headline, shown, told} from './headline.js';
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
    await headline(page).filter({hasText: 'they looks at children: 95%'}).waitFor();
    assert.equal(await specialNames(page, 'key').count(), 0);
    await words(page, 'query').filter({hasText: 'children'}).click();
    await headline(page)
      .filter({hasText: /^\s*children looks at \[(CLS|SEP)\]: 96%/})
      .waitFor();
    assert.deepEqual(await specialNames(page, 'key').allTextContents(), ['[CLS]', '[SEP]']);
    assert.doesNotMatch((await page.locator('.headline .shows').textContent()) ?? '', /not shown/);
    const otherHeads = page.locator('.other-heads');
    await otherHeads.filter({hasText: 'In other heads:'}).waitFor();
    assert.equal(await otherHeads.getByRole('button').count(), 3);

    // The special tokens have moved the rows, and the focus has moved with the word.
    await page.keyboard.press('ArrowUp');
    await headline(page).filter({hasText: 'the looks at [CLS]: 75%'}).waitFor();
    await page.keyboard.press('ArrowDown');
    await headline(page).filter({hasText: 'children looks at ['}).waitFor();
    await otherHeads.getByRole('button', {name: 'played 100% (0.2)'}).click();
    await headline(page).filter({hasText: 'children looks at played: 100%'}).waitFor();
    await page.getByText('Layer 0, head 2', {exact: true}).waitFor();
    assert.deepEqual((await shown(page)).token, {side: 'query', index: 2});
    await specialNames(page, 'key').first().waitFor({state: 'detached'});
    await otherHeads.waitFor({state: 'detached'});
  },
);

userTest(
  'every word that is clicked has a line, and the headline says the number beside the token it names',
  {fresh: true},
  async (page) => {
    await headline(page).filter({hasText: 'they looks at children: 95%'}).waitFor();
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
            percent: Math.round(Number(value.textContent) * 100),
          })),
        );
        assert.equal(from, name);
        const most = Math.max(...values.map(({percent}) => percent));
        const isShown = values.some((each) => each.name === to && each.percent === share);
        if (isShown) assert.equal(share, most);
        else {
          // The largest share goes to a token that is not drawn, and the picture has a clear line all the same.
          assert.match(to, /^\[(CLS|SEP)\]$/);
          assert.match(
            (await page.locator('.headline .shows').textContent()) ?? '',
            /is not shown/,
          );
          assert.ok(share >= most && most >= 15, `${name}: ${share}% and ${most}%`);
        }
        assert.ok(share >= 15, `${name} has ${share}%`);
      });
    }
  },
);

userTest(
  'the map is coloured by the strongest link of the pinned word in each head, and says it',
  {fresh: true},
  async (page) => {
    await headline(page).filter({hasText: 'they looks at children: 95%'}).waitFor();
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
    await headline(page).filter({hasText: 'they looks at children: 95%'}).waitFor();
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
    await headline(page).filter({hasText: 'they looks at children: 95%'}).waitFor();
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
    const name = page.locator('.names').getByRole('button', {name: 'looks at the next token'});
    await name.click();
    await page
      .locator('.names [aria-pressed=true]', {hasText: 'looks at the next token'})
      .waitFor();
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
