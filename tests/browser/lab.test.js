import assert from 'node:assert/strict';
import {assertAccessible} from './axe.js';
import {engineAttention, openPage, token, userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */

const sentence = '#text=the+cat+sat+on+the+mat.&layer=3&heads=3';
const masked = '#text=the+cat+sat+on+the+%5BMASK%5D.&layer=3&heads=3';

/**
 * The pass of a change follows its address by a moment.
 *
 * @param {() => Promise<void>} check
 */
async function eventually(check) {
  const patience = performance.now() + 10_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > patience) throw error;
    }
  }
}

/** Percent, as the page writes it. @param {string} text */
const percentOf = (text) => Number(/(\d+)\s%/.exec(text)?.[1]);

/**
 * What the engine itself says of the shown text.
 *
 * @param {Page} page
 * @param {string} ask  an expression on `result` and `untouched`
 * @returns {Promise<any>}
 */
const ask = (page, ask) =>
  page.evaluate((ask) => {
    const {result, untouched} = /** @type {Scope} */ (document.querySelector('bert-scope'));
    return new Function('result', 'untouched', `return ${ask}`)(result, untouched);
  }, ask);

userTest(
  'a head is switched off, the difference seen, the address shared, and undone',
  {hash: sentence},
  async (page) => {
    const before = await engineAttention(page, 4);
    await page.getByRole('button', {name: 'Switch this head off'}).click();
    await page.waitForURL(/off=3\.3/);
    await page.waitForFunction(
      () => /** @type {Scope} */ (document.querySelector('bert-scope')).untouched,
    );
    const after = await engineAttention(page, 4);
    assert.notDeepEqual(after, before, 'the layers above see it');
    assert.deepEqual(await engineAttention(page, 3), await engineAttention(page, 3));
    await page.getByText('This head is off').waitFor();
    await page.getByRole('gridcell', {name: 'Layer 3, head 3 off'}).waitFor();
    assert.equal(await page.locator('.head-square.off').count(), 1);
    await page.getByRole('button', {name: 'Switch this head on again'}).waitFor();

    await page.getByText('Change the model').click();
    await page.getByRole('listitem').getByText('Layer 3, head 3 off').waitFor();
    await page.getByText('side by side').click();
    await page.locator('figcaption', {hasText: 'the model as it is'}).waitFor();
    const cosine = await ask(page, 'result.similarity(untouched).then((all) => [...all])');
    const tokens = 9;
    const last = page.locator('.states tbody tr').last().locator('td');
    for (const at of [1, 2, 5]) {
      const expected = cosine[6 * tokens + at].toFixed(2);
      assert.equal((await last.nth(at).textContent())?.trim(), expected);
    }
    assert.ok(cosine.slice(0, 4 * tokens).every((/** @type {number} */ c) => c > 0.9999));
    assert.ok(Math.min(...cosine) < 0.999, 'something has moved');

    await page.waitForURL(/contrast=side/);
    const shared = new URL(page.url()).hash;
    const other = await page.context().newPage();
    await openPage(other, shared);
    await other.getByRole('listitem').getByText('Layer 3, head 3 off').waitFor();
    await eventually(async () => assert.deepEqual(await engineAttention(other, 4), after));
    await other.close();

    await page.waitForTimeout(1100); // what follows at once would be one entry of the history
    await page.getByRole('button', {name: 'Undo: Layer 3, head 3 off'}).click();
    await page.getByText('Nothing is changed').waitFor();
    await page.waitForFunction(() => !location.hash.includes('off='));
    await eventually(async () => assert.deepEqual(await engineAttention(page, 4), before));
    await page.goBack();
    await page.getByRole('listitem').getByText('Layer 3, head 3 off').waitFor();
    await assertAccessible(page);
  },
);

