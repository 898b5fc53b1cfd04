import assert from 'node:assert/strict';
import {examples} from '../../web/page/examples.js';
import {page as pageStrings} from '../../web/strings/en/live.js';
import {formatPercent} from '../../web/views/parts/number-format.js';
import {embedded} from '../support/embedded-model.js';
import {eventually} from '../support/eventually.js';
import {shown} from './headline.js';
import {pressInMore} from './more-menu.js';
import {
  engineAttention,
  openPage,
  phone,
  researcherTest,
  token,
  userTest,
  waitForInput,
  waitForTokens,
} from './support.js';

/** @import {Page} from 'playwright-core' */

/** @param {Page} page */
const drawnTokens = (page) => page.locator('.query .piece').allTextContents();

/** Gives the engine's tokens of the text. @param {Page} page */
const engineTokens = (page) =>
  page.evaluate(() => /** @type {any} */ (document.querySelector('bert-scope')).result.tokens);

userTest(
  'the page draws what is typed, and never an empty picture in between',
  {fresh: true, hash: '#text=the+cat&layer=0'},
  async (page) => {
    await page.evaluate(() => {
      const root = /** @type {any} */ (document.querySelector('bert-scope')).shadowRoot;
      const canvas = root.querySelector('canvas');
      const state = {frames: 0, blank: 0};
      const look = () => {
        state.frames++;
        const shown = canvas.isConnected && root.querySelectorAll('.query .token').length > 2;
        const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        if (!shown || !data.some((/** @type {number} */ value) => value > 0)) state.blank++;
        requestAnimationFrame(look);
      };
      Object.assign(window, {watched: state});
      look();
    });
    await page.locator('#text').press('End');
    await page.keyboard.type(' sat on the mat', {delay: 60});
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', 'on', 'the', 'mat', '[SEP]']);
    const {frames, blank} = await page.evaluate(() => /** @type {any} */ (window).watched);
    assert.ok(frames > 5);
    assert.equal(blank, 0, `${blank} of ${frames} frames were empty`);
  },
);

userTest('the latest of many texts in a row wins', {hash: '#text=a&layer=0'}, async (page) => {
  await page.locator('#text').fill('');
  await page.keyboard.type('she put her money in the bank of the old river', {delay: 0});
  await page.waitForFunction(() => {
    const scope = /** @type {any} */ (document.querySelector('bert-scope'));
    return scope.result?.tokens.at(-2) === 'river';
  });
  assert.deepEqual(await drawnTokens(page), await engineTokens(page));
});

userTest(
  'typing ten characters a second at 32 tokens moves nothing and loses no character',
  {fresh: true, hash: `#text=${'the+cat+sat+on+a+mat+'.repeat(4)}the+cat+sat+on+a&layer=0`},
  async (page) => {
    await page.evaluate(() => {
      const root = /** @type {any} */ (document.querySelector('bert-scope')).shadowRoot;
      const state = {shift: 0, places: new Set()};
      new PerformanceObserver((list) => {
        for (const entry of /** @type {any[]} */ (list.getEntries())) {
          if (!entry.hadRecentInput) state.shift += entry.value;
        }
      }).observe({type: 'layout-shift'});
      const look = () => {
        const {left, top, width} = root.querySelector('.query .token').getBoundingClientRect();
        state.places.add(`${left} ${top} ${width}`);
        requestAnimationFrame(look);
      };
      look();
      Object.assign(window, {watched: state});
    });
    await page.locator('#text').press('End');
    await page.keyboard.type(' mat by the sea', {delay: 100});
    await page.waitForFunction(
      () =>
        /** @type {any} */ (document.querySelector('bert-scope')).result.tokens.at(-2) === 'sea',
    );
    assert.match(await page.locator('#text').inputValue(), /on a mat by the sea$/);
    assert.deepEqual(await drawnTokens(page), await engineTokens(page));
    const {shift, places} = await page.evaluate(() => {
      const {shift, places} = /** @type {any} */ (window).watched;
      return {shift, places: [...places]};
    });
    assert.equal(shift, 0);
    assert.equal(places.length, 1, `the first token stood at ${places.join(', ')}`);
  },
);

