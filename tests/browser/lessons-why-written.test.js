/** Tests the lesson about what a written token comes from, as its readers use it. */

import assert from 'node:assert/strict';
import {page, row, tensor, type, verdict, waitForTensor} from './lesson-rows.js';

const lesson = 'why-written';
const finding = () => page.locator('.finding');
const written = (/** @type {string} */ token, nth = 0) =>
  page.getByRole('radio', {name: token, exact: true}).nth(nth).check();

row(
  'the date is written one token for each press, to its end',
  `${lesson}/one-by-one`,
  async () => {
    await finding().getByText('First comes “1”: 100%.').waitFor();
    const next = page.getByRole('button', {name: 'Write the next token'});
    await next.click();
    await finding().getByText('After “1” comes “9”: 100%.').waitFor();
    for (const token of ['8', '5', '-', '1', '2', '-', '2', '0', '</s>']) {
      await next.click();
      await finding().getByText(`comes “${token}”: 100%.`).waitFor();
    }
    await next.click();
    await finding().getByText('It has written “1985-12-20</s>”').waitFor();
    await page.getByRole('button', {name: 'Begin again'}).click();
    await finding().getByText('First comes “1”').waitFor();
    await page.locator('.question input').fill('XXXX-XX-XX');
    await page.getByRole('button', {name: 'Compare'}).click();
    await verdict(page, /Right: XXXX-XX-XX/);
  },
);

row('each head has a row for the chosen token', `${lesson}/eight-heads?part=weights`, async () => {
  const {shape, data} = await tensor('where each head looks while “1” is written');
  assert.deepEqual(shape, [8, 10]);
  assert(data[6] > 0.9, 'head 0.0 looks at the 9');
  await written('9');
  await waitForTensor('where each head looks while “9” is written', (weights) => weights[7] > 0.9);
});

row('where a head looks stands beside what the token takes', `${lesson}/taken`, async () => {
  await finding()
    .getByText(
      'The head looks most at “9”: 99%. The token takes 17% from there, and most from “1”: 36%.',
    )
    .waitFor();
  assert.equal(await page.locator('.bars').count(), 2);
  await page.getByRole('button', {name: 'Show the answer'}).click();
  await page.getByText('In 42 of 88 cases.').waitFor();
});

row(
  'the share from the text is told of every token, and of one what it takes before it',
  `${lesson}/text-or-written`,
  async () => {
    await finding()
      .getByText('“1” takes 90% from the text and 10% from what was written.')
      .waitFor();
    await written('</s>');
    await finding().getByText('“</s>” takes 64% from the text').waitFor();
    await page.getByRole('button', {name: 'end', exact: true}).click();
    await verdict(page, /Right: end/);
    await page.getByText('Over 8 dates: end 40%').waitFor();
  },
);

row('an explanation holds for one digit and fails for another', `${lesson}/hidden`, async () => {
  await finding().getByText('“1” takes most from “1” (36%): without it “9” is written.').waitFor();
  await written('2', 1);
  await finding()
    .getByText('“2” takes most from “december” (35%): without it “2” is written.')
    .waitFor();
  await page.locator('.question input').fill('6');
  await page.getByRole('button', {name: 'Compare'}).click();
  await verdict(page, /Right: 6/);
});

row(
  'the reader’s own date is explained and tested, and leads to the panel that explains it',
  `${lesson}/own-date`,
  async () => {
    await page.getByText('what “2” takes, by ALTI+').waitFor();
    await type('3 May 1955');
    await page.getByText('what “0” takes, by ALTI+').waitFor();
    const link = page.getByRole('link', {name: 'Open this in Explore, under Which words?'});
    assert.equal(
      await link.getAttribute('href'),
      '#text=3+May+1955&model=given%3Adates&workbench=why',
    );
    await page.locator('.question input').fill('the day');
    await page.getByRole('button', {name: 'Compare'}).click();
    await page.getByText('a share is not a cause').waitFor();
    await link.click();
    await page.getByText('What did the model write “3” from?').waitFor();
  },
);
