/**
 * Measures what one more letter costs in a text of 32 tokens, for each view, measure and kind of comparison: the longest
 * task of the page's main thread, all of its tasks together, and the time until the new picture.
 */

import {chromium} from 'playwright-core';
import {measureNames} from '../../web/attention/display.js';
import {viewNames} from '../../web/scope/state-fields.js';
import {kindsOf} from '../../web/views/view-kinds.js';
import {ARGS, EXECUTABLE} from './browsers/chromium.mjs';
import {median} from './page/sampling.js';
import {table} from './table.mjs';
import {longestTasks, markIn, threadOf, traceOf} from './trace.mjs';

/** @import {Browser, Page} from 'playwright-core' */
/** @import {Task, TraceEvent} from './trace.mjs' */

const TEXT =
  'the quick brown fox and the lazy dog went to the river and saw a boat with two men who were old and tired of the long day';
const OTHER = TEXT.replace('river', 'house');
const LETTERS = 'stone';

const COMPARISONS = ['', 'side', 'difference'];
const STATES = viewNames.flatMap((view) =>
  kindsOf[view].isPlain
    ? ['', 'side'].map((compare) => ({view, measure: 'weight', compare}))
    : measureNames.flatMap((measure) => COMPARISONS.map((compare) => ({view, measure, compare}))),
);

/**
 * @typedef {object} Keystroke  medians over the letters
 * @property {string} view
 * @property {string} measure
 * @property {string} compare  how the picture is compared with another text; empty if it is not
 * @property {number} tokens
 * @property {number} longest_ms  processor time of the longest task
 * @property {Record<string, number>} kinds  of that task
 * @property {number} all_ms  processor time of all tasks
 * @property {number} picture_ms  time from the key to the frame with the new picture
 */

/**
 * @param {string} url
 * @param {(state: {view: string, measure: string, compare: string}) => boolean} [isWanted]
 * @returns {Promise<Keystroke[]>}
 */
export async function measureKeystrokes(url, isWanted = () => true) {
  const browser = await chromium.launch({executablePath: EXECUTABLE, args: ARGS});
  try {
    const rows = [];
    for (const {view, measure, compare} of STATES.filter(isWanted)) {
      const address = new URLSearchParams({text: TEXT, view, layer: '2', measure});
      if (compare) {
        address.set('compare-mode', compare);
        address.set('compare-text', OTHER);
      }
      const measured = await measureState(browser, `${url}#${address}`, Boolean(compare));
      rows.push({view, measure, compare, ...measured});
    }
    return rows;
  } finally {
    await browser.close();
  }
}

/**
 * @param {Browser} browser
 * @param {string} url
 * @param {boolean} isCompared
 */
async function measureState(browser, url, isCompared) {
  const page = await browser.newPage({viewport: {width: 1440, height: 900}});
  try {
    await page.goto(url);
    await page.waitForFunction(
      () => performance.getEntriesByName('bertscope:first-attention').length,
    );
    if (isCompared) {
      await page.waitForFunction(
        () => !(/** @type {any} */ (document.querySelector('bert-scope')).isBaselinePending),
      );
    }
    await page.locator('#text').focus();
    await page.keyboard.press('End');
    await press(page, ' ');
    /** @type {number[]} */
    const pictures = [];
    const events = await traceOf(browser, async () => {
      for (const letter of LETTERS) pictures.push(await press(page, letter));
      await page.evaluate((name) => performance.mark(name).startTime, 'bench:ends');
    });
    const thread = threadOf(events, markIn(events, 'bench:ends'));
    const keys = events.filter(({name}) => name === 'bench:key');
    const ends = [...keys.slice(1), markIn(events, 'bench:ends')].map(({ts}) => ts);
    const longest = keys.map(
      (key, at) => longestTasks(thread, key.ts, (event) => isBetween(event, key.ts, ends[at]))[0],
    );
    return {
      tokens: await page.evaluate(
        () => /** @type {any} */ (document.querySelector('bert-scope')).result.tokens.length,
      ),
      longest_ms: median(longest.map((task) => task.processor_ms)),
      kinds: middleOf(longest).kinds,
      all_ms: median(
        keys.map((key, at) =>
          thread
            .filter((event) => event.name === 'RunTask' && isBetween(event, key.ts, ends[at]))
            .reduce((sum, {tdur = 0}) => sum + tdur / 1e3, 0),
        ),
      ),
      picture_ms: median(pictures),
    };
  } finally {
    await page.close();
  }
}

/**
 * Presses a key and waits until all work for it has ended: the map of heads gets its numbers last.
 *
 * @param {Page} page
 * @param {string} letter
 * @returns the time until the frame with the new picture
 */
async function press(page, letter) {
  await page.evaluate(() => {
    const scope = /** @type {any} */ (document.querySelector('bert-scope'));
    const once = {capture: true, once: true};
    const arrival = new Promise((resolve) => {
      const onKey = (/** @type {Event} */ {timeStamp}) => {
        performance.mark('bench:key');
        const draw = async () => {
          await scope.updateComplete;
          requestAnimationFrame(() => resolve(performance.now() - timeStamp));
        };
        scope.addEventListener('result', () => void draw(), once);
      };
      window.addEventListener('keydown', onKey, once);
    });
    Object.assign(window, {arrival});
  });
  await page.keyboard.type(letter);
  const time = await page.evaluate(() => /** @type {any} */ (window).arrival);
  await page.locator('.head-square[aria-label*=": "]').first().waitFor();
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  return /** @type {number} */ (time);
}

/** @param {TraceEvent} event @param {number} start @param {number} end */
const isBetween = ({ts, dur = 0}, start, end) => ts + dur >= start && ts + dur < end;

/** @param {Task[]} tasks */
function middleOf(tasks) {
  const sorted = tasks.toSorted((a, b) => a.processor_ms - b.processor_ms);
  return sorted[sorted.length >> 1];
}

/** @param {Keystroke[]} rows */
export function keystrokeTable(rows) {
  const ms = (/** @type {number} */ time) => time.toFixed(1);
  return table(
    `One letter at ${rows[0].tokens} tokens, embedded model, Chromium, median ms; processor time of the main thread`,
    [
      'view',
      'measure',
      'compared',
      'longest task',
      'all tasks',
      'key to picture',
      'of the longest',
    ],
    rows.map((row) => [
      ...[row.view, row.measure, row.compare || 'no', ms(row.longest_ms), ms(row.all_ms)],
      ms(row.picture_ms),
      Object.entries(row.kinds)
        .filter(([, time]) => time >= 0.5)
        .sort(([, a], [, b]) => b - a)
        .map(([kind, time]) => `${kind} ${ms(time)}`)
        .join(', '),
    ]),
  );
}
