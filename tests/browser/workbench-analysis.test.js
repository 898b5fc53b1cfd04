import assert from 'node:assert/strict';
import {expectedOf, part} from '../engine/support.js';
import {embedded} from '../support/embedded-model.js';
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
import {loadGolden} from './models.js';
import {openPage, researcherTest, waitForTokens} from './support.js';
import {ask, percentOf, pointsOf, sentence, sum} from './workbench.js';

/** @import {Scope} from './support.js' */

/** The number of heads in all layers. */
const headCount = embedded.layers * embedded.heads;
/** Counts heads layer by layer. @param {number} layer @param {number} head */
const indexOf = (layer, head) => layer * embedded.heads + head;
/** The layer and head that such a number is of. @param {number} at */
const placeAt = (at) => ({layer: Math.floor(at / embedded.heads), head: at % embedded.heads});
/** A head as the page names it. @param {number} at */
const nameAt = (at) => `${placeAt(at).layer}.${placeAt(at).head}`;

researcherTest(
  'the tab of the open part of the workbench stays readable under the pointer',
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

researcherTest(
  'a click masks a word, shows the model’s guesses after each layer, and another puts one in its place',
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
    assert.equal(await rows.count(), embedded.layers + 1);
    for (const depth of [0, 3, embedded.layers]) {
      const words = await rows.nth(depth).locator('bdi').allTextContents();
      assert.deepEqual(
        words,
        lens[depth].map((/** @type {{token: string}} */ {token}) => token),
      );
    }
    await assertAccessible(page);

    // Words of the text before cannot be clicked while the next one runs, so typing is not lost.
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

researcherTest(
  'heads and their statistics are named by the tokens that the model has',
  {hash: '#text=the+caf%C3%A9.&workbench=heads'},
  async (page) => {
    await loadGolden(page, 'roberta');
    const panel = page.locator('workbench-heads');
    await panel.getByRole('columnheader', {name: '<s>', exact: true}).waitFor();
    await panel.getByRole('columnheader', {name: '</s>', exact: true}).waitFor();
    const offered = await page.getByRole('combobox', {name: 'Colour', exact: true}).innerText();
    assert.deepEqual(
      offered.split('\n').filter((name) => /[<[]/.test(name)),
      ['<s>', '</s>'],
    );
    assert.doesNotMatch((await panel.textContent()) ?? '', /\[(CLS|SEP)\]/);
  },
);

researcherTest(
  'bytes are shown as the letters they spell, and a mask is filled with a whole word',
  {hash: '#text=the+caf%C3%A9+<mask>.&workbench=predict'},
  async (page) => {
    await loadGolden(page, 'roberta');
    const predictions = page.locator('workbench-predictions');
    await predictions.locator('.candidates li').last().waitFor();
    const words = await predictions.locator('.word bdi').allTextContents();
    assert.deepEqual(words.slice(0, 2).concat(words.slice(-4)), [
      ...['t', 'he', '<0xC3>', '<0xA9>', '<mask>', '.'],
    ]);
    // The engine gives tokens as the vocabulary spells them.
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
    /**
     * Waits until exactly the guesses that fit are enabled, and finds one of them.
     *
     * @param {(token: string) => boolean} fits
     * @param {string} word
     */
    const enabledGuess = async (fits, word) => {
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
    // After a space only whole words can be chosen, after a letter also pieces.
    await page.locator('#text').fill('the river <mask> and the cat');
    await (await enabledGuess((token) => /^Ġ[a-z]/.test(token), 'Ġs')).click();
    await textIs('the river s and the cat');
    await page.locator('#text').fill('the café<mask>.');
    await (await enabledGuess((token) => /^Ġ?[!-~]/.test(token), 'like')).click();
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

researcherTest(
  'a classifier shows its classes, what a change does to them, and which head matters to one',
  {hash: '#text=she+sat+on+the+mat&pair=he+was+in+the+arrow+.&workbench=predict'},
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
    // The limits allow for weights in 8 bits, since PyTorch used float16.
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
    await target.locator('option', {hasText: 'Class: positive'}).waitFor({state: 'attached'});
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

researcherTest(
  'the workbench says that a model predicts nothing, and everything else works',
  {hash: '#text=she+sat+on+the+mat&layer=1&heads=1&workbench=predict'},
  async (page) => {
    await loadGolden(page, 'camembert');
    await page.getByText('This model has no masked-LM head, so it cannot guess words').waitFor();
    await page.getByRole('button', {name: 'Change the model'}).click();
    await page.getByText('This model predicts nothing').waitFor();
    assert.equal(await page.getByRole('button', {name: 'Try every head'}).count(), 0);
    await page.getByRole('button', {name: 'Switch this head off'}).click();
    await page.waitForURL(/off=1\.1/);
    await page.locator('.states tbody tr').last().waitFor();
    await page.getByRole('radio', {name: 'difference', exact: true}).check();
    await page.locator('figcaption', {hasText: 'the model as it is'}).waitFor();
    await page.getByRole('button', {name: 'Compare heads'}).click();
    await page.locator('workbench-heads tbody tr').last().waitFor();
    assert.equal(await page.locator('workbench-heads tbody tr').count(), 2 * 2);
    await page.getByLabel('Measure').selectOption('norm');
    await page.waitForURL(/measure=norm/);
  },
);

researcherTest(
  'heads are sorted and filtered by what they do, and a click chooses one',
  {hash: `${sentence}&workbench=heads`},
  async (page) => {
    const {statistics, names} = await ask(page, 'result.headStatistics()');
    const rows = page.locator('workbench-heads tbody tr');
    await rows.first().waitFor();
    assert.equal(await rows.count(), headCount);
    await page.getByRole('button', {name: 'Previous token', exact: true}).click();
    /** @type {number[]} */
    const values = Object.values(statistics.previous);
    const best = values.indexOf(Math.max(...values));
    assert.equal((await rows.first().locator('th').textContent())?.trim(), nameAt(best));
    await page.locator('workbench-heads select').nth(1).selectOption('previous');
    const named = values.map((_, at) => at).filter((at) => names[at] === 'previous');
    assert.ok(named.length > 0, 'a head looks at the previous token');
    assert.equal(await rows.count(), named.length);
    const first = named.reduce((most, at) => (values[at] > values[most] ? at : most));
    await rows.first().getByRole('button').click();
    const {layer, head} = placeAt(first);
    await page.waitForURL(new RegExp(`layer=${layer}&heads=${head}\\b`));
    await assertAccessible(page);
  },
);

researcherTest(
  'the reader finds heads like the chosen one, and averages over many sentences',
  {hash: `${sentence}&workbench=heads`, fresh: true},
  async (page) => {
    const {map} = await ask(page, 'result.headStatistics({similar: true})');
    const chosen = indexOf(3, 3);
    const own = Object.values(map.distances).slice(chosen * headCount, (chosen + 1) * headCount);
    await page.getByRole('button', {name: 'Unlike 3.3'}).click();
    const rows = page.locator('workbench-heads tbody tr');
    const order = own.map((_, at) => at).sort((a, b) => own[a] - own[b]);
    const expected = order.slice(0, 5).map(nameAt);
    assert.equal(expected[0], '3.3', 'nothing is as like it as itself');
    await eventually('the heads in their order', async () => {
      const places = await rows.locator('th').allTextContents();
      assert.deepEqual(
        places.slice(0, 5).map((place) => place.trim()),
        expected,
      );
    });

    await page.getByLabel('Averages over').selectOption('sentences');
    await page.locator('workbench-heads progress').waitFor({state: 'detached', timeout: 60_000});
    const guide = await page.evaluate(async (chosen) => {
      const {model} = /** @type {Scope} */ (document.querySelector('bert-scope'));
      const {statistics} = await model.headGuide({similar: false});
      return statistics.next[chosen];
    }, chosen);
    const row = rows.filter({has: page.getByText('3.3', {exact: true})});
    const shown = await row.locator('td').nth(3).textContent();
    assert.equal(percentOf(shown ?? ''), Math.round(guide * 100));
    await page.locator('.plane g').nth(indexOf(1, 1)).click();
    await page.waitForURL(/layer=1&heads=1/);
    await assertAccessible(page);
  },
);

researcherTest(
  'one control gives every view another measure, and the address keeps it',
  {hash: `${sentence}&view=matrix`},
  async (page) => {
    const measure = page.getByLabel('Measure');
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
    assert.equal(await other.getByLabel('Measure').inputValue(), 'flow');
    await other.close();
  },
);
