/** Measures how the page fits a phone. */

import assert from 'node:assert/strict';
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
import {findingsIn} from './found-heads.js';
import {headline, waitForPlace} from './headline.js';
import {measure} from './measure-window.js';
import {openPage, phone, token, userTest} from './support.js';

userTest(
  'a phone shows the picture in its first screen, with room for a finger on every control',
  {fresh: true, ...phone},
  async (page) => {
    await headline(page).waitFor();
    const {pictureTop, overflow} = await measure(page);
    assert.ok(pictureTop < 422, `the picture begins at ${pictureTop}`);
    assert.ok(overflow <= 0);
    const small = await page.evaluate(() => {
      const scope = /** @type {any} */ (document.querySelector('bert-scope'));
      const targets = 'button:not(.token), .segment, .head-square, summary, a[href], select';
      return [...document.querySelectorAll(targets), ...scope.renderRoot.querySelectorAll(targets)]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1)
        .map((one) => ({name: one.textContent?.trim(), height: one.getBoundingClientRect().height}))
        .filter(({height}) => height < 44);
    });
    assert.deepEqual(small, []);
    // No weight is cut off at the edge.
    const right = await page
      .locator('.key .value')
      .evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)));
    assert.ok(right <= 390, `the weights end at ${right}`);
    await assertAccessible(page);
  },
);

userTest(
  'on a phone a panel opens below the whole picture, which becomes lower',
  {fresh: true, ...phone},
  async (page) => {
    await headline(page).waitFor();
    await page.getByRole('radio', {name: 'What if'}).tap();
    await page.getByRole('button', {name: 'Switch this head off'}).waitFor();
    await eventually('the picture to stand above the sheet', async () => {
      const [switches, tokens, sheet] = await Promise.all(
        ['.panels', '.stage', '.drawer'].map((part) => page.locator(part).boundingBox()),
      );
      assert.ok(switches && tokens && sheet);
      assert.ok(switches.y >= 0, `the panels' names begin at ${switches.y}`);
      assert.ok(
        tokens.y + tokens.height <= sheet.y,
        `the picture ends at ${tokens.y + tokens.height}, and the sheet begins at ${sheet.y}`,
      );
      assert.ok(sheet.y + sheet.height <= 844, `the sheet ends at ${sheet.y + sheet.height}`);
    });
  },
);

userTest(
  'on a phone little that is in sight moves while the page opens',
  {open: false, ...phone},
  async (page) => {
    await page.addInitScript(() => {
      Object.assign(window, {moved: 0});
      new PerformanceObserver((list) => {
        for (const {value} of /** @type {any} */ (list.getEntries()))
          /** @type {any} */ (window).moved += value;
      }).observe({type: 'layout-shift'});
    });
    await openPage(page);
    await headline(page).waitFor();
    const moved = await page.evaluate(() => /** @type {any} */ (window).moved);
    // A good page stays below 0.1: https://web.dev/articles/cls
    assert.ok(moved > 0 && moved < 0.1, `the score is ${moved}`);
  },
);

userTest(
  'on a phone the link that is told of is in sight in a long text, beside a panel too',
  {fresh: true, ...phone},
  async (page) => {
    const text = 'My brother lost the keys to his car because it was dark and nobody helped him.';
    await page.locator('#text').fill(text);
    const findings = await findingsIn(page, text);
    const isInSight = (/** @type {string} */ below) =>
      eventually(`the pinned word above ${below}`, async () => {
        const word = await page.locator('.query .token[aria-pressed="true"]').boundingBox();
        const edge = below ? (await page.locator(below).boundingBox())?.y : 844;
        assert.ok(word && edge && word.y >= 0 && word.y + word.height <= edge, `at ${word?.y}`);
      });
    // The last of them is the lowest in the picture.
    const lowest = Math.max(...findings.map(({query}) => query));
    assert.ok(lowest > 9, 'something is found in the second half of the text');
    for (const finding of findings) {
      await waitForPlace(page, finding);
      await isInSight('');
      if (finding.query === lowest) break;
      await page.getByRole('button', {name: 'Next finding'}).tap();
    }
    await page.getByRole('radio', {name: 'What if'}).tap();
    await page.getByRole('button', {name: 'Switch this head off'}).waitFor();
    await isInSight('.drawer');
  },
);

userTest(
  'on a phone the caption of a difference covers no row',
  {
    hash: '#text=the+cat+sat&layer=1&heads=4&compare-mode=difference&compare-text=the+dog+sat',
    ...phone,
  },
  async (page) => {
    const caption = page.locator('.caption.direction', {hasText: 'full colour'});
    await caption.waitFor();
    const [row, box] = [await page.locator('.query .token').first().boundingBox(), await caption.boundingBox()]; // prettier-ignore
    assert.ok(row && box && box.y + box.height <= row.y + 1, `${box?.height} px high`);
  },
);

