import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {openBrowser} from './browser.js';
import {eventually} from '../support/eventually.js';
import {PagePool, openSite} from './page-pool.js';
import {serve} from './server.js';

/** @import {Browser, BrowserContextOptions, Page} from 'playwright-core' */

const site = fileURLToPath(new URL('../../dist/site', import.meta.url));
const failures = fileURLToPath(new URL('failures/', import.meta.url));

/** A phone, as options of a test. */
export const phone = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true};

/** @type {Browser} */
export let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
export let server;
/** @type {PagePool} */
let pool;

before(async () => {
  if (!existsSync(site)) throw new Error(`${site} is missing: run npm run build first`);
  server = await serve(site);
  browser = await openBrowser();
  pool = new PagePool(browser, server.url);
});

after(async () => {
  await browser?.close();
  server?.close();
});

/**
 * Tests one act of a user. The test fails if the page reports an error or sends a request to another host. A failure
 * leaves a screenshot.
 *
 * Tests with equal options share a page: after each test it is emptied, and the next test goes to its own hash. A test
 * that changes what `Tab.empty` does not undo is `fresh`: it gets its own context.
 *
 * @param {string} claim
 * @param {BrowserContextOptions & {hash?: string, open?: boolean, fresh?: boolean, errors?: RegExp}} options
 *   `open: false`: the test opens the page itself, so it is fresh; `errors`: console errors that the
 *   test expects
 * @param {(page: Page) => Promise<void>} act
 */
export function userTest(claim, {hash = '', open = true, fresh = !open, errors, ...options}, act) {
  test(claim, {timeout: 300_000}, async () => {
    const tab = await (fresh ? pool.open(options) : pool.take(options));
    tab.expectedErrors = errors;
    try {
      if (open) await tab.goTo(hash);
      await act(tab.page);
      const isReusable = !fresh && (await tab.empty());
      tab.assertNoComplaints();
      if (!isReusable) await pool.drop(tab);
    } catch (error) {
      await keepFailure(tab.page, claim);
      await pool.drop(tab);
      throw error;
    }
  });
}

/**
 * What a page lets a text become, of the HTML in an element and the script of a worker: none by its policy of trusted types.
 *
 * @param {Page} page
 */
export const acceptedTexts = (page) =>
  page.evaluate(() => {
    const attempts = {
      HTML: () => (document.createElement('b').innerHTML = '<i></i>'),
      script: () => new Worker('https://elsewhere.example/worker.js'),
    };
    return Object.entries(attempts).flatMap(([name, attempt]) => {
      try {
        attempt();
        return [name];
      } catch {
        return [];
      }
    });
  });

/** Adds to the hash of an address that everything is shown at once. */
export const inResearcherView = (hash = '') => `${hash || '#'}${hash ? '&' : ''}panel=all`;

/** Tests one act of a user in the researcher view, which has every control beside the picture. @type {typeof userTest} */
export const researcherTest = (claim, {hash, ...options}, act) =>
  userTest(claim, {...options, hash: inResearcherView(hash)}, act);

/** Opens a page that no other test uses. @param {BrowserContextOptions} [options] */
export const openTab = (options = {}) => pool.open(options);

/**
 * @param {Page} page
 * @param {string} claim
 */
export async function keepFailure(page, claim) {
  // A machine that ran the tests may keep what they print and nothing else.
  const state = page.evaluate(shownState).catch(() => 'the page was gone');
  const silence = new Promise((done) => setTimeout(done, 10_000, 'the page did not answer'));
  console.log(`when “${claim}” failed: ${await Promise.race([state, silence])}`);
  await mkdir(failures, {recursive: true});
  const path = `${failures}${claim.replace(/\W+/g, '-').slice(0, 150)}.png`;
  // A page that hangs gives no screenshot, and this must not hide why the test failed.
  await page.screenshot({path, fullPage: true, timeout: 10_000}).catch(() => {});
}

/** Runs in the page: what it says of itself, as one line. */
function shownState() {
  const said = ['#status', '[role=alert]', 'dialog[open] h2', '.tooltip'];
  const scope = /** @type {Scope | null} */ (document.querySelector('bert-scope'));
  const roots = [document, ...(scope?.shadowRoot ? [scope.shadowRoot] : [])];
  const texts = roots.flatMap((root) =>
    [...root.querySelectorAll(said.join())].map(({textContent}) => textContent?.trim()),
  );
  const {activeElement} = document;
  const facts = {
    focus: activeElement?.id || activeElement?.localName,
    scroll: Math.round(scrollY),
    picture: Boolean(scope?.shadowRoot?.querySelector('canvas')),
    result: scope?.result?.text,
    model: scope?.model?.name,
    src: scope?.src,
  };
  return [location.href, JSON.stringify(facts), ...texts.filter(Boolean)].join(' | ');
}

/**
 * Opens the page and waits for its first picture.
 *
 * @param {Page} page
 * @param {string} [hash]
 */
export const openPage = (page, hash = '') => openSite(page, server.url + hash);

/**
 * Moves the page's clock forward, so that the next act is not joined with the one before.
 *
 * @param {Page} page
 * @param {number} milliseconds
 */
export function passTime(page, milliseconds) {
  return page.evaluate((milliseconds) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + milliseconds;
  }, milliseconds);
}

/**
 * Waits until a field holds a text.
 *
 * @param {Page} page
 * @param {string} selector
 * @param {string} text
 */
export const waitForInput = (page, selector, text) =>
  eventually(`${selector} to hold “${text}”`, async () =>
    assert.equal(await page.locator(selector).inputValue(), text),
  );

/** The page's `<bert-scope>` element, with the members that tests use. */
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
 * Reads a layer's attention from the engine, without a view, as nested lists `[head][query][key]`.
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
 * Finds a token of a column, counted from the top.
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
 * Measures the drawing and the height of a token's row, in CSS pixels.
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
 * Reads the most opaque pixel within two device pixels above or below a point of the drawing.
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
 * Moves two fingers, one above the other, apart to one and a half times their distance.
 *
 * @param {Page} page
 * @param {{x: number, y: number}} middle  the point between the fingers, in the window
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
