/** Tests the button that runs a step with the notebooks' model. A small model answers in place of bert-base. */

import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {goldenFolder} from '../engine/support.js';
import {computed} from './lesson-rows.js';
import {openTab, server} from './support.js';

const step = 'encoder-by-hand/pair';

test(
  'one click runs a step with bert-base, at the notebook’s layer and head, and says what to expect',
  {timeout: 120_000},
  async () => {
    const {page} = await openTab();
    await page.route('https://huggingface.co/**', (route) => {
      const file = join(
        goldenFolder('odd-sizes'),
        new URL(route.request().url()).pathname.split('/').at(-1) ?? '',
      );
      return existsSync(file)
        ? route.fulfill({path: file, headers: {'access-control-allow-origin': '*'}})
        : route.fulfill({status: 404, headers: {'access-control-allow-origin': '*'}});
    });
    await page.goto(`${server.url}#/lessons/${step}`);
    await computed(page, step);
    await page.getByText('It is 440 MB').waitFor();
    await page.getByRole('button', {name: 'With bert-base'}).click();
    await page.getByText('bert-base runs with 8-bit weights here').waitFor();
    await page.waitForURL(/model=hub%3Agoogle-bert%2Fbert-base-uncased.*layer=0.*head=8/);
    const src = await page
      .locator('article bert-scope')
      .evaluate((/** @type {any} */ {src}) => src);
    assert.equal(src, 'hub:google-bert/bert-base-uncased');
    await page.context().close();
  },
);

test(
  'where bert-base cannot be fetched, the step says so and goes back to the embedded model',
  {timeout: 120_000},
  async () => {
    const {page} = await openTab();
    await page.route('https://huggingface.co/**', (route) => route.abort());
    await page.goto(`${server.url}#/lessons/${step}`);
    await computed(page, step);
    await page.getByRole('button', {name: 'With bert-base'}).click();
    const message = page.locator('.widget [role=alert]');
    await message.waitFor();
    await message.getByRole('button', {name: 'Use the small teaching model'}).click();
    await page.locator('article bert-scope').waitFor();
    await page.waitForFunction(() => !location.hash.includes('model='));
    await page.context().close();
  },
);
