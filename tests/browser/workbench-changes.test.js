import assert from 'node:assert/strict';
import {embedded} from '../support/embedded-model.js';
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
import {engineAttention, openPage, researcherTest, token, waitForTokens} from './support.js';
import {ask, percentOf, pointsOf, sentence, sum} from './workbench.js';

/** @import {Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */

researcherTest(
  'a head that is switched off changes the layers above, is in the address, and can be undone',
  {hash: sentence.replace('layer=3', 'layer=2')},
  async (page) => {
    const before = await engineAttention(page, 3);
    const below = await engineAttention(page, 2);
    await page.getByRole('button', {name: 'Switch this head off'}).click();
    await page.waitForURL(/off=2\.3/);
    await page.waitForFunction(
      () => /** @type {Scope} */ (document.querySelector('bert-scope')).untouched,
    );
    const after = await engineAttention(page, 3);
    assert.notDeepEqual(after, before, 'the layers above see it');
    assert.deepEqual(await engineAttention(page, 2), below);
    await page.getByText('Layer 2, head 3: switched off.').waitFor();
    await page.locator('.square.off', {hasText: '3'}).waitFor();
    await page.getByRole('gridcell', {name: 'Layer 2, head 3 off'}).waitFor();
    assert.equal(await page.locator('.head-square.off').count(), 1);
    await page.getByRole('button', {name: 'Switch this head on again'}).waitFor();

    await page.getByText('Change the model').click();
    await page.getByRole('listitem').getByText('Layer 2, head 3 off').waitFor();
    await page.getByRole('radio', {name: 'side by side'}).check();
    await page.locator('figcaption', {hasText: 'the model as it is'}).waitFor();
    const cosine = await ask(page, 'result.similarity(untouched).then((all) => [...all])');
    const tokens = 9;
    const last = page.locator('.states tbody tr').last().locator('td');
    for (const at of [1, 2, 5]) {
      const expected = cosine[embedded.layers * tokens + at].toFixed(2);
      assert.equal((await last.nth(at).textContent())?.trim(), expected);
    }
    assert.ok(cosine.slice(0, 3 * tokens).every((/** @type {number} */ c) => c > 0.9999));
    assert.ok(Math.min(...cosine) < 0.999, 'something has moved');

    await page.waitForURL(/compare-mode=side/);
    const shared = new URL(page.url()).hash;
    const other = await page.context().newPage();
    await openPage(other, shared);
    await other.getByRole('listitem').getByText('Layer 2, head 3 off').waitFor();
    await eventually('the other page’s attention', async () =>
      assert.deepEqual(await engineAttention(other, 3), after),
    );
    await other.close();

    await page.getByRole('button', {name: 'Undo: Layer 2, head 3 off'}).click();
    await page.getByText('Nothing is changed').waitFor();
    await page.waitForFunction(() => !location.hash.includes('off='));
    await eventually('the attention as before', async () =>
      assert.deepEqual(await engineAttention(page, 3), before),
    );
    await page.goBack();
    await page.getByRole('listitem').getByText('Layer 2, head 3 off').waitFor();
    await assertAccessible(page);
  },
);

researcherTest(
  'hiding a merged word hides all its pieces, and showing it shows them again',
  {hash: '#text=the+zzyzx+road&words=1&layer=3&heads=3&token=q2&workbench=change'},
  async (page) => {
    await page.getByText('here the pieces of each stand alone').waitFor();
    await page.getByRole('button', {name: 'Block attention to “zzyzx”'}).click();
    await page.waitForURL(/unseen=2\.3/);
    await eventually('the pieces to be hidden', async () => {
      const weights = (await engineAttention(page, 3))[3];
      assert.ok(weights.every((row) => row[2] === 0 && row[3] === 0));
    });
    await page.getByRole('button', {name: 'Allow attention to “zzyzx” again'}).click();
    await page.waitForFunction(() => !location.hash.includes('unseen='));
  },
);

