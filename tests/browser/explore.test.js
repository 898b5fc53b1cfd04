/** Walks through the page as a first visitor does: what is seen without a click, and what each click shows. */

import assert from 'node:assert/strict';
import {assertAccessible} from './axe.js';
import {eventually} from '../support/eventually.js';
import {pressInMore} from './more-menu.js';
import {engineAttention, inResearcherView, token, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

/** @param {Page} page */
const headline = (page) => page.locator('.headline .told');

/** Reads a headline as two words and a percentage. @param {Page} page */
async function told(page) {
  const [from, to] = await page.locator('.headline .word').allTextContents();
  const share = Number(/(\d+)%$/.exec((await headline(page).textContent())?.trim() ?? '')?.[1]);
  return {from, to, share};
}

/** @param {Page} page */
const shown = (page) =>
  page.evaluate(() => {
    const {selection, result} = /** @type {any} */ (document.querySelector('bert-scope'));
    return {...selection, tokens: result.tokens};
  });

/** Checks that the headline says what the engine computed for the shown head. @param {Page} page */
async function assertTrue(page) {
  const {from, to, share} = await told(page);
  const {layer, heads, token, tokens} = await shown(page);
  assert.equal(heads.length, 1);
  assert.equal(tokens[token.index], from);
  const row = (await engineAttention(page, layer))[heads[0]][token.index];
  const weights = row
    .filter((_, at) => tokens[at] === to)
    .map((weight) => Math.round(weight * 100));
  assert.ok(weights.includes(share), `${from} gives ${weights} percent to ${to}, not ${share}`);
}

userTest(
  'a new text has a true headline about two of its words, without a click',
  {fresh: true},
  async (page) => {
    await headline(page).filter({hasText: 'they looks at children: 95%'}).waitFor();
    await assertTrue(page);
    await page.locator('#text').fill('My grandmother said that she would bake a cake for us.');
    await headline(page).filter({hasText: 'she looks at grandmother: 74%'}).waitFor();
    await assertTrue(page);
    await page.locator('#text').fill('The old dog slept because he was tired.');
    await headline(page).filter({hasText: 'he looks at dog: 61%'}).waitFor();
    await assertTrue(page);
  },
);

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

userTest(
  'a text that runs without special tokens gets them by the button that shows them',
  {hash: '#text=the+cat+sat&no-special-tokens=1'},
  async (page) => {
    assert.deepEqual((await shown(page)).tokens, ['the', 'cat', 'sat']);
    await page.getByRole('button', {name: 'Show [CLS], [SEP]'}).click();
    await eventually('special tokens', async () =>
      assert.deepEqual((await shown(page)).tokens, ['[CLS]', 'the', 'cat', 'sat', '[SEP]']),
    );
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
  ['layer=0&heads=2&token=q13', 'flowers looks at .: 99% · The mark just after it.'],
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

/** @param {Page} page @param {string} said */
const saidBelow = (page, said) => page.locator('.headline .shows', {hasText: said}).waitFor();

userTest(
  'the headline names [CLS] where most goes there, and how much goes there where it is not shown',
  {hash: garden},
  async (page) => {
    await headline(page).filter({hasText: 'garden looks at [CLS]: 61%'}).waitFor();
    await page.getByRole('button', {name: 'Hide [CLS], [SEP]'}).click();
    await headline(page).filter({hasText: 'garden looks at children: 18%'}).waitFor();
    await saidBelow(page, '61% goes to [CLS], not shown.');
    await token(page, 'query', 7).hover();
    await headline(page).filter({hasText: 'they looks at children: 95%'}).waitFor();
    assert.doesNotMatch((await page.locator('.headline .shows').textContent()) ?? '', /not shown/);
  },
);

userTest(
  'a link that hides a token says so, explains the weights without it, and can be undone',
  {hash: `${garden.replace('q6', 'q12')}&unseen=12&panel=why`},
  async (page) => {
    const notice = page.locator('.notice.off');
    await notice.filter({hasText: 'Hidden from all heads: “[SEP]”.'}).waitFor();
    const share = /: (\d+)%/;
    const told = share.exec((await headline(page).textContent()) ?? '')?.[1];
    const reason = page.locator('.reasons li', {hasText: 'Softmax makes the scores into shares'});
    await reason.waitFor();
    const explained = /is ([\d.]+)%/.exec((await reason.textContent()) ?? '')?.[1];
    assert.ok(Math.abs(Number(explained) - Number(told)) <= 0.6, `${explained}% is not ${told}%`);
    await notice.getByRole('button', {name: 'Undo'}).click();
    await notice.waitFor({state: 'detached'});
    await page.waitForFunction(() => !location.hash.includes('unseen'));
  },
);

userTest(
  'with a special token pinned, “What if” shows every guess with it and without it',
  {hash: `${garden.replace('q6', 'q12')}&panel=whatif`},
  async (page) => {
    const section = page.getByRole('region', {name: 'Does “[SEP]” matter to the guesses?'});
    const status = section.getByText(/^\s*\d+ of 11 first guesses stay the same word/);
    await status.waitFor();
    const rows = await section.locator('tbody tr').allInnerTexts();
    assert.equal(rows.length, 11);
    const same = rows.filter((row) => {
      const [, seen, hidden] = row.split('\t').map((cell) => cell.trim().split(/\s+/)[0]);
      return seen === hidden;
    });
    assert.match((await status.textContent()) ?? '', new RegExp(`^\\s*${same.length} of`));
    await assertAccessible(page);
    await section.getByRole('link', {name: /^Lesson/}).click();
    await page.waitForURL(/lessons\/does-it-matter/);
  },
);

userTest(
  'panels are no entries of the history, and the name of the page starts again',
  {hash: `${garden}&off=2.1&theme=dark`, fresh: true},
  async (page) => {
    await headline(page).filter({hasText: 'garden looks at'}).waitFor();
    const count = await page.evaluate(() => history.length);
    for (const name of ['Why', 'Numbers']) {
      await page.getByRole('radio', {name}).check();
      await page.getByRole('complementary', {name}).waitFor();
    }
    await page.waitForURL(/panel=numbers/);
    assert.equal(await page.evaluate(() => history.length), count);
    await page.getByRole('link', {name: 'bertscope', exact: true}).click();
    await headline(page).filter({hasText: 'they looks at children: 95%'}).waitFor();
    assert.equal(await page.getByRole('complementary').count(), 0);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    const {interventions} = await page.evaluate(() => {
      const {interventions} = /** @type {any} */ (document.querySelector('bert-scope'));
      return {interventions};
    });
    assert.deepEqual(interventions.heads, []);
    await page.goBack();
    await headline(page).filter({hasText: 'garden looks at'}).waitFor();
    await page.getByRole('complementary', {name: 'Numbers'}).waitFor();
  },
);

userTest(
  'a text in which no word stands out says so, and where the attention goes',
  {fresh: true},
  async (page) => {
    await headline(page).filter({hasText: 'they looks at children'}).waitFor();
    await page.locator('#text').fill('asdf qwer zxcv');
    await headline(page).filter({hasText: 'No word stands out here.'}).waitFor();
    await saidBelow(page, 'goes to [SEP], not shown.');
    await page.locator('#text').fill('Hello');
    await saidBelow(page, '97% goes to [SEP], not shown.');
    await headline(page).filter({hasText: 'No word stands out here.'}).waitFor();
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
    await page.getByRole('radio', {name: 'Why'}).check();
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
  'a head that the reader has chosen stays when the text changes',
  {fresh: true},
  async (page) => {
    await page.locator('.head-square[data-layer="3"][data-head="7"]').click();
    await page.locator('#text').fill('My grandmother said that she would bake a cake for us.');
    await headline(page).filter({hasNotText: 'children'}).waitFor();
    await page.getByText('Layer 3, head 7', {exact: true}).waitFor();
    await page.getByRole('button', {name: 'Next finding'}).click();
    await headline(page).filter({hasText: 'she looks at grandmother'}).waitFor();
  },
);

userTest(
  'a pinned token that looks at nothing of the text has no number for a headline',
  {
    hash: '#text=%D0%BC%D0%B0%D0%BC%D0%B0+%D0%BC%D1%8B%D0%BB%D0%B0+%D1%80%D0%B0%D0%BC%D1%83&layer=0&heads=2&special=hide&token=q3',
  },
  async (page) => {
    await headline(page).filter({hasText: 'No word stands out here.'}).waitFor();
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
    const {to, share} = await told(page);
    const values = await page.locator('.key .token').evaluateAll((rows) =>
      rows.map((row) => ({
        name: row.children[0].textContent,
        percent: Math.round(Number(row.children[1].textContent) * 100),
      })),
    );
    assert.ok(
      values.some(({name, percent}) => name === to && percent === share),
      `${to} ${share}`,
    );
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

userTest(
  'the map says what it colours, and pointing at a head moves nothing',
  {fresh: true},
  async (page) => {
    await page.locator('.heads').getByText('Colour: Previous token').waitFor();
    const width = () => page.locator('.heads').evaluate((column) => column.scrollWidth);
    const before = await width();
    await page.locator('.head-square[data-layer="0"][data-head="7"]').hover();
    assert.equal(await width(), before);
  },
);

userTest(
  'a head is switched off and its effect seen in two clicks, without scrolling',
  {fresh: true},
  async (page) => {
    await page.getByRole('radio', {name: 'What if'}).check();
    await page.getByText('If “they” were hidden, the model would guess').waitFor();
    await page.getByRole('button', {name: 'Switch this head off'}).click();
    const effect = page.locator('.guess td', {hasText: /[−+][\d.]+ points/}).first();
    await effect.waitFor();
    const box = await effect.boundingBox();
    assert.ok(box && box.y + box.height < 900);
    assert.equal(await page.evaluate(() => scrollY), 0);
    const [before, after] = await page.evaluate(async () => {
      const {model} = /** @type {any} */ (document.querySelector('bert-scope'));
      const text = 'The children played in the garden until [MASK] were tired.';
      const off = {interventions: {heads: [{layer: 1, head: 4, scale: 0}]}};
      const as = async (/** @type {object} */ options) =>
        (await (await model.attend(text, options)).predictions(1))[0].top[0];
      return [await as({}), await as(off)];
    });
    const first = (await page.locator('.guess tbody tr').first().innerText()).split(/\s+/);
    assert.equal(first[0], before.token);
    assert.equal(first[1], `${Math.round(before.probability * 100)}%`);
    assert.equal(first[2], `${Math.round(after.probability * 100)}%`);
    // The picture is still beside it.
    assert.ok(await token(page, 'query', 0).isVisible());
    await assertAccessible(page);
  },
);

userTest(
  'a picture is copied for a post in three clicks',
  {fresh: true, permissions: ['clipboard-read', 'clipboard-write']},
  async (page) => {
    await page.getByRole('button', {name: 'Export'}).click();
    await page.getByRole('button', {name: 'Copy HTML tag'}).click();
    const tag = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(tag, /<bert-scope [^>]*layer="1" heads="4" token="q8" special="hide"/);
    // The tag reserves the height of the picture in a post, whose rows are lower than those of the page.
    const [, height] = /min-height: calc\((\d+)px/.exec(tag) ?? [];
    assert.ok(Number(height) > 300 && Number(height) < 420, `${height} pixels are reserved`);
  },
);

userTest(
  'one click shows the special tokens, and another hides them',
  {fresh: true},
  async (page) => {
    await headline(page).waitFor();
    assert.equal(await page.locator('.query .piece', {hasText: '[CLS]'}).count(), 0);
    await page.getByRole('button', {name: 'Show [CLS], [SEP]'}).click();
    await page.locator('.query .piece', {hasText: '[CLS]'}).waitFor();
    await page.waitForURL((url) => !/special=/.test(url.hash));
    await page.getByRole('button', {name: 'Hide [CLS], [SEP]'}).click();
    await page.waitForURL(/special=hide/);
  },
);

userTest(
  'the researcher view has every control beside the picture, and its address says so',
  {fresh: true},
  async (page) => {
    await page.locator('#preferences > summary').click();
    await page.getByLabel('Researcher view').check();
    await page.waitForURL(/panel=all/);
    for (const name of ['Layer', 'From → to', 'View'].slice(0, 1))
      await page.getByRole('radiogroup', {name}).waitFor();
    await page.getByRole('complementary', {name: 'What the picture shows'}).waitFor();
    await page.getByRole('button', {name: 'Predict words'}).waitFor();
    await page.reload();
    await page.getByRole('radiogroup', {name: 'Layer'}).waitFor();
    await page.getByLabel('Researcher view').uncheck();
    await page.getByRole('radiogroup', {name: 'Layer'}).waitFor({state: 'detached'});
    await headline(page).waitFor();
  },
);

userTest(
  'the guess stands beside the picture again when Back leads there from the researcher view',
  {hash: '#text=the+cat+sat+on+the+mat.&layer=1&heads=1&token=q2&panel=whatif', fresh: true},
  async (page) => {
    const guess = page.getByText('If “cat” were hidden, the model would guess');
    await guess.waitFor();
    await page.locator('#preferences > summary').click();
    await page.getByLabel('Researcher view').check();
    await guess.waitFor({state: 'detached'});
    await page.goBack();
    await guess.waitFor();
  },
);

userTest(
  'every panel opens beside the picture, passes axe, and closes',
  {hash: '#text=the+cat+sat+on+the+mat&pair=so+it+slept&layer=1&heads=1&token=q2'},
  async (page) => {
    for (const name of ['Why', 'What if', 'Numbers', 'Settings']) {
      await page.getByRole('radio', {name}).check();
      const panel = page.getByRole('complementary', {name});
      await panel.waitFor();
      await assertAccessible(page);
      await panel.getByRole('button', {name: 'Close'}).click();
      await panel.waitFor({state: 'detached'});
    }
  },
);

userTest(
  'an example shows the head that it is about, and the text after it has its own finding',
  {fresh: true},
  async (page) => {
    await pressInMore(page, 'two banks');
    await page.mouse.move(0, 0); // or the headline is about the word under the pointer
    await headline(page).filter({hasText: 'bank looks at river: 8'}).waitFor();
    await page.getByText('Layer 1, head 3', {exact: true}).waitFor();
    await page.locator('#text').fill('The old dog slept because he was tired.');
    await headline(page).filter({hasText: 'he looks at dog'}).waitFor();
    await page.locator('#text').fill('');
    await page.getByRole('button', {name: 'Next finding'}).waitFor({state: 'detached'});
  },
);

userTest(
  'lessons have the choice of the model in the header, and the viewer behind “+”',
  {fresh: true},
  async (page) => {
    const models = page.getByRole('button', {name: 'Models…'});
    assert.equal(await models.isVisible(), false);
    await page.getByRole('link', {name: 'Lessons'}).click();
    await models.click();
    await page.getByRole('dialog', {name: 'Models'}).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', {name: 'Explore'}).click();
    await models.waitFor({state: 'hidden'});
    await pressInMore(page, 'Models…');
    await page.getByRole('dialog', {name: 'Models'}).waitFor();
  },
);

userTest(
  'the strongest line is wider than a faint one, where rows are high',
  {fresh: true},
  async (page) => {
    await headline(page).waitFor();
    const width = await page.evaluate(() => {
      const root = /** @type {any} */ (document.querySelector('bert-scope')).renderRoot;
      const canvas = root.querySelector('.lines canvas');
      const x = Math.round(canvas.width / 4);
      const {data} = canvas.getContext('2d').getImageData(x, 0, 1, canvas.height);
      let rows = 0;
      for (let at = 3; at < data.length; at += 4) rows += Number(data[at] > 200);
      return rows;
    });
    assert.ok(width >= 3, `the strongest line is ${width} pixels wide`);
  },
);

userTest(
  'another first sentence in place of an example’s drops its second one, and an edit keeps it',
  {fresh: true},
  async (page) => {
    await pressInMore(page, 'mat and rug');
    await page.locator('#pair').waitFor();
    await page.locator('#text').fill('the dog sat on the mat');
    assert.equal(await page.locator('#pair').inputValue(), 'the cat lay on the rug');
    await page.locator('#text').fill('Alice lost her keys.');
    await page.locator('#pair').waitFor({state: 'hidden'});
  },
);

userTest(
  'a text that the model cannot read has a banner that offers other models',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    assert.equal(await page.locator('#unreadable').isVisible(), false);
    await page.locator('#text').fill('我喜欢你');
    await page.getByText('4 of 4 tokens are [UNK]').waitFor();
    await page.getByRole('button', {name: 'Choose a model that can'}).click();
    await page.getByRole('dialog', {name: 'Models'}).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#text').fill('the cat');
    await page.locator('#unreadable').waitFor({state: 'hidden'});
  },
);

userTest(
  'a kept picture stays alone until something differs',
  {hash: inResearcherView('#text=the+cat+sat')},
  async (page) => {
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await page.getByText('Now change something').waitFor();
    assert.equal(await page.locator('.head-view').count(), 1);
    await page.locator('#text').fill('the cat slept');
    await page.locator('figcaption').nth(1).waitFor();
    assert.equal(await page.getByText('Now change something').count(), 0);
  },
);
