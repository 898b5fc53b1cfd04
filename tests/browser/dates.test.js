import assert from 'node:assert/strict';
import {openManager, waitForAddress} from './models.js';
import {openPage, token, userTest, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

const NAME = 'Dates: an encoder-decoder';

/** Waits until a date is written and drawn. @param {Page} page @param {string} date */
const waitForDate = (page, date) => waitForTokens(page, [...date, '</s>']);

userTest(
  'the encoder-decoder writes the date that the reader types, and looks where each digit is said',
  {hash: '#text=the+cat'},
  async (page) => {
    await openManager(page);
    await page.getByRole('button', {name: NAME}).click();
    await waitForDate(page, '2021-03-23');
    await waitForTokens(page, 'the twenty - third of march 2 0 2 1 </s>'.split(' '), 'key');
    await page.getByText('2 looks at 2: 100%').waitFor();
    // A source has no token before the one that is being written.
    const colour = page.locator('.heads .colour');
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
    for (const view of ['Model', 'Matrix']) {
      await page.getByRole('radio', {name: view, exact: true}).check();
      await page.locator(`.${view.toLowerCase()}-view`).waitFor();
    }
  },
);

userTest(
  'a link to the encoder-decoder opens it, and the embedded model comes back',
  {hash: '#text=2.IX.1066&model=given:dates&filter=cross&workbench=change'},
  async (page) => {
    await waitForDate(page, '1066-09-02');
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
