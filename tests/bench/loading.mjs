/**
 * Measures how fast a float32 bert-base becomes a model in Chromium, from a local server with the hub's addresses and
 * from the browser's storage: `node tests/bench/loading.mjs [--samples N] [--json FILE]`. This script makes the random
 * weights, 440 MB in build/bench/loading.
 */

import {existsSync} from 'node:fs';
import {mkdir, open, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {chromium} from 'playwright-core';
import {encodeHeader} from '../../web/engine/files/safetensors-header.js';
import {bertBase} from '../support/bert-base.js';
import {serveHub} from '../support/hub-server.js';
import {ARGS, EXECUTABLE, chromiumEngine} from './browsers/chromium.mjs';
import {temporaryFolder} from './browsers/spawn.mjs';
import {describeMachine} from './machine.mjs';
import {median} from './page/sampling.js';
import {fail, fromRoot} from './process.mjs';
import {serve} from './server.mjs';
import {table} from './table.mjs';

/** @import {BrowserContext} from 'playwright-core' */

const FOLDER = fromRoot('build/bench/loading');
const NAME = 'bert-base';
const SOURCE = `hub:x/${NAME}`;
/** The file repeats one block of random numbers, because only the number of bytes matters here. */
const BLOCK_VALUES = 1 << 20;

/** @returns {{name: string, dtype: 'F32', shape: number[]}[]} The tensors of BertForMaskedLM with a pooler. */
function tensorsOf() {
  const {hidden_size: hidden, intermediate_size: inner, vocab_size: vocabulary} = bertBase;
  /** @type {{name: string, dtype: 'F32', shape: number[]}[]} */
  const tensors = [];
  const add = (/** @type {string} */ name, /** @type {number[]} */ ...shape) =>
    tensors.push({name, dtype: 'F32', shape});
  const linear = (/** @type {string} */ name, to = hidden, from = hidden) => {
    add(`${name}.weight`, to, from);
    add(`${name}.bias`, to);
  };
  const norm = (/** @type {string} */ name) => {
    add(`${name}.weight`, hidden);
    add(`${name}.bias`, hidden);
  };
  add('bert.embeddings.word_embeddings.weight', vocabulary, hidden);
  add('bert.embeddings.position_embeddings.weight', bertBase.max_position_embeddings, hidden);
  add('bert.embeddings.token_type_embeddings.weight', bertBase.type_vocab_size, hidden);
  norm('bert.embeddings.LayerNorm');
  for (let layer = 0; layer < bertBase.num_hidden_layers; layer++) {
    const prefix = `bert.encoder.layer.${layer}`;
    for (const part of ['query', 'key', 'value']) linear(`${prefix}.attention.self.${part}`);
    linear(`${prefix}.attention.output.dense`);
    norm(`${prefix}.attention.output.LayerNorm`);
    linear(`${prefix}.intermediate.dense`, inner, hidden);
    linear(`${prefix}.output.dense`, hidden, inner);
    norm(`${prefix}.output.LayerNorm`);
  }
  linear('bert.pooler.dense');
  linear('cls.predictions.transform.dense');
  norm('cls.predictions.transform.LayerNorm');
  add('cls.predictions.bias', vocabulary);
  return tensors;
}

/** @returns {Promise<number>} The size of the weights' file in bytes. */
async function makeModel() {
  const folder = join(FOLDER, NAME);
  const path = join(folder, 'model.safetensors');
  const tensors = tensorsOf();
  const header = encodeHeader(tensors);
  const values = tensors.reduce((sum, {shape}) => sum + shape.reduce((a, b) => a * b), 0);
  if (existsSync(path)) return header.length + 4 * values;
  await mkdir(folder, {recursive: true});
  await writeFile(join(folder, 'config.json'), JSON.stringify(bertBase));
  const words = Array.from({length: bertBase.vocab_size - 5}, (_, index) => `w${index}`);
  const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...words].join('\n');
  await writeFile(join(folder, 'vocab.txt'), vocabulary);
  const block = Float32Array.from({length: BLOCK_VALUES}, () => 0.1 * (Math.random() - 0.5));
  const bytes = new Uint8Array(block.buffer);
  const file = await open(`${path}.part`, 'w');
  await file.write(header);
  for (let left = 4 * values; left > 0; left -= bytes.length) {
    await file.write(bytes.subarray(0, Math.min(left, bytes.length)));
  }
  await file.close();
  await rename(`${path}.part`, path);
  return header.length + 4 * values;
}

/**
 * @typedef {object} Sample All times are in milliseconds.
 * @property {number} copied The time to fetch the file and copy every byte of it once.
 * @property {number} loaded The time from the model's address to a model.
 * @property {number} copiedFile The time to copy every byte of a file in the browser's memory once.
 * @property {number} loadedFile The time from that file to a model.
 * @property {number} kept The time to store the model for the next visit.
 * @property {number} read The time to read the kept model and copy every byte of it once.
 * @property {number} again The time to start an engine in a new page and load the kept model.
 * @property {number} attention The time from then until the attention of a head is there.
 */

/**
 * @param {BrowserContext} context
 * @param {string} url
 * @param {string} endpoint
 * @returns {Promise<Sample>}
 */
