import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {after, before} from 'node:test';
import {lessons} from '../../web/lessons/index.js';
import {families} from '../engine/support.js';
import {computed} from './lesson-rows.js';
import {waitForKept, waitForPicture} from './models.js';
import {hub, modelTest, quantizedFile, root, text, withoutHub} from './model-hub.js';
import {server, waitForTokens} from './support.js';

/** @import {Page} from 'playwright-core' */

const rows = [
  [0.5, 0.5],
  [0.25, 0.75],
];
const saved = JSON.stringify({tokens: ['a', 'b'], attention: [[rows]]});
/** The requests that a host got, which the reader has not approved. @type {string[]} */
const asked = [];
const stranger = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.writeHead(200, {'access-control-allow-origin': '*'}).end(saved);
});
let strange = '';
before(async () => {
  await new Promise((resolve) => stranger.listen(0, 'localhost', () => resolve(undefined)));
  const {port} = /** @type {import('node:net').AddressInfo} */ (stranger.address());
  strange = `http://localhost:${port}`;
});
after(() => {
  stranger.closeAllConnections();
  stranger.close();
});

/** Follows a link. @param {Page} page @param {string} hash */
const follow = (page, hash) => page.goto(`${server.url}${hash}`);

/** Waits for the question whether a host may be asked. @param {Page} page @param {string} host */
const question = (page, host) =>
  page.locator('bert-scope').getByText(`from ${host}. Nothing has been fetched`).waitFor();

modelTest(
  'a link to a model of another host asks before it fetches',
  {open: false},
  async (page) => {
    const [family] = families;
    writeFileSync(join(root, 'quantized', 'linked.safetensors'), await quantizedFile(family));
    const address = `${hub.url}/someone/quantized/resolve/main/linked.safetensors`;
    const {host} = new URL(hub.url);
    hub.requests.length = 0;
    await follow(page, `${text}&model=${address}`);
    await question(page, host);
    assert.deepEqual(hub.requests, []);
    await page.getByRole('button', {name: `Load it from ${host}`}).click();
    await waitForPicture(page, 'linked');
  },
);

modelTest('a link to a model of a hub names the hub and asks', {open: false}, async (page) => {
  await follow(page, `${text}&model=hub:${hub.url}/someone/distilbert`);
  await question(page, new URL(hub.url).host);
  await page.getByText('someone/distilbert').first().waitFor();
  await page.getByRole('button', {name: 'Use the small teaching model'}).click();
  await waitForPicture(page, 'bertscope-default');
  await page.evaluate((hash) => (location.hash = hash), `${text}&model=hub:a/b`);
  await question(page, 'huggingface.co');
});

/** Loads a model from a link and keeps it. @param {Page} page @returns {Promise<string>} its name */
async function keepFromLink(page) {
  const source = `hub:${hub.url}/someone/distilbert`;
  await follow(page, `${text}&model=${source}`);
  await page.getByRole('button', {name: /^Load it from/}).click();
  await waitForPicture(page, 'distilbert');
  await page.evaluate(async () => {
    const {model} = /** @type {any} */ (document.querySelector('bert-scope'));
    await model.keep();
  });
  await waitForKept(page, source);
  return source;
}

modelTest('a kept model needs no question', {open: false}, async (page) => {
  await keepFromLink(page);
  await withoutHub(async () => {
    await page.reload();
    await waitForPicture(page, 'distilbert');
  });
});

modelTest(
  'a kept model that ended its engine twice is opened after a question, and then as before',
  {open: false},
  async (page) => {
    const source = await keepFromLink(page);
    await page.evaluate(
      (ends) => localStorage.setItem('bertscope-ended-models', ends),
      JSON.stringify([[source, 2]]),
    );
    await page.reload();
    await page.getByText('has ended its engine twice').waitFor();
    await page.getByRole('button', {name: 'Open it again'}).click();
    await waitForPicture(page, 'distilbert');
    await page.reload();
    await waitForPicture(page, 'distilbert');
  },
);

for (const link of ['to the page', 'to a lesson']) {
  const claim = `a lesson asks, too, before it uses the model of a link ${link}`;
  modelTest(claim, {open: false}, async (page) => {
    const {host} = new URL(hub.url);
    const source = `hub:${hub.url}/someone/distilbert`;
    const [{id, steps}] = lessons;
    const step = `${id}/${steps[0].id}`;
    hub.requests.length = 0;
    if (link === 'to the page') {
      await follow(page, `${text}&model=${source}`);
      await question(page, host);
      await page.evaluate((hash) => (location.hash = hash), `#/lessons/${step}`);
    } else await follow(page, `#/lessons/${step}?model=${source}`);
    await page.locator('.widget').getByText(`from ${host}. Nothing has been fetched`).waitFor();
    assert.deepEqual(hub.requests, []);
    await page
      .locator('.widget')
      .getByRole('button', {name: `Load it from ${host}`})
      .click();
    await computed(page, step);
    assert(hub.requests.length > 0);
  });
}

modelTest('a link to a saved picture of another host asks', {open: false}, async (page) => {
  const {host} = new URL(strange);
  await follow(page, `#model=${strange}/saved.json`);
  await question(page, host);
  assert.deepEqual(asked, []);
  await page.getByRole('button', {name: `Load it from ${host}`}).click();
  await page.locator('.head-view').waitFor();
  assert.deepEqual(asked, ['/saved.json']);
});

modelTest(
  'a comparison with a saved picture of another host asks beside the picture',
  {open: false},
  async (page) => {
    asked.length = 0;
    await follow(page, `${text}&compare-mode=side&compare-model=${strange}/saved.json`);
    await waitForTokens(page, ['[CLS]', 'the', 'cat', 'sat', '[SEP]']);
    await question(page, new URL(strange).host);
    assert.deepEqual(asked, []);
    await page.getByRole('button', {name: /^Load it from/}).click();
    await page.locator('.head-view').nth(1).waitFor();
    assert.deepEqual(asked, ['/saved.json']);
  },
);

modelTest('the page in a frame asks, too', {open: false}, async (page) => {
  asked.length = 0;
  await page.goto(`${server.url}embed.html#model=${strange}/saved.json`);
  await question(page, new URL(strange).host);
  assert.deepEqual(asked, []);
});