for (const [name, options] of Object.entries({
  desk: {viewport: {width: 1440, height: 900}},
  phone,
}))
  userTest(
    `on a ${name} the picture stays where it is while the rest of the page arrives`,
    {...options, open: false},
    async (page) => {
      // What stands for an instant only is painted on a slow device.
      const client = await page.context().newCDPSession(page);
      await client.send('Emulation.setCPUThrottlingRate', {rate: 4});
      await openPage(page);
      await page.getByRole('button', {name: 'Next finding'}).waitFor();
      await page.locator('.guess .one').first().waitFor();
      // What is loaded ahead comes last; all of it takes long on a slow device.
      await page.locator('#before').waitFor({state: 'attached', timeout: 60_000});
      const shifts = await page.evaluate(async () => {
        const [{startTime: drawn}] = performance.getEntriesByName('bertscope:first-attention');
        // The frames that show the last part.
        for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
        const observer = new PerformanceObserver(() => {});
        observer.observe({type: 'layout-shift', buffered: true});
        const entries = /** @type {(PerformanceEntry & {value: number})[]} */ (
          observer.takeRecords()
        );
        return entries
          .map(({startTime, value}) => ({milliseconds: Math.round(startTime - drawn), value}))
          .filter(({milliseconds, value}) => milliseconds > 0 && value > 0.001);
      });
      assert.deepEqual(shifts, []);
    },
  );

userTest(
  'the page asks for a sentence where there is none, and draws the next one',
  {hash: '#text=hello&layer=0'},
  async (page) => {
    await page.locator('#text').fill('  ');
    await page.getByText('Type a sentence').waitFor();
    // The map and the status line show nothing of the text before.
    await page.getByRole('gridcell', {name: 'Layer 1, head 1', exact: true}).waitFor();
    assert.doesNotMatch((await page.locator('#status').textContent()) ?? '', /computed/);
    await page.locator('#text').press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement), await page.evaluate(() => document.body)); // prettier-ignore
    await page.locator('#text').fill('the cat');
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
  },
);

userTest(
  'a second sentence can be added and taken away',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    await pressInMore(page, '+ second sentence');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'pair');
    await page.keyboard.type('the mat');
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]', 'the', 'mat', '[SEP]']);
    await page.getByRole('radio', {name: 'Settings'}).check();
    await page.getByRole('radio', {name: 'B→B'}).waitFor();
    await page.getByRole('button', {name: 'Remove'}).click();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
    assert.equal(await page.locator('#pair').isVisible(), false);
  },
);

userTest(
  'an example fills both sentences, and the picture says what its token gives most to',
  {},
  async (page) => {
    // The first one is what the page opens with.
    for (const {name, text, pair, shown: place} of [...examples].reverse()) {
      await pressInMore(page, pageStrings.examples[name]);
      await page.waitForFunction(
        ([text, pair]) => {
          const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
          return result?.text === text && result.pair === pair;
        },
        [text, pair],
      );
      assert.equal(await page.locator('#text').inputValue(), text);
      assert.equal(await page.locator('#pair').isVisible(), pair !== '');
      if (pair) assert.equal(await page.locator('#pair').inputValue(), pair);
      await page.waitForURL((url) => new URLSearchParams(url.hash.slice(1)).get('text') === text);
      const {layer, heads, token} = place;
      const row = (await engineAttention(page, layer))[heads[0]][token];
      await eventually(`what ${name} shows`, async () => {
        const {tokens, ...selection} = await shown(page);
        assert.deepEqual(
          [selection.layer, selection.heads, selection.token],
          [layer, heads, {side: 'query', index: token}],
        );
        // Special tokens are there only if the token hardly looks at the text.
        const drawn = await page.locator('.key .piece').allTextContents();
        const isDrawn = (/** @type {string} */ each) => drawn.includes(each);
        const most = Math.max(...row.filter((_, at) => isDrawn(tokens[at])));
        const reading = (await page.locator('.head-view .reading').textContent()) ?? '';
        const to = row.indexOf(most) === token ? 'itself' : tokens[row.indexOf(most)];
        // Where a word occurs twice, its place or its sentence stands behind it.
        const plain = reading.replaceAll(/ ?\((A|B|\d+)\)/g, '');
        const told = `${tokens[token]} gives ${formatPercent(most)} of its attention to ${to}`;
        assert.ok(plain.trim().startsWith(told), `${reading} is not ${told}`);
      });
    }
  },
);