userTest(
  'where words are merged, hiding one hides all its pieces, and shows them again',
  {hash: '#text=the+zzyzx+road&words=1&layer=3&heads=3&token=q2'},
  async (page) => {
    await page.getByRole('button', {name: 'Hide “zzyzx” from all heads'}).click();
    await page.waitForURL(/unseen=2\.3/);
    await eventually(async () => {
      const weights = (await engineAttention(page, 3))[3];
      assert.ok(weights.every((row) => row[2] === 0 && row[3] === 0));
    });
    await page.getByRole('button', {name: 'Show “zzyzx” to all heads again'}).click();
    await page.waitForFunction(() => !location.hash.includes('unseen='));
  },
);

userTest(
  'the name of the open part of the lab can be read under the pointer',
  {hash: sentence},
  async (page) => {
    const tab = page.getByRole('button', {name: 'Predict words'});
    await tab.click();
    const {color, background} = await tab.evaluate((element) => {
      const style = getComputedStyle(element);
      return {color: style.color, background: style.backgroundColor};
    });
    const lightness = (/** @type {string} */ rgb) => sum((rgb.match(/\d+/g) ?? []).map(Number));
    assert.ok(
      Math.abs(lightness(color) - lightness(background)) > 380,
      `${color} on ${background}`,
    );
  },
);

userTest(
  'a token is hidden, a weight set, and scores changed; each can be taken back alone',
  {hash: `${sentence}&lab=change`},
  async (page) => {
    await token(page, 'query', 2).click();
    await page.getByRole('button', {name: 'Hide “cat” from all heads'}).click();
    await page.waitForURL(/unseen=2/);
    await eventually(async () => {
      const weights = (await engineAttention(page, 3))[3];
      assert.ok(weights.every((row) => row[2] === 0 && Math.abs(sum(row) - 1) < 1e-4));
    });

    // What is chosen here counts, also in the place of a pin.
    await page.locator('lab-changes .pair select').nth(0).selectOption('3');
    await page.getByRole('button', {name: 'Set the weight'}).click();
    await page.waitForURL(/edges=3\.3\.3\.0x0r/);
    await page.locator('lab-changes .pair select').nth(0).selectOption('2');
    await page.locator('lab-changes .pair select').nth(1).selectOption('6');
    await page.locator('lab-changes fieldset').nth(1).getByRole('slider').fill('0.5');
    await page.getByRole('button', {name: 'Set the weight'}).click();
    await page.waitForURL(/edges=[^&]*3\.3\.2\.6x0\.5r/);
    await eventually(async () => {
      const set = (await engineAttention(page, 3))[3][2];
      assert.ok(Math.abs(set[6] - 0.5) < 1e-6 && Math.abs(sum(set) - 1) < 1e-4);
    });

    await page.getByText('No token sees a later one').click();
    await page.getByRole('button', {name: 'Undo: Layer 3, head 3: cat → mat = 0.50'}).click();
    await page.waitForURL(/causal=1/);
    await eventually(async () => {
      const causal = (await engineAttention(page, 3))[3];
      for (const [i, row] of causal.entries()) assert.ok(row.slice(i + 1).every((w) => w === 0));
    });

    const entropy = async () => {
      const {statistics} = await ask(page, 'result.headStatistics()');
      return statistics.entropy[3 * 8 + 3];
    };
    const plain = await entropy();
    await page.getByLabel('Scores are divided by').selectOption('none');
    await page.waitForURL(/scores=none/);
    await eventually(async () =>
      assert.ok((await entropy()) < plain, 'undivided scores are sharper'),
    );
    await page.locator('lab-changes fieldset').nth(2).getByRole('slider').fill('20');
    await page.waitForURL(/temperature=5/);
    await page.getByRole('button', {name: 'Undo all', exact: true}).click();
    await page.waitForFunction(() => !/unseen|edges|causal|scores|temperature/.test(location.hash));
  },
);

