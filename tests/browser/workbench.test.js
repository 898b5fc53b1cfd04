import assert from 'node:assert/strict';
import {cpSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after} from 'node:test';
import {expectedOf, goldenFolder, part} from '../engine/support.js';
import {assertAccessible} from './axe.js';
import {eventually} from '../support/eventually.js';
import {engineAttention, openPage, token, userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */

const sentence = '#text=the+cat+sat+on+the+mat.&layer=3&heads=3';
const masked = '#text=the+cat+sat+on+the+%5BMASK%5D.&layer=3&heads=3';

/** Folders of models, as readers have them. */
const root = mkdtempSync(join(tmpdir(), 'bertscope-workbench-'));
after(() => rmSync(root, {recursive: true}));

/**
 * Loads a golden model from its folder.
 *
 * @param {Page} page
 * @param {string} name
 */
async function loadGolden(page, name) {
  for (const file of readdirSync(goldenFolder(name))) {
    // The others hold what PyTorch makes of it.
    if (file.endsWith('.safetensors') && file !== 'model.safetensors') continue;
    cpSync(join(goldenFolder(name), file), join(root, name, file));
  }
  await page.getByRole('button', {name: 'Models…'}).click();
  await page.locator('#models-folder').setInputFiles(join(root, name));
  await page.waitForFunction((name) => {
    const {model, result} = /** @type {Scope} */ (document.querySelector('bert-scope'));
    return model?.name === name && result && document.querySelector('#models:not([open])');
  }, name);
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
    // oxlint-disable-next-line typescript/no-implied-eval -- the expression is the test's own
    return new Function('result', 'untouched', `return ${ask}`)(result, untouched);
  }, ask);

userTest(
  'a head is switched off, the difference seen, the address shared, and undone',
  {fresh: true, hash: sentence},
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
    await page.getByText('Layer 3, head 3: switched off.').waitFor();
    await page.locator('.square.off', {hasText: '3'}).waitFor();
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

    await page.waitForURL(/compare-mode=side/);
    const shared = new URL(page.url()).hash;
    const other = await page.context().newPage();
    await openPage(other, shared);
    await other.getByRole('listitem').getByText('Layer 3, head 3 off').waitFor();
    await eventually('the other page’s attention', async () =>
      assert.deepEqual(await engineAttention(other, 4), after),
    );
    await other.close();

    await page.getByRole('button', {name: 'Undo: Layer 3, head 3 off'}).click();
    await page.getByText('Nothing is changed').waitFor();
    await page.waitForFunction(() => !location.hash.includes('off='));
    await eventually('the attention as before', async () =>
      assert.deepEqual(await engineAttention(page, 4), before),
    );
    await page.goBack();
    await page.getByRole('listitem').getByText('Layer 3, head 3 off').waitFor();
    await assertAccessible(page);
  },
);

userTest(
  'where words are merged, hiding one hides all its pieces, and shows them again',
  {hash: '#text=the+zzyzx+road&words=1&layer=3&heads=3&token=q2&workbench=change'},
  async (page) => {
    await page.getByText('here the pieces of each stand alone').waitFor();
    await page.getByRole('button', {name: 'Hide “zzyzx” from all heads'}).click();
    await page.waitForURL(/unseen=2\.3/);
    await eventually('the pieces to be hidden', async () => {
      const weights = (await engineAttention(page, 3))[3];
      assert.ok(weights.every((row) => row[2] === 0 && row[3] === 0));
    });
    await page.getByRole('button', {name: 'Show “zzyzx” to all heads again'}).click();
    await page.waitForFunction(() => !location.hash.includes('unseen='));
  },
);

