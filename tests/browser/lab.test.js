import assert from 'node:assert/strict';
import {assertAccessible} from './axe.js';
import {engineAttention, openPage, token, userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */

const sentence = '#text=the+cat+sat+on+the+mat.&layer=3&heads=3';
const masked = '#text=the+cat+sat+on+the+%5BMASK%5D.&layer=3&heads=3';

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
    assert.deepEqual(await engineAttention(other, 4), after);
    await other.close();

    await page.waitForTimeout(1100); // what follows at once would be one entry of the history
    await page.getByRole('button', {name: 'Undo: Layer 3, head 3 off'}).click();
    await page.getByText('Nothing is changed').waitFor();
    await page.waitForFunction(() => !location.hash.includes('off='));
    assert.deepEqual(await engineAttention(page, 4), before);
    await page.goBack();
    await page.getByRole('listitem').getByText('Layer 3, head 3 off').waitFor();
    await assertAccessible(page);
  },
);

userTest(
  'a token is hidden, a weight set, and scores changed; each can be taken back alone',
  {hash: `${sentence}&lab=change`},
  async (page) => {
    await token(page, 'query', 2).click();
    await page.getByRole('button', {name: 'Hide “cat” from all heads'}).click();
    await page.waitForURL(/unseen=2/);
    const weights = (await engineAttention(page, 3))[3];
    assert.ok(weights.every((row) => row[2] === 0 && Math.abs(sum(row) - 1) < 1e-4));

    await page.locator('lab-changes .pair select').nth(1).selectOption('6');
    await page.locator('lab-changes fieldset').nth(1).getByRole('slider').fill('0.5');
    await page.getByRole('button', {name: 'Set the weight'}).click();
    await page.waitForURL(/edges=3\.3\.2\.6x0\.5r/);
    const set = (await engineAttention(page, 3))[3][2];
    assert.ok(Math.abs(set[6] - 0.5) < 1e-6 && Math.abs(sum(set) - 1) < 1e-4);

    await page.getByText('No token sees a later one').click();
    await page.getByRole('button', {name: 'Undo: Layer 3, head 3: cat → mat = 0.50'}).click();
    await page.waitForURL(/causal=1/);
    const causal = (await engineAttention(page, 3))[3];
    for (const [i, row] of causal.entries()) assert.ok(row.slice(i + 1).every((w) => w === 0));

    const entropy = async () => {
      const {statistics} = await ask(page, 'result.headStatistics()');
      return statistics.entropy[3 * 8 + 3];
    };
    const plain = await entropy();
    await page.getByLabel('Scores are divided by').selectOption('none');
    await page.waitForURL(/scores=none/);
    assert.ok((await entropy()) < plain, 'undivided scores are sharper');
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
    await page.locator('lab-heads select').selectOption('previous');
    const count = Object.values(names).filter((name) => name === 'previous').length;
    assert.equal(await rows.count(), count);
    await rows.first().getByRole('button').click();
    await page.waitForURL(new RegExp(`layer=${Math.floor(best / 8)}&heads=${best % 8}`));
    await assertAccessible(page);
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
