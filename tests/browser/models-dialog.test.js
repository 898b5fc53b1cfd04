/** Tests the dialog that opens models from a hub. */

import assert from 'node:assert/strict';
import {eventually} from '../support/eventually.js';
import {assertAccessible} from './axe.js';
import {hub, loadByName, modelTest, quantizedFile, withoutHub} from './model-hub.js';
import {keptPaths, openManager, waitForAddress, waitForModel, waitForWord} from './models.js';
import {COMMIT} from '../support/hub-server.js';
import {phone, waitForTokens} from './support.js';

modelTest(
  'one click loads a well-known model, a name may have a revision, and the list shows sizes and dates',
  {},
  async (page) => {
    const begun = Date.now();
    await openManager(page);
    await page.getByText('Models worth opening').click();
    await page.getByText('They were not yet tested with this page').waitFor();
    await page.getByText('Another hub, or a model').click();
    await page.getByLabel('Address of the hub').fill(hub.url);
    await page.getByRole('button', {name: 'Load google-bert/bert-base-uncased'}).click();
    await waitForModel(page, 'bert-base-uncased,');
    await waitForAddress(page, `hub:${hub.url}/google-bert/bert-base-uncased`);
    await withoutHub(async () => {
      await page.reload();
      await waitForModel(page, 'bert-base-uncased,');
    });

    hub.requests.length = 0;
    await loadByName(page, 'someone/odd-sizes@v3');
    const problem = /expected the revision v3, found that this model has none of this name/;
    await page.locator('.problem', {hasText: problem}).waitFor();
    await page.getByRole('button', {name: 'Close'}).last().click();
    await loadByName(page, 'someone/odd-sizes@v2');
    await waitForModel(page, 'odd-sizes,');
    await waitForAddress(page, `hub:${hub.url}/someone/odd-sizes@v2`);
    assert(hub.requests.includes('/someone/odd-sizes/resolve/v2/model.safetensors'));
    // The files of this revision are those of another family.
    await waitForTokens(page, ['<s>', 't', 'he', '▁cat', '▁s', 'at', '</s>']);

    await loadByName(page, 'someone/sentences');
    await waitForModel(page, 'sentences,');
    await openManager(page);
    const kept = page.getByRole('region', {name: 'Kept'}).getByRole('listitem');
    for (const [index, [name, files]] of [
      ['someone/sentences', 'odd-sizes'],
      ['someone/odd-sizes@v2', 'roberta'],
      ['google-bert/bert-base-uncased', 'odd-sizes'],
    ].entries()) {
      await kept.nth(index).getByText(name, {exact: true}).waitFor();
      const facts = (await kept.nth(index).locator('small').textContent()) ?? '';
      const [host, commit, size, date] = facts.replace(/\s+/g, ' ').trim().split(' · ').slice(-4);
      assert.equal(host, new URL(hub.url).host);
      assert.equal(commit, COMMIT.slice(0, 7));
      const bytes = (await quantizedFile(files)).length;
      assert.equal(size, `${(bytes / 1e6).toFixed(1)} MB`);
      const written = Date.parse(date);
      assert(written > begun - 60_000 && written <= Date.now(), date);
    }
  },
);

modelTest(
  'an access token opens a private model and is stored nowhere; a slow load shows its progress and can be stopped',
  {},
  async (page) => {
    const token = 'hf_onlyForThisPage';
    hub.faults.token = token;
    try {
      await loadByName(page, 'someone/electra-small');
      await page.locator('.problem', {hasText: 'a private model needs an access token'}).waitFor();
      await page.getByLabel('Access token').fill(token);
      await page.getByRole('button', {name: 'Load', exact: true}).click();
      await waitForModel(page, 'electra-small,');
    } finally {
      hub.faults.token = '';
    }
    const before = await keptPaths(page);
    const told = await page.evaluate(async () => {
      const places = [location.href, document.cookie, JSON.stringify(history.state)];
      places.push(JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}));
      places.push(JSON.stringify(await indexedDB.databases()));
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          places.push(request.url, JSON.stringify([...request.headers]));
          places.push((await (await cache.match(request))?.text()) ?? '');
        }
      }
      return places;
    });
    assert(told.some((place) => place.includes('bertscope-int8')));
    assert(!told.some((place) => place.includes(token)));

    hub.faults.stallAt = 150_000;
    try {
      await loadByName(page, 'someone/distilbert');
      const loading = page.getByRole('group', {name: 'Loading someone/distilbert'});
      const said = /^\s*0\.\d of 0\.\d MB\s+· 0\.\d MB\/s ·\s+distilbert\.\S+\s*$/;
      await loading.locator('p', {hasText: said}).waitFor();
      const share = await loading
        .getByRole('progressbar')
        .evaluate((bar) => /** @type {HTMLProgressElement} */ (bar).position);
      assert(share > 0 && share < 1);
      await page.getByRole('button', {name: 'Stop'}).click();
      await loading.waitFor({state: 'detached'});
      await eventually('the connection to be closed', () => assert.equal(hub.stalled.size, 0));
    } finally {
      hub.faults.stallAt = 0;
    }
    assert.equal(await page.locator('.problem', {hasText: /./}).count(), 0);
    assert.deepEqual(await keptPaths(page), before);
    await page.getByRole('button', {name: 'Close'}).last().click();
    await page.locator('#text').fill('flies');
    await waitForWord(page, 'flies');
    await waitForModel(page, 'electra-small,');
    await page.reload();
    await openManager(page);
    assert.equal(await page.getByLabel('Access token').inputValue(), '');
  },
);

for (const [how, options] of /** @type {const} */ ([
  ['', {}],
  [', in the dark', {colorScheme: 'dark'}],
  [', on a phone', phone],
])) {
  modelTest(`the models dialog is accessible${how}`, options, async (page) => {
    await openManager(page);
    await page.getByText('Another hub, or a model').click();
    await page.getByText('Models worth opening').click();
    await assertAccessible(page);
    await page.getByLabel('Address of the hub').fill(hub.url);
    await page.getByLabel('Name on the Hugging Face hub').fill('someone/none');
    await page.keyboard.press('Enter');
    await page.locator('.problem', {hasText: /there is no model of this name/}).waitFor();
    await assertAccessible(page);
  });
}
