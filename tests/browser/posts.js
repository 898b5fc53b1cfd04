/** Posts of an author's blog, which have elements in them. */

import assert from 'node:assert/strict';
import {after, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import {openBlog} from './blog.js';
import {browser} from './support.js';

/** @import {BrowserContextOptions, Page} from 'playwright-core' */

/** The folder of the package, from which the posts have their scripts. */
export const lib = fileURLToPath(new URL('../../dist/lib/', import.meta.url));

/** The policy of a page, by its name. */
const policies = {
  'strict.html': "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:",
  'live-strict.html': "script-src 'self' 'wasm-unsafe-eval'",
  'no-wasm.html': "script-src 'self'",
  'no-worker.html': "script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'",
};

/** @type {Awaited<ReturnType<typeof openBlog>>} */
export let blog;

before(async () => {
  let policy = '';
  blog = await openBlog((name) => {
    // A worker has the policy that comes with its own script.
    if (name.endsWith('.html'))
      policy = policies[/** @type {keyof typeof policies} */ (name)] ?? '';
    const anyOrigin = {'access-control-allow-origin': '*'};
    return policy ? {...anyOrigin, 'content-security-policy': policy} : anyOrigin;
  });
});

after(async () => {
  await blog?.close();
});

/**
 * Opens a post, and records the errors of its elements and its requests.
 *
 * @param {string} name
 * @param {string} body
 * @param {(page: Page, seen: {errors: () => Promise<string[]>, requests: string[]}) => Promise<void>} act
 * @param {BrowserContextOptions & {script?: string}} [options]
 */
export async function post(name, body, act, {script, ...options} = {}) {
  const context = await browser.newContext({viewport: {width: 900, height: 800}, ...options});
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  /** @type {string[]} */
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.addInitScript(() => {
    const seen = /** @type {any} */ (window);
    seen.complaints = [];
    const note = (/** @type {any} */ {target, detail}) =>
      target.localName === 'bert-scope' && seen.complaints.push(detail.message);
    document.addEventListener('error', note, true);
  });
  try {
    await page.goto(await blog.write(name, body, script));
    const errors = () => page.evaluate(() => /** @type {any} */ (window).complaints);
    await act(page, {errors, requests});
    // Whatever happened to the element, the rest of the page stays as it was.
    assert.equal(await page.locator('h1').innerText(), 'A post');
    assert.equal(await page.locator('#end').innerText(), 'The end.');
  } finally {
    await context.close();
  }
}

/** Reads the queries' tokens of a page's pictures. @param {Page} page */
export const pieces = (page) => page.locator('.query .piece').allTextContents();
