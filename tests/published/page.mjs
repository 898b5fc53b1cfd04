/** Loads a published model in the page in each way that a reader has, and compares its attention. */

import {execFileSync} from 'node:child_process';
import {mkdirSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {openBrowser} from '../browser/browser.js';
import {openManager, waitForPicture} from '../browser/models.js';
import {PagePool} from '../browser/page-pool.js';
import {serve} from '../browser/server.js';
import {fromRoot} from '../engine/support.js';
import {serveHub} from '../support/hub-server.js';
import {cache, python} from './prepare.mjs';

/** @import {Page} from 'playwright-core' */
/** @import {LoadedModel} from '../../web/engine/host/loaded-model.js' */

/**
 * @typedef {object} PageLoad
 * @property {'folder' | 'zip' | 'hub'} way
 * @property {number} load_s  the time from the reader's act to the first picture
 * @property {number} largest  the largest difference from the attention that the command line computes
 */

/**
 * @param {string} folder  of the model
 * @param {LoadedModel} model  the same in the command line, with weights of 8 bits
 * @param {readonly string[]} texts
 * @returns {Promise<PageLoad[]>}
 */
export async function loadInPage(folder, model, texts) {
  const root = join(cache, 'hub');
  rmSync(root, {recursive: true, force: true});
  mkdirSync(root, {recursive: true});
  symlinkSync(folder, join(root, model.name));
  const archive = zipOf(folder, root);
  const site = await serve(fromRoot('dist/site'));
  const hub = await serveHub(root);
  const browser = await openBrowser();
  const pool = new PagePool(browser, site.url);
  /** @type {Record<PageLoad['way'], (page: Page) => Promise<unknown>>} */
  const ways = {
    folder: (page) => page.locator('#models-folder').setInputFiles(folder),
    zip: (page) => page.locator('#models-files').setInputFiles(archive),
    async hub(page) {
      await page.getByText('Another hub, or a model').click();
      await page.getByLabel('Address of the hub').fill(hub.url);
      await page.getByLabel('Name on the Hugging Face hub').fill(`someone/${model.name}`);
      await page.keyboard.press('Enter');
    },
  };
  try {
    const loads = [];
    for (const [way, open] of Object.entries(ways)) {
      const tab = await pool.open({});
      await tab.goTo('#text=time+flies');
      await openManager(tab.page);
      const begin = performance.now();
      await open(tab.page);
      await waitForPicture(tab.page, way === 'zip' ? 'model,' : `${model.name},`);
      const load_s = (performance.now() - begin) / 1000;
      const largest = await largestDifference(tab.page, model, texts);
      loads.push({way: /** @type {PageLoad['way']} */ (way), load_s, largest});
      await tab.page.context().close();
    }
    return loads;
  } finally {
    await browser.close();
    hub.close();
    site.close();
  }
}

/** Packs a folder, and returns the path of the archive. @param {string} folder @param {string} into */
function zipOf(folder, into) {
  const path = join(into, 'model.zip');
  execFileSync(python, ['-m', 'zipfile', '--create', path, folder]);
  return path;
}

/** @param {Page} page @param {LoadedModel} model @param {readonly string[]} texts */
async function largestDifference(page, model, texts) {
  const {layers, heads} = model.shape;
  let largest = 0;
  for (const text of texts) {
    const found = await page.evaluate(async ([text, layers, heads]) => {
      const scope = /** @type {any} */ (document.querySelector('bert-scope'));
      const result = await scope.model.attend(text);
      const all = [];
      for (let layer = 0; layer < layers; layer++)
        for (let head = 0; head < heads; head++)
          all.push([...(await result.attention(layer, head))]);
      return all;
    }, /** @type {const} */ ([text, layers, heads]));
    const {pass} = await model.attend(text);
    for (const [at, matrix] of found.entries()) {
      const place = [Math.floor(at / heads), at % heads];
      const expected = await model.pull(pass, 'attention', place);
      expected.forEach((weight, i) => {
        largest = Math.max(largest, Math.abs(weight - matrix[i])); // NaN stays
      });
    }
  }
  return largest;
}
