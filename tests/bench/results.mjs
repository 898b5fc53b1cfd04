/** Keeps the medians of each chip in a small file of their own, from which the README's tables can be made. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {fromRoot} from './process.mjs';

/** @import {Report} from './report.mjs' */

/**
 * @typedef {object} ResultRow
 * @property {string} engine The name of the browser.
 * @property {string} version
 * @property {string} model
 * @property {number} tokens
 * @property {string} kernel The one that the engine reports.
 * @property {number} [threads] Those that were asked for, if more than one. Fewer workers run our side of a short text.
 * @property {number} ours_ms
 * @property {number} peer_int8_ms
 * @property {number} peer_float32_ms
 * @property {number} [litert_int8_ms]
 * @property {string} commit
 * @property {string} date
 * @property {number} load The average load of the machine when the run began.
 */

/**
 * @typedef {Omit<ResultRow, 'peer_float32_ms' | 'litert_int8_ms'> & {bytes: number, stream_ms: number}} ResultStep A step
 *   of a model that continues a text of so many tokens.
 */

/**
 * @typedef {object} Result The medians of one chip.
 * @property {string} cpu
 * @property {string[]} instructions
 * @property {string[]} left_out The instructions that Chromium was not allowed to use.
 * @property {ResultRow[]} rows
 * @property {ResultStep[]} [steps]
 */

/**
 * Replaces the rows that were measured again, and keeps all others.
 *
 * @param {Pick<Report, 'machine' | 'rows' | 'steps'>} report
 * @param {string} [folder]
 * @returns {string} The path of the file.
 */
export function keepResult({machine, rows, steps}, folder = fromRoot('tests/bench/results')) {
  const {cpu, instructions, left_out, browsers, commit, date, load} = machine;
  const path = `${folder}/${fileName(cpu, instructions, left_out)}`;
  /** @type {Result | null} */
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
  const when = {commit, date: date.slice(0, 10), load: rounded(load)};
  const measured = rows.map(({engine, model, tokens, kernel, asked, ...times}) => ({
    ...{
      engine,
      version: browsers[engine],
      model,
      tokens,
      kernel,
      ...(asked > 1 && {threads: asked}),
    },
    ours_ms: rounded(times.ours_ms),
    peer_int8_ms: rounded(times.peer_int8_ms),
    peer_float32_ms: rounded(times.peer_float32_ms),
    ...(times.litert_int8_ms && {litert_int8_ms: rounded(times.litert_int8_ms)}),
    ...when,
  }));
  const stepped = steps.map(({engine, model, tokens, kernel, bytes, ...times}) => ({
    ...{engine, version: browsers[engine], model, tokens, kernel},
    ours_ms: rounded(times.ours_ms),
    peer_int8_ms: rounded(times.peer_int8_ms),
    bytes,
    stream_ms: rounded(times.stream_ms),
    ...when,
  }));
  const lists = {
    rows: merged(before?.rows ?? [], measured),
    steps: merged(before?.steps ?? [], stepped),
  };
  const head = Object.entries({cpu, instructions, left_out}).map(
    ([name, value]) => `  "${name}": ${JSON.stringify(value)},\n`,
  );
  const parts = Object.entries(lists)
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => {
      const lines = list.map((row) => `    ${JSON.stringify(row)}`).join(',\n');
      return `  "${name}": [\n${lines}\n  ]`;
    });
  mkdirSync(folder, {recursive: true});
  writeFileSync(path, `{\n${head.join('')}${parts.join(',\n')}\n}\n`);
  return path;
}

/**
 * @template {{engine: string, model: string, tokens: number, threads?: number}} Row
 * @param {Row[]} before
 * @param {Row[]} measured
 */
function merged(before, measured) {
  const nameOf = (/** @type {Row} */ {engine, model, tokens, threads = 1}) =>
    [engine, model, String(tokens).padStart(5), threads].join();
  const all = new Map([...before, ...measured].map((row) => [nameOf(row), row]));
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/**
 * Names the instructions too: a virtual machine often hides a processor's number, and then several
 * generations are called "AMD EPYC".
 *
 * @param {string} cpu
 * @param {string[]} instructions
 * @param {string[]} leftOut
 */
function fileName(cpu, instructions, leftOut) {
  const words =
    [cpu, ...instructions]
      .join(' ')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const known = words.filter((word) => !['r', 'tm', 'cpu', 'processor'].includes(word));
  return `${known.join('-')}${leftOut.length > 0 ? '-without-vnni' : ''}.json`;
}

/** @param {number} value */
const rounded = (value) => Number(value.toPrecision(3));
