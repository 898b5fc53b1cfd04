/** Opens models with the models dialog, and waits for them. */

import assert from 'node:assert/strict';
import {goldenFolder} from '../engine/support.js';
import {eventually} from '../support/eventually.js';
import {pressInMore} from './more-menu.js';

/** @import {Page} from 'playwright-core' */

/** Opens the models dialog. @param {Page} page */
export async function openManager(page) {
  await pressInMore(page, 'Models…');
  await page.getByRole('heading', {name: 'Models', exact: true}).waitFor();
}

/** Loads a golden model from its folder. @param {Page} page @param {string} name */
export async function loadGolden(page, name) {
  await openManager(page);
  await page.locator('#models-folder').setInputFiles(goldenFolder(name));
  await waitForModel(page, `${name},`);
}

/** Opens a model of the list of kept models. @param {Page} page @param {string} name */
export async function openKept(page, name) {
  await openManager(page);
  const entry = page.getByRole('listitem').filter({has: page.getByText(name, {exact: true})});
  await entry.getByRole('button', {name: 'Open'}).click();
}

/** Waits until a model's attention is drawn. @param {Page} page @param {string} name */
export async function waitForPicture(page, name) {
  await page.waitForFunction((name) => {
    const status = document.querySelector('#status')?.textContent ?? '';
    const scope = /** @type {any} */ (document.querySelector('bert-scope'));
    // A picture of an encoder-decoder is drawn from two passes.
    const isThere = scope.result || scope.model?.decoderShape;
    return status.startsWith(name) && isThere && scope.shadowRoot.querySelector('canvas');
  }, name);
}

/**
 * Waits until a model's attention is drawn and the browser keeps the model, so that it stores nothing afterwards.
 *
 * @param {Page} page
 * @param {string} name
 */
export async function waitForModel(page, name) {
  await waitForPicture(page, name);
  const source = await page.evaluate(
    () => /** @type {any} */ (document.querySelector('bert-scope')).src,
  );
  if (source) await waitForKept(page, source);
}

/** Waits until the page's address names a model. @param {Page} page @param {string} source */
export async function waitForAddress(page, source) {
  await page.waitForFunction(
    (source) => new URLSearchParams(location.hash.slice(1)).get('model') === source,
    source,
  );
}

/** Shows each view, and waits until it is drawn. @param {Page} page */
export async function visitViews(page) {
  for (const view of ['Model', 'Neuron', 'Matrix', 'Head']) {
    await page.getByRole('radio', {name: view, exact: true}).check();
    await page.locator(`.${view.toLowerCase()}-view`).waitFor();
  }
}

/** Waits until one word is the text, in whatever pieces. @param {Page} page @param {string} word */
export async function waitForWord(page, word) {
  await page.waitForFunction((word) => {
    const {tokens} = /** @type {any} */ (document.querySelector('bert-scope')).result;
    return tokens.join('').replaceAll('##', '') === `[CLS]${word}[SEP]`;
  }, word);
}

/** Lists the tokens that each picture shows, as one text per picture. @param {Page} page */
export const drawnTokens = (page) =>
  page.evaluate(() => {
    const root = /** @type {any} */ (document.querySelector('bert-scope')).shadowRoot;
    return [...root.querySelectorAll('.head-view')].map((view) =>
      [...view.querySelectorAll('.query .piece')].map((piece) => piece.textContent).join(' '),
    );
  });

/** Lists what the browser keeps: the paths of notes and weights, without the names of places. @param {Page} page */
export const keptPaths = (page) =>
  page.evaluate(async () => {
    const keys = await (await caches.open('bertscope-models-1')).keys();
    const paths = keys.map(({url}) => decodeURIComponent(new URL(url).pathname));
    return paths.map((path) => path.replace(/^\/weights-[\w-]+/, '/weights')).sort();
  });

/** Waits until a model is stored; its note is written last. @param {Page} page @param {string} source */
export async function waitForKept(page, source) {
  await eventually(`${source} to be kept`, async () => {
    const paths = await keptPaths(page);
    assert(paths.includes(`/note/${source}`), paths.join());
  });
}
