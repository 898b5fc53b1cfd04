/** Tests that the headline is true, says why it names a link, and that this link is in sight. */

import assert from 'node:assert/strict';
import {eventually} from '../support/eventually.js';
import {assertTrue, headline, saidBelow, told} from './headline.js';
import {token, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

userTest(
  'a link to a text alone opens with what is found in it, and a link that names heads shows these',
  {hash: '#text=The+old+dog+slept+because+he+was+tired.', fresh: true},
  async (page) => {
    await headline(page).filter({hasText: 'he looks at dog: 61%'}).waitFor();
    await assertTrue(page);
    await page.getByRole('button', {name: 'Show [CLS], [SEP]'}).waitFor();
    const grandmother = '#text=My+grandmother+said+that+she+would+bake+a+cake.';
    await page.evaluate((hash) => (location.hash = hash), grandmother);
    await headline(page).filter({hasText: 'she looks at grandmother'}).waitFor();
    await page.evaluate((hash) => (location.hash = `${hash}&heads=2`), grandmother);
    await page.getByText('Layer 0, head 2', {exact: true}).waitFor();
    await page.evaluate((hash) => (location.hash = hash), grandmother);
    await headline(page).filter({hasText: 'she looks at grandmother'}).waitFor();
  },
);

for (const width of [1024, 1280])
  userTest(
    `where a window is ${width} pixels wide, no word that the mouse reads moves the picture`,
    {viewport: {width, height: 768}, fresh: true},
    async (page) => {
      await page.locator('.guess .one').first().waitFor();
      const words = await page.locator('.query .token').all();
      const place = await words[0].boundingBox();
      assert.ok(words.length > 10);
      for (const word of words) {
        await word.hover();
        const name = (await word.textContent()) ?? '';
        await page.locator('.headline .word').first().filter({hasText: name}).waitFor();
        assert.deepEqual(await words[0].boundingBox(), place, `at ${name}`);
      }
    },
  );

userTest(
  'a link to a panel beside a text opens with what is found in it, too',
  {hash: '#text=The+old+dog+slept+because+he+was+tired.&panel=why', fresh: true},
  async (page) => {
    await headline(page).filter({hasText: 'he looks at dog: 61%'}).waitFor();
    await page.getByRole('complementary', {name: 'How', exact: true}).waitFor();
    await page.getByRole('button', {name: 'Show [CLS], [SEP]'}).waitFor();
  },
);

userTest(
  'each next finding is another true sentence, and none is about a special token',
  {fresh: true},
  async (page) => {
    const seen = new Set();
    for (let i = 0; i < 4; i++) {
      const before = await headline(page).textContent();
      seen.add(await page.locator('.headline .shows').textContent());
      await assertTrue(page);
      assert.doesNotMatch(before ?? '', /\[(CLS|SEP)\]/);
      await page.getByRole('button', {name: 'Next finding'}).click();
      await eventually('another headline', async () =>
        assert.notEqual(await headline(page).textContent(), before),
      );
    }
    assert.ok(seen.size >= 3, [...seen].join('\n'));
  },
);

const oneSentence =
  '#text=My+grandmother+gave+the+vase+to+Anna+because+she+loved+flowers.&special=hide';

for (const [place, said] of [
  ['layer=0&heads=2&token=q13', 'flowers looks at .: 99% · The next punctuation mark.'],
  ['layer=0&heads=3&token=q12', 'loved looks at .: 88% · A punctuation mark.'],
  [
    'layer=3&heads=4&token=q11',
    'she looks at grandmother: 32% · Does “she” stand for “grandmother” here?',
  ],
])
  userTest(
    `the headline gives a reason that is true of the link it tells: ${said}`,
    {hash: `${oneSentence}&${place}`},
    async (page) => {
      await page.locator('.names').getByText('looks at the next token').waitFor();
      const [link, reason] = said.split(' · ');
      await headline(page).filter({hasText: link}).waitFor();
      await page
        .locator('.headline .shows')
        .filter({hasText: ` · ${reason}`})
        .waitFor();
    },
  );

const garden =
  '#text=The+children+played+in+the+garden+until+they+were+tired.&layer=1&heads=4&token=q6';

userTest(
  'the headline names [CLS] where most goes there, and says so where it is not shown',
  {hash: garden},
  async (page) => {
    await headline(page).filter({hasText: 'garden looks at [CLS]: 61%'}).waitFor();
    await page.getByRole('button', {name: 'Hide [CLS], [SEP]'}).click();
    await saidBelow(page, '[CLS] is not shown.');
    await headline(page).filter({hasText: 'garden looks at [CLS]: 61%'}).waitFor();
    await token(page, 'query', 7).hover();
    await headline(page).filter({hasText: 'they looks at children: 95%'}).waitFor();
    assert.doesNotMatch((await page.locator('.headline .shows').textContent()) ?? '', /not shown/);
  },
);

userTest(
  'a text in which no word stands out shows the special token that its word looks at',
  {fresh: true},
  async (page) => {
    await headline(page).filter({hasText: 'they looks at children'}).waitFor();
    await page.locator('#text').fill('asdf qwer zxcv');
    await headline(page).filter({hasText: '##v looks at [SEP]: 100%'}).waitFor();
    await saidBelow(page, '[SEP] often means “nothing to see here”');
    await page.locator('#text').fill('Hello');
    await headline(page).filter({hasText: 'hello looks at [SEP]: 97%'}).waitFor();
    await saidBelow(page, '[SEP] often means “nothing to see here”');
    // It is the only finding, and it is shown.
    assert.equal(await page.getByRole('button', {name: 'Next finding'}).count(), 0);
  },
);

const longText =
  'When the committee finally met on a rainy Tuesday in November, the chairwoman, who had travelled all night from a ' +
  'small town near the border, explained to the tired members that the bridge which their grandparents had built by ' +
  'hand would have to be closed, because it could no longer carry the heavy trucks that now crossed it every day.';

/**
 * Waits until a row of a column is in the window, and in what scrolls it.
 *
 * @param {Page} page
 * @param {'query' | 'key'} side
 * @param {string} mark  the class that it has
 */
const rowInSight = (page, side, mark) =>
  page.waitForFunction(
    ([side, mark]) => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      const row = root?.querySelector(`.tokens.${side} .${mark}`);
      const scroller = row?.closest('.scroller, .neuron-scroller');
      if (!row || !scroller) return false;
      const {top, bottom} = row.getBoundingClientRect();
      const edges = scroller.getBoundingClientRect();
      return top >= edges.top && bottom <= Math.min(edges.bottom, innerHeight) + 1;
    },
    [side, mark],
  );

