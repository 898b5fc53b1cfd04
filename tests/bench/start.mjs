/** Measures the time from opening the page to its first attention, in Chromium, from localhost. */

import {chromium} from 'playwright-core';
import {ARGS, EXECUTABLE} from './browsers/chromium.mjs';
import {temporaryFolder} from './browsers/spawn.mjs';
import {median} from './page/sampling.js';

/** @import {Page} from 'playwright-core' */

const MARK = 'bertscope:first-attention';
/** Chromium keeps compiled code from the second visit on, so the first visits are not counted as warm. */
const VISITS_BEFORE_WARM = 3;

/**
 * @typedef {object} Start
 * @property {number} cold_ms Median time of first visits, each in a new profile.
 * @property {number} warm_ms Median time of later visits in one profile.
 */

/**
 * @param {string} url
 * @param {{cold: number, warm: number}} visits
 * @returns {Promise<Start>}
 */
export async function measureStart(url, {cold, warm}) {
  const coldMs = [];
  const warmMs = [];
  for (let i = 0; i < cold; i++) {
    const profile = await temporaryFolder();
    const context = await chromium.launchPersistentContext(profile.path, {
      executablePath: EXECUTABLE,
      args: ARGS,
    });
    coldMs.push(await visit(await context.newPage(), url));
    if (i === cold - 1) {
      for (let v = 1; v < VISITS_BEFORE_WARM + warm; v++) {
        const milliseconds = await visit(await context.newPage(), url);
        if (v >= VISITS_BEFORE_WARM) warmMs.push(milliseconds);
      }
    }
    await context.close();
    await profile.remove();
  }
  return {cold_ms: median(coldMs), warm_ms: median(warmMs)};
}

/**
 * @param {Page} page
 * @param {string} url
 * @returns {Promise<number>} The time from the start of the navigation to the first attention, in milliseconds.
 */
async function visit(page, url) {
  await page.goto(url);
  const mark = await page.waitForFunction(
    (name) => performance.getEntriesByName(name)[0]?.startTime,
    MARK,
  );
  const milliseconds = await mark.jsonValue();
  await page.close();
  return /** @type {number} */ (milliseconds);
}
