/** Tests the page with a model that predicts the next token. */

import assert from 'node:assert/strict';
import {assertAccessible} from './axe.js';
import {eventually} from '../support/eventually.js';
import {loadGolden} from './models.js';
import {engineAttention, researcherTest, userTest} from './support.js';
import {ask} from './workbench.js';

/** @import {Page} from 'playwright-core' */

const hash = '#text=the+cat+sat+on&layer=1&heads=2';

/** @param {Page} page */
const textOf = (page) =>
  page.evaluate(() => /** @type {any} */ (document.querySelector('bert-scope')).text);

/** @param {Page} page @param {string} text */
const waitForText = (page, text) =>
  page.waitForFunction(
    (wanted) => /** @type {any} */ (document.querySelector('bert-scope')).result?.text === wanted,
    text,
  );

researcherTest(
  'a decoder’s tokens look back alone, and its guesses follow a token',
  {hash},
  async (page) => {
    await loadGolden(page, 'gpt2');
    const heads = await engineAttention(page, 1);
    for (const rows of heads) {
      rows.forEach((/** @type {number[]} */ row, /** @type {number} */ query) =>
        assert(row.slice(query + 1).every((weight) => weight === 0)),
      );
    }
    await page.getByRole('button', {name: 'Predict words'}).click();
    await page.getByRole('heading', {name: /^Top guesses for what follows “…/}).waitFor();
    await page.getByTitle('What follows “t”?').click();
    await page.getByRole('heading', {name: 'Top guesses for what follows “t”'}).waitFor();
    const [first] = await ask(page, 'result.predictions(8, {places: [0]}).then(([{top}]) => top)');
    const shown = page.locator('.candidates button').first();
    assert.match(
      (await shown.textContent()) ?? '',
      new RegExp(`${Math.round(100 * first.probability)}%`),
    );
    await page.getByRole('button', {name: 'How surprising is each word?'}).click();
    await page.getByText('Nothing comes before the first.').waitFor();
    await assertAccessible(page);
  },
);

researcherTest(
  'a guess that is chosen follows its token, and the model continues the text',
  {hash},
  async (page) => {
    await loadGolden(page, 'gpt2');
    await page.getByRole('button', {name: 'Predict words'}).click();
    await page.getByLabel('Tokens', {exact: true}).fill('4');
    const expected = await page.evaluate(async () => {
      const {model, result} = /** @type {any} */ (document.querySelector('bert-scope'));
      return result.text + (await model.generate(result, {tokens: 4})).text;
    });
    // Drawing from one token alone takes the likeliest, too.
    await page.getByLabel('Temperature', {exact: true}).fill('1');
    await page.getByText('More settings').click();
    await page.getByLabel('Top k', {exact: true}).fill('1');
    await page.getByRole('button', {name: 'Continue the text'}).click();
    await waitForText(page, expected);
    const begun = await textOf(page);
    const found = await page.evaluate(async () => {
      const {model, result} = /** @type {any} */ (document.querySelector('bert-scope'));
      const {beams} = await model.generate(result, {tokens: 4, beams: 3});
      return beams.map((/** @type {{text: string}} */ {text}) => text);
    });
    await page.getByLabel('Temperature', {exact: true}).fill('0');
    await page.getByLabel('Beams', {exact: true}).fill('3');
    await page.getByRole('button', {name: 'Continue the text'}).click();
    await waitForText(page, begun + found[0]);
    const beams = page.getByRole('region', {name: 'What the search found'});
    await beams.waitFor();
    assert.equal(await beams.getByRole('button').count(), 3);
    await beams.getByRole('button', {name: 'no. 2'}).click();
    await waitForText(page, begun + found[1]);
    await assertAccessible(page);
    await page.getByTitle('What follows “cat”?').first().click();
    await page.getByRole('heading', {name: 'Top guesses for what follows “the cat”'}).waitFor();
    const ids = await ask(
      page,
      'result.predictions(1, {places: [2]}).then(([{top}]) => [...result.ids.slice(0, 3), top[0].id])',
    );
    await page.locator('.candidates button').first().click();
    await eventually('the tokens of the text', async () =>
      assert.deepEqual(await ask(page, 'result.ids'), ids),
    );
    assert.match(await textOf(page), /^the cat/);
  },
);

