/** Tests the line below the headline: what the model would guess, and what it would guess without a head. */

import assert from 'node:assert/strict';
import {eventually} from '../support/eventually.js';
import {formatGuess} from '../../web/views/parts/number-format.js';
import {headline} from './headline.js';
import {loadGolden} from './models.js';
import {openPage, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

const phone = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true};
const hash = '#text=Time+flies+like+an+arrow';

/** @param {Page} page */
const line = (page) => page.locator('.guess');

/** Waits until the line says this. @param {Page} page @param {string} said */
const says = (page, said) =>
  eventually(`the line “${said}”`, async () => {
    const text = (await line(page).locator('.guesses').innerText()).replaceAll(/\s+/g, ' ').trim();
    assert.equal(text, said);
  });

/**
 * Asks the engine for the three likeliest words of a text's mask, as the line says them.
 *
 * @param {Page} page
 * @param {string} text  with one mask
 * @param {{layer: number, head: number}} [off]  a head that is switched off
 * @returns {Promise<string>}
 */
async function asked(page, text, off) {
  const top = await page.evaluate(async ([text, off]) => {
    const {model} = /** @type {any} */ (document.querySelector('bert-scope'));
    const result = await model.attend(text);
    const [{top, index}] = await result.predictions(3);
    const ids = top.map((/** @type {any} */ {id}) => id);
    const interventions = {heads: [{.../** @type {any} */ (off), scale: 0}]};
    const changed =
      off && (await (await model.attend(text, {interventions})).probabilities(index, ids));
    return top.map((/** @type {any} */ {token, probability}, /** @type {number} */ at) => ({
      ...{token, probability},
      changed: changed?.[at],
    }));
  }, /** @type {const} */ ([text, off]));
  return top
    .map((/** @type {any} */ {token, probability, changed}) => {
      const now = changed === undefined ? '' : ` → ${formatGuess(changed)}`;
      return `${token} ${formatGuess(probability)}${now}`;
    })
    .join(' · ');
}

userTest(
  'the line says what the model would guess for the word in the headline, and what without the head',
  {fresh: true},
  async (page) => {
    await headline(page).filter({hasText: 'they looks at children'}).waitFor();
    const masked = 'The children played in the garden until [MASK] were tired.';
    const begin = 'If they were hidden, the model would guess: ';
    await says(page, begin + (await asked(page, masked)));

    const address = page.url();
    const without = page.getByRole('checkbox', {name: 'without this head'});
    await without.check();
    await says(page, begin + (await asked(page, masked, {layer: 1, head: 4})));
    assert.equal(page.url(), address, 'the reader’s own changes are others');

    // It stays while another head is chosen, and another word.
    await page.getByRole('gridcell', {name: 'Layer 2, head 7'}).click();
    await says(page, begin + (await asked(page, masked, {layer: 2, head: 7})));
    await without.uncheck();
    await page.locator('.tokens.query .token').filter({hasText: 'garden'}).click();
    const garden = 'The children played in the [MASK] until they were tired.';
    await says(page, `If garden were hidden, the model would guess: ${await asked(page, garden)}`);
  },
);

userTest(
  'the picture does not move when the line arrives, and a text is guessed once when typing ends',
  {fresh: true, open: false},
  async (page) => {
    await page.route('**/guess-strip-*', async (route) => {
      await page.locator('bert-scope .tokens').first().waitFor();
      await route.continue();
    });
    await openPage(page);
    const place = () =>
      page.locator('.view-stage').evaluate((stage) => stage.getBoundingClientRect().top);
    const before = await place();
    await line(page).getByText('the model would guess').waitFor();
    assert.equal(await place(), before);

    await page.evaluate(() => {
      const {model} = /** @type {any} */ (document.querySelector('bert-scope'));
      const {attend} = model;
      /** @type {any} */ (window).runs = [];
      model.attend = (/** @type {any[]} */ ...all) => {
        /** @type {any} */ (window).runs.push(all[0]);
        return attend.apply(model, all);
      };
    });
    await page.locator('#text').fill('');
    await page.locator('#text').pressSequentially('The dog barked.');
    await eventually('the guess of the whole text', async () => {
      assert.match(await line(page).innerText(), /dog were hidden[^]*%/);
      const runs = await page.evaluate(() => /** @type {any} */ (window).runs);
      const guessed = runs.filter((/** @type {string} */ text) => text.includes('[MASK]'));
      assert.deepEqual(guessed, ['The [MASK] barked.']);
    });
  },
);

userTest(
  'a mask of the reader’s own is what is guessed',
  {hash: '#text=The+[MASK]+barked.'},
  async (page) => {
    await says(page, `For [MASK] the model guesses: ${await asked(page, 'The [MASK] barked.')}`);
  },
);

userTest('the line closes for good, by the keyboard too', {fresh: true, hash}, async (page) => {
  const close = page.getByRole('button', {name: 'Do not show this line again'});
  await close.focus();
  await page.keyboard.press('Enter');
  await line(page).waitFor({state: 'detached'});
  await openPage(page, hash);
  await page.reload();
  await page.locator('.headline .told').waitFor();
  assert.equal(await line(page).count(), 0);
});

userTest(
  'on a phone the line is one line, and its controls are in sight',
  {fresh: true, ...phone},
  async (page) => {
    await line(page).locator('.one').first().waitFor();
    assert.match(await line(page).locator('.guesses').innerText(), /^Guess: they \d+%/);
    const boxes = await line(page).evaluate((line) =>
      [line, ...line.querySelectorAll('label, button')].map((each) => {
        const {left, right, height} = each.getBoundingClientRect();
        return {left, right, height};
      }),
    );
    assert.equal(boxes.length, 3);
    for (const {left, right, height} of boxes) {
      assert(left >= 0 && right <= 390, `${left} to ${right}`);
      assert(height >= 24 && height <= 44, `${height} px`);
    }
    await line(page).getByText('without this head').tap();
    await line(page).getByText('→').first().waitFor();
  },
);

userTest(
  'a decoder says what it expects next, and writes on',
  {fresh: true, hash: '#text=the+cat+sat+on'},
  async (page) => {
    await loadGolden(page, 'gpt2');
    const said = page.locator('.guess .guesses');
    await said.filter({hasText: 'Next, the model expects:'}).waitFor();
    const end = (await said.innerText()).trim();
    await page.locator('.tokens.query .token').filter({hasText: 'cat'}).click();
    // The map names its tokens as a sentence does, and the line stays at the end of the text.
    await page.locator('option').getByText('Links of “cat”').waitFor({state: 'attached'});
    assert.equal((await said.innerText()).trim(), end);

    const expected = await page.evaluate(async () => {
      const {model, result} = /** @type {any} */ (document.querySelector('bert-scope'));
      let added = '';
      const onProgress = (/** @type {any} */ {text}) => (added = text);
      await model.generate(result, {tokens: 10, onProgress});
      return result.text + added;
    });
    await page.getByRole('button', {name: 'Write on'}).click();
    await eventually('the continued text', async () =>
      assert.equal(await page.locator('#text').inputValue(), expected),
    );
  },
);

userTest(
  'an encoder has no such line without a head that guesses',
  {fresh: true, hash},
  async (page) => {
    await loadGolden(page, 'half-classifier');
    await page.locator('.headline .told').waitFor();
    await eventually('an empty line', async () =>
      assert.equal((await line(page).innerText()).trim(), ''),
    );
  },
);
