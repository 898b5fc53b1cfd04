import assert from 'node:assert/strict';
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
import {loadGolden, openManager, waitForAddress} from './models.js';
import {openPage, token, userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

const NAME = 'Dates: an encoder-decoder';

/** Waits until a date is written and drawn. @param {Page} page @param {string} date */
const waitForDate = (page, date) => waitForTokens(page, [...date, '</s>']);

userTest(
  'the encoder-decoder writes the date that the reader types, and looks where each digit is said',
  {hash: '#text=the+cat&layer=0'},
  async (page) => {
    await openManager(page);
    await page.getByRole('button', {name: NAME}).click();
    await waitForDate(page, '2021-03-23');
    await waitForTokens(page, 'the twenty - third of march 2 0 2 1 </s>'.split(' '), 'key');
    await page.getByText('2 looks at 2: 100%').waitFor();
    await page.getByText('The model writes 2021-03-23').waitFor();
    // A source has no token before the one that is being written.
    const colour = page.locator('.heads select');
    await colour.filter({hasNotText: 'Previous token'}).waitFor();

    await page.locator('#text').fill('We met on Christmas Eve of nineteen eighty-four.');
    await waitForDate(page, '1984-12-24');
    await token(page, 'query', 2).hover();
    await page.locator('.headline', {hasText: /8 looks at eighty: 9\d%|100%/}).waitFor();

    await page.getByRole('radio', {name: 'Decoder', exact: true}).check();
    await waitForTokens(page, ['<s>', ...'1984-12-24'], 'key');
    await page.getByRole('radio', {name: 'Encoder', exact: true}).check();
    await waitForTokens(
      page,
      '<unk> <unk> on christmas eve of nineteen eighty - four . </s>'.split(' '),
    );
    await colour.filter({hasText: 'Previous token'}).waitFor();
    for (const view of ['Model', 'Matrix', 'Neuron']) {
      await page.getByRole('radio', {name: view, exact: true}).check();
      await page.locator(`.${view.toLowerCase()}-view`).waitFor();
    }
    // The decoder's query is taken apart with the keys of the other text.
    await page.getByRole('radio', {name: 'Cross', exact: true}).check();
    await page.getByText('q × k').first().waitFor();
  },
);

userTest(
  'the reader sees which words of the text a written token comes from, and what was written before it',
  {hash: '#text=the+twenty-third+of+March+2021&model=given:dates&filter=cross&workbench=why'},
  async (page) => {
    await waitForDate(page, '2021-03-23');
    const panel = page.locator('workbench-written-explanation');
    await panel.getByText('What did the model write “3” from?').waitFor();
    await panel.getByText(/^\d+% from the source, \d+% from what was written\.$/).waitFor();
    await token(page, 'query', 5).click();
    await panel.getByText('What did the model write “0” from?').waitFor();
    const source = panel.getByRole('list', {name: 'From the text that was read'});
    const shares = await source.locator('small').allTextContents();
    const words = await source.locator('bdi').allTextContents();
    const most = shares.map((share) => parseInt(share));
    assert.equal(words[most.indexOf(Math.max(...most))], 'march');
    const before = panel.getByRole('list', {name: 'From what was written before'});
    assert.deepEqual(await before.locator('bdi').allTextContents(), ['<s>', ...'2021-']);
    await before.getByRole('button', {name: '2'}).first().click();
    await panel.getByText('What did the model write “2” from?').waitFor();
    await source.getByRole('button', {name: 'march'}).click();
    await page.waitForFunction(() => /token=k/.test(location.hash));
    await panel.getByText('What did the model write “2” from?').waitFor();
  },
);

userTest(
  'the reader explains a written token by another method, sets it against another token, and sees what a change did',
  {
    hash: '#text=the+twenty-third+of+March+2021&model=given:dates&filter=cross&workbench=why&method=gradient&off=cross:1.3',
  },
  async (page) => {
    const panel = page.locator('workbench-written-explanation');
    await panel.getByText(/^What did the model write “.” from\?$/).waitFor();
    const method = panel.getByLabel('Method');
    assert.deepEqual(await method.locator('option').allTextContents(), [
      'ALTI+',
      'Integrated gradients',
      'Gradient × input',
      'Value Zeroing',
    ]);
    const changed = panel.getByRole('list', {
      name: 'Without the changes to the model · From the text that was read',
    });
    await changed.waitFor();
    const amountsOf = (/** @type {import('playwright-core').Locator} */ list) =>
      list.locator('small').allTextContents();
    const source = panel.getByRole('list', {name: 'From the text that was read', exact: true});
    assert.notDeepEqual(await amountsOf(source), await amountsOf(changed));

    await panel.getByLabel('Rather than').selectOption({index: 1});
    await panel.getByText(/^Which words speak for “.” rather than “.”\?$/).waitFor();
    await method.selectOption('Integrated gradients');
    await page.waitForFunction(() => /method=integrated-gradients/.test(location.hash));
    // Both texts have tokens in the sentence, and those that the model wrote say so.
    await panel.getByText(/Most speaks for it: “twenty” .*“2” \(written, \+/).waitFor();
    await method.selectOption('Value Zeroing');
    await panel.getByText(/^\d+% from the source, \d+% from what was written\.$/).waitFor();
    assert.equal(await panel.getByLabel('Rather than').count(), 0);
  },
);

userTest(
  'a link to the encoder-decoder opens it, and the embedded model comes back',
  {hash: '#text=2.IX.1066&model=given:dates&filter=cross&workbench=change'},
  async (page) => {
    await waitForDate(page, '1066-09-02');
    await page.getByText('What the model writes').waitFor();
    await page.getByRole('button', {name: 'Compare heads'}).click();
    await page.getByText('This model reads one text and writes another').waitFor();
    await openManager(page);
    await page.getByText(`In use: ${NAME}`).waitFor();
    assert.equal(await page.getByRole('button', {name: NAME}).count(), 0);
    await page.getByRole('button', {name: 'Use the small teaching model'}).click();
    await page.locator('#text').fill('the mat');
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]'], 'key');
  },
);

userTest(
  'a date that leaves something unsaid is written with an X for what is missing',
  {hash: '#text=in+March&model=given:dates&filter=cross'},
  async (page) => {
    await waitForDate(page, 'XXXX-03-XX');
    await waitForAddress(page, 'given:dates');
    await openPage(page, '#text=in+March+1999&model=given:dates&filter=cross');
    await waitForDate(page, '1999-03-XX');
  },
);

const CHANGE =
  '#text=the+twenty-third+of+March+2021&model=given:dates&filter=cross&panel=whatif&workbench=change';

/** @param {Page} page @param {RegExp} words */
const waitForWritten = (page, words) =>
  page.locator('workbench-translation', {hasText: words}).waitFor();

userTest(
  'a word that is hidden from the encoder-decoder is missing in what it writes, until the change is undone',
  {hash: CHANGE},
  async (page) => {
    await waitForDate(page, '2021-03-23');
    await waitForWritten(page, /Now\s*2021-03-23/);
    await token(page, 'key', 5).click();
    await page.getByRole('button', {name: 'Block attention to “march”'}).click();
    await waitForWritten(page, /Unchanged\s*2021-03-23\s*Changed\s*2021-XX-23\s*2 tokens differ/);
    assert.equal(await page.locator('workbench-translation mark').innerText(), 'XX');
    await waitForDate(page, '2021-XX-23');
    await page.waitForURL(/unseen=5/);
    // The pictures of both models stand side by side, although their texts differ.
    await page.getByRole('radio', {name: 'side by side'}).check();
    await page.locator('figcaption', {hasText: 'the model as it is'}).waitFor();
    await page.getByRole('radio', {name: 'changed', exact: true}).check();
    // What the decoder wrote cannot be hidden from it.
    await token(page, 'query', 5).click();
    await page.getByText('Click a token in the picture to block attention to it').waitFor();
    await page.getByRole('button', {name: 'Undo all changes'}).click();
    await waitForWritten(page, /Now\s*2021-03-23/);
  },
);

userTest(
  'heads and single weights of each part are changed on their own',
  {hash: CHANGE},
  async (page) => {
    await waitForWritten(page, /Now\s*2021-03-23/);
    await page.getByRole('radio', {name: 'Decoder', exact: true}).check();
    await page.getByRole('gridcell', {name: 'Layer 0, head 1'}).click();
    await page.getByRole('button', {name: 'Switch this head off'}).click();
    await page.waitForURL(/off=decoder%3A0.1/);
    await page.getByText('Decoder, Layer 0, head 1 off').waitFor();
    await page.getByRole('radio', {name: 'Encoder', exact: true}).check();
    await page.getByRole('button', {name: 'Switch this head off'}).waitFor();
    await page.getByRole('radio', {name: 'Cross', exact: true}).check();
    await page.getByRole('combobox', {name: 'key'}).selectOption('march (5)');
    await page.getByRole('button', {name: 'Set the weight'}).click();
    await page.waitForURL(/edges=cross%3A0.1.0.5x0r/);
    await page.getByText('Cross, Layer 0, head 1: 2 → march = 0.00').waitFor();
  },
);

userTest(
  'the workbench shows what the decoder expected at each place, layer by layer',
  {hash: CHANGE.replace('workbench=change', 'workbench=predict')},
  async (page) => {
    await token(page, 'query', 6).click();
    await page.getByRole('heading', {name: 'what follows “2021-0”'}).waitFor();
    const first = page.locator('workbench-next-token .candidates li').first();
    assert.match(await first.innerText(), /^3\s+\d+%$/);
    await page.getByRole('button', {name: 'How surprising is each word?'}).click();
    await page.locator('workbench-next-token .word small').nth(9).waitFor();
    assert.equal(await page.getByText('Let the model continue').count(), 0);
  },
);

userTest(
  'a search with several beams shows what an encoder-decoder found and gave up, until the text is another one',
  {hash: '#text=2.IX.1066&model=given:dates&filter=cross&panel=whatif&workbench=predict'},
  async (page) => {
    await waitForDate(page, '1066-09-02');
    const search = page.locator('workbench-translation-beams');
    await search.getByRole('button', {name: 'Search'}).click();
    const found = search.locator('.beams .found');
    await found.first().waitFor();
    assert.equal(await found.count(), 4);
    // The best is what is written without a search, or better; its way through the tree is the whole text.
    const best = search.locator('.beams li', {has: page.getByText('no. 1:')});
    const parts = await best.locator(':scope > span bdi').allInnerTexts();
    assert.equal(parts.join('').replace('</s>', ''), '1066-09-02');
    assert((await search.locator('.given-up').count()) > 0);
    await assertAccessible(page);
    await search.getByRole('spinbutton', {name: 'Beams'}).fill('2');
    await search.getByRole('button', {name: 'Search'}).click();
    await eventually('two beams', async () => assert.equal(await found.count(), 2));
    await page.locator('#text').fill('3.IX.1066');
    await waitForDate(page, '1066-09-03');
    assert.equal(await found.count(), 0);
  },
);

userTest(
  'the keyboard alone reaches the choice of encoder, decoder and cross, and goes through it',
  {hash: '#text=2.IX.1066&model=given:dates&filter=cross'},
  async (page) => {
    await waitForDate(page, '1066-09-02');
    const parts = page.getByRole('radiogroup', {name: 'From → to'});
    await page.getByRole('radio', {name: 'Head', exact: true}).focus();
    await page.keyboard.press('Tab');
    const cross = parts.getByRole('radio', {name: 'Cross', exact: true});
    assert.ok(await cross.evaluate((radio) => radio.matches(':focus-visible')));
    await page.keyboard.press('ArrowLeft');
    await waitForTokens(page, ['<s>', ...'1066-09-02'], 'key');
    assert.ok(await parts.getByRole('radio', {name: 'Decoder', exact: true}).isChecked());
    await page.keyboard.press('ArrowLeft');
    assert.ok(await parts.getByRole('radio', {name: 'Encoder', exact: true}).isChecked());
    await page.waitForURL(/filter=encoder/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await waitForDate(page, '1066-09-02');
    await page.waitForURL(/filter=cross/);
    // The focus stays on the choice, and Tab leads on.
    assert.ok(await cross.evaluate((radio) => radio.matches(':focus-visible')));
    await page.keyboard.press('Tab');
    assert.ok(!(await cross.evaluate((radio) => radio.matches(':focus'))));
  },
);

userTest(
  'a link to the encoder-decoder says what of its changes, its layers and its text has no place',
  {
    hash: `${CHANGE.replace('layer=0', '')}&layer=99&off=cross:9.0&edges=decoder:0.0.1.4x1,cross:0.0.500.0x1`,
  },
  async (page) => {
    await waitForDate(page, '2021-03-23');
    await page.getByText('does not have (layer=99, off=cross:9.0)').waitFor();
    await page.waitForURL(/layer=1/);
    await page.getByText('2 → 1 = 1.00: does nothing, since a decoder sees no later').waitFor();
    await page.locator('#text').fill('on the third of May 1999 '.repeat(40));
    await page.getByText(/Only the first \d+ tokens fit this model/).waitFor();
  },
);

userTest(
  'a model without a decoder says so of a change that needs one',
  {hash: '#text=the+cat&layer=0&panel=whatif&workbench=change&off=cross:0.1'},
  async (page) => {
    await page.getByText('does nothing, since this model has no decoder').waitFor();
  },
);

userTest(
  'a notice names the hidden words of an encoder-decoder, unless all were to be hidden',
  {hash: `${CHANGE}&unseen=5`},
  async (page) => {
    const notice = page.getByText('Attention is blocked to “march”');
    await notice.waitFor();
    await openPage(page, '#text=1&model=given:dates&panel=whatif&workbench=change&unseen=0.1');
    await page.getByText('No attention is blocked: the first token would').waitFor();
    assert.equal(await page.getByText('Attention is blocked to').count(), 0);
  },
);

userTest(
  'the headline of an encoder-decoder names no measure that the picture does not show',
  {hash: '#text=2.IX.1066&model=given:dates&filter=cross&measure=norm'},
  async (page) => {
    const headline = page.locator('.headline');
    await headline.getByText('Mean of 4 heads').waitFor();
    assert.doesNotMatch(await headline.innerText(), /Norm/);
  },
);

userTest(
  'what a model with tokens of bytes writes after a change is shown as a text',
  {hash: '#text=the+cat+sat+at+noon&filter=cross&panel=whatif&workbench=change', fresh: true},
  async (page) => {
    await loadGolden(page, 'bart');
    await waitForWritten(page, /Now/);
    await token(page, 'key', 3).click();
    await page.getByRole('button', {name: 'Block attention to “cat”'}).click();
    await waitForWritten(page, /Unchanged.*Changed/s);
    await page.getByText('Attention is blocked to “cat”').waitFor();
    const shown = page.locator('workbench-translation dd').last();
    assert.doesNotMatch(await shown.innerText(), /<s>|Ġ/);
    assert.match(await shown.innerText(), /^\S/);
  },
);