userTest(
  'the link of the headline is in sight in a long text: of each finding, in each view, by each link',
  {fresh: true, viewport: {width: 1440, height: 900}},
  async (page) => {
    await page.locator('#text').fill(longText);
    await headline(page).filter({hasNotText: 'they looks at children'}).waitFor();
    const places = new Set();
    for (let i = 0; i < 3; i++) {
      await rowInSight(page, 'query', 'current');
      places.add(await page.locator('.scroller').evaluate(({scrollTop}) => scrollTop));
      const before = await headline(page).textContent();
      await page.getByRole('button', {name: 'Next finding'}).click();
      await headline(page)
        .filter({hasNotText: before?.trim() ?? ''})
        .waitFor();
    }
    assert.ok(places.size > 1, 'it scrolled');

    // What the reader scrolls to stays.
    await page.locator('.scroller').evaluate((scroller) => (scroller.scrollTop = 0));
    await page.getByRole('radio', {name: 'How', exact: true}).check();
    await page.locator('.drawer').waitFor();
    assert.equal(await page.locator('.scroller').evaluate(({scrollTop}) => scrollTop), 0);
  },
);

for (const view of ['head', 'neuron'])
  userTest(
    `a link to a token far down in a long text shows it in the ${view} view`,
    {
      hash: `#${new URLSearchParams({text: longText, view, special: 'hide', layer: '0', heads: '4', token: 'q66'})}`,
      viewport: {width: 1440, height: 900},
    },
    async (page) => {
      await rowInSight(page, 'query', 'current');
    },
  );

userTest(
  'a link to a token far down in a long text shows its row in the matrix view',
  {
    hash: `#${new URLSearchParams({text: longText, view: 'matrix', special: 'hide', layer: '0', heads: '4', token: 'q66'})}`,
    viewport: {width: 1440, height: 900},
  },
  async (page) => {
    await page.waitForFunction(() => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      return (root?.querySelector('.map')?.scrollTop ?? 0) > 0;
    });
  },
);

userTest(
  'a pinned token that looks at nothing of the text shows the special token that it looks at',
  {
    hash: '#text=%D0%BC%D0%B0%D0%BC%D0%B0+%D0%BC%D1%8B%D0%BB%D0%B0+%D1%80%D0%B0%D0%BC%D1%83&layer=0&heads=2&special=hide&token=q3',
  },
  async (page) => {
    await headline(page).filter({hasText: '[UNK] looks at [SEP]: 100%'}).waitFor();
  },
);

