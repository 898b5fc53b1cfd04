/** Speed and accuracy beside onnxruntime-web, in real browsers; `options.mjs` has the options. */

import {existsSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {build} from 'vite';
import {enginesFor} from './browsers/index.mjs';
import {measureLessons} from './lessons.mjs';
import {describeMachine} from './machine.mjs';
import {prepareModel, prepareTrained} from './models.mjs';
import {measureNative} from './native.mjs';
import {parseOptions} from './options.mjs';
import {measurePayload} from './payload.mjs';
import {accuracyTask, interventionTask, kernelTask, modelNames, modelTask} from './plan.mjs';
import {fromRoot, run} from './process.mjs';
import {printReport} from './report.mjs';
import {serve} from './server.mjs';
import {measureStart} from './start.mjs';

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
const engines = enginesFor(options.engines);
/** @type {Report} */
const report = {machine: describeMachine(engines), rows: [], memory: [], kernels: [], notes: []};

const whole = !options.kernels && !options.interventions && !options.passesAlone;

if (options.lessons) report.lessons = await measureLessons();
else await measureEngines();
printReport(report);
if (options.json) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);

async function measureEngines() {
  if (!options.interventions) installPeer();
  /** @type {BenchModel[]} */
  const models = [];
  for (const name of modelNames(options)) models.push(await prepareModel(name));
  const trained = options.interventions ? undefined : await prepareTrained(options.float);
  await build({configFile: fromRoot('tests/bench/vite.config.js'), logLevel: 'warn'});
  if (whole) report.bytes = await measurePayload();

  const server = await serve({
    '/bench/': fromRoot('build/bench/page'),
    '/site/': fromRoot('dist/site'),
    '/peer/': fromRoot('tests/bench/node_modules/onnxruntime-web/dist'),
    ...Object.assign({}, ...models.map(({folders}) => folders), trained?.folders),
  });
  for (const engine of engines) {
    if (options.interventions) await measureInterventionsIn(engine, server, models);
    else await measureIn(engine, server, models, trained);
  }
  if (whole && engines.some(({name}) => name === 'chromium')) {
    const visits = options.quick ? {cold: 2, warm: 5} : {cold: 5, warm: 11};
    report.start = await measureStart(`${server.url}/site/`, visits);
  }
  server.close();
}

function installPeer() {
  const folder = fromRoot('tests/bench');
  if (existsSync(`${folder}/node_modules/.package-lock.json`)) return;
  process.stderr.write('installing onnxruntime-web in tests/bench\n');
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
 * In a browser of its own, so that no task meets what another left behind.
 * @param {Engine} engine
 * @param {Server} server
 * @param {string} name For messages.
 * @param {Task} task
 * @returns {Promise<any>} Undefined when it failed; the report says so.
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
  } finally {
    await page.close();
  }
}
