/** Tests what the neuron view shows of one head. */

import assert from 'node:assert/strict';
import {embedded} from '../support/embedded-model.js';
import {assertAccessible} from './axe.js';
import {loadGolden} from './models.js';
import {
  cellOf,
  engineHead,
  hash,
  ofTime,
  openTable,
  rowsOf,
  shownQuery,
  text,
  tokens,
  written,
} from './neuron-view.js';
import {researcherTest, token, userTest, waitForTokens} from './support.js';
/** @import {Scope} from './neuron-view.js' */

researcherTest(
  'the view opens with a query chosen, and its table has all numbers',
  {hash},
  async (page) => {
    await waitForTokens(page, tokens);
    const {of, attention} = await engineHead(page);
    const query = await shownQuery(page);
    const {sums, scores, softmax} = of(query);
    const rows = await openTable(page, 0);
    assert.deepEqual(
      rows,
      tokens.map((name, key) => [
        name,
        written(sums[key], 4),
        written(scores[key], 4),
        written(softmax[key], 4),
        written(attention[query * tokens.length + key], 4),
      ]),
    );
    assert.match(await text(page, '.neuron-view .reading'), /Layer 2, head 3/);
  },
);

userTest('the attention of every head is the softmax of the scores shown', {hash}, async (page) => {
  await waitForTokens(page, tokens);
  for (const [layer, head] of [
    [0, 0],
    [2, 3],
    [embedded.layers - 1, embedded.heads - 1],
  ]) {
    const {of, attention} = await engineHead(page, layer, head);
    tokens.forEach((_, query) => {
      of(query).softmax.forEach((share, key) => {
        const off = Math.abs(share - attention[query * tokens.length + key]);
        assert.ok(off < 1e-4, `layer ${layer}, head ${head}, ${query} → ${key}: off by ${off}`);
      });
    });
  }
});

userTest(
  '17 tokens are all visible',
  {hash: `#text=${'cat+'.repeat(15)}&view=neuron`},
  async (page) => {
    await waitForTokens(page, ['[CLS]', ...Array(15).fill('cat'), '[SEP]']);
    const last = await token(page, 'key', 16).boundingBox();
    const foot = await page.locator('.neuron-foot').boundingBox();
    assert.ok(last && foot && last.y + last.height <= foot.y + 0.5, 'the last row is covered');
  },
);

userTest(
  'pointing at a band gives the exact numbers of its dimension',
  {hash: ofTime},
  async (page) => {
    await waitForTokens(page, tokens);
    const {of, keys, values, headDim} = await engineHead(page);
    const {query, products, sums, scores, softmax, weighted} = of(1);
    const found = async (/** @type {string} */ title) => {
      const {x, y} = await cellOf(page, title, 4, 0.3);
      await page.mouse.move(x, y);
      const shown = await text(page, '.neuron-view .tooltip');
      return {shown, dimension: Number(/dimension (\d+)/.exec(shown)?.[1])};
    };
    for (const title of ['k', 'q × k']) {
      const {shown, dimension} = await found(title);
      const at = 4 * headDim + dimension;
      const [q, k, product] = [query[dimension], keys[at], products[at]].map((n) => written(n));
      assert.match(shown, /time → like/);
      assert.ok(shown.includes(`q ${q} × k ${k} = ${product}`), shown);
      assert.ok((await text(page, '.zoom')).includes(`q ${q} × k ${k} = ${product}`));
    }
    const {shown, dimension} = await found('α · v');
    const at = 4 * headDim + dimension;
    const [alpha, v, share] = [softmax[4], values[at], weighted[at]].map((n) => written(n));
    assert.ok(shown.includes(`α ${alpha} × v ${v} = ${share}`), shown);
    const sum = await found('softmax');
    const [total, score] = [sums[4], scores[4]].map((n) => written(n));
    assert.ok(sum.shown.includes(`sum to ${total}; divided by √${headDim}: ${score}`), sum.shown);
  },
);

