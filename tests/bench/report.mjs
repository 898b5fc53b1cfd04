/** Prints the report as text. */

import {lessonTable} from './lessons.mjs';
import {keystrokeTable} from './keystrokes.mjs';
import {compareWithLimits, limitTable} from './limits.mjs';
import {mainThreadTable} from './main-thread.mjs';
import {table} from './table.mjs';
import {viewTable} from './views.mjs';

/** @import {Machine} from './machine.mjs' */
/** @import {Accuracy} from './page/accuracy.js' */
/** @import {ExplanationRow} from './page/explanations.js' */
/** @import {InterventionRow} from './page/interventions.js' */
/** @import {KernelRow} from './page/kernels.js' */
/** @import {Memory, Row} from './page/passes.js' */
/** @import {StepRow} from './page/steps.js' */
/** @import {Payload, Size} from './payload.mjs' */
/** @import {Start} from './start.mjs' */

/**
 * @typedef {object} Report
 * @property {Machine} machine
 * @property {({engine: string, model: string} & Row)[]} rows
 * @property {({engine: string, model: string} & StepRow)[]} steps
 * @property {({engine: string, model: string} & Memory)[]} memory
 * @property {({engine: string} & KernelRow)[]} kernels
 * @property {Start} [start]
 * @property {{engine: string, side: string, ms: number}[]} [first]
 * @property {Payload} [bytes]
 * @property {{engine: string, model: string} & Accuracy} [accuracy]
 * @property {({engine: string, model: string, tokens: number} & InterventionRow)[]} [interventions]
 * @property {({engine: string, model: string, tokens: number} & ExplanationRow)[]} [explanations]
 * @property {import('./main-thread.mjs').MainThread} [main_thread]
 * @property {import('./keystrokes.mjs').Keystroke[]} [keystrokes]
 * @property {number} [frozen_ms] Median time from the arrival of the script to a frozen picture.
 * @property {import('./views.mjs').ViewRow[]} [views]
 * @property {import('./lessons.mjs').StepTimes[]} [lessons]
 * @property {string[]} notes
 */

/** @param {Report} report */
export function printReport(report) {
  const sections = [
    machine(report),
    passes(report),
    litert(report),
    steps(report),
    perToken(report),
    interventions(report),
    explanations(report),
    kernels(report),
    accuracy(report),
    memory(report),
    bytes(report),
    start(report),
    first(report),
    report.main_thread && mainThreadTable(report.main_thread),
    report.keystrokes && keystrokeTable(report.keystrokes),
    report.views && viewTable(report.views),
    report.lessons && lessonTable(report.lessons),
    limits(report),
    ...report.notes,
  ];
  process.stdout.write(`${sections.filter(Boolean).join('\n\n')}\n`);
}

/** @param {Report} report */
function machine({machine}) {
  const {cores, memory_gb, system, load, browsers} = machine;
  return [
    `${chipOf(machine)}, ${cores} cores, ${memory_gb} GB, ${system}`,
    ...Object.values(browsers),
    ...(load > 0.5 ? [`the machine was busy when the run began: load ${load.toFixed(1)}`] : []),
  ].join('\n');
}

/** @param {Machine} machine */
function chipOf({cpu, instructions, left_out}) {
  const without = left_out.length > 0 ? `; in Chromium without ${left_out.join(', ')}` : '';
  return `${cpu} (${instructions.join(', ')}${without})`;
}

/** @param {Report} report */
function passes({machine, rows}) {
  return (
    rows.length > 0 &&
    table(
      `One pass on ${chipOf(machine)}, median ms; the first ratio is the faster int8 peer / ours, of one thread each unless more are named; the second is onnxruntime-web's, which copies out too`,
      [
        ...[
          'engine',
          'model',
          'tokens',
          'kernel',
          'ours',
          'onnxruntime-web int8',
          'LiteRT.js int8',
        ],
        ...['ratio', 'onnxruntime-web float32'],
        ...['spread', 'ours, copied out', 'ratio', 'rounds', 'threads', 'ours, one thread', 'gain'],
      ],
      rows.map((row) => [
        ...[row.engine, row.model, row.tokens, row.kernel, ms(row.ours_ms), ms(row.peer_int8_ms)],
        ...[row.litert_int8_ms ? ms(row.litert_int8_ms) : '', times(fasterPeer(row) / row.ours_ms)],
        ms(row.peer_float32_ms),
        ...[
          percent(row.spread),
          ms(row.ours_copied_ms),
          times(row.peer_int8_ms / row.ours_copied_ms),
          row.rounds,
        ],
        ...[row.threads, ms(row.ours_one_ms ?? row.ours_ms)],
        times((row.ours_one_ms ?? row.ours_ms) / row.ours_ms),
      ]),
    )
  );
}

/** @param {Row} row */
const fasterPeer = ({peer_int8_ms, litert_int8_ms = Infinity}) =>
  Math.min(peer_int8_ms, litert_int8_ms);

/** @param {Report} report */
function litert({rows}) {
  const measured = rows.filter(({litert_int8_ms}) => litert_int8_ms);
  return (
    measured.length > 0 &&
    table(
      'The script of LiteRT.js that ran, and how far its attention in 8 bits is from float32, mean absolute error',
      ['engine', 'model', 'tokens', 'script', 'error', 'ours'],
      measured.map(({litert_difference = NaN, ...row}) => [
        ...[row.engine, row.model, row.tokens, row.litert_build ?? ''],
        ...[litert_difference.toFixed(5), row.difference.toFixed(5)],
      ]),
    )
  );
}