researcherTest(
  'hidden tokens, set weights, a causal mask and changed scores act on the attention, and each can be undone',
  {hash: `${sentence}&workbench=change`},
  async (page) => {
    await token(page, 'query', 2).click();
    await page.getByRole('button', {name: 'Block attention to “cat”'}).click();
    await page.waitForURL(/unseen=2/);
    await eventually('the token to be hidden', async () => {
      const weights = (await engineAttention(page, 3))[3];
      assert.ok(weights.every((row) => row[2] === 0 && Math.abs(sum(row) - 1) < 1e-4));
    });

    // The fields decide which weight is set, not the pinned token.
    await page.locator('workbench-changes .pair select').nth(0).selectOption('3');
    await page.getByRole('button', {name: 'Set the weight'}).click();
    await page.waitForURL(/edges=3\.3\.3\.0x0r/);
    await page.locator('workbench-changes .pair select').nth(0).selectOption('2');
    await page.locator('workbench-changes .pair select').nth(1).selectOption('6');
    await page.locator('workbench-changes fieldset').nth(1).getByRole('slider').fill('0.5');
    await page.getByRole('button', {name: 'Set the weight'}).click();
    await page.waitForURL(/edges=[^&]*3\.3\.2\.6x0\.5r/);
    await eventually('the weight to be set', async () => {
      const set = (await engineAttention(page, 3))[3][2];
      assert.ok(Math.abs(set[6] - 0.5) < 1e-6 && Math.abs(sum(set) - 1) < 1e-4);
    });

    await page.getByText('No token sees a later one').click();
    await page.getByRole('button', {name: 'Undo: Layer 3, head 3: cat → mat = 0.50'}).click();
    await page.waitForURL(/causal=1/);
    await eventually('the causal mask', async () => {
      const causal = (await engineAttention(page, 3))[3];
      for (const [i, row] of causal.entries()) assert.ok(row.slice(i + 1).every((w) => w === 0));
    });

    const entropy = async () => {
      const {statistics} = await ask(page, 'result.headStatistics()');
      return statistics.entropy[3 * embedded.heads + 3];
    };
    const plain = await entropy();
    await page.getByLabel('Scores are divided by').selectOption('none');
    await page.waitForURL(/scores=none/);
    await eventually('sharper scores', async () =>
      assert.ok((await entropy()) < plain, 'undivided scores are sharper'),
    );
    await page.locator('workbench-changes fieldset').nth(2).getByRole('slider').fill('20');
    await page.waitForURL(/temperature=5/);
    await page.getByRole('button', {name: 'Undo all', exact: true}).click();
    await page.waitForFunction(() => !/unseen|edges|causal|scores|temperature/.test(location.hash));
  },
);

researcherTest(
  'the temperature of one layer is set, is in the address, and can be undone alone',
  {hash: `${sentence}&temperature=0.5&workbench=change`},
  async (page) => {
    const entropy = async (/** @type {Page} */ of) => {
      const {statistics} = await ask(of, 'result.headStatistics()');
      /** @type {number[]} */
      const ofHeads = Object.values(statistics.entropy);
      const {heads} = embedded;
      return [0, 1, 2, 3].map((layer) => sum(ofHeads.slice(heads * layer, heads * (layer + 1))));
    };
    await page.getByText('Temperature 0.5, sharper', {exact: true}).waitFor();
    const sharp = await entropy(page);
    const place = page.locator('workbench-changes fieldset').nth(0);
    await place.getByRole('slider', {name: 'Layer 3: temperature'}).fill('20');
    await page.waitForURL(/temperature=0\.5%2C3%3A5/);
    await page.getByRole('listitem').getByText('Layer 3: temperature 5').waitFor();
    await eventually('the temperature of layer 3', async () => {
      const now = await entropy(page);
      assert.deepEqual(now.slice(0, 3), sharp.slice(0, 3), 'the layers below are as they were');
      assert.ok(now[3] > sharp[3] + 1, `${now} ${sharp}`);
    });
    const flat = await entropy(page);
    const other = await page.context().newPage();
    await openPage(other, new URL(page.url()).hash);
    await eventually('the other page’s entropy', async () =>
      assert.deepEqual(await entropy(other), flat),
    );
    await other.close();
    await page.getByRole('button', {name: 'Undo: Layer 3: temperature 5'}).click();
    await page.waitForFunction(() => /temperature=0\.5(&|$)/.test(location.hash));
    await eventually('the entropy as before', async () =>
      assert.deepEqual(await entropy(page), sharp),
    );
  },
);

researcherTest(
  'changes that the text or the model has no place for are named, and kept for a longer text',
  {hash: '#text=a+cat&unseen=12&off=99.1,3.1&edges=3.1.1.7x0.25&workbench=change'},
  async (page) => {
    const told = page.locator('workbench-changes [role=status]');
    await eventually('three notes', async () => assert.equal(await told.count(), 3));
    assert.deepEqual(await told.allInnerTexts(), [
      `Layer 99, head 1 off: does nothing, since this model has ${embedded.layers} layers of ${embedded.heads} heads, counted from 0.`,
      'Attention to “#12” blocked: does nothing, since the text has 4 tokens, counted from 0.',
      'Layer 3, head 1: a → #7 = 0.25: does nothing, since the text has 4 tokens, counted from 0.',
    ]);
    assert.match(await page.locator('workbench-changes .chips').innerText(), /Layer 3, head 1 off/);
    const long = 'a cat and a dog sat on it and slept all day';
    await page.locator('#text').fill(long);
    await eventually('one note', async () => assert.equal(await told.count(), 1));
    await eventually('the weight of the longer text', async () => {
      const row = (await engineAttention(page, 3))[1][1];
      assert.ok(Math.abs(row[7] - 0.25) < 1e-6);
    });
    await page.locator('#text').fill('a cat');
    await eventually('three notes', async () => assert.equal(await told.count(), 3));
  },
);