userTest(
  'of a pasted megabyte, the page keeps the first characters, says so, and has them after a reload',
  {hash: '#text=the+cat&layer=0', fresh: true},
  async (page) => {
    const box = page.locator('#text');
    await box.fill('');
    await page.evaluate(
      (text) => document.execCommand('insertText', false, text),
      '汉字句子'.repeat(250_000),
    );
    const notice = page.locator('bert-scope .notice', {hasText: 'first 10,000 characters'});
    await notice.waitFor();
    await page.locator('bert-scope .notice', {hasText: 'tokens fit this model'}).waitFor();
    const kept = '汉字句子'.repeat(2500);
    assert.equal(await box.inputValue(), kept);
    await page.waitForFunction(() => location.hash.length > 80_000);
    await page.reload();
    await notice.waitFor();
    assert.equal(await box.inputValue(), kept);
    await box.fill('the mat');
    await notice.waitFor({state: 'hidden'});
  },
);

userTest(
  'a notice says how many tokens of a long text were cut',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    const notice = page.locator('.notice');
    assert.equal(await notice.count(), 0);
    await page.locator('#text').fill('the cat sat '.repeat(100));
    await notice.waitFor();
    assert.equal(
      await notice.textContent(),
      'Only the first 256 tokens fit this model: 46 were cut.',
    );
    await pressInMore(page, '+ second sentence');
    await page.keyboard.type('the');
    await notice.filter({hasText: '48 were cut, longest sentence first.'}).waitFor();
    await page.getByRole('button', {name: 'Remove'}).click();
    await page.locator('#text').fill('the cat');
    await notice.waitFor({state: 'detached'});
  },
);

userTest(
  'emoji, right-to-left texts, markup and very long words are drawn unchanged',
  {hash: '#text=a&layer=0'},
  async (page) => {
    const long = 'a'.repeat(300);
    for (const text of ['שלום עולם', '😀 👩‍🚀', long, '[MASK] <b>&amp;</b>']) {
      await page.locator('#text').fill(text);
      await page.waitForFunction((text) => {
        const scope = /** @type {any} */ (document.querySelector('bert-scope'));
        const pieces = [...scope.shadowRoot.querySelectorAll('.query .piece')];
        const shown = pieces.map((piece) => piece.textContent).join();
        return scope.text === text && shown === scope.result?.tokens.join();
      }, text);
    }
    // The tokens and the result of the text before agree too, so the last text is awaited by its own token.
    await page.locator('.query .piece', {hasText: '[MASK]'}).first().waitFor();
  },
);

