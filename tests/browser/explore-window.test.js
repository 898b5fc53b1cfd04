/** Measures how the page fits windows of every size, and how far the keyboard has to go to the picture. */

import assert from 'node:assert/strict';
import {languageNames} from '../../web/strings/language.js';
import {eventually} from '../support/eventually.js';
import {headline} from './headline.js';
import {measure} from './measure-window.js';
import {phone, researcherTest, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

userTest(
  'the first view has few controls, no small print and a large picture',
  {fresh: true},
  async (page) => {
    await headline(page).waitFor();
    const {controls, small, picture} = await measure(page);
    assert.ok(controls.length <= 15, controls.join(', '));
    assert.ok(small <= 0.05, `${Math.round(small * 100)}% of the text is small`);
    assert.ok(picture >= 0.4, `the picture takes ${Math.round(picture * 100)}% of the window`);
  },
);

userTest(
  'a window of 2560 pixels is filled by the picture',
  {fresh: true, viewport: {width: 2560, height: 1440}},
  async (page) => {
    await headline(page).waitFor();
    const {picture} = await measure(page);
    assert.ok(picture >= 0.6, `the picture takes ${Math.round(picture * 100)}% of the window`);
  },
);

for (const view of ['matrix', 'model']) {
  userTest(
    `a window of 2560 pixels is filled by the ${view} view`,
    {
      hash: `#text=The+children+played+in+the+garden.&view=${view}&layer=1&heads=4`,
      viewport: {width: 2560, height: 1440},
    },
    async (page) => {
      await eventually('a picture as large as the window', async () => {
        const [box, place] = await Promise.all(
          [`.${view}-view canvas`, '.content'].map((part) =>
            page.locator(part).first().boundingBox(),
          ),
        );
        assert.ok(box && place);
        // A row of many heads takes the width before all layers take the height.
        const isWide = view === 'model' && box.width > 0.95 * place.width;
        assert.ok(isWide || box.height > 0.6 * 1440, `it is ${box.width} × ${box.height}`);
        assert.ok(box.y + box.height < 1440, `it ends at ${box.y + box.height}`);
      });
    },
  );
}

for (const {width, height, least} of [
  {width: 1440, height: 900, least: 16},
  {width: 1920, height: 1080, least: 16},
  {width: 2560, height: 1440, least: 20},
])
  userTest(
    `what stands around the picture has type of ${least} px in a window of ${width} by ${height}`,
    {fresh: true, viewport: {width, height}},
    async (page) => {
      await headline(page).waitFor();
      for (const part of [
        '#places a',
        '.headline .shows',
        '.names li',
        '.segment',
        '.reading-help',
      ])
        assert.ok((await typeOf(page, part)) > least - 0.1, part);
      const grown = least / 16;
      assert.ok((await typeOf(page, '#text')) > 28 * grown);
      assert.ok((await typeOf(page, '.headline .told')) > 35 * grown);
      const below = await page.evaluate(() => {
        const {scrollHeight, clientHeight} = document.documentElement;
        return scrollHeight - clientHeight;
      });
      assert.ok(below < 40, `${below} px are below the window`);
    },
  );

/** The size of the type of an element, in CSS pixels. @param {Page} page @param {string} part */
const typeOf = (page, part) =>
  page
    .locator(part)
    .first()
    .evaluate((one) => parseFloat(getComputedStyle(one).fontSize));

for (const view of ['matrix', 'model'])
  userTest(
    `the ${view} view stands in the middle of a window of 2560 pixels`,
    {
      hash: `#text=The+children+played+in+the+garden.&view=${view}&layer=1&heads=4`,
      viewport: {width: 2560, height: 1440},
    },
    async (page) => {
      const part = view === 'matrix' ? '.map' : '.thumbnails';
      await eventually('a picture in the middle', async () => {
        const [box, all] = await Promise.all(
          [part, '.content'].map((name) => page.locator(name).boundingBox()),
        );
        assert.ok(box && all && box.width < all.width);
        const [left, right] = [box.x - all.x, all.x + all.width - box.x - box.width];
        assert.ok(Math.abs(left - right) < 30, `${left} px on the left, ${right} on the right`);
      });
    },
  );

for (const locale of Object.keys(languageNames))
  researcherTest(
    `nothing in the header of the researcher view in “${locale}” wraps or overlaps at 1024 pixels`,
    {fresh: true, viewport: {width: 1024, height: 768}, locale},
    async (page) => {
      const parts = await page
        .locator('header :is(h1, #places a, label > span, select, #researcher)')
        .evaluateAll((all) =>
          all.map((one) => {
            const {left, right, top, bottom} = one.getBoundingClientRect();
            const range = document.createRange();
            range.selectNodeContents(one);
            const lines = new Set(
              [...range.getClientRects()].map(({bottom}) => Math.round(bottom)),
            );
            const isText = one.matches('a, span');
            return {
              name: one.textContent,
              left,
              right,
              top,
              bottom,
              lines: isText ? lines.size : 1,
            };
          }),
        );
      assert.ok(parts.length > 7);
      for (const {name, lines} of parts) assert.equal(lines, 1, name ?? '');
      const middles = parts.map(({top, bottom}) => (top + bottom) / 2);
      assert.ok(Math.max(...middles) - Math.min(...middles) < 8, middles.join());
      parts.sort((a, b) => a.left - b.left);
      parts.slice(1).forEach(({name, left}, before) => {
        assert.ok(left >= parts[before].right, `${parts[before].name} and ${name}`);
      });
      assert.ok(parts[parts.length - 1].right <= 1024);
    },
  );

for (const view of ['matrix', 'model']) {
  userTest(
    `every row of the ${view} view of a usual sentence is in a usual window`,
    {
      hash: `#text=Could+you+tell+the+waiter+that+we+are+still+waiting+for+our+soup?&view=${view}&layer=1&heads=2&special=hide`,
    },
    async (page) => {
      const part = page.locator(view === 'matrix' ? '.map' : '.model-scroller');
      await eventually('all rows in sight', async () => {
        const {hidden, bottom} = await part.evaluate((scroller) => ({
          hidden: scroller.scrollHeight - scroller.clientHeight,
          bottom: scroller.getBoundingClientRect().bottom,
        }));
        assert.ok(hidden <= 1, `${hidden} px are hidden`);
        assert.ok(bottom <= 900, `it ends at ${bottom}`);
      });
    },
  );
}

for (const {of, ...options} of [
  {of: 'a projector', fresh: true, viewport: {width: 1280, height: 720}},
  {
    of: 'an encoder-decoder',
    hash: '#text=23+March+2021&model=given:dates&layer=1&heads=0&filter=cross',
  },
]) {
  userTest(`the controls above the picture of ${of} keep to one row`, options, async (page) => {
    await headline(page).waitFor();
    const box = await page.locator('.toolbar').boundingBox();
    assert.ok(box && box.height < 48, `they are ${box?.height} high`);
  });
}

userTest(
  'a page enlarged to 200% shows the picture',
  {fresh: true, viewport: {width: 720, height: 450}},
  async (page) => {
    await headline(page).waitFor();
    const {pictureTop, overflow} = await measure(page);
    assert.ok(pictureTop < 300, `the picture begins at ${pictureTop}`);
    assert.ok(overflow <= 0);
  },
);

userTest(
  'the Tab key reaches the picture in ten stops, and a skip link leads there at once',
  {fresh: true},
  async (page) => {
    await headline(page).waitFor();
    await page.locator('#skip').focus();
    await page.keyboard.press('Enter');
    const focused = () =>
      page.evaluate(() => {
        const scope = document.querySelector('bert-scope');
        return scope?.shadowRoot?.activeElement?.className ?? document.activeElement?.id ?? '';
      });
    assert.match(await focused(), /token/);
    await page.locator('#skip').focus();
    let stops = 1;
    while (!/head-square|token|\bend\b/.test(await focused())) {
      await page.keyboard.press('Tab');
      stops++;
      assert.ok(stops <= 11, `the focus is on ${await focused()}`);
    }
  },
);

userTest(
  'two texts of a comparison are named whole beside the map, and the caption keeps to one line',
  {
    hash: '#text=The+children+played+in+the+garden+until+they+were+sold.&layer=1&heads=4&token=q8&compare-mode=difference&compare-text=The+children+played+in+the+garden+until+they+were+tired.&panel=settings',
  },
  async (page) => {
    const names = page.locator('.inspected-pass .segment span');
    await names.nth(1).waitFor();
    const cut = await names.evaluateAll((all) =>
      all.map((one) => [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight]),
    );
    assert.deepEqual(
      cut.flat().filter((pixels) => pixels > 0),
      [],
    );
    const caption = page.locator('.caption.direction', {hasText: 'full colour'});
    const box = await caption.boundingBox();
    assert.ok(box && box.height < 24, `the caption is ${box?.height} high`);
  },
);

userTest(
  'the workbench keeps its distance from the guesses above it, and its choices keep to one line',
  {hash: '#text=the+cat+sat&layer=1&heads=1&token=q2&panel=whatif'},
  async (page) => {
    const why = await page.getByRole('button', {name: /^Which words led to “/}).boundingBox();
    const workbench = await page.locator('bert-workbench .workbench').boundingBox();
    assert.ok(why && workbench && workbench.y - why.y - why.height >= 8);
    await page.getByRole('button', {name: 'Switch this head off'}).click();
    await page.getByRole('button', {name: 'Change the model'}).click();
    const choice = page.locator('bert-workbench .segment span', {hasText: 'side by side'});
    const box = await choice.boundingBox();
    assert.ok(box && box.height < 40, `“side by side” is ${box?.height} high`);
  },
);

for (const {of, ...options} of [
  {of: 'a usual window', fresh: true},
  {of: 'a phone', ...phone},
])
  userTest(
    `300 words give the text three lines in ${of}, and the picture the rest`,
    {...options, hash: `#text=${'the+cat+sat+on+a+mat+'.repeat(50)}`},
    async (page) => {
      await headline(page).waitFor();
      const lines = await page.locator('#text').evaluate((field) => {
        const {lineHeight} = getComputedStyle(field);
        return field.clientHeight / parseFloat(lineHeight);
      });
      assert.ok(lines > 3 && lines < 3.5, `the text has ${lines} lines`);
    },
  );

userTest(
  'in a window of 1024 pixels an open panel keeps the map of heads beside the picture',
  {
    hash: '#text=The+children+played+in+the+garden.&layer=1&heads=4&panel=numbers',
    viewport: {width: 1024, height: 768},
  },
  async (page) => {
    await headline(page).waitFor();
    const [map, picture, panel] = await Promise.all(
      ['.head-map .squares', '.head-view', '.drawer'].map((part) =>
        page.locator(part).first().boundingBox(),
      ),
    );
    assert.ok(map && picture && panel);
    assert.ok(map.y + map.height <= 768, `the map ends at ${map.y + map.height}`);
    assert.ok(map.x + map.width <= picture.x && picture.x + picture.width <= panel.x);
  },
);

userTest(
  'two pictures side by side have one height and every row of a usual sentence, and a pin in one is a pin in the other',
  {
    hash: '#text=The+children+played+in+the+garden+until+they+were+tired.&layer=1&heads=4&token=q8&compare-mode=side&compare-text=The+old+children+played+until+they+were+sold.',
  },
  async (page) => {
    const scrollers = page.locator('.side-by-side .scroller');
    await scrollers.nth(1).waitFor();
    await eventually('all rows in both pictures', async () => {
      const heights = await scrollers.evaluateAll((all) =>
        all.map((one) => ({own: one.clientHeight, all: one.scrollHeight})),
      );
      for (const {own, all} of heights) assert.ok(all - own <= 1, `${own} of ${all} px`);
      assert.ok(Math.abs(heights[0].own - heights[1].own) <= 1, JSON.stringify(heights));
    });
    // The same word is in another place there.
    const pinned = scrollers.locator('.query .token[aria-pressed="true"] .piece');
    for (const [side, word] of /** @type {const} */ ([
      [0, 'children'],
      [1, 'until'],
    ])) {
      await scrollers.nth(side).locator('.query .token', {hasText: word}).click();
      await eventually(`“${word}” pinned in both`, async () =>
        assert.deepEqual(await pinned.allTextContents(), [word, word]),
      );
    }
  },
);

userTest('printed, the page is the headline and the picture', {fresh: true}, async (page) => {
  await headline(page).waitFor();
  await page.emulateMedia({media: 'print'});
  for (const part of ['.toolbar', '.heads', '.reading-help', '.next'])
    assert.ok(!(await page.locator(part).isVisible()), part);
  assert.ok(await headline(page).isVisible());
  const [rows, lines] = await page.evaluate(() => {
    const root = /** @type {any} */ (document.querySelector('bert-scope')).renderRoot;
    return ['.key.tokens', '.lines canvas'].map(
      (part) => root.querySelector(part).getBoundingClientRect().height,
    );
  });
  assert.ok(Math.abs(rows - lines) < 3, `lines of ${lines} beside rows of ${rows}`);
});