/** @param {Report} report */
function steps({steps}) {
  return (
    steps.length > 0 &&
    table(
      'One token more with kept keys and values, median ms, one thread; a stream reads as many bytes',
      [
        ...['engine', 'model', 'after tokens', 'kernel', 'ours', 'int8 peer', 'ratio'],
        ...['MB', 'stream', 'GB/s', 'ours of stream'],
      ],
      steps.map((row) => [
        ...[row.engine, row.model, row.tokens, row.kernel, ms(row.ours_ms), ms(row.peer_int8_ms)],
        ...[times(row.peer_int8_ms / row.ours_ms), mb(row.bytes), ms(row.stream_ms)],
        ...[(row.bytes / row.stream_ms / 1e6).toFixed(1), times(row.ours_ms / row.stream_ms)],
      ]),
    )
  );
}

/** @param {Report} report */
function interventions({interventions: rows}) {
  return (
    rows &&
    table(
      'A changed model beside the model as it is, median ms of as many passes',
      ['engine', 'model', 'tokens', 'change', 'passes', 'changed', 'plain', 'of plain'],
      rows.map((row) => [
        ...[row.engine, row.model, row.tokens, row.change, row.passes],
        ...[ms(row.changed_ms), ms(row.plain_ms), percent(row.changed_ms / row.plain_ms)],
      ]),
    )
  );
}

/** @param {Report} report */
function explanations({explanations: rows}) {
  return (
    rows &&
    table(
      'What tokens contribute to a word, median ms',
      ['engine', 'model', 'tokens', 'method', 'ours'],
      rows.map((row) => [row.engine, row.model, row.tokens, row.method, ms(row.ours_ms)]),
    )
  );
}

/** @param {Report} report */
function perToken({rows}) {
  const models = new Map(rows.map((row) => [`${row.engine} ${row.model}`, row]));
  const lines = [...models.values()].flatMap(({engine, model}) => {
    const own = rows.filter((row) => row.engine === engine && row.model === model);
    const base = own.find(({tokens}) => tokens === 64);
    const rate = (/** @type {Row} */ row) => row.ours_ms / row.tokens;
    return base
      ? own.map((row) => [engine, model, row.tokens, ms(rate(row)), times(rate(row) / rate(base))])
      : [];
  });
  const header = ['engine', 'model', 'tokens', 'ms/token', 'of that at 64'];
  return lines.length > 0 && table('Ours, ms per token', header, lines);
}

/** @param {Report} report */
function kernels({kernels}) {
  return (
    kernels.length > 0 &&
    table(
      'int8 kernels alone, one thread; the limit is a bare loop of the same instruction',
      ['engine', 'kernel', 'rows', 'K', 'N', 'GMAC/s', 'limit', 'share'],
      kernels.map((row) => [
        ...[row.engine, row.kernel, row.rows, row.depth, row.channels],
        ...[row.gmacs.toFixed(1), row.limit_gmacs.toFixed(1)],
        percent(row.gmacs / row.limit_gmacs),
      ]),
    )
  );
}

/** @param {Report} report */
function accuracy({accuracy}) {
  return (
    accuracy &&
    table(
      `Attention of ${accuracy.model}, mean absolute error, ${accuracy.sentences} sentences, ${accuracy.engine}`,
      ['ours int8', 'int8 peer', 'ours float32'],
      [
        [accuracy.ours_int8, accuracy.peer_int8, accuracy.ours_float32].map((value) =>
          value < 1e-5 ? value.toExponential(1) : value.toFixed(5),
        ),
      ],
    )
  );
}

/** @param {Report} report */
function start({start}) {
  return (
    start &&
    table(
      'Page open to first attention, embedded model, Chromium, localhost, median ms',
      ['cold', 'warm'],
      [[start.cold_ms.toFixed(0), start.warm_ms.toFixed(0)]],
    )
  );
}

/** @param {Report} report */
function first({first: rows}) {
  return (
    rows &&
    table(
      'Library, embedded model and a pass of 16 tokens in a new browser, localhost, median ms',
      ['engine', 'side', 'first attention'],
      rows.map(({engine, side, ms: time}) => [engine, side, time.toFixed(0)]),
    )
  );
}

/** @param {Report} report */
function limits(report) {
  const compared = compareWithLimits(report);
  return compared.length > 0 && limitTable(compared);
}

/** @param {Report} report */
function memory({memory}) {
  return (
    memory.length > 0 &&
    table(
      'Our wasm memory, MB',
      ['engine', 'model', 'weights', 'peak of loading', 'ratio', 'after the longest text'],
      memory.map((row) => [
        ...[row.engine, row.model, mb(row.quantized_bytes), mb(row.peak_bytes)],
        ...[times(row.peak_bytes / row.quantized_bytes), mb(row.after_bytes)],
      ]),
    )
  );
}

/** @param {Report} report */
function bytes({bytes}) {
  if (!bytes) return '';
  const line = (/** @type {string} */ name, /** @type {Size} */ {plain, brotli}) => [
    ...[name, kb(plain), kb(brotli)],
  ];
  return table(
    'Bytes over the wire, kB',
    ['', 'plain', 'brotli'],
    [
      ...Object.entries(bytes.engine).map(([name, size]) => line(name, size)),
      line('engine payload', bytes.engine_total),
      line('page with engine', bytes.page),
      line('embedded model', bytes.model),
      line('onnxruntime-web', bytes.peer),
      line('LiteRT.js', bytes.litert),
    ],
  );
}

const ms = (/** @type {number} */ value) => value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 1);
const times = (/** @type {number} */ value) => `${value.toFixed(2)}x`;
const percent = (/** @type {number} */ value) => `${(100 * value).toFixed(0)} %`;
const mb = (/** @type {number} */ value) => (value / 1e6).toFixed(1);
const kb = (/** @type {number} */ value) => (value / 1e3).toFixed(1);
