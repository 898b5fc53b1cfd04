import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {openBlog, snapshot} from './blog.js';
import {dropFile, jsonFile, layers, openFile, tokens} from './attention-files.js';
import {openManager} from './models.js';
import {userTest, waitForTokens} from './support.js';
import {eventually} from '../support/eventually.js';

/** @import {Page} from 'playwright-core' */

const overlapping = readFileSync(
  new URL('../fuzz/corpus/attention/overlapping-entries.npz', import.meta.url),
);
const chat = jsonFile('chat.json', {tokens, attention: layers});
const text = '#text=the+cat&layer=0';

/** Gives the page workers that never end reading. @param {Page} page @param {number} times  how many workers */
const hang = (page, times = 1) =>
  page.route(
    /attention-worker/,
    (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: "addEventListener('message', () => { for (;;); });",
      }),
    {times},
  );

/** @param {Page} page */
const readers = (page) => page.workers().filter((worker) => /attention-worker/.test(worker.url()));

/** Opens a file, and waits until the worker that reads it has its script. @param {Page} page */
const startReading = (page) =>
  Promise.all([page.waitForResponse(/attention-worker/), openFile(page, chat)]);

userTest(
  'the page answers while a file hangs, and says after 30 seconds that it was not read',
  {hash: text, fresh: true},
  async (page) => {
    await hang(page);
    await page.clock.install();
    await dropFile(page, 'chat.json', chat.buffer);
    await eventually('a worker to read', async () => assert.equal(readers(page).length, 1));
    await page.locator('#text').fill('the mat');
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
    await page.clock.runFor(32_000);
    const sentence = 'chat.json: This file was not read within 30 seconds, so reading was stopped.';
    await page.getByRole('alert').filter({hasText: sentence}).waitFor();
    await eventually('the worker to end', async () => assert.equal(readers(page).length, 0));
  },
);

userTest(
  'a reader who cancels, or opens another file, ends the reading of one that hangs',
  {hash: text, fresh: true},
  async (page) => {
    await hang(page, 2);
    await startReading(page);
    await page.locator('dialog.import[aria-busy=true]').waitFor();
    await page.getByRole('button', {name: 'Cancel'}).click();
    await eventually('the worker to end', async () => assert.equal(readers(page).length, 0));
    await startReading(page);
    await eventually('a worker to read', async () => assert.equal(readers(page).length, 1));
    await page.getByRole('button', {name: 'Show', exact: true}).click();
    await waitForTokens(page, tokens);
    await eventually('all workers to end', async () => assert.equal(readers(page).length, 0));
  },
);

userTest(
  'a link to a file that hangs leaves the page usable, and the embedded model a click away',
  {hash: text, fresh: true},
  async (page) => {
    await hang(page);
    const address = new URL('chat.json', page.url()).href.split('#')[0];
    await page.evaluate((hash) => (location.hash = hash), `${text}&model=${address}`);
    await eventually('a worker to read', async () => assert.equal(readers(page).length, 1));
    await openManager(page);
    await page.getByRole('button', {name: 'Use the small teaching model'}).click();
    await waitForTokens(page, ['[CLS]', 'the', 'cat', '[SEP]']);
    await eventually('the worker to end', async () => assert.equal(readers(page).length, 0));
  },
);

userTest(
  'a link to an archive of overlapping files is refused in a sentence',
  {hash: text, fresh: true},
  async (page) => {
    const address = new URL('bomb.npz', page.url()).href.split('#')[0];
    await page.route(address, (route) => route.fulfill({body: overlapping}));
    await page.evaluate((hash) => (location.hash = hash), `${text}&model=${address}`);
    const alert = page.locator('bert-scope [role=alert]');
    await alert.filter({hasText: 'The files of an .npz should not overlap.'}).waitFor();
  },
);

userTest(
  'from another origin, as from a CDN, and under a strict policy, an element reads a saved picture in a worker',
  {open: false},
  async (page) => {
    const cdn = await openBlog(() => ({'access-control-allow-origin': '*'}));
    const policy = "script-src 'self' 'wasm-unsafe-eval'";
    const strict = await openBlog(() => ({'content-security-policy': policy}));
    const plain = await openBlog();
    try {
      await page.route(/saved\.json$/, (route) => route.fulfill({json: snapshot}));
      const body = '<bert-scope src="saved.json"></bert-scope>';
      for (const address of [
        await plain.write('cdn.html', body, `${cdn.url}lib/element.js`),
        await strict.write('strict.html', body),
      ]) {
        const reader = page.waitForEvent('worker');
        await page.goto(address);
        await waitForTokens(page, snapshot.tokens);
        await reader;
      }
    } finally {
      for (const blog of [cdn, strict, plain]) await blog.close();
    }
  },
);
