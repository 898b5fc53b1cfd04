/**
 * Measures how long each step of each lesson takes to recompute after an edit, with the embedded model, in headless
 * Chromium.
 */

import {chromium} from 'playwright-core';
import {lessons} from '../../web/lessons/index.js';
import {ARGS, EXECUTABLE} from './browsers/chromium.mjs';
import {median, quantile} from './page/sampling.js';
import {fromRoot} from './process.mjs';
import {serve} from './server.mjs';
import {table} from './table.mjs';

/** @import {Page} from 'playwright-core' */

const WARM_UPS = 6;
const ROUNDS = 25;

/** Each word is one token; a step that adds `[CLS]` and `[SEP]` has 34 tokens. */
const WORDS =
  'the people of a small town on the river went to work in an old house near the sea and ' +
  'they had no time for food or water until night came';
/** The edits alternate between these last words. */
const LAST = ['them', 'him'];

/**
 * The second sentence of a step that joins two sentences into one input. The first sentence of such a step is shorter,
 * so that the input has about as many tokens as in the other steps.
 *
 * @type {Record<string, string>}
 */
const SECOND = {'encoder-by-hand/pair': 'the old man went to the sea in the night for'};

/**
 * @typedef {object} StepTimes
 * @property {string} step
 * @property {number} computed_ms The median time from the edit to the numbers.
 * @property {number} drawn_ms The median time from the edit to the numbers being on the page, laid out.
 * @property {number} quick_ms A tenth of the edits are computed in less time than this. Other work on the machine
 *   changes this figure less than the median.
 */

/** @returns {Promise<StepTimes[]>} */
export async function measureLessons() {
  const server = await serve({'/site/': fromRoot('dist/site')});
  const browser = await chromium.launch({executablePath: EXECUTABLE, args: ARGS});
  try {
    const page = await browser.newPage({viewport: {width: 1440, height: 900}});
    await page.goto(`${server.url}/site/index.html#/lessons`);
    await page.locator('.overview').waitFor();
    const rows = [];
    for (const {id, steps} of lessons) {
      for (const step of steps) rows.push(await measureStep(page, `${id}/${step.id}`));
    }
    return rows;
  } finally {
    await browser.close();
    server.close();
  }
}

/**
 * @param {Page} page
 * @param {string} step
 * @returns {Promise<StepTimes>}
 */
async function measureStep(page, step) {
  const second = SECOND[step];
  const words = second ? WORDS.split(' ').slice(0, 17).join(' ') : WORDS;
  const texts = LAST.map((last) => `${words} ${last}`);
  const edits = {step, texts, second, rounds: WARM_UPS + ROUNDS};
  const times = (await page.evaluate(recompute, edits)).slice(WARM_UPS);
  return {
    step,
    computed_ms: median(times.map(({computed}) => computed)),
    quick_ms: quantile(
      times.map(({computed}) => computed),
      0.1,
    ),
    drawn_ms: median(times.map(({drawn}) => drawn)),
  };
}

/**
 * Runs in the page: opens a step and edits its sentence again and again. If the step has no sentence, its address is
 * opened again instead.
 *
 * @param {{step: string, texts: string[], second?: string, rounds: number}} edits
 * @returns {Promise<{computed: number, drawn: number}[]>}
 */
async function recompute({step, texts, second, rounds}) {
  /** @param {() => void} edit */
  const timed = async (edit) => {
    const measured = new Promise((resolve) => {
      const observer = new PerformanceObserver((list) => {
        const found = list.getEntriesByName('bertscope:step').find((each) => {
          return /** @type {PerformanceMeasure} */ (each).detail === step;
        });
        if (!found) return;
        observer.disconnect();
        resolve(found.duration);
      });
      observer.observe({type: 'measure'});
    });
    const start = performance.now();
    edit();
    const computed = /** @type {number} */ (await measured);
    const blocks = /** @type {any[]} */ ([...document.querySelectorAll('tensor-block')]);
    await Promise.all(blocks.map((block) => block.updateComplete));
    document.body.getBoundingClientRect();
    return {computed, drawn: performance.now() - start};
  };
  await timed(() => (location.hash = `#/lessons/${step}?round=-1`));
  const boxes = /** @type {NodeListOf<HTMLTextAreaElement>} */ (
    document.querySelectorAll('.sentence-field textarea')
  );
  const write = (/** @type {HTMLTextAreaElement} */ box, /** @type {string} */ text) => {
    box.value = text;
    box.dispatchEvent(new Event('input', {bubbles: true}));
  };
  if (second) await timed(() => write(boxes[1], second));
  const times = [];
  for (let round = 0; round < rounds; round++) {
    times.push(
      await timed(() => {
        if (boxes.length) write(boxes[0], texts[round % texts.length]);
        else location.hash = `#/lessons/${step}?round=${round}`;
      }),
    );
    // An edit also starts other work, such as the view's own pass, which must not overlap the next edit.
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  return times;
}

/** @param {StepTimes[]} rows */
export function lessonTable(rows) {
  return table(
    'Steps of the lessons, 32 words, embedded model, median ms after an edit',
    ['step', 'computed', 'fastest tenth', 'and drawn'],
    rows.map(({step, computed_ms, quick_ms, drawn_ms}) => [
      ...[step, computed_ms.toFixed(1), quick_ms.toFixed(1), drawn_ms.toFixed(1)],
    ]),
  );
}