researcherTest(
  'an address that sets more than the whole of a row is refused in words about its change, which can be undone',
  {hash: '#text=the+cat+sat&layer=0', fresh: true},
  async (page) => {
    await page.evaluate(
      () => (location.hash += '&edges=3.1.1.2x0.75r,3.1.1.3x0.5&workbench=change'),
    );
    await page
      .getByText('The model could not be changed so: the weights set in the row of')
      .waitFor();
    await page.getByText('expected a sum of at most 1, found 1.25').waitFor();
    await page.getByRole('button', {name: /^Undo: .* = 0.75/}).click();
    await page.getByText('The model could not be changed so').waitFor({state: 'detached'});
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', '[SEP]']);
  },
);

researcherTest(
  'the page names changes of the address that cannot be made, and shows no NaN',
  {
    fresh: true,
    hash: '#text=a+cat&temperature=-1,NaN,9999&scores=odd&off=x&unseen=0.1.2.3&workbench=change',
  },
  async (page) => {
    const asked = 'off=x, temperature=-1, temperature=NaN, temperature=9999, scores=odd';
    await page.getByText(`cannot be made (${asked}). They are left out.`).waitFor();
    await page.getByText('the first token would have nothing left to look at').waitFor();
    const weights = await engineAttention(page, 0);
    assert.ok(weights.flat().every((row) => Math.abs(sum(row) - 1) < 1e-4));
    await page.locator('.states tbody tr').last().waitFor();
    await page.getByRole('radio', {name: 'difference', exact: true}).check();
    await page.locator('figcaption', {hasText: 'the model as it is'}).waitFor();
    const texts = await page.evaluate(() => {
      /** @param {ParentNode} root @returns {string} */
      const textOf = (root) =>
        [...root.querySelectorAll('*')]
          .map((element) => (element.shadowRoot ? textOf(element.shadowRoot) : ''))
          .concat(/** @type {HTMLElement} */ (root).textContent ?? '')
          .join(' ');
      return textOf(document.body);
    });
    assert.doesNotMatch(texts.replace(asked, ''), /NaN|undefined|Infinity/);
    // The notice goes once a change is made.
    await page.getByText('No token sees a later one').click();
    await page.waitForURL(/causal=1/);
    await page.locator('#text').fill('a cat sat');
    await page.getByText(asked).waitFor({state: 'detached'});
  },
);

researcherTest(
  'trying every head names the one that matters most, and its square switches it off',
  {hash: '#text=the+cat+sat+on+the+%5BMASK%5D.&layer=3&heads=3&workbench=change'},
  async (page) => {
    await page.getByRole('button', {name: 'Try every head'}).click();
    const told =
      (await page.locator('workbench-effects p', {hasText: 'changes most'}).textContent()) ?? '';
    const [, layer, head] = (/layer (\d+), head (\d+)/.exec(told) ?? []).map(Number);
    const [{top}] = await ask(page, 'result.predictions(1)');
    assert.equal(percentOf(told), Math.round(top[0].probability * 100));
    assert.match(told, new RegExp(`^\\s*“${top[0].token}” `));

    const {id} = top[0];
    await page
      .locator(`workbench-effects .head-square[data-layer="${layer}"][data-head="${head}"]`)
      .click();
    await page.waitForURL(new RegExp(`off=${layer}\\.${head}`));
    await page.waitForFunction(
      () => /** @type {Scope} */ (document.querySelector('bert-scope')).untouched,
    );
    const [without] = await ask(page, `result.probabilities(6, [${id}]).then((all) => [...all])`);
    const change = (without - top[0].probability) * 100;
    assert.ok(Math.abs(change - pointsOf(told)) < 0.51, `${told}: ${change}`);
  },
);

researcherTest(
  'a word of the text is masked while every head is tried, and heads that hardly matter stay pale',
  {hash: '#text=the+cat+sat+on+the+mat&workbench=change'},
  async (page) => {
    await page.getByLabel('The word in place of').selectOption('token 2');
    await page.getByText('The word is masked meanwhile').waitFor();
    await page.getByRole('button', {name: 'Try every head'}).click();
    const told = page.locator('workbench-effects p', {hasText: /^\s*“cat” has/});
    await told.waitFor();
    const [, percent] = /([\d.]+)%/.exec((await told.textContent()) ?? '') ?? [];
    const surprises = await ask(page, 'result.surprise()');
    assert.ok(Math.abs(Number(percent) - 100 * surprises[1].probability) < 0.51, percent);
    const least = page.locator('workbench-effects .legend span:not(.pointed)').first();
    const scale = (await least.textContent()) ?? '';
    assert.ok(pointsOf(scale) <= -1, scale);
  },
);

researcherTest(
  'the watched prediction follows its word when the text changes',
  {hash: `${sentence}&workbench=change`},
  async (page) => {
    const target = page.getByLabel('The word in place of');
    const chosen = () =>
      target.evaluate((/** @type {HTMLSelectElement} */ {selectedOptions: [option]}) =>
        option.innerText.trim(),
      );
    await target.selectOption('token 2');
    await page.locator('#text').fill('I saw the cat');
    await eventually('the watched word', async () => assert.equal(await chosen(), 'cat (4)'));
    await page.locator('#text').fill('no dogs here');
    await eventually('the watched word', async () => assert.equal(await chosen(), 'no (1)'));
  },
);