userTest(
  'a band has the colour of the sign and the strength of the number',
  {hash: ofTime},
  async (page) => {
    await waitForTokens(page, tokens);
    const {of, headDim} = await engineHead(page);
    const {products} = of(1);
    const row = products.subarray(4 * headDim, 5 * headDim);
    const typical = Math.hypot(...products) / Math.sqrt(products.length);
    const colours = await page.evaluate((headDim) => {
      const root = document.querySelector('bert-scope')?.shadowRoot;
      const canvas = root?.querySelector('canvas');
      const title = root?.querySelectorAll('.neuron-head .title')[5];
      const line = root?.querySelectorAll('.tokens.key .token')[4].getBoundingClientRect();
      const context = canvas?.getContext('2d');
      if (!canvas || !title || !line || !context) throw new Error('nothing is drawn');
      const box = canvas.getBoundingClientRect();
      const column = title.getBoundingClientRect();
      const cell = Math.floor(column.width / headDim);
      const y = Math.round(line.top + line.height / 2 - box.top);
      return Array.from({length: headDim}, (_, i) => {
        const x = Math.round(column.left - box.left + i * cell);
        return [...context.getImageData(x, y, cell, 1).data.slice(0, 3)];
      });
    }, headDim);
    row.forEach((number, i) => {
      const strength = Math.tanh(Math.abs(number) / typical);
      if (strength < 0.3) return;
      const [red, , blue] = colours[i];
      assert.equal(red > blue, number < 0, `dimension ${i}: ${number} is drawn as ${colours[i]}`);
      const [full, ground] = number < 0 ? [0x0a, 255] : [0x1b, 255];
      const expected = ground + (full - ground) * strength;
      const drawn = number < 0 ? blue : red;
      assert.ok(Math.abs(drawn - expected) < 40, `dimension ${i}: ${drawn}, expected ${expected}`);
    });
  },
);

userTest(
  'six steps explain the arithmetic with the reader’s own numbers',
  {hash: ofTime},
  async (page) => {
    await waitForTokens(page, tokens);
    const {of, headDim} = await engineHead(page);
    const {sums, scores, softmax} = of(1);
    const best = softmax.indexOf(Math.max(...softmax));
    const story = () => text(page, '.neuron-view .story');
    const lit = () => page.locator('.neuron-head .lit').allInnerTexts();
    assert.match(await story(), /^Compare the query of time with every key/);
    assert.deepEqual(await lit(), ['q', 'k']);
    await page.getByRole('button', {name: 'Next', exact: true}).click();
    assert.match(await text(page, '.position'), /2 of 6/);
    assert.deepEqual(await lit(), ['q × k']);
    // The space bar goes to the next step.
    await page.keyboard.press(' ');
    assert.ok((await story()).includes(`${written(sums[best])} for ${tokens[best]}`));
    assert.ok((await story()).includes(`√${headDim}`));
    assert.ok((await story()).includes(written(scores[best])));
    await page.keyboard.press(' ');
    assert.ok(
      (await story()).includes(`summed over all keys: ${(softmax[best] * 100).toFixed(0)}%`),
    );
    assert.deepEqual(await lit(), ['softmax']);
    await page.keyboard.press(' ');
    await page.keyboard.press(' ');
    assert.match(await text(page, '.position'), /6 of 6/);
    await page.getByRole('button', {name: 'Previous', exact: true}).click();
    assert.match(await text(page, '.position'), /5 of 6/);
    await page.getByRole('button', {name: 'Next', exact: true}).click();
    await page.getByRole('button', {name: 'From the start'}).click();
    assert.match(await text(page, '.position'), /1 of 6/);
  },
);

userTest(
  'the picture scrolls inside itself on a phone, and each step scrolls to its column',
  {
    hash,
    viewport: {width: 390, height: 844},
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  },
  async (page) => {
    await waitForTokens(page, tokens);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `the page is ${width} wide`);
    for (const name of ['q × k', 'q·k / √d', 'softmax', 'v', 'α · v']) {
      await page.getByRole('button', {name: 'Next', exact: true}).tap();
      const head = await page.locator('.neuron-head .lit', {hasText: name}).first().boundingBox();
      assert.ok(head && head.x >= 0 && head.x + head.width <= 390, `${name} is in sight`);
    }
  },
);