userTest(
  'the headline speaks of the token under the pointer, as the picture does',
  {fresh: true},
  async (page) => {
    await headline(page).filter({hasText: 'they looks at children'}).waitFor();
    await token(page, 'query', 5).hover();
    await page
      .locator('.headline .word')
      .first()
      .filter({hasText: /^garden$/})
      .waitFor();
    // What is hidden is part of what the token gives.
    await headline(page).filter({hasText: 'garden looks at [CLS]: 61%'}).waitFor();
    await saidBelow(page, '[CLS] is not shown.');
    await page.mouse.move(0, 0);
    await headline(page).filter({hasText: 'they looks at children'}).waitFor();
  },
);

userTest(
  'in a view of one head the headline tells the numbers of that head',
  {hash: '#text=I+put+my+money+in+the+bank.&view=neuron&special=hide'},
  async (page) => {
    await page.locator('.where', {hasText: 'Layer 0, head 0'}).waitFor();
    const {from, to, share} = await told(page);
    const weight = await page.evaluate(
      async ([from, to]) => {
        const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
        const {tokens} = result;
        const weights = await result.attention(0, 0);
        return weights[tokens.indexOf(from) * tokens.length + tokens.indexOf(to)];
      },
      [from, to],
    );
    assert.equal(share, Math.round(weight * 100));
  },
);

for (const {pinned, token: pin} of [
  {pinned: 'no token', token: ''},
  {pinned: 'a key', token: '&token=k6'},
])
  userTest(
    `the neuron view shows the token of the headline while ${pinned} is pinned`,
    {
      hash: `#text=The+children+played+in+the+garden+until+they+were+tired.&view=neuron&layer=1&heads=4${pin}`,
    },
    async (page) => {
      const {from} = await told(page);
      await page.locator('.query .token.current .piece', {hasText: from}).waitFor();
      await page.locator('.story .name', {hasText: from}).first().waitFor();
    },
  );

const compared =
  '#text=The+children+played+in+the+garden+until+they+were+tired.&layer=1&heads=4&token=q8&compare-text=The+garden+played+in+the+children+until+it+was+tired.';

userTest(
  'the headline over two pictures names what has changed, and either sentence is a field that runs alone',
  {hash: `${compared}&compare-mode=side`, fresh: true},
  async (page) => {
    await headline(page)
      .filter({hasText: 'Another sentence: they looks at children: 95%'})
      .waitFor();
    await saidBelow(page, 'The children played in the garden until they were tired.');
    const passes = () =>
      page.evaluate(() => {
        const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
        const {seen = result} = /** @type {any} */ (window);
        Object.assign(window, {seen: result});
        return result === seen;
      });
    await passes();
    await page
      .getByLabel('Compared with', {exact: true})
      .fill('The children played in the garden until they were sold.');
    const changed = /^With tired for sold, they looks at children: \d+% → 95%$/;
    await eventually('the change', async () =>
      assert.match((await headline(page).textContent())?.trim() ?? '', changed),
    );
    assert.ok(await passes(), 'the other sentence has not run again');
    await page.waitForURL(/compare-text=[^&]*sold/);
    await page.getByRole('radio', {name: 'Difference'}).check();
    await headline(page)
      .filter({
        hasText:
          /^\s*With tired for sold, (they looks (more|less) at .+: [+−]\d+ points|no share changes by 5 points)/,
      })
      .waitFor();
    assert.doesNotMatch((await page.locator('.headline .shows').textContent()) ?? '', /stand for/);
    await page.getByRole('group', {name: 'Compare'}).getByRole('button', {name: 'End'}).click();
    await page.getByLabel('Compared with', {exact: true}).waitFor({state: 'hidden'});
    const off = compared.replace(/&compare-text.*/, '&off=0.0&compare-mode=side');
    await page.evaluate((hash) => (location.hash = hash), off);
    await headline(page)
      .filter({hasText: /Layer 0, head 0 off: they looks at children: \d+% → \d+%/})
      .waitFor();
  },
);

userTest(
  'the headline over several heads says that it is an average',
  {hash: '#text=The+children+played+in+the+garden+until+they+were+tired.&layer=1&token=q8'},
  async (page) => {
    await headline(page)
      .filter({hasText: /they looks at .+: \d+% on average/})
      .waitFor();
    await page.getByText('Mean of 8 heads, layer 1').waitFor();
    const caption = page.locator('.reading-help');
    await caption.filter({hasText: 'Each weight is the mean of the chosen heads.'}).waitFor();
    await page.locator('.head-square[data-layer="1"][data-head="4"]').click();
    await caption.filter({hasNotText: 'the mean of'}).waitFor();
  },
);