researcherTest(
  'the heads that copy are found on random tokens, and can be seen in the map',
  {hash},
  async (page) => {
    await loadGolden(page, 'gpt2');
    await page.getByRole('button', {name: 'Compare heads'}).click();
    await page.getByRole('button', {name: 'Find the heads that copy'}).click();
    const {induction, heads} = await page.evaluate(async () => {
      const {model} = /** @type {any} */ (document.querySelector('bert-scope'));
      const found = await model.copyingHeads();
      return {heads: found.heads, induction: [...found.induction]};
    });
    const at = induction.indexOf(Math.max(...induction));
    const [layer, head] = [Math.floor(at / heads), at % heads];
    const best = page.locator('.kinds .alike').first().locator('li').first();
    assert.equal(
      (await best.innerText()).replace(/\s+/g, ' '),
      `${layer}.${head} ${Math.round(100 * induction[at])}%`,
    );
    await assertAccessible(page);
    await page.getByRole('button', {name: 'Show in the map of heads'}).first().click();
    await page.getByLabel('Colour').getByText('Induction').waitFor({state: 'attached'});
    await best.getByRole('button').click();
    await page.waitForFunction(
      ([layer, head]) => {
        const {selection} = /** @type {any} */ (document.querySelector('bert-scope'));
        return selection.layer === layer && String(selection.heads) === String(head);
      },
      [layer, head],
    );
  },
);

researcherTest(
  'the guess after every layer is read at every token, and a token leads to its guesses',
  {hash},
  async (page) => {
    await loadGolden(page, 'gpt2');
    await page.getByRole('button', {name: 'Predict words'}).click();
    await page.getByRole('button', {name: 'Read every layer'}).click();
    const grid = page.getByRole('region', {name: 'Guesses by layer and token'}).getByRole('table');
    await grid.waitFor();
    const {columns, tokens} = await page.evaluate(async () => {
      const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
      const columns = [];
      for (const at of result.tokens.keys()) columns.push(await result.logitLens(at, 1));
      return {columns, tokens: result.tokens};
    });
    const shares = (await grid.locator('tbody tr').allInnerTexts()).map((row) =>
      (row.match(/(<\s*)?\d+%/g) ?? []).map((share) => share.replace(/\s/g, '')),
    );
    assert.equal(shares.length, 4);
    assert.deepEqual(
      shares,
      shares.map((_, depth) =>
        columns.map((column) => {
          const {probability} = column[depth][0];
          return probability < 0.005 ? '<1%' : `${Math.round(100 * probability)}%`;
        }),
      ),
    );
    // The last row is settled, and so is what stays as it is from some layer on.
    const framed = await grid
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((td) => td.className === 'settled')),
      );
    assert.deepEqual(
      framed[3],
      tokens.map(() => true),
    );
    assert.deepEqual(
      framed[2],
      columns.map((column) => column[2][0].id === column[3][0].id),
    );
    await assertAccessible(page);
    const first = grid.getByRole('columnheader').first().getByRole('button');
    await first.click();
    await page.getByRole('heading', {name: 'Top guesses for what follows “t”'}).waitFor();
    assert.equal(await first.getAttribute('aria-pressed'), 'true');
  },
);