userTest(
  'every head is tried, the one that matters most is named, and a square switches it off',
  {hash: `${masked}&lab=change`},
  async (page) => {
    await page.getByRole('button', {name: 'Try every head'}).click();
    const told =
      (await page.locator('lab-effects p', {hasText: 'changes most'}).textContent()) ?? '';
    const [, layer, head] = (/Layer (\d+), head (\d+)/.exec(told) ?? []).map(Number);
    const [{top}] = await ask(page, 'result.predictions(1)');
    assert.equal(percentOf(told), Math.round(top[0].probability * 100));

    const {id} = top[0];
    await page
      .locator(`lab-effects .head-square[data-layer="${layer}"][data-head="${head}"]`)
      .click();
    await page.waitForURL(new RegExp(`off=${layer}\\.${head}`));
    await page.waitForFunction(
      () => /** @type {Scope} */ (document.querySelector('bert-scope')).untouched,
    );
    const [without] = await ask(page, `result.probabilities(6, [${id}]).then((all) => [...all])`);
    const change = (without - top[0].probability) * 100;
    const points = Number((/([−+]?[\d.]+) points/.exec(told) ?? [])[1].replace('−', '-'));
    assert.ok(Math.abs(change - points) < 0.51, `${told}: ${change}`);
  },
);

userTest(
  'a word is masked by a click, the model’s guesses shown by layer, and one put in its place',
  {hash: sentence},
  async (page) => {
    await page.getByText('Predict words').click();
    await page.getByRole('button', {name: 'How surprising is each word?'}).click();
    await page.locator('lab-predictions .word small').first().waitFor();
    const surprises = await ask(page, 'result.surprise()');
    const bits = await page.locator('lab-predictions .word small').allTextContents();
    assert.deepEqual(
      bits,
      surprises.map((/** @type {{bits: number}} */ each) => each.bits.toFixed(1)),
    );

    await page.locator('lab-predictions .word', {hasText: 'mat'}).click();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', 'on', 'the', '[MASK]', '.', '[SEP]']);
    assert.equal(await page.locator('#text').inputValue(), 'the cat sat on the [MASK].');
    const candidates = page.locator('lab-predictions .candidates button');
    await candidates.first().waitFor();
    const [{top}] = await ask(page, 'result.predictions(8)');
    const shown = await candidates.allTextContents();
    assert.deepEqual(
      shown.map((text) => text.trim().split(/\s+/)[0]),
      top.map((/** @type {{token: string}} */ {token}) => token),
    );
    assert.equal(percentOf(shown[0]), Math.round(top[0].probability * 100));

    await page.getByText('After each layer').click();
    const lens = await ask(page, 'result.logitLens(6, 3)');
    const rows = page.locator('.lens tbody tr');
    assert.equal(await rows.count(), 7);
    for (const depth of [0, 3, 6]) {
      const words = await rows.nth(depth).locator('bdi').allTextContents();
      assert.deepEqual(
        words,
        lens[depth].map((/** @type {{token: string}} */ {token}) => token),
      );
    }
    await assertAccessible(page);
    await candidates.nth(1).click();
    await page.waitForFunction(
      (text) => /** @type {HTMLTextAreaElement} */ (document.querySelector('#text')).value === text,
      `the cat sat on the ${top[1].token}.`,
    );
  },
);

userTest(
  'heads are sorted and filtered by what they do, and one is picked to look at',
  {hash: `${sentence}&lab=heads`},
  async (page) => {
    const {statistics, names} = await ask(page, 'result.headStatistics()');
    const rows = page.locator('lab-heads tbody tr');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 48);
    await page.getByRole('button', {name: 'Previous token', exact: true}).click();
    const values = Object.values(statistics.previous);
    const best = values.indexOf(Math.max(.../** @type {number[]} */ (values)));
    const place = `${Math.floor(best / 8)}-${best % 8}`;
    assert.equal((await rows.first().locator('th').textContent())?.trim(), place);
    await page.locator('lab-heads select').nth(1).selectOption('previous');
    const count = Object.values(names).filter((name) => name === 'previous').length;
    assert.equal(await rows.count(), count);
    await rows.first().getByRole('button').click();
    await page.waitForURL(new RegExp(`layer=${Math.floor(best / 8)}&heads=${best % 8}`));
    await assertAccessible(page);
  },
);

