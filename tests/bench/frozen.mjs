/** Measures how long a frozen picture in a blog post takes to be drawn, in Chromium. */

import {chromium} from 'playwright-core';
import {inline, openBlog, snapshot} from '../browser/blog.js';
import {ARGS, EXECUTABLE} from './browsers/chromium.mjs';
import {median} from './page/sampling.js';

const VISITS = 11;

/** @returns {Promise<number>} The median time from the arrival of the script to the first picture, in ms. */
export async function measureFrozen() {
  const blog = await openBlog();
  const browser = await chromium.launch({executablePath: EXECUTABLE, args: ARGS});
  try {
    const body = `<bert-scope heads="0">${inline(snapshot)}</bert-scope>`;
    const url = await blog.write('frozen.html', body, './lib/bertscope-frozen.js');
    const times = [];
    for (let i = 0; i < VISITS; i++) {
      const context = await browser.newContext(); // A new context has an empty cache.
      const page = await context.newPage();
      await page.goto(url);
      await page.locator('.query .piece').first().waitFor();
      times.push(await page.evaluate(sinceScriptArrived));
      await context.close();
    }
    return median(times);
  } finally {
    await browser.close();
    await blog.close();
  }
}

/** Runs in the page. The element marks the time of its first picture. */
function sinceScriptArrived() {
  const scripts = /** @type {PerformanceResourceTiming[]} */ (
    performance.getEntriesByType('resource').filter(({name}) => name.endsWith('.js'))
  );
  const arrived = Math.max(...scripts.map(({responseEnd}) => responseEnd));
  return performance.getEntriesByName('bertscope:first-attention')[0].startTime - arrived;
}
