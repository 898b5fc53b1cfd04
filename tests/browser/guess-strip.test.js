/** Tests the line below the headline: what the model would guess, and what it would guess without a head. */

import assert from 'node:assert/strict';
import {eventually} from '../support/eventually.js';
import {formatGuess} from '../../web/views/parts/number-format.js';
import {headline} from './headline.js';
import {loadGolden} from './models.js';
import {openPage, phone, userTest} from './support.js';

/** @import {Page} from 'playwright-core' */

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

/** Counts what the page asks of the model from now on. @param {Page} page @param {'attend' | 'translate'} method */
async function countPasses(page, method) {
  await page.evaluate((method) => {
    const {model} = /** @type {any} */ (document.querySelector('bert-scope'));
    const run = model[method];
    /** @type {any} */ (window).passes = 0;
    model[method] = (/** @type {any[]} */ ...all) => {
      /** @type {any} */ (window).passes++;
      return run.apply(model, all);
    };
  }, method);
  return () => page.evaluate(() => /** @type {number} */ (/** @type {any} */ (window).passes));
}

userTest(
  'the switch runs the changed model once, and the unchanged one not again',
  {fresh: true},
  async (page) => {
    const masked = 'The children played in the garden until [MASK] were tired.';
    const begin = 'If they were hidden, the model would guess: ';
    const [before, after] = [await asked(page, masked), await asked(page, masked, {layer: 1, head: 4})]; // prettier-ignore
    await says(page, begin + before);
    const passes = await countPasses(page, 'attend');
    const without = page.getByRole('checkbox', {name: 'without this head'});
    for (const passesNow of [1, 1]) {
      await without.check();
      await says(page, begin + after);
      assert.equal(await passes(), passesNow);
      await without.uncheck();
      await says(page, begin + before);
    }
    assert.equal(await passes(), 1);
  },
);

userTest(
  'a decoder’s expectation comes with the picture’s own pass, and the switch adds one',
  {fresh: true, hash: '#text=the+cat+sat+on'},
  async (page) => {
    await loadGolden(page, 'gpt2');
    await line(page).locator('.one').first().waitFor();
    const passes = await countPasses(page, 'attend');
    await page.locator('#text').fill('time flies');
    await eventually('the picture', async () =>
      assert.equal(
        await page.evaluate(
          () => /** @type {any} */ (document.querySelector('bert-scope')).result.text,
        ),
        'time flies',
      ),
    );
    await line(page).locator('.one').first().waitFor();
    assert.equal(await passes(), 1);
    await line(page).getByText('without').click();
    await line(page).getByText('→').first().waitFor();
    assert.equal(await passes(), 2);
  },
);

userTest(
  'half a letter that a decoder writes stays: after a reload too, and not in another text',
  {fresh: true, hash: '#text=a+dog'},
  async (page) => {
    await loadGolden(page, 'gpt2');
    const idsNow = () =>
      page.evaluate(() => /** @type {any} */ (document.querySelector('bert-scope')).result?.ids);
    const {ids, text, usual} = await page.evaluate(async () => {
      const {model, result} = /** @type {any} */ (document.querySelector('bert-scope'));
      const {ids: added} = await model.generate(result, {tokens: 10});
      const ids = [...result.ids, ...added];
      const text = (await model.decode(ids)).replaceAll('\uFFFD', '');
      return {ids, text, usual: (await model.attend(text)).ids};
    });
    assert.notDeepEqual(usual, ids, 'the tokenizer divides the text otherwise');

    await page.getByRole('button', {name: 'Write on'}).click();
    await eventually('the tokens that were written', async () =>
      assert.deepEqual(await idsNow(), ids),
    );
    assert.equal(await page.locator('#text').inputValue(), text);
    assert.equal(await page.locator('.tokens.query .token').count(), ids.length);
    assert.doesNotMatch(await page.locator('body').innerText(), /\uFFFD/);
    await eventually('the address', async () =>
      assert.equal(new URL(page.url()).hash.includes(`ids=${ids.join('.')}`), true),
    );

    await page.reload();
    await eventually('the same tokens', async () => assert.deepEqual(await idsNow(), ids));

    // Another text has tokens of its own, and the way back has these.
    await page.locator('#text').fill(`${text}!`);
    await eventually('the text’s own tokens', async () => assert.notDeepEqual(await idsNow(), ids));
    await page.waitForFunction(() => !location.hash.includes('ids='));
    await page.goBack();
    await eventually('the same tokens again', async () => assert.deepEqual(await idsNow(), ids));

    // A link whose tokens are those of another text.
    await page.goto(page.url().replace('text=a+dog', 'text=a+cat'));
    await page.getByText(/expected token ids that spell the text, "a cat.*", found some/).waitFor();
    await page.locator('#text').fill('a cow');
    await page.locator('.tokens.query .token').filter({hasText: 'c'}).first().waitFor();
  },
);