async function sample(context, url, endpoint) {
  const first = await pageAt(context, url);
  const weights = `${endpoint}/x/${NAME}/resolve/main/model.safetensors`;
  const copied = await first.evaluate(copyFile, weights);
  const file = await first.evaluate(loadFile, `${endpoint}/x/${NAME}/resolve/main/`);
  const {loaded, kept} = await first.evaluate(loadAndKeep, {source: SOURCE, endpoint});
  await first.close();
  const second = await pageAt(context, url);
  const {again, attention} = await second.evaluate(openKept, {source: SOURCE});
  const read = await second.evaluate(copyKept, SOURCE);
  await second.close();
  return {copied, ...file, loaded, kept, read, again, attention};
}

/** @param {BrowserContext} context @param {string} url */
async function pageAt(context, url) {
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(() => 'createEngine' in window);
  return page;
}

/** @typedef {{source: string, endpoint?: string}} Place */

// The functions from here to `openKept` run in the page.

/** @param {string} url @returns {Promise<number>} */
async function copyFile(url) {
  const began = performance.now();
  const {body} = await fetch(url);
  await /** @type {any} */ (window).copyAll(body);
  return performance.now() - began;
}

/** @param {string} source @returns {Promise<number>} */
async function copyKept(source) {
  const began = performance.now();
  const cache = await caches.open('bertscope-models-1');
  const keys = await cache.keys();
  const key = keys.find(({url}) => {
    const [place, id] = url.split('/').slice(-2);
    return place.startsWith('weights') && id === encodeURIComponent(source);
  });
  await /** @type {any} */ (window).copyAll(key && (await cache.match(key))?.body);
  return performance.now() - began;
}

/** @param {string} folder @returns {Promise<{copiedFile: number, loadedFile: number}>} */
async function loadFile(folder) {
  const names = ['config.json', 'vocab.txt', 'model.safetensors'];
  const files = await Promise.all(
    names.map(async (name) => new File([await (await fetch(folder + name)).blob()], name)),
  );
  const engine = await /** @type {any} */ (window).createEngine();
  let began = performance.now();
  await /** @type {any} */ (window).copyAll(files[2].stream());
  const copiedFile = performance.now() - began;
  began = performance.now();
  await engine.load(files);
  const loadedFile = performance.now() - began;
  engine.dispose();
  return {copiedFile, loadedFile};
}

/** @param {Place} place @returns {Promise<{loaded: number, kept: number}>} */
async function loadAndKeep({source, endpoint}) {
  const engine = await /** @type {any} */ (window).createEngine();
  const began = performance.now();
  const model = await engine.load(source, {endpoint});
  const loaded = performance.now() - began;
  await model.keep();
  const kept = performance.now() - began - loaded;
  engine.dispose();
  return {loaded, kept};
}

/** @param {Place} place @returns {Promise<{again: number, attention: number}>} */
async function openKept({source}) {
  const began = performance.now();
  const engine = await /** @type {any} */ (window).createEngine();
  const model = await engine.load(source);
  const again = performance.now() - began;
  const result = await model.attend('w1 w2 w3 w4 w5 w6');
  await result.attention(0, 0);
  const attention = performance.now() - began - again;
  engine.dispose();
  return {again, attention};
}

// The functions from here on run in Node.

/** @param {number} samples */
async function measureLoading(samples) {
  const bytes = await makeModel();
  const hub = await serveHub(FOLDER);
  const server = await serve({
    '/lib/': fromRoot('dist/lib'),
    '/': fromRoot('tests/bench/loading'),
  });
  const profile = await temporaryFolder();
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath: EXECUTABLE,
    args: ARGS,
  });
  /** @type {Sample[]} */
  const taken = [];
  try {
    for (let i = 0; i < samples; i++) taken.push(await sample(context, server.url, hub.url));
  } finally {
    await context.close();
    await profile.remove();
    server.close();
    hub.close();
  }
  const of = (/** @type {keyof Sample} */ name) => median(taken.map((each) => each[name]));
  return {
    bytes,
    copied_ms: of('copied'),
    loaded_ms: of('loaded'),
    copied_file_ms: of('copiedFile'),
    loaded_file_ms: of('loadedFile'),
    kept_ms: of('kept'),
    read_ms: of('read'),
    again_ms: of('again'),
    attention_ms: of('attention'),
  };
}

/** @param {Awaited<ReturnType<typeof measureLoading>>} times */
function loadingTable({bytes, ...times}) {
  const row = (/** @type {string} */ what, /** @type {number} */ ms, size = bytes) => [
    what,
    Math.round(ms),
    size ? Math.round(size / 1e3 / ms) : '-',
  ];
  return table(
    `a float32 bert-base of ${Math.round(bytes / 1e6)} MB`,
    ['what', 'ms', 'MB/s'],
    [
      row('from a local server: every byte copied once', times.copied_ms),
      row('from a local server: a model', times.loaded_ms),
      row('from a file in memory: every byte copied once', times.copied_file_ms),
      row('from a file in memory: a model', times.loaded_file_ms),
      row('the model is kept', times.kept_ms, 0),
      row('what is kept: every byte copied once', times.read_ms, 0),
      row('second visit: the engine starts, a model', times.again_ms, 0),
      row('then to the attention of a head', times.attention_ms, 0),
    ],
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const {values} = parseArgs({
    options: {samples: {type: 'string', default: '3'}, json: {type: 'string'}},
  });
  const samples = Number(values.samples);
  if (!(Number.isInteger(samples) && samples > 0)) {
    fail(`--samples: expected a number from 1, found ${values.samples}`);
  }
  const times = await measureLoading(samples);
  process.stdout.write(`${loadingTable(times)}\n`);
  if (values.json) {
    const report = {machine: describeMachine([chromiumEngine]), ...times};
    await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  }
}
