/** Tests a model with random weights through the engine's public side. */

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {createEngine} from '../../web/engine/index.js';
import {untrained} from '../../web/engine/host/untrained-model.js';
import {join, loadGolden, runtime} from './support.js';
import {ThreadWorker} from './thread-worker.js';

/** @import {Engine} from '../../web/engine/index.js' */

// The page has the origin of its scripts, which is "null" for files.
Object.assign(globalThis, {Worker: ThreadWorker, self: {origin: 'null'}});

const local = await loadGolden('odd-sizes', 'int8');

/** @type {Engine} */
let engine;
/** @type {Awaited<ReturnType<Engine['load']>>} */
let model;
before(async () => {
  engine = await createEngine();
  model = await engine.load([new File([join(local.quantizedFile())], 'model.safetensors')]);
});
after(() => engine.dispose());

test('an untrained model gives the numbers of the lab’s operations, run one at a time', async () => {
  const {lab} = engine;
  const {heads, hiddenSize, layers} = model.shape;
  const {ids, tokens} = await model.tokenize(['a b']);
  const input = await lab.embedding(ids, hiddenSize, 4);
  const {hiddenStates} = await lab.encoder({input, layers, heads, seed: 4});
  const last = {hiddenState: hiddenStates[layers], labels: 3, seed: 5};
  const found = await model.untrained('a b', {seed: 4, labels: 3});
  assert.deepEqual(found, {
    tokens: tokens[0],
    hiddenStates,
    classified: await lab.classifier(last),
  });

  const bare = await model.untrained('a b', {seed: 4, layers: 1, specialTokens: false});
  assert.equal(bare.classified, null);
  assert.deepEqual(bare.hiddenStates[1].shape, [1, tokens[0].length - 2, hiddenSize]);
  assert.equal(bare.hiddenStates.length, 2);
  await assert.rejects(model.untrained('a', /** @type {any} */ ({seed: -1})), {code: 'bad-option'});
  await assert.rejects(model.untrained('a', {seed: 1, labels: 0}), {code: 'bad-option'});
  await assert.rejects(model.untrained('a', /** @type {any} */ ({seed: 1, label: 3})), {
    code: 'bad-option',
    message: /^untrained: .*found label$/,
  });
  const abort = {seed: 1, signal: AbortSignal.abort()};
  await assert.rejects(model.untrained('a', abort), {name: 'AbortError'});
});

test('an abort stops an untrained model between its operations', async () => {
  const controller = new AbortController();
  /** @type {string[]} */
  const begun = [];
  /** @type {Pick<typeof runtime, 'lab'>} */
  const watched = {
    lab(operation, options) {
      begun.push(operation);
      controller.abort();
      return runtime.lab(operation, options);
    },
  };
  const run = untrained(watched, local, 'a', {seed: 1, signal: controller.signal});
  await assert.rejects(run, {name: 'AbortError'});
  assert.equal(begun.length, 1);
});
