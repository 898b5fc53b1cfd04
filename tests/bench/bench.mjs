/**
 * Measures speed and accuracy, and compares them with onnxruntime-web and LiteRT.js, in real browsers. The options are described in
 * `options.mjs`.
 */

import {existsSync, readFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {build} from 'vite';
import {leaveOutVnni} from './browsers/chromium.mjs';
import {enginesFor} from './browsers/index.mjs';
import {measureFrozen} from './frozen.mjs';
import {measureKeystrokes} from './keystrokes.mjs';
import {measureLessons} from './lessons.mjs';
import {compareWithLimits} from './limits.mjs';
import {prepareLiteRt} from './litert.mjs';
import {describeMachine} from './machine.mjs';
import {measureMainThread} from './main-thread.mjs';
import {prepareModel, prepareTrained} from './models.mjs';
import {measureNative} from './native.mjs';
import {parseOptions} from './options.mjs';
import {median} from './page/sampling.js';
import {measurePayload} from './payload.mjs';
import {
  EMBEDDED,
  FLOAT,
  accuracyTask,
  explanationTask,
  firstTasks,
  interventionTask,
  kernelTask,
  modelNames,
  modelTask,
  stepTask,
} from './plan.mjs';
import {fail, fromRoot, run} from './process.mjs';
import {printReport} from './report.mjs';
import {keepResult} from './results.mjs';
import {serve} from './server.mjs';
import {measureSoak} from './soak.mjs';
import {measureStart} from './start.mjs';
import {measureViews} from './views.mjs';

/** @import {Engine} from './browsers/index.mjs' */
/** @import {BenchModel} from './models.mjs' */
/** @import {Report} from './report.mjs' */
/** @import {Task} from './page/worker.js' */

/** @typedef {Awaited<ReturnType<typeof serve>>} Server */

const options = parseOptions(process.argv.slice(2));
if (options.native) {
  measureNative();
  process.exit();
}
if (options.soak) process.exit((await measureSoak(Number(options.soak))) ? 0 : 1);
const engines = enginesFor(options.engines);
/** @type {Report} */
const report = {
  machine: describeMachine(engines, options['without-vnni']),
  ...{rows: [], steps: [], memory: [], kernels: [], notes: []},
};
if (options['without-vnni']) leaveOutVnni();

/** Whether only our side is measured. */
const isOurs = options.interventions || options.explanations;
const whole =
  !options.page && !options.kernels && !options.first && !isOurs && !options.passesAlone;

if (!options.page) await measureEngines();
if (options.page || whole) await measurePage();
printReport(report);
if (!options.quick && report.rows.length > 0) {
  process.stderr.write(`medians kept in ${keepResult(report)}\n`);
}
if (options.json) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
if (options.check) {
  const compared = compareWithLimits(report);
  const over = compared.filter(({measured_ms, limit_ms}) => !(measured_ms <= limit_ms));
  for (const {figure, measured_ms, limit_ms} of over) {
    process.stderr.write(
      `${figure}: expected at most ${Number(limit_ms.toFixed(1))} ms, found ${measured_ms.toFixed(1)}\n`,
    );
  }
  if (compared.length === 0)
    fail('--check: expected a figure that has a limit, found none; see --page');
  if (over.length > 0) process.exitCode = 1;
}

/** Measures the times that readers wait for, in Chromium. */
async function measurePage() {
  const server = await serve({'/site/': fromRoot('dist/site')});
  const url = `${server.url}/site/`;
  const visits = options.quick ? {cold: 2, warm: 5, traced: 3} : {cold: 5, warm: 11, traced: 7};
  report.start = await measureStart(url, visits);
  report.main_thread = await measureMainThread(url, visits.traced);
  report.keystrokes = await measureKeystrokes(url, options.quick ? isPlain : undefined);
  server.close();
  report.frozen_ms = await measureFrozen();
  report.views = await measureViews();
  report.lessons = await measureLessons();
}

/** @param {{measure: string, compare: string}} state */
const isPlain = ({measure, compare}) => measure === 'weight' && compare === '';

async function measureEngines() {
  installPeers(); // the benchmark's page is built with them
  /** @type {BenchModel[]} */
  const models = [];
  const trained = isOurs ? undefined : await prepareTrained(options.float);
  for (const name of modelNames(options)) {
    models.push(name === FLOAT && trained ? trained : await prepareModel(name));
  }
  // The first browser measures every length that another one does.
  for (const model of options.litert ? models : []) {
    model.peer.litert = prepareLiteRt(model, modelTask(model, options, true)?.lengths ?? []);
  }
  await build({configFile: fromRoot('tests/bench/vite.config.js'), logLevel: 'warn'});
  if (whole) report.bytes = await measurePayload();

  const folders = {
    '/bench/': fromRoot('build/bench/page'),
    '/peer/': fromRoot('tests/bench/node_modules/onnxruntime-web/dist'),
    '/litert/': fromRoot('tests/bench/node_modules/@litertjs/core/wasm'),
    ...Object.assign({}, ...models.map((model) => model.folders), trained?.folders),
  };
  const server = await serve(folders, {isIsolated: Number(options.threads ?? 1) > 1});
  for (const engine of engines) {
    if (options.interventions) await measureInterventionsIn(engine, server, models);
    if (options.explanations) await measureExplanationsIn(engine, server, models);
    if (options.first || (whole && engine === engines[0])) {
      await measureFirstIn(engine, server, models);
    }
    if (!isOurs && !options.first) await measureIn(engine, server, models, trained);
  }
  server.close();
}

function installPeers() {
  const folder = fromRoot('tests/bench');
  const {dependencies} = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const isThere = Object.entries(dependencies).every(([name, version]) => {
    const manifest = `${folder}/node_modules/${name}/package.json`;
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version;
  });
  if (isThere) return;
  process.stderr.write(`installing ${Object.keys(dependencies).join(' and ')} in tests/bench\n`);
  run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {cwd: folder});
}

