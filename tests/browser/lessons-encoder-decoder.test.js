/** Tests the lesson about the model that writes dates, as its readers use it. */

import assert from 'node:assert/strict';
import {eventually} from '../support/eventually.js';
import {computed, goTo, page, printed, row, tensor, type, waitForTensor} from './lesson-rows.js';
import {server, userTest} from './support.js';

const lesson = 'encoder-and-decoder';
const finding = () => page.locator('.finding');

row(
  'the reader’s own date is written, with the shapes of both texts',
  `${lesson}/in-and-out`,
  async () => {
    await finding().getByText('“twenty-third of March 2021” becomes “2021-03-23”.').waitFor();
    const shapes = () => page.locator('.facts .shape').allTextContents();
    assert.deepEqual((await shapes()).slice(0, 3), ['[1, 10]', '[1, 10, 128]', '[1, 11]']);
    await type('3 May 1955');
    await finding().getByText('“3 May 1955” becomes “1955-05-03”.').waitFor();
    assert.deepEqual((await shapes())[1], '[1, 7, 128]');
    await page.locator('.question input').fill('xxxx-03-xx');
    await page.getByRole('button', {name: 'Compare'}).click();
    await page.getByText('Right: XXXX-03-XX').waitFor();
  },
);

row(
  'the encoder’s lines and weights are those of the chosen head',
  `${lesson}/encoder?part=weights`,
  async () => {
    const before = await tensor('weights');
    assert.deepEqual(before.shape, [10, 10]);
    await page.getByRole('radio', {name: '3', exact: true}).check();
    await waitForTensor('weights', (data) => data[0] !== before.data[0]);
  },
);

row(
  'the mask can be taken away, and then every score is there',
  `${lesson}/causal-mask`,
  async () => {
    const label = 'scores: Q · K / √d, masked';
    const {data} = await tensor(label);
    assert.equal(data.filter((score) => score === -Infinity).length, 55);
    await page.getByRole('checkbox', {name: 'Mask'}).uncheck();
    await waitForTensor(label, (scores) => scores.every(Number.isFinite));
    await page.waitForURL(/mask=false/);
  },
);

row(
  'every head of cross attention can be looked at, also in Explore',
  `${lesson}/looking-across`,
  async () => {
    await finding().filter({hasText: '2 → twenty · 3 → third'}).waitFor();
    const scope = page.locator('.widget bert-scope');
    await eventually('both texts in the picture', async () =>
      assert.equal(await scope.evaluate((/** @type {any} */ {rows}) => rows), 11),
    );
    await page.getByRole('button', {name: 'Show the answer'}).click();
    await page.getByText('It writes “1902-03-01”').waitFor();
    const link = page.getByRole('link', {name: 'Open this in Explore'});
    const address = new URLSearchParams((await link.getAttribute('href'))?.slice(1));
    assert.equal(address.get('model'), 'given:dates');
    assert.equal(address.get('filter'), 'cross');
  },
);

row(
  'a row of cross attention is followed from its scores to its weights',
  `${lesson}/step-by-step?part=weights`,
  async () => {
    const [scores] = await printed('scores: Q · K / √d');
    const [weights] = await printed('weights: softmax');
    const powers = scores.map(Math.exp);
    const sum = powers.reduce((a, b) => a + b);
    powers.forEach((power, key) => assert(Math.abs(power / sum - weights[key]) < 0.02));
    assert.equal(weights[10], 1, 'the sum of the row');
  },
);

row('the decoder goes on from what the reader gives it', `${lesson}/teacher-forcing`, async () => {
  await finding().getByText('with what it is given “1999-03-23”').waitFor();
  assert.equal(await page.locator('.facts .given').count(), 4);
  await page.getByLabel('The decoder is given').fill('2021-1');
  await finding().getByText('“2021-10-23”').waitFor();
  await page.getByLabel('The decoder is given').fill('');
  await finding().getByText('with what it is given “2021-03-23”.').waitFor();
});

row(
  'an edge is cut in one head, in its layer, and at another word',
  `${lesson}/cut-edge?text=Christmas+Eve+of+1984`,
  async () => {
    await finding()
      .getByText('“4” without “christmas”: “1984-12-24” becomes “1984-12-24”.')
      .waitFor();
    await page.getByRole('radio', {name: 'eve', exact: true}).check();
    await finding().getByText('“4” without “eve”: “1984-12-24” becomes “1984-12-25”.').waitFor();
    await page.getByRole('radio', {name: 'this head'}).check();
    await finding().getByText('becomes “1984-12-24”.').waitFor();
  },
);

userTest(
  'the lesson runs its own model, and leaves the reader’s model and its pictures as they are',
  {hash: '#text=the+cat+sat&layer=2'},
  async (tab) => {
    await goTo(tab, `${lesson}/looking-across`);
    assert.doesNotMatch(tab.url(), /model=/);
    await goTo(tab, 'encoder-by-hand/ids');
    await tab.getByRole('link', {name: 'Explore', exact: true}).click();
    await tab.locator('#scope').waitFor();
    const tokens = await tab
      .locator('#scope')
      .evaluate((/** @type {any} */ {result}) => result?.tokens);
    assert.deepEqual(tokens, ['[CLS]', 'the', 'cat', 'sat', '[SEP]']);
  },
);

userTest(
  'in large type every token of the lines is in sight',
  {open: false, viewport: {width: 1280, height: 720}},
  async (tab) => {
    await tab.goto(`${server.url}#/lessons`);
    for (const step of ['encoder', 'looking-across']) {
      await goTo(tab, `${lesson}/${step}?large=1`);
      await computed(tab, `${lesson}/${step}`);
      await eventually('rows as low as the window needs', async () => {
        const hidden = await tab
          .locator('.widget bert-scope .scroller')
          .evaluate((view) => view.scrollHeight - view.clientHeight);
        assert(hidden < 2, `${hidden} px are not in sight`);
      });
    }
  },
);
