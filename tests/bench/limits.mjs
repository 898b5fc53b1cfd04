/** The limits of the times that readers wait for. */

import {EMBEDDED} from './plan.mjs';
import {table} from './table.mjs';

/** @import {Report} from './report.mjs' */

const FRAME = 'one frame at 60 Hz';
const LONG_TASK = 'longer ones are “long tasks” (W3C)';
/** These limits were set before the first version was written, from what feels immediate. */
const GOAL = 'goal of this project';

/**
 * @typedef {object} Limit
 * @property {string} figure  the name of the measured time
 * @property {number} ms
 * @property {string} reason  where the limit comes from
 * @property {(report: Report) => number | undefined} find  finds the measured time in a report
 */

/** @type {Limit[]} */
const limits = [
  {
    figure: 'page open to first attention, first visit',
    ms: 1500,
    reason: GOAL,
    find: ({start}) => start?.cold_ms,
  },
  {
    figure: 'page open to first attention, opened again',
    ms: 400,
    reason: GOAL,
    find: ({start}) => start?.warm_ms,
  },
  {
    figure: 'first contentful paint',
    ms: 500,
    reason: GOAL,
    find: ({main_thread}) => main_thread?.first_paint_ms,
  },
  {
    figure: 'longest task while the page loads',
    ms: 50,
    reason: LONG_TASK,
    find: ({main_thread}) => main_thread?.load_ms,
  },
  {
    figure: 'longest task while one types',
    ms: 50,
    reason: LONG_TASK,
    find: ({main_thread}) => main_thread?.typing_ms,
  },
  {
    figure: 'longest task of a letter, in the slowest view, measure and comparison',
    ms: 16,
    reason: FRAME,
    find: ({keystrokes}) => keystrokes && Math.max(...keystrokes.map((row) => row.longest_ms)),
  },
  {
    figure: 'longest task while a file opens',
    ms: 50,
    reason: LONG_TASK,
    find: ({main_thread}) => main_thread?.file_ms,
  },
  {
    figure: 'frozen picture, after its script arrived',
    ms: 100,
    reason: GOAL,
    find: ({frozen_ms}) => frozen_ms,
  },
  {
    figure: 'pass of the embedded model, 16 tokens',
    ms: 2,
    reason: GOAL,
    find: ({rows}) =>
      rows.find(
        ({engine, model, tokens}) => engine === 'chromium' && model === EMBEDDED && tokens === 16,
      )?.ours_ms,
  },
  ...['norm', 'globenc', 'alti', 'decompx', 'gradient'].map((method) => explained(method, 16)),
  ...['value-zeroing', 'patch hidden', 'patch heads'].map((method) => explained(method, 100)),
  painted('model', 64, 150, `${GOAL}; bertviz takes 5500`),
  painted('model', 128, 500, GOAL),
  painted('head', 128, 60, `${GOAL}; bertviz takes 2900`),
  hover('head', 128, 16, FRAME),
  hover('head', 512, 50, GOAL),
];

const STEP_MS = 16;

/** @param {string} method @param {number} ms @returns {Limit} */
function explained(method, ms) {
  return {
    figure: `${method} in the embedded model, 16 tokens`,
    ms,
    reason: GOAL,
    find: ({explanations}) =>
      explanations?.find((row) => row.method === method && row.tokens === 16)?.ours_ms,
  };
}

/** @param {string} view @param {number} tokens @param {number} ms @param {string} reason @returns {Limit} */
function painted(view, tokens, ms, reason) {
  return {
    figure: `${view} view of ${tokens} tokens`,
    ms,
    reason,
    find: ({views}) => views?.find((row) => row.view === view && row.tokens === tokens)?.painted_ms,
  };
}

/** @param {string} view @param {number} tokens @param {number} ms @param {string} reason @returns {Limit} */
function hover(view, tokens, ms, reason) {
  return {
    figure: `${view} view of ${tokens} tokens, hovered`,
    ms,
    reason,
    find: ({views}) =>
      views?.find((row) => row.view === view && row.tokens === tokens)?.hover_ms ?? undefined,
  };
}

/** @param {Report} report @returns {{figure: string, measured_ms: number, limit_ms: number, reason: string}[]} */
export function compareWithLimits(report) {
  const rows = limits.flatMap(({figure, ms, reason, find}) => {
    const measured_ms = find(report);
    return measured_ms === undefined ? [] : [{figure, measured_ms, limit_ms: ms, reason}];
  });
  const lessons = (report.lessons ?? []).map(({step, computed_ms}) => ({
    figure: `step ${step} of the lessons`,
    measured_ms: computed_ms,
    limit_ms: STEP_MS,
    reason: FRAME,
  }));
  return [...rows, ...lessons, ...continuing(report)];
}

/** A step takes at most as many times as long as its bytes take to stream. */
const MOST_OF_STREAM = 1.3;
/** The int8 peer's time for a pass must be as many times ours. */
const LEAST_OF_PEER = 1.5;

/** @param {Report} report */
function continuing({rows, steps}) {
  const passes = rows
    .filter(
      ({engine, model, tokens}) =>
        engine === 'chromium' && model === 'gpt2-small' && [32, 128].includes(tokens),
    )
    .map(({model, tokens, ours_ms, peer_int8_ms}) => ({
      figure: `pass of ${model}, ${tokens} tokens`,
      measured_ms: ours_ms,
      limit_ms: peer_int8_ms / LEAST_OF_PEER,
      reason: `${GOAL}; the int8 peer takes ${peer_int8_ms.toFixed(1)}`,
    }));
  const steppings = steps.map(({model, ours_ms, stream_ms}) => ({
    figure: `token that continues a text, ${model}`,
    measured_ms: ours_ms,
    limit_ms: stream_ms * MOST_OF_STREAM,
    reason: `${GOAL}; its weights stream in ${stream_ms.toFixed(1)}`,
  }));
  return [...passes, ...steppings];
}

/** @param {ReturnType<typeof compareWithLimits>} rows */
export const limitTable = (rows) =>
  table(
    'Limits, ms',
    ['figure', 'measured', 'limit', '', 'limit set by'],
    rows.map(({figure, measured_ms, limit_ms, reason}) => [
      ...[
        figure,
        measured_ms.toFixed(1),
        Number(limit_ms.toFixed(1)),
        measured_ms > limit_ms ? 'over' : '',
        reason,
      ],
    ]),
  );
