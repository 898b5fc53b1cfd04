import {existsSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';
import {ARGS, EXECUTABLE} from '../bench/browsers/chromium.mjs';
import {serve} from './server.js';

/** @import {Browser, BrowserContextOptions, Page} from 'playwright-core' */

const site = fileURLToPath(new URL('../../dist/site', import.meta.url));
const failures = fileURLToPath(new URL('failures/', import.meta.url));
const patience = 20_000;

/** What the tests' own reading of pixels makes Chromium say. */
const ownDoing = /willReadFrequently/;

/** @type {Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
export let server;

/** Chromium without the services that would ask other hosts. */
export const launch = () => chromium.launch({executablePath: EXECUTABLE, args: ARGS});

before(async () => {
  if (!existsSync(site)) throw new Error(`${site} is missing: run npm run build first`);
  server = await serve(site);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.close();
});

/**
 * One thing a user does, in a fresh page. Fails when the page reports an error or asks another
 * host for anything; keeps a screenshot of a failure.
 *
 * @param {string} claim
 * @param {BrowserContextOptions & {hash?: string, open?: boolean, errors?: RegExp}} options
 *   `errors`: console errors that belong to the test
 * @param {(page: Page) => Promise<void>} act
 */
export function userTest(claim, {hash = '', open = true, errors, ...options}, act) {
  test(claim, async () => {
    const {page, complaints} = await newPage(options, errors);
    try {
      if (open) await openPage(page, hash);
      await act(page);
      if (complaints.length) throw new Error(complaints.join('\n'));
    } catch (error) {
      await keepFailure(page, claim);
      throw error;
    } finally {
      await page.context().close();
    }
  });
}

/**
 * A page of its own, and what goes wrong in it.
 *
 * @param {BrowserContextOptions} [options]
 * @param {RegExp} [errors]  console errors that belong to the test
 */
export async function newPage(options, errors) {
  const context = await browser.newContext({
    viewport: {width: 1440, height: 900},
    colorScheme: 'light',
    ...options,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const {type, text} = {type: message.type(), text: message.text()};
    if ((type === 'error' || type === 'warning') && !ownDoing.test(text) && !errors?.test(text))
      complaints.push(text);
  });
  page.on('request', (request) => {
    const own = /^(data|blob|file):|^http:\/\/localhost:/.test(request.url());
    if (!own) complaints.push(`asked for ${request.url()}`);
  });
  return {page, complaints};
}

/**
 * @param {Page} page
 * @param {string} claim
 */
export async function keepFailure(page, claim) {
  await mkdir(failures, {recursive: true});
  await page.screenshot({path: `${failures}${claim.replace(/\W+/g, '-')}.png`, fullPage: true});
}

/**
 * Opens the page and waits for its first picture.
 *
 * @param {Page} page
 * @param {string} [hash]
 */
export async function openPage(page, hash = '') {
  await page.goto(server.url + hash);
  await page.waitForFunction(
    () => performance.getEntriesByName('bertscope:first-attention').length,
  );
}

/** The page's element, as far as tests use it. */
/** @typedef {HTMLElement & Record<string, any>} Scope */

/**
 * Waits until the tokens of a column are these.
 *
 * @param {Page} page
 * @param {readonly string[]} tokens
 * @param {'query' | 'key'} [side]
 */
export async function waitForTokens(page, tokens, side = 'query') {
  await page.waitForFunction(
    ([side, expected]) => {
      const scope = /** @type {Scope} */ (document.querySelector('bert-scope'));
      const pieces = scope.shadowRoot?.querySelectorAll(`.${side} .piece`) ?? [];
      return [...pieces].map((piece) => piece.textContent).join(' ') === expected;
    },
    [side, tokens.join(' ')],
  );
}

/**
 * Attention straight from the engine, as nested lists `[head][query][key]`.
 *
 * @param {Page} page
 * @param {number} layer
 * @returns {Promise<number[][][]>}
 */
export function engineAttention(page, layer) {
  return page.evaluate(async (layer) => {
    const {result} = /** @type {Scope} */ (document.querySelector('bert-scope'));
    const size = result.tokens.length;
    const all = [];
    for (let head = 0; ; head++) {
      const matrix = await result.attention(layer, head).catch(() => null);
      if (!matrix) break;
      all.push(Array.from({length: size}, (_, i) => [...matrix.slice(i * size, (i + 1) * size)]));
    }
    return all;
  }, layer);
}

/**
 * A token of a column, counted from the top.
 *
 * @param {Page} page
 * @param {'query' | 'key'} side
 * @param {number} row
 */
export function token(page, side, row) {
  return page.locator(`.tokens.${side} .token`).nth(row);
}

/**
 * Waits until the numbers beside the tokens of a column are these.
 *
 * @param {Page} page
 * @param {'query' | 'key'} side
 * @param {readonly number[]} weights
 */
export async function waitForValues(page, side, weights) {
  await page.waitForFunction(
    ([side, expected]) => {
      const scope = /** @type {Scope} */ (document.querySelector('bert-scope'));
      const values = scope.shadowRoot?.querySelectorAll(`.${side} .value`) ?? [];
      return [...values].map((value) => value.textContent).join(' ') === expected;
    },
    [side, weights.map((weight) => weight.toFixed(3)).join(' ')],
  );
}

/**
 * The size of the drawing in CSS pixels.
 *
 * @param {Page} page
 */
export function drawing(page) {
  return page.evaluate(() => {
    const root = /** @type {Scope} */ (document.querySelector('bert-scope')).shadowRoot;
    const canvas = root?.querySelector('canvas');
    const row = root?.querySelector('.token');
    return {
      width: canvas?.getBoundingClientRect().width ?? 0,
      rowHeight: row?.getBoundingClientRect().height ?? 0,
    };
  });
}

/**
 * The most opaque pixel within one pixel above or below a point of the drawing.
 *
 * @param {Page} page
 * @param {number} x
 * @param {number} y
 */
export function pixel(page, x, y) {
  return page.evaluate(
    ([x, y]) => {
      const root = /** @type {Scope} */ (document.querySelector('bert-scope')).shadowRoot;
      const context = root?.querySelector('canvas')?.getContext('2d');
      if (!context) throw new Error('nothing is drawn');
      const ratio = devicePixelRatio;
      const column = context.getImageData(Math.floor(x * ratio), Math.round(y * ratio) - 2, 1, 4);
      let best = [0, 0, 0, 0];
      for (let i = 0; i < 16; i += 4) {
        const found = [...column.data.slice(i, i + 4)];
        if (found[3] > best[3]) best = found;
      }
      const [red, green, blue, alpha] = best;
      return {colour: [red, green, blue], opacity: alpha / 255};
    },
    [x, y],
  );
}

/**
 * Two fingers, one above the other, move apart to one and a half times their distance.
 *
 * @param {Page} page
 * @param {{x: number, y: number}} middle  in the window
 */
export async function pinch(page, {x, y}) {
  const client = await page.context().newCDPSession(page);
  const touch = (/** @type {any} */ type, /** @type {number[]} */ spread) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: spread.flatMap((half) => [
        {x, y: y - half, id: 0},
        {x, y: y + half, id: 1},
      ]),
    });
  await touch('touchStart', [40]);
  for (const half of [45, 50, 55, 60]) await touch('touchMove', [half]);
  await touch('touchEnd', []);
}
