/** Tests that the headline is true, says why it names a link, and that this link is in sight. */

import assert from 'node:assert/strict';
import {live} from '../../web/strings/en/live.js';
import {embedded} from '../support/embedded-model.js';
import {eventually} from '../support/eventually.js';
import {findDividedHead, findLook, findingsIn, lookAt, looksIn, placeOf} from './found-heads.js';
import {
  assertTrue,
  headline,
  saidBelow,
  sentenceOf,
  told,
  waitForLook,
  waitForPlace,
} from './headline.js';
import {token, userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */
/** @import {Look} from './found-heads.js' */

userTest(
  'a link to a text alone opens with what is found in it, and a link that names heads shows these',
  {hash: '#text=The+old+dog+slept+because+he+was+tired.', fresh: true},
  async (page) => {
    const [first] = await findingsIn(page, 'The old dog slept because he was tired.');
    await waitForPlace(page, first);
    await page.getByRole('button', {name: 'Show [CLS], [SEP]'}).waitFor();
    const text = 'My grandmother said that she would bake a cake.';
    const grandmother = `#${new URLSearchParams({text})}`;
    const go = (/** @type {string} */ hash) =>
      page.evaluate((hash) => (location.hash = hash), hash);
    await go(grandmother);
    const [found] = await findingsIn(page, text);
    await waitForPlace(page, found);
    const other = found.layer === 0 && found.head === 2 ? 3 : 2;
    await go(`${grandmother}&heads=${other}`);
    await page.getByText(`Layer 0, head ${other}`, {exact: true}).waitFor();
    await go(grandmother);
    await waitForPlace(page, found);
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
    const [first] = await findingsIn(page, 'The old dog slept because he was tired.');
    await waitForPlace(page, first);
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

/** Whether a head, on average, rests on punctuation, of which the headline says another thing. @param {Page} page */
async function restsOnPunctuation(page) {
  const own = page.locator('.names [aria-pressed=true] > span');
  return (await own.first().textContent()) === live.analysis.heads.punctuation.name;
}

for (const [
  wanted,
  isWanted,
  reason,
] of /** @type {[string, (look: Look) => boolean, string][]} */ ([
  [
    'a word looks at the mark after it',
    ({kind, query, key}) => kind === 'punctuation' && key === query + 1,
    'The next punctuation mark.',
  ],
  [
    'a word looks at a mark further on',
    ({kind, query, key}) => kind === 'punctuation' && key > query + 1,
    'A punctuation mark.',
  ],
  [
    'she looks at a word that it can stand for',
    ({kind}) => kind === 'pronoun',
    'Does “she” stand for “TO” here?',
  ],
]))
  userTest(
    `the headline gives a reason that is true of the link it tells: ${reason}`,
    {hash: oneSentence},
    async (page) => {
      const looks = (await looksIn(page)).filter(isWanted);
      let reasons = 0;
      for (const look of looks.slice(0, 20)) {
        await page.evaluate((hash) => (location.hash = hash), `${oneSentence}&${placeOf(look)}`);
        await waitForPlace(page, look);
        if (reason.includes('mark') && (await restsOnPunctuation(page))) continue;
        await waitForLook(page, look);
        await page
          .locator('.headline .shows')
          .filter({
            hasText: new RegExp(` · ${reason.replace('TO', look.to).replace(/[.?]/g, '\\$&')}`),
          })
          .waitFor();
        if (++reasons === 2) break;
      }
      assert.ok(reasons > 0, `in no head of the embedded model ${wanted}`);
    },
  );

const gardenText = '#text=The+children+played+in+the+garden+until+they+were+tired.';

userTest(
  'the headline names [CLS] where most goes there, and says so where it is not shown',
  {hash: `${gardenText}&layer=0`},
  async (page) => {
    const {word, special} = await findDividedHead(page, 'clearly');
    const hash = `${gardenText}&${placeOf(special)}`;
    await page.evaluate((hash) => (location.hash = hash), hash);
    await waitForLook(page, special);
    await page.getByRole('button', {name: 'Hide [CLS], [SEP]'}).click();
    await saidBelow(page, `${special.to} is not shown.`);
    await waitForLook(page, special);
    // Without [CLS] each row is one higher.
    await token(page, 'query', word.query - 1).hover();
    await waitForLook(page, word);
    assert.doesNotMatch((await page.locator('.headline .shows').textContent()) ?? '', /not shown/);
  },
);

userTest(
  'a text in which no word stands out shows the special token that its word looks at',
  {fresh: true},
  async (page) => {
    await headline(page).filter({hasText: 'they looks at children'}).waitFor();
    for (const text of ['asdf qwer zxcv', 'Hello']) {
      await page.locator('#text').fill(text);
      const [found, ...others] = await findingsIn(page, text);
      assert.deepEqual([found.kind, others.length], ['special', 0]);
      await waitForPlace(page, found);
      const look = await lookAt(page, found);
      assert.match(look.to, /^\[(CLS|SEP)\]$/);
      await waitForLook(page, look);
      await saidBelow(page, `${look.to} often means “nothing to see here”`);
    }
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
  {hash: '#text=%E2%98%83+%E2%98%82+%E2%98%81&layer=0'},
  async (page) => {
    await waitForTokens(page, ['[CLS]', '[UNK]', '[UNK]', '[UNK]', '[SEP]']);
    const look = await findLook(
      page,
      'the last [UNK] looks at nothing of the text',
      ({query, isToText, toText}) => query === 3 && !isToText && toText < 0.1,
    );
    const hash = `#text=%E2%98%83+%E2%98%82+%E2%98%81&special=hide&${placeOf(look)}`;
    await page.evaluate((hash) => (location.hash = hash), hash);
    await waitForLook(page, look);
    await page.locator('.key .piece').getByText(look.to, {exact: true}).waitFor();
  },
);

userTest(
  'the headline speaks of the token under the pointer, as the picture does',
  {fresh: true},
  async (page) => {
    await headline(page).waitFor();
    const {word, special} = await findDividedHead(page, 'clearly');
    const hash = `${gardenText}&special=hide&${placeOf(word)}`;
    await page.evaluate((hash) => (location.hash = hash), hash);
    await waitForLook(page, word);
    await token(page, 'query', special.query - 1).hover();
    await page.locator('.headline .word').first().getByText(special.from, {exact: true}).waitFor();
    // What is hidden is part of what the token gives.
    await waitForLook(page, special);
    await saidBelow(page, `${special.to} is not shown.`);
    await page.mouse.move(0, 0);
    await waitForLook(page, word);
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
      .filter({hasText: /^\s*Another sentence: they looks at /})
      .waitFor();
    const they = {layer: 1, head: 4, query: 8};
    const look = await lookAt(page, they);
    await headline(page)
      .filter({hasText: `Another sentence: ${sentenceOf(look)}`})
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
    // The share in the other sentence stands before the one here.
    const changedTo = async (/** @type {string} */ begin, /** @type {Look} */ look) => {
      const said = (await headline(page).textContent())?.trim() ?? '';
      assert.match(said, /: \d+% → \d+%$/);
      assert.equal(said.replace(/\d+% → /, ''), `${begin}${sentenceOf(look)}`);
    };
    await eventually('the change', () => changedTo('With tired for sold, ', look));
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
    await eventually('the head that is off', async () =>
      changedTo('Layer 0, head 0 off: ', await lookAt(page, they)),
    );
  },
);

userTest(
  'the headline over several heads says that it is an average',
  {hash: '#text=The+children+played+in+the+garden+until+they+were+tired.&layer=1&token=q8'},
  async (page) => {
    await headline(page)
      .filter({hasText: /they looks at .+: \d+% on average/})
      .waitFor();
    await page.getByText(`Mean of ${embedded.heads} heads, layer 1`).waitFor();
    const caption = page.locator('.reading-help');
    await caption.filter({hasText: 'Each weight is the mean of the chosen heads.'}).waitFor();
    await page.locator('.head-square[data-layer="1"][data-head="4"]').click();
    await caption.filter({hasNotText: 'the mean of'}).waitFor();
  },
);