userTest(
  'heads are averaged over many sentences, and those like the chosen one found',
  {hash: `${sentence}&lab=heads`},
  async (page) => {
    const {map} = await ask(page, 'result.headStatistics({similar: true})');
    const own = Object.values(map.distances).slice(27 * 48, 28 * 48);
    await page.getByRole('button', {name: 'Unlike 3-3'}).click();
    const rows = page.locator('lab-heads tbody tr');
    const order = own.map((_, at) => at).sort((a, b) => own[a] - own[b]);
    const places = await rows.locator('th').allTextContents();
    assert.deepEqual(
      places.slice(0, 5).map((place) => place.trim()),
      order.slice(0, 5).map((at) => `${Math.floor(at / 8)}-${at % 8}`),
    );
    assert.equal(places[0].trim(), '3-3', 'nothing is as like it as itself');

    await page.getByLabel('Averages over').selectOption('sentences');
    await page.locator('lab-heads progress').waitFor({state: 'detached', timeout: 60_000});
    const guide = await page.evaluate(async () => {
      const {model} = /** @type {Scope} */ (document.querySelector('bert-scope'));
      const {statistics} = await model.headGuide({similar: false});
      return statistics.next[27];
    });
    const row = rows.filter({has: page.getByText('3-3', {exact: true})});
    const shown = await row.locator('td').nth(3).textContent();
    assert.equal(percentOf(shown ?? ''), Math.round(guide * 100));
    await page.locator('.plane g').nth(9).click();
    await page.waitForURL(/layer=1&heads=1/);
    await assertAccessible(page);
  },
);

userTest(
  'one switch gives every view another measure, and the address keeps it',
  {hash: `${sentence}&view=matrix`},
  async (page) => {
    const measure = page.getByLabel('What a number says');
    const sums = {norm: 'result.measure("norm", 3, 3)', rollout: 'result.measure("rollout", 3)'};
    for (const [name, expression] of Object.entries(sums)) {
      await measure.selectOption(name);
      await page.waitForURL(new RegExp(`measure=${name}`));
      const values = Object.values(await ask(page, expression)).slice(18, 27);
      const sum = values.reduce((a, b) => a + b, 0);
      const expected = values.map((value) => (value / sum).toFixed(3));
      await page.waitForFunction((expected) => {
        const {drawn} = /** @type {Scope} */ (document.querySelector('bert-scope'));
        const row = drawn.snapshot.attention(3, 3)?.subarray(18, 27);
        return (
          row && Array.from(row, (/** @type {number} */ w) => w.toFixed(3)).join() === expected
        );
      }, expected.join());
    }
    await measure.selectOption('flow');
    await page.waitForFunction(() => {
      const {drawn} = /** @type {Scope} */ (document.querySelector('bert-scope'));
      return drawn.snapshot.attention(3, 0) === drawn.snapshot.attention(3, 5);
    });
    await page.waitForURL(/measure=flow/);
    const other = await page.context().newPage();
    await openPage(other, new URL(page.url()).hash);
    assert.equal(await other.getByLabel('What a number says').inputValue(), 'flow');
  },
);

userTest(
  'a change the text is too short for is told, and kept for a longer text',
  {hash: '#text=a+cat&unseen=12&off=99.1,3.1&lab=change'},
  async (page) => {
    await page.locator('lab-changes [role=status]').waitFor();
    const told = await page.locator('lab-changes [role=status]').textContent();
    assert.match(told ?? '', /12/);
    assert.match(await page.locator('lab-changes .chips').innerText(), /Layer 3, head 1 off/);
  },
);

/** @param {readonly number[]} row */
function sum(row) {
  return row.reduce((total, weight) => total + weight, 0);
}