userTest(
  'the name of the open part of the workbench can be read under the pointer',
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
  {hash: `${sentence}&workbench=change`},
  async (page) => {
    await token(page, 'query', 2).click();
    await page.getByRole('button', {name: 'Hide “cat” from all heads'}).click();
    await page.waitForURL(/unseen=2/);
    await eventually('the token to be hidden', async () => {
      const weights = (await engineAttention(page, 3))[3];
      assert.ok(weights.every((row) => row[2] === 0 && Math.abs(sum(row) - 1) < 1e-4));
    });

    // What is chosen here counts, also in the place of a pin.
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
      return statistics.entropy[3 * 8 + 3];
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

userTest(
  'every head is tried, the one that matters most is named, and a square switches it off',
  {hash: `${masked}&workbench=change`},
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

userTest(
  'a word of the text is masked while every head is tried, and what hardly matters stays pale',
  {hash: '#text=the+cat+sat+on+the+mat&workbench=change'},
  async (page) => {
    await page.getByLabel('The word in place of').selectOption('token 2');
    await page.getByText('The word is masked meanwhile').waitFor();
    await page.getByRole('button', {name: 'Try every head'}).click();
    const told = page.locator('workbench-effects p', {hasText: /^\s*“cat” has/});
    await told.waitFor();
    const [, percent] = /([\d.]+)\s%/.exec((await told.textContent()) ?? '') ?? [];
    const surprises = await ask(page, 'result.surprise()');
    assert.ok(Math.abs(Number(percent) - 100 * surprises[1].probability) < 0.51, percent);
    const scale =
      (await page.locator('workbench-effects .legend span').first().textContent()) ?? '';
    assert.ok(pointsOf(scale) <= -1, scale);
  },
);

userTest(
  'a word is masked by a click, the model’s guesses shown by layer, and one put in its place',
  {hash: sentence},
  async (page) => {
    await page.getByText('Predict words').click();
    await page.getByRole('button', {name: 'How surprising is each word?'}).click();
    await page.locator('workbench-predictions .word small').first().waitFor();
    const surprises = await ask(page, 'result.surprise()');
    const bits = await page.locator('workbench-predictions .word small').allTextContents();
    assert.deepEqual(
      bits,
      surprises.map((/** @type {{bits: number}} */ each) => each.bits.toFixed(1)),
    );

    await page.locator('workbench-predictions .word', {hasText: 'mat'}).click();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', 'on', 'the', '[MASK]', '.', '[SEP]']);
    assert.equal(await page.locator('#text').inputValue(), 'the cat sat on the [MASK].');
    const candidates = page.locator('workbench-predictions .candidates button');
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

    // What is typed is not lost to a click on a word of the text before.
    const whileTyping = await page.evaluate(async () => {
      const text = /** @type {HTMLTextAreaElement} */ (document.querySelector('#text'));
      text.value = `so ${text.value}`;
      text.dispatchEvent(new Event('input'));
      const workbench = /** @type {any} */ (document.querySelector('bert-workbench'));
      await workbench.updateComplete;
      const predictions = workbench.renderRoot.querySelector('workbench-predictions');
      await predictions.updateComplete;
      const buttons = predictions.renderRoot.querySelectorAll('.word, .candidates button');
      return Array.from(buttons, ({disabled}) => disabled);
    });
    assert.ok(whileTyping.length > 8 && whileTyping.every(Boolean), String(whileTyping));
    await waitForTokens(page, ['[CLS]', 'so', 'the', 'cat', 'sat', 'on', 'the', '[MASK]', '.', '[SEP]']); // prettier-ignore
    await page.locator('#text').fill('the cat sat on the [MASK].');
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', 'on', 'the', '[MASK]', '.', '[SEP]']);
    await eventually('the guesses as before', async () =>
      assert.deepEqual(await candidates.allTextContents(), shown),
    );

    const at = top.findIndex((/** @type {{startsWord: boolean}} */ {startsWord}, /** @type {number} */ i) => i > 0 && startsWord); // prettier-ignore
    await candidates.nth(at).click();
    await page.waitForFunction(
      (text) => /** @type {HTMLTextAreaElement} */ (document.querySelector('#text')).value === text,
      `the cat sat on the ${top[at].token}.`,
    );
  },
);

userTest(
  'heads are sorted and filtered by what they do, and one is picked to look at',
  {hash: `${sentence}&workbench=heads`},
  async (page) => {
    const {statistics, names} = await ask(page, 'result.headStatistics()');
    const rows = page.locator('workbench-heads tbody tr');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 48);
    await page.getByRole('button', {name: 'Previous token', exact: true}).click();
    const values = Object.values(statistics.previous);
    const best = values.indexOf(Math.max(.../** @type {number[]} */ (values)));
    const place = `${Math.floor(best / 8)}.${best % 8}`;
    assert.equal((await rows.first().locator('th').textContent())?.trim(), place);
    await page.locator('workbench-heads select').nth(1).selectOption('previous');
    const count = Object.values(names).filter((name) => name === 'previous').length;
    assert.equal(await rows.count(), count);
    await rows.first().getByRole('button').click();
    await page.waitForURL(new RegExp(`layer=${Math.floor(best / 8)}&heads=${best % 8}`));
    await assertAccessible(page);
  },
);

userTest(
  'heads are averaged over many sentences, and those like the chosen one found',
  {hash: `${sentence}&workbench=heads`},
  async (page) => {
    const {map} = await ask(page, 'result.headStatistics({similar: true})');
    const own = Object.values(map.distances).slice(27 * 48, 28 * 48);
    await page.getByRole('button', {name: 'Unlike 3.3'}).click();
    const rows = page.locator('workbench-heads tbody tr');
    const order = own.map((_, at) => at).sort((a, b) => own[a] - own[b]);
    const places = await rows.locator('th').allTextContents();
    assert.deepEqual(
      places.slice(0, 5).map((place) => place.trim()),
      order.slice(0, 5).map((at) => `${Math.floor(at / 8)}.${at % 8}`),
    );
    assert.equal(places[0].trim(), '3.3', 'nothing is as like it as itself');

    await page.getByLabel('Averages over').selectOption('sentences');
    await page.locator('workbench-heads progress').waitFor({state: 'detached', timeout: 60_000});
    const guide = await page.evaluate(async () => {
      const {model} = /** @type {Scope} */ (document.querySelector('bert-scope'));
      const {statistics} = await model.headGuide({similar: false});
      return statistics.next[27];
    });
    const row = rows.filter({has: page.getByText('3.3', {exact: true})});
    const shown = await row.locator('td').nth(3).textContent();
    assert.equal(percentOf(shown ?? ''), Math.round(guide * 100));
    await page.locator('.plane g').nth(9).click();
    await page.waitForURL(/layer=1&heads=1/);
    await assertAccessible(page);
  },
);

userTest(
  'one switch gives every view another measure, and the address keeps it',
  {fresh: true, hash: `${sentence}&view=matrix`},
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
  'a classifier says its classes, what a change does to them, and which head matters to one',
  {fresh: true, hash: '#text=she+sat+on+the+mat&pair=he+was+in+the+arrow+.&workbench=predict'},
  async (page) => {
    await loadGolden(page, 'half-classifier');
    await page.getByText('This model has no masked-LM head').waitFor();
    const classes = page.locator('workbench-predictions .classes li');
    await classes.nth(2).waitFor();
    assert.deepEqual(await classes.locator('bdi').allTextContents(), [
      'negative',
      'neutral',
      'positive',
    ]);
    // What PyTorch says of the float16 weights; these are rounded to 8 bits.
    const logits = part((await expectedOf('half-classifier')).classifier_logits, 0);
    const exponents = Array.from(logits, Math.exp);
    for (const [at, text] of (await classes.locator('.number').allTextContents()).entries()) {
      const expected = (100 * exponents[at]) / sum(exponents);
      assert.ok(Math.abs(percentOf(text) - expected) < 2, `${text}: ${expected}`);
      const logit = (await classes.nth(at).locator('small').first().textContent()) ?? '';
      const found = Number(logit.replace('logit', '').replace('−', '-'));
      assert.ok(Math.abs(found - logits[at]) < 0.05, `${logit}: ${logits[at]}`);
    }
    assert.equal(await page.locator('workbench-predictions .word').count(), 0);
    await assertAccessible(page);

    await page.getByRole('button', {name: 'Change the model'}).click();
    const target = page.getByLabel('The class');
    const offered = await target.locator('option').allInnerTexts();
    assert.deepEqual(
      offered.map((text) => text.trim()),
      ['Class: negative', 'Class: neutral', 'Class: positive'],
    );
    await target.selectOption('label 2');
    await page.getByRole('button', {name: 'Try every head'}).click();
    const told =
      (await page.locator('workbench-effects p', {hasText: 'changes most'}).textContent()) ?? '';
    assert.match(told, /“positive”/);
    const [, layer, head] = (/layer (\d+), head (\d+)/.exec(told) ?? []).map(Number);
    await page
      .locator(`workbench-effects .head-square[data-layer="${layer}"][data-head="${head}"]`)
      .click();
    await page.waitForURL(new RegExp(`off=${layer}\\.${head}`));
    await page.waitForFunction(
      () => /** @type {Scope} */ (document.querySelector('bert-scope')).untouched,
    );
    const [now, before] = await ask(page, 'Promise.all([result.classes(), untouched.classes()])');
    const change = 100 * (now[2].probability - before[2].probability);
    assert.ok(Math.abs(pointsOf(told) - change) < 0.051, `${told}: ${change}`);
    await page.getByText('Measured before the latest change').waitFor();

    await page.getByRole('button', {name: 'Predict words'}).click();
    await classes.nth(2).locator('.number small').waitFor();
    for (const [at, text] of (await classes.locator('.number').allTextContents()).entries()) {
      const change = 100 * (now[at].probability - before[at].probability);
      assert.ok(Math.abs(pointsOf(text) - change) < 0.051, `${text}: ${change}`);
    }
  },
);

userTest(
  'a model that predicts nothing says so, and everything else works',
  {fresh: true, hash: '#text=she+sat+on+the+mat&layer=1&heads=1&workbench=predict'},
  async (page) => {
    await loadGolden(page, 'camembert');
    await page.getByText('This model has no masked-LM head, so it cannot guess words').waitFor();
    await page.getByRole('button', {name: 'Change the model'}).click();
    await page.getByText('This model predicts nothing').waitFor();
    assert.equal(await page.getByRole('button', {name: 'Try every head'}).count(), 0);
    await page.getByRole('button', {name: 'Switch this head off'}).click();
    await page.waitForURL(/off=1\.1/);
    await page.locator('.states tbody tr').last().waitFor();
    await page.getByText('difference', {exact: true}).click();
    await page.locator('figcaption', {hasText: 'the model as it is'}).waitFor();
    await page.getByRole('button', {name: 'Compare heads'}).click();
    await page.locator('workbench-heads tbody tr').last().waitFor();
    assert.equal(await page.locator('workbench-heads tbody tr').count(), 2 * 2);
    await page.getByLabel('What a number says').selectOption('norm');
    await page.waitForURL(/measure=norm/);
  },
);

userTest(
  'bytes are read as the letters they spell, and what fills a mask is a word',
  {fresh: true, hash: '#text=the+caf%C3%A9+<mask>.&workbench=predict'},
  async (page) => {
    await loadGolden(page, 'roberta');
    const predictions = page.locator('workbench-predictions');
    await predictions.locator('.candidates li').last().waitFor();
    const words = await predictions.locator('.word bdi').allTextContents();
    assert.deepEqual(words.slice(0, 2).concat(words.slice(-4)), [
      ...['t', 'he', '<0xC3>', '<0xA9>', '<mask>', '.'],
    ]);
    // The engine gives them as the vocabulary has them.
    const guesses = async () => {
      /** @type {{top: {token: string}[]}[]} */
      const [{top}] = await ask(page, 'result.predictions(8)');
      return top.map(({token}) => token);
    };
    const raw = await guesses();
    const candidates = predictions.locator('.candidates button');
    const shown = await candidates.locator('bdi').allTextContents();
    assert.equal(shown.length, raw.length);
    for (const [at, token] of raw.entries()) {
      assert.ok(!/[Ġ-ſ]/.test(shown[at]), `${token}: ${shown[at]}`);
      assert.ok((await candidates.nth(at).getAttribute('title'))?.includes(token), `raw ${token}`);
    }
    /** Which are offered. @param {(token: string) => boolean} fits @param {string} word  one of them */
    const isOffered = async (fits, word) => {
      await eventually('the guesses of the new text', async () => {
        const offered = await candidates.evaluateAll((buttons) =>
          buttons.map((button) => !(/** @type {HTMLButtonElement} */ (button).disabled)),
        );
        const tokens = await guesses();
        assert.deepEqual(offered, tokens.map(fits), String(tokens));
        assert.ok(tokens.includes(word), `${word} among ${tokens}`);
      });
      return candidates.nth((await guesses()).indexOf(word));
    };
    const textIs = (/** @type {string} */ text) =>
      page.waitForFunction(
        (text) => document.querySelector('bert-scope')?.getAttribute('text') === text,
        text,
      );
    // After a space a word is wanted, after a letter a piece of one will do.
    await page.locator('#text').fill('the river <mask> and the cat');
    await (await isOffered((token) => /^Ġ[a-z]/.test(token), 'Ġs')).click();
    await textIs('the river s and the cat');
    await page.locator('#text').fill('the café<mask>.');
    await (await isOffered((token) => /^Ġ?[!-~]/.test(token), 'like')).click();
    const filled = 'the cafélike.';
    await textIs(filled);
    await predictions.locator('.word', {hasText: 'he'}).first().click();
    await textIs(filled.replace('the', '<mask>'));

    await page.getByRole('button', {name: 'Change the model'}).click();
    const offered = page.locator('workbench-changes .pair select').first().locator('option');
    await offered.filter({hasText: '<0xC3>'}).first().waitFor({state: 'attached'});
    const names = (await offered.allTextContents()).join(' ');
    assert.ok(!/[Ġ-ſÃ©]/.test(names), names);
  },
);

userTest(
  'the prediction that is watched follows its word when the text changes',
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

userTest(
  'the temperature of one layer is set, shared and taken back alone',
  {fresh: true, hash: `${sentence}&temperature=0.5&workbench=change`},
  async (page) => {
    const entropy = async (/** @type {Page} */ of) => {
      const {statistics} = await ask(of, 'result.headStatistics()');
      return [0, 1, 2, 3].map((layer) => sum(Object.values(statistics.entropy).slice(8 * layer, 8 * layer + 8))); // prettier-ignore
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

userTest(
  'what the text or the model has no place for is told, and kept for those that have',
  {hash: '#text=a+cat&unseen=12&off=99.1,3.1&edges=3.1.1.7x0.25&workbench=change'},
  async (page) => {
    const told = page.locator('workbench-changes [role=status]');
    await eventually('three notes', async () => assert.equal(await told.count(), 3));
    assert.deepEqual(await told.allInnerTexts(), [
      'Layer 99, head 1 off: does nothing, since this model has 6 layers of 8 heads, counted from 0.',
      '“#12” hidden from all heads: does nothing, since the text has 4 tokens, counted from 0.',
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

userTest(
  'an address that asks for what cannot be done says so, and nothing on the page is NaN',
  {hash: '#text=a+cat&temperature=-1,NaN,9999&scores=odd&off=x&unseen=0.1.2.3&workbench=change'},
  async (page) => {
    const asked = 'off=x, temperature=-1, temperature=NaN, temperature=9999, scores=odd';
    await page.getByText(`cannot be made (${asked}). They are left out.`).waitFor();
    await page.getByText('the first would have nothing left to look at').waitFor();
    const weights = await engineAttention(page, 0);
    assert.ok(weights.flat().every((row) => Math.abs(sum(row) - 1) < 1e-4));
    await page.locator('.states tbody tr').last().waitFor();
    await page.getByText('difference', {exact: true}).click();
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
    // A change that can be made takes the sentence away.
    await page.getByText('No token sees a later one').click();
    await page.waitForURL(/causal=1/);
    await page.locator('#text').fill('a cat sat');
    await page.getByText(asked).waitFor({state: 'detached'});
  },
);

/** A change, as the page writes it. @param {string} text */
function pointsOf(text) {
  return Number((/([−+]?[\d.]+) points/.exec(text) ?? [])[1].replace('−', '-'));
}

/** @param {readonly number[]} row */
function sum(row) {
  return row.reduce((total, weight) => total + weight, 0);
}
