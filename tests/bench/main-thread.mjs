/**
 * Measures the page's main thread while the page loads, while one types, and while a hostile file is opened. The page
 * does not respond until the present task of this thread ends.
 */

import {readFileSync} from 'node:fs';
import {chromium} from 'playwright-core';
import {ARGS, EXECUTABLE} from './browsers/chromium.mjs';
import {median} from './page/sampling.js';
import {table} from './table.mjs';
import {longestTasks, markIn, threadOf, traceOf} from './trace.mjs';

/** @import {Browser, Page} from 'playwright-core' */
/** @import {Task, TraceEvent} from './trace.mjs' */

const TYPED = 'the animal was too tired to cross';
const BEGINS = 'bench:typing-begins';
const DROPS = 'bench:file-drops';
/** Its files share their bytes, so they would unpack to 100 MB. */
const FILE = readFileSync(
  new URL('../fuzz/corpus/attention/overlapping-entries.npz', import.meta.url),
);

/**
 * @typedef {object} Visit
 * @property {number} paint_ms  time until the first contentful paint
 * @property {Task[]} load  the five tasks with the most processor time while the page loads, longest first
 * @property {Task[]} typing  the five longest tasks while one types
 * @property {Task[]} file  the five longest tasks while a file is opened and refused
 */

/**
 * Makes one visit in a new browser context: opens the page, waits until the work after the first picture has ended, and
 * types.
 *
 * @param {Browser} browser
 * @param {string} url
 * @returns {Promise<Visit>}
 */
async function traceVisit(browser, url) {
  const context = await browser.newContext({viewport: {width: 1440, height: 900}});
  const page = await context.newPage();
  let paint = 0;
  try {
    const events = await traceOf(browser, async () => {
      await use(page, url);
      paint = await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      );
    });
    return {paint_ms: paint, ...tasksOf(events)};
  } finally {
    await context.close();
  }
}

/** @param {Page} page @param {string} url */
async function use(page, url) {
  await page.goto(url);
  await page.waitForFunction(
    () => performance.getEntriesByName('bertscope:first-attention').length,
  );
  // The workbench and the overview of the heads start after the first picture.
  await page.waitForFunction(
    () => document.querySelector('bert-workbench')?.shadowRoot?.childElementCount,
  );
  await rested(page);
  await page.evaluate((name) => performance.mark(name).startTime, BEGINS);
  const text = page.locator('#text');
  await text.fill('');
  await text.pressSequentially(TYPED, {delay: 60});
  await page.waitForFunction((count) => {
    const scope = /** @type {any} */ (document.querySelector('bert-scope'));
    return scope.result?.tokens.length >= count;
  }, TYPED.split(' ').length);
  await rested(page);
  await page.evaluate((bytes) => {
    const transfer = new DataTransfer();
    const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([content], 'overlapping.npz'));
    Object.assign(window, {transfer});
  }, FILE.toString('base64'));
  await page.evaluate((name) => {
    const {transfer: dataTransfer} = /** @type {any} */ (window);
    performance.mark(name);
    document.body.dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true}));
  }, DROPS);
  await page.getByRole('alert').filter({hasText: 'should not overlap'}).waitFor();
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
}

/** Waits until the map of heads has its numbers, which come last, and the page has nothing to do. @param {Page} page */
async function rested(page) {
  await page.locator('.head-square[aria-label*=": "]').first().waitFor();
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
}

/** @param {TraceEvent[]} events @returns {Pick<Visit, 'load' | 'typing' | 'file'>} */
function tasksOf(events) {
  const [begin, drop] = [markIn(events, BEGINS), markIn(events, DROPS)];
  const thread = threadOf(events, begin);
  const sent = events.find(
    ({name, pid, args}) =>
      name === 'navigationStart' && pid === begin.pid && args?.data?.isOutermostMainFrame,
  );
  const start = sent?.ts ?? thread[0].ts;
  const longest = (/** @type {(event: TraceEvent) => boolean} */ isWanted) =>
    longestTasks(thread, start, isWanted);
  return {
    load: longest(({ts}) => ts >= start && ts < begin.ts),
    typing: longest(({ts}) => ts >= begin.ts && ts < drop.ts),
    // The task of the mark began before it.
    file: longest(({ts, dur = 0}) => ts + dur >= drop.ts),
  };
}

/**
 * @typedef {object} MainThread
 * @property {Visit[]} visits
 * @property {number} load_ms  Median processor time of the visits' longest tasks while the page loads.
 * @property {number} typing_ms  Median processor time of the visits' longest tasks while one types.
 * @property {number} file_ms  Median processor time of the visits' longest tasks while a file is opened.
 * @property {number} first_paint_ms  Median time until the first contentful paint.
 */

/** @param {string} url @param {number} count The number of visits. @returns {Promise<MainThread>} */
export async function measureMainThread(url, count) {
  const browser = await chromium.launch({executablePath: EXECUTABLE, args: ARGS});
  /** @type {Visit[]} */
  const visits = [];
  try {
    for (let i = 0; i < count; i++) visits.push(await traceVisit(browser, url));
  } finally {
    await browser.close();
  }
  return {
    visits,
    load_ms: median(visits.map(({load}) => load[0].processor_ms)),
    typing_ms: median(visits.map(({typing}) => typing[0].processor_ms)),
    file_ms: median(visits.map(({file}) => file[0].processor_ms)),
    first_paint_ms: median(visits.map(({paint_ms}) => paint_ms)),
  };
}

/** @param {MainThread} measured */
export function mainThreadTable({visits}) {
  const ms = (/** @type {number} */ time) => time.toFixed(1);
  const rows = /** @type {const} */ (['load', 'typing', 'file']).map((phase) => {
    const first = visits.map((visit) => visit[phase][0]);
    const sorted = first.toSorted((a, b) => a.processor_ms - b.processor_ms);
    const middle = sorted[sorted.length >> 1];
    const kinds = Object.entries(middle.kinds)
      .filter(([, time]) => time >= 0.5)
      .sort(([, a], [, b]) => b - a)
      .map(([kind, time]) => `${kind} ${ms(time)}`);
    const clock = Math.min(
      ...visits.map((visit) => Math.max(...visit[phase].map(({clock_ms}) => clock_ms))),
    );
    return [
      phase,
      ms(sorted[0].processor_ms),
      ms(middle.processor_ms),
      ms(clock),
      kinds.join(', '),
    ];
  });
  const paints = visits.map(({paint_ms}) => paint_ms);
  return table(
    `Longest task of the main thread, ms, ${visits.length} visits; first contentful paint ${ms(Math.min(...paints))} at best, ${ms(median(paints))} median`,
    ['while', 'processor, best', 'median', 'clock, best', 'of the median'],
    rows,
  );
}
