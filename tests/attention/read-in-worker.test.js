import assert from 'node:assert/strict';
import {afterEach, beforeEach, test} from 'node:test';
import {importFile} from '../../web/attention/file-formats.js';
import {readAttention} from '../../web/attention/read-in-worker.js';
import {ThreadWorker} from '../engine/thread-worker.js';

/** A worker that is stuck in its first task. */
class StuckWorker extends EventTarget {
  /** @type {StuckWorker[]} */
  static all = [];
  isTerminated = false;

  constructor() {
    super();
    StuckWorker.all.push(this);
  }

  postMessage() {}

  terminate() {
    this.isTerminated = true;
  }
}

/** @param {unknown} worker */
const startWith = (worker) => Object.assign(globalThis, {Worker: worker});

beforeEach(() => startWith(ThreadWorker));
afterEach(async () => {
  await Promise.all(ThreadWorker.all.splice(0).map(({ended}) => ended));
  assert.ok(StuckWorker.all.splice(0).every(({isTerminated}) => isTerminated));
});

const weights = {tokens: ['le', 'chat'], attention: [[[[0.25, 0.75], [1, 0]]]]}; // prettier-ignore
const file = new Blob([JSON.stringify(weights)]);

test('a file that a worker has read is the same as one that the page reads', async () => {
  const hints = {tokens: ['the', 'cat'], sentenceB: 1};
  const bytes = new Uint8Array(await file.arrayBuffer());
  assert.deepEqual(await readAttention(file), importFile(bytes));
  assert.deepEqual(await readAttention(file, {hints}), importFile(bytes, hints));
});

test('what is wrong with a file arrives with its code, and a failed download with its sentence', async () => {
  const broken = new Blob(['{"tokens": ["a"], "attention": [[[[0.5]]]]}']);
  const message = 'Each row should sum to 1; row 0 of layer 0, head 0 sums to 0.500.';
  await assert.rejects(readAttention(broken), {code: 'bad-snapshot', message});
  await assert.rejects(readAttention('http://localhost:1/saved.json'), {name: 'TypeError'});
});

test('reading is given up at once, also by a worker that is stuck', async () => {
  for (const worker of [ThreadWorker, StuckWorker]) {
    startWith(worker);
    const controller = new AbortController();
    const reading = readAttention(file, {signal: controller.signal});
    await new Promise((resolve) => setTimeout(resolve));
    controller.abort();
    await assert.rejects(reading, {name: 'AbortError'});
  }
  await assert.rejects(readAttention(file, {signal: AbortSignal.abort()}), {name: 'AbortError'});
});

test('a worker that does not answer for more than 30 seconds is ended', async (t) => {
  startWith(StuckWorker);
  t.mock.timers.enable({apis: ['setInterval']});
  const message = 'This file was not read within 30 seconds, so reading was stopped.';
  const reading = assert.rejects(readAttention(file), {code: 'bad-snapshot', message});
  while (!StuckWorker.all.length) await new Promise((resolve) => setTimeout(resolve));
  t.mock.timers.tick(30_000);
  assert.equal(StuckWorker.all[0].isTerminated, false);
  t.mock.timers.tick(1000);
  await reading;
});

test('a worker that does not start is not taken for the engine', async () => {
  startWith(StuckWorker);
  const reading = readAttention(file);
  while (!StuckWorker.all.length) await new Promise((resolve) => setTimeout(resolve));
  StuckWorker.all[0].dispatchEvent(new Event('error', {cancelable: true}));
  await assert.rejects(reading, (/** @type {Error & {code?: string}} */ {message, code}) => {
    assert.match(message, /^the worker that reads files stopped: it could not be started/);
    return code === undefined;
  });
});