researcherTest(
  'the difference of two texts is the difference of every number of the arithmetic',
  {hash},
  async (page) => {
    await waitForTokens(page, tokens);
    const kept = await engineHead(page);
    await page.getByRole('button', {name: 'Keep for comparison'}).click();
    await page.getByText('Now change something').waitFor();
    await page.locator('#text').fill('leaps like an archer');
    await page.waitForFunction(
      () => /** @type {any} */ (document.querySelector('bert-scope')).result.tokens.length === 8,
    );
    // Texts with different numbers of tokens have no difference.
    await page.getByRole('radio', {name: 'Difference'}).check();
    await page.getByText('different numbers of pieces: 9 were kept, 8 are here now').waitFor();
    await page.locator('#text').fill('night leaps like an archer');
    await page.locator('.neuron-view').waitFor();
    await page.waitForFunction((count) => {
      const {tokens} = /** @type {any} */ (document.querySelector('bert-scope')).result;
      return tokens.length === count && tokens[1] !== 'time';
    }, tokens.length);
    const now = await engineHead(page);
    await openTable(page, 0);
    // The picture of the text before may stand there for a moment.
    await page.getByText('Each number is that of now minus that of before').waitFor();
    const rows = await rowsOf(page, 0);
    const query = await shownQuery(page);
    const [before, after] = [kept, now].map(({of}) => of(query));
    const change = (/** @type {'sums' | 'scores' | 'softmax'} */ name, /** @type {number} */ key) =>
      written(after[name][key] - before[name][key], 4);
    rows.forEach(([, sum, score, share], key) => {
      const expected = [change('sums', key), change('scores', key), change('softmax', key)];
      assert.deepEqual([sum, score, share], expected);
    });
    assert.equal(await page.locator('.neuron-view .stepper').isVisible(), false);
    await assertAccessible(page);
  },
);

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  const claim = `axe finds nothing in the ${colorScheme} neuron view with its tables open`;
  researcherTest(claim, {hash: `${hash}&token=q4`, colorScheme}, async (page) => {
    await waitForTokens(page, tokens);
    await openTable(page, 0);
    await assertAccessible(page);
  });
}

userTest('the view says which vectors attention from a file lacks', {hash}, async (page) => {
  await waitForTokens(page, tokens);
  const bare = {tokens: ['a', 'b'], attentions: [[[[0.5, 0.5], [0.2, 0.8]]]]}; // prettier-ignore
  await page.route('**/bare.json', (route) => route.fulfill({json: bare}));
  await page.evaluate(() => {
    const scope = /** @type {Scope} */ (document.querySelector('bert-scope'));
    scope.src = 'bare.json';
  });
  await page.getByText('these data hold attention only').waitFor();
  // The page shows the sentence again.
  await page.evaluate(() => {
    const scope = /** @type {Scope} */ (document.querySelector('bert-scope'));
    scope.src = '';
  });
  await page.locator('.neuron-view .story', {hasText: 'Compare the query of'}).waitFor();
});

researcherTest(
  'scores of an encoder-decoder with biases of distances are named so, and their softmax is the attention',
  {hash: '#text=the+cat+sat+on+the+mat&view=neuron&layer=1&heads=2', fresh: true},
  async (page) => {
    await loadGolden(page, 't5');
    for (const [part, formula] of /** @type {const} */ ([
      ['encoder', 'q·k + b'],
      ['decoder', 'q·k + b'],
      ['cross', 'q·k'],
    ])) {
      await page.evaluate((filter) => {
        /** @type {any} */ (document.querySelector('bert-scope')).filter = filter;
      }, part);
      await page.waitForFunction(
        ([part, formula]) => {
          const scope = /** @type {any} */ (document.querySelector('bert-scope'));
          const titles = [...scope.shadowRoot.querySelectorAll('.neuron-head .title')];
          const isThere = titles.some((title) => title.textContent === formula);
          return scope.selection.filter === part && isThere;
        },
        [part, formula],
      );
      const position = page.locator('.neuron-head .title', {hasText: 'position b'});
      assert.equal(await position.isVisible(), part !== 'cross', part);
      const changed = page.locator('bert-scope').getByText('Attention was changed here');
      assert.equal(await changed.count(), 0, part);
    }
  },
);

researcherTest(
  'the view shows what distances add to the scores of a DeBERTa, and with it their softmax is the attention',
  {hash: '#text=the+cat+sat+on+the+mat&view=neuron&layer=1&heads=2', fresh: true},
  async (page) => {
    await loadGolden(page, 'deberta-v2');
    const titles = page.locator('bert-scope .neuron-head');
    for (const title of ['position b', 'q·k/√(3d) + b']) {
      await titles.getByText(title, {exact: true}).waitFor();
    }
    await page.locator('bert-scope .notes', {hasText: 'vectors of the distance'}).waitFor();
    const added = await page.evaluate(async () => {
      const {result} = /** @type {Scope} */ (document.querySelector('bert-scope'));
      return [...(await result.positionScores(1, 2))];
    });
    const query = await shownQuery(page);
    const rows = await openTable(page, 0);
    const count = rows.length;
    rows.forEach(([, , position, , softmax, alpha], key) => {
      assert.equal(position, written(added[query * count + key], 4));
      assert.equal(softmax, alpha);
    });
    const changed = page.locator('bert-scope').getByText('Attention was changed here');
    assert.equal(await changed.count(), 0);
  },
);
