/** Opens pages for tests. Each page records its errors and its requests to other hosts. */

/** @import {Browser, BrowserContextOptions, Page} from 'playwright-core' */
/** @import {Scope} from './support.js' */

const patience = 20_000;

/**
 * With `LATE=150`, each message to a worker arrives 150 ms late. So a test that does not wait for what the engine
 * computes fails at every run, and not once in a hundred on a slow machine.
 */
const lateness_ms = Number(process.env.LATE ?? 0);

/** Chromium's messages that the tests cause themselves: they read pixels and they block the service worker. */
const ownDoing = /willReadFrequently|Service Worker registration blocked by Playwright/;

/** A page in its own browser context. */
class Tab {
  /** @type {string[]} */
  #complaints = [];
  /** Console errors that the present test expects. @type {RegExp | undefined} */
  expectedErrors;
  #url;
  #isOpen = false;

  /** @param {Page} page @param {string} url  the address of the site */
  constructor(page, url) {
    this.page = page;
    this.#url = url;
    page.on('pageerror', (error) => this.#complaints.push(error.message));
    page.on('console', (message) => {
      const {type, text} = {type: message.type(), text: message.text()};
      if (type !== 'error' && type !== 'warning') return;
      if (!ownDoing.test(text) && !this.expectedErrors?.test(text)) this.#complaints.push(text);
    });
    page.on('request', (request) => {
      const own = /^(data|blob|file):|^http:\/\/localhost:/.test(request.url());
      if (!own) this.#complaints.push(`asked for ${request.url()}`);
    });
  }

  assertNoComplaints() {
    const complaints = this.#complaints.splice(0);
    if (complaints.length) throw new Error(complaints.join('\n'));
  }

  /** Shows the state of a hash, and waits until it is drawn. @param {string} hash */
  async goTo(hash) {
    if (!this.#isOpen) await openSite(this.page, this.#url + hash);
    else {
      await this.page.evaluate((hash) => {
        const field = /** @type {HTMLTextAreaElement} */ (document.querySelector('#text'));
        field.focus();
        location.hash = hash;
      }, hash);
      await drawn(this.page);
    }
    this.#isOpen = true;
  }

  /**
   * Brings the page back to a state without text and picture, with the embedded model and no kept one, so that nothing
   * of a test is left in it. A test that loads a model must have waited until it is kept.
   *
   * @returns {Promise<boolean>} whether the page can be used again; false if the test has left it
   */
  async empty() {
    const {page} = this;
    await page.unrouteAll();
    await page.mouse.move(0, 0);
    const isReady = await page.evaluate(async (url) => {
      if (location.href.split('#')[0] !== url) return false;
      const {toggled} = /** @type {any} */ (window);
      localStorage.clear();
      sessionStorage.clear();
      // The engine's worker holds the cache of kept models open, so its entries are deleted, not the cache.
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const key of await cache.keys()) await cache.delete(key);
      }
      const scope = /** @type {Scope} */ (document.querySelector('bert-scope'));
      for (const root of [document, scope.renderRoot])
        for (const dialog of root.querySelectorAll('dialog[open]')) dialog.close();
      for (const form of document.forms) if (form.closest('dialog')) form.reset();
      for (const [details, wasOpen] of toggled) details.open = wasOpen;
      toggled.clear();
      location.hash = '#text=';
      scrollTo(0, 0);
      return true;
    }, this.#url);
    if (isReady) await page.waitForFunction(isEmpty);
    return isReady;
  }
}

/** Holds the pages that tests with equal options share. */
export class PagePool {
  /** The shared pages, by their options. @type {Map<string, Tab>} */
  #shared = new Map();
  #browser;
  #url;

  /** @param {Browser} browser @param {string} url  the address of the site */
  constructor(browser, url) {
    this.#browser = browser;
    this.#url = url;
  }

  /** @param {BrowserContextOptions} options */
  async take({colorScheme = 'light', ...options}) {
    const key = JSON.stringify(options);
    const tab = this.#shared.get(key) ?? (await this.open(options));
    this.#shared.set(key, tab);
    await tab.page.emulateMedia({colorScheme});
    return tab;
  }

  /** @param {BrowserContextOptions} options */
  async open(options) {
    const context = await this.#browser.newContext({
      viewport: {width: 1440, height: 900},
      colorScheme: 'light',
      serviceWorkers: 'block',
      ...options,
    });
    context.setDefaultTimeout(patience);
    await context.addInitScript(noteToggles);
    if (lateness_ms > 0) await context.addInitScript(makeMessagesLate, lateness_ms);
    return new Tab(await context.newPage(), this.#url);
  }

  /** @param {Tab} tab */
  async drop(tab) {
    for (const [key, shared] of this.#shared) if (shared === tab) this.#shared.delete(key);
    await tab.page.context().close();
  }
}

/**
 * Opens the site's page and waits for its first picture and its buttons.
 *
 * @param {Page} page
 * @param {string} url
 */
export async function openSite(page, url) {
  await page.goto(url);
  await drawn(page);
}

/** @param {Page} page */
async function drawn(page) {
  await page.waitForFunction(isDrawn);
  // Views draw only after the frame's layout, which follows its animation callbacks; so two frames are awaited.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** Runs in the page. @param {number} lateness_ms */
function makeMessagesLate(lateness_ms) {
  const {postMessage} = Worker.prototype;
  Worker.prototype.postMessage = function (/** @type {[any]} */ ...message) {
    setTimeout(() => postMessage.apply(this, message), lateness_ms);
  };
}

/** Runs in the page: records which `<details>` elements a test opens or closes. */
function noteToggles() {
  /** Whether each element was open before. @type {Map<any, boolean>} */
  const toggled = new Map();
  Object.assign(window, {toggled});
  const note = (/** @type {Event} */ event) => {
    const path = /** @type {Element[]} */ (event.composedPath());
    const details = path.find(({localName}) => localName === 'summary')?.parentElement;
    if (details && !toggled.has(details)) toggled.set(details, details.hasAttribute('open'));
  };
  document.addEventListener('click', note, {capture: true});
}

/** Runs in the page: tells whether it has the embedded model and shows no text and no picture. */
function isEmpty() {
  const scope = /** @type {Scope} */ (document.querySelector('bert-scope'));
  const {src, model, result, isSaved, renderRoot} = scope;
  return !src && model && !result && !isSaved && !renderRoot.querySelector('canvas');
}

/** Runs in the page: tells whether its first picture and its buttons are there. */
function isDrawn() {
  const scope = /** @type {Scope} */ (document.querySelector('bert-scope'));
  return (
    performance.getEntriesByName('bertscope:first-attention').length > 0 &&
    document.querySelector('#examples button') !== null &&
    (scope.result !== null || scope.translations !== null || scope.isSaved) &&
    scope.renderRoot.querySelector('canvas') !== null
  );
}
