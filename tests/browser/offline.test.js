import assert from 'node:assert/strict';
import {openPage, server, userTest, waitForTokens} from './support.js';

userTest(
  'the page opens without a network after the first visit, and a new version waits for the reader',
  {
    fresh: true,
    serviceWorkers: 'allow',
    hash: '#text=the+cat',
    errors: /ERR_INTERNET_DISCONNECTED|Failed to fetch/,
  },
  async (page) => {
    await page.waitForFunction(
      async () => (await navigator.serviceWorker.ready).active?.state === 'activated',
    );
    await page.context().setOffline(true);
    await openPage(page, '#text=the+mat');
    await page.reload();
    await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
    await page.goto(`${server.url}?lang=zh#/lessons`);
    await page.getByText('句子').first().waitFor({state: 'attached'});
    await page.context().setOffline(false);

    assert.equal(await page.locator('#update').isVisible(), false);
    server.faults.workerPrelude = '/* a new version */';
    try {
      await page.goto(`${server.url}?lang=en#text=the+mat`);
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
      await page.getByText('There is a new version of this page.').waitFor();
      await page.getByRole('button', {name: 'Reload'}).click();
      await page.locator('#update').waitFor({state: 'hidden'});
      await waitForTokens(page, ['[CLS]', 'the', 'mat', '[SEP]']);
    } finally {
      server.faults.workerPrelude = '';
    }
  },
);