/**
 * @param {Engine} engine
 * @param {Server} server
 * @param {BenchModel[]} models
 */
async function measureInterventionsIn(engine, server, models) {
  for (const model of models) {
    const task = interventionTask(model, options);
    const rows = await perform(engine, server, model.name, task);
    const of = {engine: engine.name, model: model.name, tokens: task.tokens};
    (report.interventions ??= []).push(
      ...(rows ?? []).map((/** @type {object} */ row) => ({...of, ...row})),
    );
  }
}

/**
 * @param {Engine} engine
 * @param {Server} server
 * @param {BenchModel[]} models
 */
async function measureExplanationsIn(engine, server, models) {
  for (const model of models) {
    const task = explanationTask(model, options);
    const rows = await perform(engine, server, model.name, task);
    const of = {engine: engine.name, model: model.name, tokens: task.tokens};
    (report.explanations ??= []).push(
      ...(rows ?? []).map((/** @type {object} */ row) => ({...of, ...row})),
    );
  }
}

/**
 * @param {Engine} engine
 * @param {Server} server
 * @param {BenchModel[]} models
 */
async function measureFirstIn(engine, server, models) {
  const model = models.find(({name}) => name === EMBEDDED);
  const tasks = model ? firstTasks(model) : [];
  /** @type {number[][]} */
  const times = tasks.map(() => []);
  for (let visit = 0; visit < (options.quick ? 3 : 7); visit++) {
    for (const [i, task] of tasks.entries()) {
      const time = await perform(engine, server, `first attention, ${task.side}`, task);
      if (time) times[i].push(time);
    }
  }
  (report.first ??= []).push(
    ...tasks.map(({side}, i) => ({engine: engine.name, side, ms: median(times[i])})),
  );
}

/**
 * @param {Engine} engine
 * @param {Server} server
 * @param {BenchModel[]} models
 * @param {BenchModel} [trained]
 */
async function measureIn(engine, server, models, trained) {
  const isFirst = engine === engines[0];
  for (const model of models) {
    const task = modelTask(model, options, isFirst);
    const measured = task && (await perform(engine, server, model.name, task));
    if (!measured) continue;
    const of = {engine: engine.name, model: model.name};
    report.rows.push(...measured.rows.map((/** @type {object} */ row) => ({...of, ...row})));
    report.memory.push({...of, ...measured.memory});
    const steps = stepTask(model, isFirst);
    const step = steps && (await perform(engine, server, `${model.name}, steps`, steps));
    if (step) report.steps.push({...of, ...step});
  }
  if (options.passesAlone) return;
  if (trained && !options.kernels && !report.accuracy) {
    await measureAccuracyIn(engine, server, trained);
  }
  if (options.quick && !options.kernels) return;
  const measured = await perform(engine, server, 'kernels', kernelTask(isFirst));
  if (!measured) return;
  for (const row of measured.kernels) report.kernels.push({engine: engine.name, ...row});
  for (const note of measured.notes) report.notes.push(`${engine.name}: ${note}`);
}

/**
 * @param {Engine} engine
 * @param {Server} server
 * @param {BenchModel} trained
 */
async function measureAccuracyIn(engine, server, trained) {
  const measured = await perform(engine, server, 'accuracy', accuracyTask(trained));
  if (measured) report.accuracy = {engine: engine.name, model: trained.name, ...measured};
}

/**
 * Runs a task in a new browser, so that earlier tasks cannot affect its numbers.
 *
 * @param {Engine} engine
 * @param {Server} server
 * @param {string} name The name that messages show.
 * @param {Task} task
 * @returns {Promise<any>} Undefined if the task failed; the report then has a note of it.
 */
async function perform(engine, server, name, task) {
  const say = (/** @type {string} */ text) =>
    process.stderr.write(`${engine.name}: ${name}: ${text}\n`);
  const {url, result} = server.offer(task, say);
  const page = await engine.open(url);
  try {
    return await result;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(reason);
    report.notes.push(`${engine.name}: ${name} failed: ${reason.split('\n')[0]}`);
    if (options.check) process.exitCode = 1;
  } finally {
    await page.close();
  }
}