userTest(
  'on a phone the panel of numbers has the numbers in it, and the researcher’s header every link',
  {hash: '#text=the+cat+sat&layer=1&heads=1&token=q2&panel=numbers', ...phone},
  async (page) => {
    const panel = page.getByRole('complementary', {name: 'Numbers'});
    await panel.locator('.partners').getByText('the').first().waitFor();
    await panel.getByRole('term').getByText('Entropy').waitFor();
    await page.getByRole('radio', {name: 'Settings'}).check();
    await page.getByLabel('Researcher view: everything at once').tap();
    await page.locator('#places').getByRole('link', {name: 'Docs'}).waitFor();
    // Beside the researcher's picture they are folded.
    await page.locator('.inspected .more:not([open])').waitFor({state: 'attached'});
    const hidden = await page
      .locator('#places')
      .evaluate((places) => places.scrollWidth - places.clientWidth);
    assert.ok(hidden <= 0, `${hidden} px of the links are out of sight`);
  },
);

userTest(
  'in Spanish too the researcher’s header has every link in sight on a phone',
  {open: false, locale: 'es-ES', ...phone},
  async (page) => {
    await openPage(page, '#text=the+cat+sat&panel=all');
    const hidden = await page
      .locator('#places')
      .evaluate((places) => places.scrollWidth - places.clientWidth);
    assert.ok(hidden <= 0, `${hidden} px of the links are out of sight`);
  },
);

userTest(
  'on a phone a sentence over the picture that is too long ends in an ellipsis',
  {
    // The mean of all heads looks at several words, and each of these is long.
    hash: '#text=Unfortunately+international+organizations+administration+responsibility+communication.&layer=1&special=hide&token=q2&view=matrix',
    ...phone,
  },
  async (page) => {
    const reading = page.locator('.matrix-view .reading', {hasText: 'international gives'});
    const {isLong, display, lines} = await reading.evaluate((line) => {
      const {display, webkitLineClamp: lines} = getComputedStyle(line);
      return {isLong: line.scrollHeight > line.clientHeight, display, lines};
    });
    assert.ok(isLong);
    // A block of another display is cut without a mark.
    assert.match(`${display} ${lines}`, /^(-webkit-box|flow-root) 2$/);
  },
);

userTest(
  'on a phone the last row of a usual sentence is there, and the map stands before the captions',
  {
    hash: '#text=The+children+played+in+the+garden+until+they+were+tired.&layer=1&heads=4&token=q8&special=hide',
    ...phone,
  },
  async (page) => {
    const last = token(page, 'query', 10);
    await last.filter({hasText: /^\.$/}).waitFor();
    const scroller = page.locator('.head-view .scroller');
    await eventually('the last row in sight', async () => {
      const hidden = await scroller.evaluate((one) => one.scrollHeight - one.clientHeight);
      assert.ok(hidden <= 1, `${hidden} px of the picture are hidden`);
      const box = await last.boundingBox();
      assert.ok(box && box.y + box.height <= 844, `the last row ends at ${box?.y}`);
    });
    const [map, help] = await Promise.all(
      [page.getByRole('heading', {name: 'Every head'}), page.locator('.reading-help')].map((part) =>
        part.boundingBox(),
      ),
    );
    assert.ok(map && help && map.y < help.y, `the map begins at ${map?.y}, captions at ${help?.y}`);
  },
);

userTest(
  'on a phone a picture that hides more than half a row has a minimap as its hint',
  {hash: `#text=${'the+cat+sat+on+a+'.repeat(5)}&layer=1&heads=1`, ...phone},
  async (page) => {
    await headline(page).waitFor();
    await page.locator('.minimap').waitFor();
    const hidden = await page
      .locator('.head-view .scroller')
      .evaluate((one) => one.scrollHeight - one.clientHeight);
    assert.ok(hidden > 0);
  },
);

userTest(
  'on a phone a panel opens below the whole map of weights',
  {hash: '#text=the+cat+sat+on+the+mat&view=matrix&layer=1&heads=4&token=q2', ...phone},
  async (page) => {
    // It comes after the headline, and moves what stands below it.
    await page.getByText('In other heads:').waitFor();
    await page.getByRole('radio', {name: 'What if'}).tap();
    await page.getByRole('button', {name: 'Switch this head off'}).waitFor();
    await eventually('the map to stand above the sheet', async () => {
      const [map, sheet] = await Promise.all(
        ['.matrix-view .map', '.drawer'].map((part) => page.locator(part).boundingBox()),
      );
      assert.ok(map && sheet && map.y >= 0);
      assert.ok(map.y + map.height <= sheet.y + 1, `${map.y + map.height} and ${sheet.y}`);
    });
  },
);

userTest('nothing overflows beside a long word on a phone', phone, async (page) => {
  const text = 'Donaudampfschifffahrtsgesellschaftskapitän '.repeat(30);
  await openPage(page, `#text=${encodeURIComponent(text)}&pair=b&heads=3`);
  assert.ok((await measure(page)).overflow <= 0);
});
