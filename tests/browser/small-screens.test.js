/** Tests that little room, or large type, hides nothing of what the page speaks of. */

import assert from 'node:assert/strict';
import {eventually} from '../support/eventually.js';
import {phone, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

const hash =
  '#text=The+children+played+in+the+garden+until+they+were+tired.&layer=1&heads=1&token=q8';
/** Waits until the pinned word stands above the open sheet. @param {Page} page @param {string} view */
const pinnedAboveSheet = (page, view) =>
  eventually('the pinned word above the sheet', async () => {
    const [word, sheet] = await Promise.all(
      [`.${view}-view .token[aria-pressed=true]`, '.drawer'].map((part) =>
        page.locator(part).first().boundingBox(),
      ),
    );
    assert.ok(word && sheet && word.y > 0, `the word is at ${word?.y}`);
    assert.ok(word.y + word.height <= sheet.y, `${word.y} is below ${sheet.y}`);
  });

for (const panel of ['How', 'What if', 'Numbers'])
  userTest(
    `on a phone the pinned word of the neuron view stands above the sheet “${panel}”`,
    {hash: `${hash}&view=neuron`, ...phone},
    async (page) => {
      await page.locator('.neuron-view canvas').first().waitFor();
      await page.getByRole('radio', {name: panel, exact: true}).check({force: true});
      await page.locator('.drawer').waitFor();
      await pinnedAboveSheet(page, 'neuron');
      // The sentence that tells what the head does is not cut.
      const cut = await page
        .locator('.drawer .sentence')
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
      assert.equal(cut, 0);
    },
  );

for (const [panel, shown] of Object.entries({
  'panel=why': '#drawer-title',
  'panel=whatif&workbench=heads': 'bert-workbench .tabs [aria-expanded=true]',
}))
  userTest(
    `on a phone an address with ${panel} shows the pinned word, and below it what the sheet was opened for`,
    {hash: `${hash}&${panel}`, fresh: true, ...phone},
    async (page) => {
      await page.locator(shown).first().waitFor();
      await pinnedAboveSheet(page, 'head');
      await eventually('what the sheet was opened for', async () => {
        const box = await page.locator(shown).first().boundingBox();
        assert.ok(box && box.y > 422 && box.y + box.height <= 844, `it is at ${box?.y}`);
      });
    },
  );

userTest(
  'a finger pins the word that it touches, though the headline of another word is longer',
  {hash: hash.replace('heads=1', 'heads=4'), ...phone},
  async (page) => {
    const words = page.locator('.query .token');
    for (const row of [3, 9, 1]) {
      const [box, word] = [await words.nth(row).boundingBox(), await words.nth(row).textContent()];
      assert.ok(box);
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
      await eventually(`${word} to be pinned`, async () =>
        assert.equal(await page.locator('.query [aria-pressed=true]').textContent(), word),
      );
      await page.locator('.headline .word').first().filter({hasText: word?.trim()}).waitFor();
    }
  },
);

userTest(
  'Spanish in type of 20 pixels fits a phone, and every place of the page can be reached',
  {hash, fresh: true, locale: 'es', ...phone},
  async (page) => {
    await page.locator('.end.out').waitFor();
    await page.addStyleTag({content: 'html {font-size: 20px}'});
    await eventually('a page as wide as the window', async () => {
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
      const places = await page
        .locator('#places a, .toolbar .segment')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      assert.ok(Math.max(...places) <= 390, places.join());
    });
  },
);

userTest(
  'matrices beside each other have equal cells, however long the words of the other text are',
  {
    hash: '#text=The+dog+slept.&layer=1&heads=1&view=matrix&compare-mode=side&compare-text=The+government+slept.',
  },
  async (page) => {
    await page.locator('figure .map canvas').nth(1).waitFor();
    await eventually('equal heights', async () => {
      const [first, second] = await page
        .locator('figure .map')
        .evaluateAll((all) =>
          all.map(({scrollHeight, scrollWidth}) => [scrollHeight, scrollWidth]),
        );
      assert.deepEqual(first, second);
    });
  },
);

for (const compare of ['', '&compare-mode=difference&compare-text=He+gave+the+children+medicine.'])
  userTest(
    `on a phone no ${compare ? 'difference' : 'weight'} is cut, however long its word is`,
    {
      hash: `#text=She+gave+the+children+medicine.&layer=1&heads=2&token=q5${compare}`,
      ...phone,
    },
    async (page) => {
      const values = page.locator('.tokens.key .value');
      await eventually('the values of the pinned word', async () => {
        const texts = (await values.allInnerTexts()).join(' ');
        assert.match(texts, compare ? /[+−]0\.\d{3}/ : /^0\.\d{3}/);
      });
      const cut = await values.evaluateAll((all) =>
        all
          .filter((value) => {
            const {right} = value.getBoundingClientRect();
            const [token, picture] = ['.token', '.scroller'].map((each) => /** @type {Element} */ (value.closest(each)).getBoundingClientRect()); // prettier-ignore
            return right > Math.min(token.right, picture.right) + 0.5;
          })
          .map((value) => value.parentElement?.textContent),
      );
      assert.deepEqual(cut, []);
    },
  );
