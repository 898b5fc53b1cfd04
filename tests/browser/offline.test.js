import assert from 'node:assert/strict';
import {pressInMore} from './more-menu.js';
import {openPage, server, userTest, waitForTokens} from './support.js';

userTest(
  'the page opens without a network after the first visit',
  {
    fresh: true,
    serviceWorkers: 'allow',
    hash: '#text=the+cat&layer=0',
    errors: /ERR_INTERNET_DISCONNECTED|Failed to fetch/,
  },
  async (page) => {
    await page.waitForFunction(
      async () => (await navigator.serviceWorker.ready).active?.state === 'activated',
    );
    const kept = await page.evaluate(async () => {
      const caches = await Promise.all(
        (await window.caches.keys()).map((key) => window.caches.open(key)),
      );
      return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map(({url}) => url);
    });
    assert(kept.length > 15, `${kept.length} files`);
    // They are larger than all the rest, and most readers never ask for them.
    assert.deepEqual(
      kept.filter((url) => url.includes('/download/')),
      [],
    );
    await page.context().setOffline(true);
    await openPage(page, '#text=the+mat&layer=0');
    await page.reload();
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
    await page.goto(`${server.url}?lang=zh#/lessons`);
    await page.getByText('句子').first().waitFor({state: 'attached'});
    assert.equal(await page.locator('#update').isVisible(), false);
  },
);

userTest(
  'what the reader has not opened yet opens without a network in the first visit',
  {fresh: true, serviceWorkers: 'allow', hash: '#text=the+cat&layer=0&heads=0'},
  async (page) => {
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    await page.context().setOffline(true);
    await page.getByRole('radio', {name: 'How', exact: true}).check();
    await page.getByText('Follow the arithmetic').click();
    await page.locator('.neuron-view').waitFor();
    await page.getByRole('radio', {name: 'What if'}).check();
    await page.getByText('Change the model').waitFor();
    await pressInMore(page, 'Models…');
    await page.locator('dialog.models').waitFor();
  },
);