researcherTest(
  'a guess leads to the words and the parts of the model that wrote it, and these to the map',
  {hash},
  async (page) => {
    await loadGolden(page, 'gpt2');
    await page.getByRole('button', {name: 'Predict words'}).click();
    await page.getByRole('button', {name: /^Which words led to “/}).click();
    await page.getByRole('heading', {name: /^Which words led to “/}).waitFor();
    await page.getByRole('heading', {name: /^Which parts of the model wrote “/}).waitFor();
    const {heads, value, ofAttention, gradient, rival} = await page.evaluate(async () => {
      const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
      const parts = await result.logitAttribution();
      const ofAttention = await result.explain({method: 'alti-logit'});
      const {contributions} = await result.explain({method: 'gradient'});
      const [{top}] = await result.predictions(2, {places: [result.tokens.length - 1]});
      return {
        heads: [...parts.heads],
        value: parts.value,
        ofAttention: [...ofAttention.contributions],
        gradient: [...contributions],
        rival: top[1].id,
      };
    });
    const sum = ofAttention.reduce((a, b) => a + b);
    await page.getByText(`The numbers sum to ${sum.toFixed(2)}: so much does attention add`).waitFor(); // prettier-ignore
    const rounded = (/** @type {number[]} */ amounts) =>
      amounts.map((each) => Number(each.toFixed(2)));
    const shown = async () => {
      const texts = await page.locator('.contribution small').allInnerTexts();
      return texts.map((text) => Number(text.replace('−', '-')));
    };
    assert.deepEqual(await shown(), rounded(ofAttention));
    await page.getByLabel('Method').selectOption('gradient');
    await eventually('the method that was chosen', async () =>
      assert.deepEqual(await shown(), rounded(gradient)),
    );
    const at = heads.indexOf(Math.max(...heads));
    const [layer, head] = [Math.floor(at / 4), at % 4];
    const best = page.locator('.kinds .alike').first().getByRole('button').first();
    assert.equal(await best.innerText(), `${layer}.${head}`);
    await page.getByText(`They sum to ${value.toFixed(2)}, its score`).waitFor();
    await assertAccessible(page);
    await page.getByRole('button', {name: 'Show in the map of heads'}).click();
    await page
      .getByLabel('Colour')
      .getByText(/^Adds to “/)
      .waitFor({state: 'attached'});
    await best.click();
    await page.waitForFunction(
      ([layer, head]) => {
        const {selection} = /** @type {any} */ (document.querySelector('bert-scope'));
        return selection.layer === layer && String(selection.heads) === String(head);
      },
      [layer, head],
    );
    await page.getByLabel('Rather than').selectOption({index: 1});
    await page.getByRole('heading', {name: /^Which parts of the model speak for “/}).waitFor();
    const difference = await page.evaluate(async (instead) => {
      const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
      return (await result.logitAttribution({instead})).value;
    }, rival);
    await page.getByText(`They sum to ${difference.toFixed(2)}, its score`).waitFor();
  },
);

researcherTest('what only encoders have is said of a decoder', {hash}, async (page) => {
  await loadGolden(page, 'gpt2');
  await page.getByRole('button', {name: 'Change the model'}).click();
  await page.getByRole('button', {name: 'Try every head'}).click();
  await page.getByText(/has a probability of .* with every head/).waitFor();
  assert.equal(await page.getByLabel('No token sees a later one (causal)').count(), 0);
});

userTest('the tokens around a text are called as its model has them', {hash}, async (page) => {
  await page.getByRole('button', {name: 'Hide [CLS], [SEP]', exact: true}).waitFor();
  await loadGolden(page, 'llama');
  await page.getByRole('button', {name: 'Hide <s>', exact: true}).click();
  await page.getByRole('button', {name: 'Show <s>', exact: true}).waitFor();
});

userTest(
  'what follows the text stands beside the picture, as it is and with a head off',
  {hash: `${hash}&panel=whatif`},
  async (page) => {
    await loadGolden(page, 'gpt2');
    await page
      .getByRole('heading', {name: 'Top guesses for what follows “… cat sat on”'})
      .waitFor();
    assert.equal(await page.getByRole('button', {name: 'Hide [CLS], [SEP]'}).count(), 0);
    // Sentences name words, without the sign for a space that tokens have.
    assert.match((await page.locator('.query .piece').allTextContents()).join(' '), /▁cat/);
    for (const place of ['.query', '.key']) {
      await page.locator(`${place} .token`, {hasText: '▁cat'}).hover();
      await page.locator('.headline .word', {hasText: /^cat$/}).first().waitFor();
      assert.doesNotMatch(await page.locator('.headline').innerText(), /[▁Ġ]/);
    }
    await page.getByRole('button', {name: 'Switch this head off'}).click();
    await page.getByRole('columnheader', {name: 'changed', exact: true}).waitFor();
  },
);