userTest(
  'a decoder says that it leaves out a second sentence',
  {fresh: true, hash: '#text=the+cat&pair=a+dog'},
  async (page) => {
    await loadGolden(page, 'gpt2');
    await page
      .getByText('This model reads one text: it has left out the second sentence.')
      .waitFor();
  },
);

userTest(
  'an encoder-decoder says what it writes, and what it writes without a head of either half',
  {fresh: true, hash: '#text=the+cat+sat+on'},
  async (page) => {
    await loadGolden(page, 'marian');
    const written = () =>
      page.evaluate(async () => {
        const {model, translations, selection} = /** @type {any} */ (
          document.querySelector('bert-scope')
        );
        const {now} = translations;
        const {layer, heads, filter, token} = selection;
        const at = filter === 'encoder' ? now.specialTokens.indexOf(false) : token.index;
        const [{top}] = await now.decoder.predictions(3, {places: [at]});
        const part = ['decoder', 'cross'].includes(filter) ? {part: filter} : {};
        const off = heads.map((/** @type {number} */ head) => ({layer, head, scale: 0, ...part}));
        const {text} = now.encoder;
        const interventions = {heads: off};
        const other = await model.translate(text, {interventions});
        // The same place after the same beginning.
        const begun = {interventions, written: now.ids.slice(0, at), tokens: 1};
        const there = await model.translate(text, begun);
        const ids = top.map((/** @type {any} */ {id}) => id);
        const changed = [...(await there.decoder.probabilities(at, ids))];
        return {text: now.text, other: other.text, top, changed, filter};
      });
    const passes = await countPasses(page, 'translate');
    for (const [part, choice] of Object.entries({
      encoder: {layer: 0, heads: [0, 1, 2, 3]},
      decoder: {layer: 1, heads: [0]},
      cross: {layer: 2, heads: [1]},
    })) {
      await page.evaluate(
        (choice) => {
          /** @type {any} */ (document.querySelector('bert-scope')).choose(choice);
        },
        {filter: part, ...choice},
      );
      const {text, other, top, changed} = await written();
      const ofTop = (/** @type {number[] | null} */ now) =>
        top.map((/** @type {any} */ {probability}, /** @type {number} */ at) =>
          now ? `${formatGuess(probability)} → ${formatGuess(now[at])}` : formatGuess(probability),
        );
      const saysWritten = (/** @type {string} */ wanted, /** @type {string[]} */ shares) =>
        eventually(`${part} “${wanted}”`, async () => {
          // What is written stands above already: here only where the switch changes it.
          assert.equal((await line(page).locator('.written').allTextContents()).join(), wanted);
          assert.match(
            (await line(page).locator('.begin').last().textContent()) ?? '',
            /^In place of/,
          );
          const found = await line(page).locator('.one').allInnerTexts();
          assert.equal(found.length, 3);
          found.forEach((one, at) => assert(one.endsWith(shares[at]), `${one}, not ${shares[at]}`));
        });
      if (part === 'encoder') assert.notEqual(other, text);
      await saysWritten('', ofTop(null));
      const before = await passes();
      await line(page).getByRole('checkbox').check();
      await saysWritten(text === other ? '' : `${text} → ${other}`, ofTop(changed));
      // A beginning that is written otherwise has to be given.
      assert((await passes()) <= before + 2);
      await line(page).getByRole('checkbox').uncheck();
    }
  },
);