researcherTest(
  'the address carries the whole state, and a reload shows the same',
  {hash: '#text=the+cat+sat&pair=the+mat&layer=0'},
  async (page) => {
    await page.getByRole('radio', {name: '3'}).check();
    await page.locator('.square').nth(2).dblclick();
    await page.locator('.square').nth(5).click();
    await page.getByRole('radio', {name: 'A→B'}).check();
    await token(page, 'query', 2).click();
    await page.locator('#theme').selectOption('dark');
    await page.waitForURL(
      /#text=the\+cat\+sat&pair=the\+mat&view=head&layer=3&heads=2\.5&filter=ab&token=q2&panel=all&theme=dark$/,
    );
    const state = () =>
      page.evaluate(() => {
        const scope = /** @type {any} */ (document.querySelector('bert-scope'));
        const root = scope.shadowRoot;
        return {
          selection: scope.selection,
          tokens: scope.result.tokens,
          values: [...root.querySelectorAll('.value')].map((value) => value.textContent),
          background: getComputedStyle(document.documentElement).backgroundColor,
        };
      });
    const before = await state();
    assert.deepEqual(before.selection.heads, [2, 5]);
    await page.reload();
    await page.waitForFunction(
      () => performance.getEntriesByName('bertscope:first-attention').length,
    );
    assert.deepEqual(await state(), before);
  },
);

researcherTest(
  'back and forward go through the reader’s choices',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    await page.getByRole('radio', {name: '2'}).check();
    await pressInMore(page, 'mat and rug');
    await page.waitForURL(/text=the\+cat\+sat/);
    await page.goBack();
    await waitForInput(page, '#text', 'the cat');
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
    assert.ok(await page.getByRole('radio', {name: '2'}).isChecked());
    await page.goBack();
    await page.waitForFunction(
      () => /** @type {any} */ (document.querySelector('bert-scope')).selection.layer === 0,
    );
    await page.goForward();
    await page.goForward();
    await waitForInput(page, '#text', 'the cat sat on the mat');
  },
);

userTest(
  'layers and heads that the model lacks are removed from the address, and the reader is told once',
  {hash: '#text=the+cat&layer=99&heads=77&off=9.9&only-layers=1.44'},
  async (page) => {
    const told = page.getByText('(layer=99, heads=77, only-layers=44, off=9.9)');
    await told.waitFor();
    await page
      .getByText(
        `It has ${embedded.layers} layers of ${embedded.heads} heads, both counted from 0.`,
      )
      .waitFor();
    const end = `layer=${embedded.layers - 1}&only-layers=1&off=9.9`;
    await page.waitForURL((url) => url.hash.endsWith(end));
    assert.equal(await page.getByRole('button', {name: 'Undo all changes'}).count(), 0);
    await page.locator('#text').fill('the mat');
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
    await told.waitFor({state: 'hidden'});
    await page.goBack();
    await page.evaluate(() => (location.hash = '#text=a+dog&layer=0&heads=1.29'));
    await page.getByText('(heads=29)').waitFor();
    await page.waitForURL(/layer=0&heads=1$/);
  },
);

userTest(
  'an address with an unknown view opens the head view, and an element names the unknown view',
  {hash: '#text=a&view=spiral'},
  async (page) => {
    await page.locator('.head-view').waitFor();
    await page.evaluate(() => document.querySelector('bert-scope')?.setAttribute('view', 'spiral'));
    await page.getByText('found “spiral”').waitFor();
  },
);

userTest(
  'removing the second sentence removes its filter from the address',
  {hash: '#text=the+cat&pair=the+mat&filter=ab'},
  async (page) => {
    await page.getByRole('button', {name: 'Remove'}).click();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
    await page.waitForURL(/#text=the\+cat&view=head&layer=0$/);
  },
);

userTest(
  'attributes with invalid values get the nearest valid ones',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    await page.evaluate(() => {
      const scope = document.querySelector('bert-scope');
      scope?.setAttribute('layer', 'x');
      scope?.setAttribute('heads', '-1.99.x');
      scope?.setAttribute('filter', 'zz');
    });
    const selection = await page.evaluate(
      () => /** @type {any} */ (document.querySelector('bert-scope')).selection,
    );
    assert.deepEqual(selection, {
      layer: 0,
      heads: [...Array(embedded.heads).keys()],
      filter: 'all',
      token: null,
    });
  },
);
