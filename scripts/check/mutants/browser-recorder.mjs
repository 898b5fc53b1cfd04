/** Loaded before a browser test: writes down which mutants its pages and workers say that they reached. */

import {appendFileSync} from 'node:fs';
import {chromium} from 'playwright-core';

/** @import {Browser, BrowserContext} from 'playwright-core' */

/** @param {BrowserContext} context */
function record(context) {
  context.on('console', (message) => {
    const [, id] = message.text().match(/^reached mutant (\d+)$/) ?? [];
    if (id && process.env.MUTANTS_REACHED) appendFileSync(process.env.MUTANTS_REACHED, `${id}\n`);
  });
  return context;
}

/** @param {Browser} browser */
function recordAll(browser) {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => record(await newContext(options));
  return browser;
}

const launch = chromium.launch.bind(chromium);
chromium.launch = async (options) => recordAll(await launch(options));
const connect = /** @type {(...args: any[]) => Promise<Browser>} */ (
  chromium.connect.bind(chromium)
);
chromium.connect = async (/** @type {any[]} */ ...args) => recordAll(await connect(...args));
