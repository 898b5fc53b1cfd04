import assert from 'node:assert/strict';
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
    await page.context().setOffline(true);
    await openPage(page, '#text=the+mat&layer=0');
    await page.reload();
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
    await page.goto(`${server.url}?lang=zh#/lessons`);
    await page.getByText('句子').first().waitFor({state: 'attached'});
    assert.equal(await page.locator('#update').isVisible(), false);
  },
);
