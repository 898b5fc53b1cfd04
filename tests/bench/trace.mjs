/**
 * Records what a page's main thread does, from Chromium's own tracing. The elapsed time of a task grows with other work
 * on the machine; its processor time hardly does.
 */

/** @import {Browser} from 'playwright-core' */

const CATEGORIES = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'blink.user_timing',
];

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
 */

/**
 * @param {Browser} browser
 * @param {() => Promise<unknown>} use
 * @returns {Promise<TraceEvent[]>} what happened in all threads meanwhile
 */
export async function traceOf(browser, use) {
  const session = await browser.newBrowserCDPSession();
  /** @type {TraceEvent[]} */
  const events = [];
  session.on('Tracing.dataCollected', ({value}) => events.push(.../** @type {any} */ (value)));
  const traceConfig = {includedCategories: CATEGORIES};
  await session.send('Tracing.start', {transferMode: 'ReportEvents', traceConfig});
  try {
    await use();
    const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await ended;
    return events;
  } finally {
    await session.detach();
  }
}

/** @param {TraceEvent[]} events @param {string} name of a mark that the page has made */
export function markIn(events, name) {
  const mark = events.find((event) => event.name === name);
  if (!mark) throw new Error(`expected a mark ${name} in the trace, found none`);
  return mark;
}

/**
 * @param {TraceEvent[]} events
 * @param {TraceEvent} mark  an event of the thread
 * @returns {TraceEvent[]} all events of the thread, ordered by time
 */
export function threadOf(events, mark) {
  return events
    .filter(({ph, pid, tid}) => ph === 'X' && pid === mark.pid && tid === mark.tid)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
}

/**
 * @param {TraceEvent[]} thread  all events of a thread, ordered by time
 * @param {number} start  the time from which `at_ms` counts
 * @param {(event: TraceEvent) => boolean} isWanted
 * @returns {Task[]} the five wanted tasks with the most processor time, longest first
 */
export function longestTasks(thread, start, isWanted) {
  return thread
    .filter((event) => event.name === 'RunTask' && isWanted(event))
    .sort((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0))
    .slice(0, 5)
    .map((task) => ({
      at_ms: (task.ts - start) / 1e3,
      clock_ms: (task.dur ?? 0) / 1e3,
      processor_ms: (task.tdur ?? 0) / 1e3,
      kinds: kindsIn(task, thread),
    }));
}

/** @param {TraceEvent} task @param {TraceEvent[]} thread  all events of its thread, ordered by time */
function kindsIn(task, thread) {
  /** @type {Record<string, number>} */
  const kinds = {};
  /** @type {{kind: string, end: number}[]} */
  const open = [];
  const end = task.ts + (task.dur ?? 0);
  for (const {name, ts, dur = 0, tdur = 0} of thread) {
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
