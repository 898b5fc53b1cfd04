/**
 * Measures the page's main thread while the page loads, while one types, and while a hostile file is opened, from Chromium's own tracing. The page does
 * not respond until the present task of this thread ends. The elapsed time of a task grows with other work on the
 * machine; its processor time hardly does.
 */

import {readFileSync} from 'node:fs';
import {chromium} from 'playwright-core';
import {ARGS, EXECUTABLE} from './browsers/chromium.mjs';
import {median} from './page/sampling.js';
import {table} from './table.mjs';

/** @import {Browser, Page} from 'playwright-core' */

const CATEGORIES = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'blink.user_timing',
];
const TYPED = 'the animal was too tired to cross';
const BEGINS = 'bench:typing-begins';
const DROPS = 'bench:file-drops';
/** Its files share their bytes, so they would unpack to 100 MB. */
const FILE = readFileSync(
  new URL('../fuzz/corpus/attention/overlapping-entries.npz', import.meta.url),
);

/** The kinds of events inside a task. An event of no kind has the kind of the event around it, or `other`. */
const KINDS = [
  {kind: 'script', names: /^(EvaluateScript|v8\.|V8\.|FunctionCall|RunMicrotasks|EventDispatch|Fire|TimerFire|HandlePostMessage)/},
  {kind: 'style', names: /^(UpdateLayoutTree|ParseAuthorStyleSheet)/},
  {kind: 'layout', names: /^Layout$/},
  {kind: 'paint', names: /^(PrePaint|Paint|Layerize|Commit|CompositeLayers)/},
  {kind: 'html', names: /^ParseHTML/},
  {kind: 'collection', names: /^(MinorGC|MajorGC|BlinkGC)/},
]; // prettier-ignore

/**
 * @typedef {object} TraceEvent  times in microseconds; `tdur` is processor time
 * @property {string} name
 * @property {string} ph
 * @property {number} pid
 * @property {number} tid
 * @property {number} ts
 * @property {number} [dur]
 * @property {number} [tdur]
 * @property {{data?: Record<string, any>}} [args]
 *
 * @typedef {object} Task
 * @property {number} at_ms  time since the navigation began
 * @property {number} clock_ms  elapsed time
 * @property {number} processor_ms
 * @property {Record<string, number>} kinds  processor time of each kind of event, in ms
 *
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
export async function traceVisit(browser, url) {
  const context = await browser.newContext({viewport: {width: 1440, height: 900}});
  const page = await context.newPage();
  const session = await browser.newBrowserCDPSession();
  /** @type {TraceEvent[]} */
  const events = [];
  session.on('Tracing.dataCollected', ({value}) => events.push(.../** @type {any} */ (value)));
  const traceConfig = {includedCategories: CATEGORIES};
  await session.send('Tracing.start', {transferMode: 'ReportEvents', traceConfig});
  try {
    await use(page, url);
    const paint = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await ended;
    return {paint_ms: paint, ...tasksOf(events)};
  } finally {
    await session.detach();
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
  await page.waitForTimeout(1000);
  await page.evaluate((name) => performance.mark(name).startTime, BEGINS);
  const text = page.locator('#text');
  await text.fill('');
  await text.pressSequentially(TYPED, {delay: 60});
  await page.waitForTimeout(500);
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

/** @param {TraceEvent[]} events @returns {Pick<Visit, 'load' | 'typing' | 'file'>} */
function tasksOf(events) {
  const begin = events.find(({name}) => name === BEGINS);
  if (!begin) throw new Error(`expected a mark ${BEGINS} in the trace, found none`);
  const drop = events.find(({name}) => name === DROPS);
  if (!drop) throw new Error(`expected a mark ${DROPS} in the trace, found none`);
  const own = events
    .filter(({ph, pid, tid}) => ph === 'X' && pid === begin.pid && tid === begin.tid)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const sent = events.find(
    ({name, pid, args}) =>
      name === 'navigationStart' && pid === begin.pid && args?.data?.isOutermostMainFrame,
  );
  const start = sent?.ts ?? own[0].ts;
  const tasks = own.filter(({name}) => name === 'RunTask');
  const longest = (/** @type {TraceEvent[]} */ some) =>
    some
      .map((task) => ({
        at_ms: (task.ts - start) / 1e3,
        clock_ms: (task.dur ?? 0) / 1e3,
        processor_ms: (task.tdur ?? 0) / 1e3,
        kinds: kindsIn(task, own),
      }))
      .sort((a, b) => b.processor_ms - a.processor_ms)
      .slice(0, 5);
  return {
    load: longest(tasks.filter(({ts}) => ts >= start && ts < begin.ts)),
    typing: longest(tasks.filter(({ts}) => ts >= begin.ts && ts < drop.ts)),
    // The task of the mark began before it.
    file: longest(tasks.filter(({ts, dur = 0}) => ts + dur >= drop.ts)),
  };
}

/**
 * @param {TraceEvent} task
 * @param {TraceEvent[]} own  all events of the task's thread, ordered by time
 */
function kindsIn(task, own) {
  /** @type {Record<string, number>} */
  const kinds = {};
  /** @type {{kind: string, end: number}[]} */
  const open = [];
  const end = task.ts + (task.dur ?? 0);
  for (const {name, ts, dur = 0, tdur = 0} of own) {
    if (ts < task.ts || ts + dur > end) continue;
    while (open.length && (open.at(-1)?.end ?? 0) <= ts) open.pop();
    const outer = open.at(-1)?.kind;
    const kind = KINDS.find(({names}) => names.test(name))?.kind ?? outer ?? 'other';
    kinds[kind] = (kinds[kind] ?? 0) + tdur / 1e3;
    if (outer) kinds[outer] -= tdur / 1e3;
    open.push({kind, end: ts + dur});
  }
  return kinds;
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
  const visits = [];
  for (let i = 0; i < count; i++) visits.push(await traceVisit(browser, url));
  await browser.close();
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
