/** Counts the layers that run: what is known already must not be computed again. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {beforeEach, test} from 'node:test';
import {openModel} from '../../../scripts/cli/source.mjs';
import {Runtime} from '../../../web/engine/host/runtime.js';
import {fromRoot, goldenFolder} from '../support.js';

/** @import {PassInput} from '../../../web/engine/host/encoder.js' */
/** @import {MatrixRef} from '../../../web/engine/measures.js' */
/** @import {WasmModel, WasmModule} from '../../../web/engine/wasm-module.d.ts' */

/** How many layers have run, in all models. */
let layersRun = 0;
/** Is called before each layer. */
let onLayer = () => {};
/** Whether a model may have a second trace. */
let hasRoom = true;
/** The siblings that had no room for a trace. @type {Set<WasmModel>} */
const withoutRoom = new Set();
beforeEach(() => void (layersRun = 0));

const {default: createModule} = await import('#wasm/bertscope.js');
const runtime = await Runtime.create(
  async (options) => {
    const module = /** @type {WasmModule} */ (await createModule(options));
    const {prototype} = module.Model;
    const {runLayer} = prototype;
    prototype.runLayer = function (/** @type {number} */ layer) {
      layersRun++;
      onLayer();
      return runLayer.call(this, layer);
    };
    const {sibling} = prototype;
    prototype.sibling = function () {
      const made = /** @type {WasmModel} */ (sibling.call(this));
      made.start = (...batch) => {
        if (hasRoom) return prototype.start.apply(made, batch);
        withoutRoom.add(made);
        return {code: 'out-of-memory', message: 'expected room for a trace, found none'};
      };
      return made;
    };
    return module;
  },
  {wasmBinary: readFileSync(fromRoot('build/wasm/bertscope.wasm'))},
);
const model = await runtime.load(await openModel(goldenFolder('odd-sizes')));
const {layers} = model.shape;

const whatViewsAsk = /** @type {MatrixRef[]} */ ([
  {kind: 'attention', layer: 0, head: 0},
  {kind: 'attention', layer: 2, head: 4},
  {kind: 'attention', measure: 'norm', layer: 1, head: 3},
  {kind: 'attention', measure: 'rollout', layer: 2, head: 0},
  {kind: 'attention', measure: 'flow', layer: 1, head: 0},
  {kind: 'queries', layer: 1, head: 0},
]);

test('the same ids again need no pass', async () => {
  const first = await model.attend('time flies', {matrices: whatViewsAsk});
  assert.equal(layersRun, layers);
  const again = await model.attend('time flies ', {matrices: whatViewsAsk});
  assert.equal(layersRun, layers);
  assert.deepEqual(again.matrices, first.matrices);
  await model.attend('time', {pair: 'flies'});
  assert.equal(layersRun, 2 * layers);
});

test('a pass that an abort has stopped goes on at the next layer', async () => {
  const expected = await model.attend('fruit flies like', {matrices: whatViewsAsk});
  await model.attend('time');
  layersRun = 0;
  const controller = new AbortController();
  onLayer = () => controller.abort(new Error('enough'));
  await assert.rejects(model.attend('fruit flies like', {signal: controller.signal}), /enough/);
  onLayer = () => {};
  const again = await model.attend('fruit flies like', {matrices: whatViewsAsk});
  assert.equal(layersRun, layers);
  assert.deepEqual(again.matrices, expected.matrices);
});

test('another layer, head or measure needs no pass', async () => {
  const {pass} = await model.attend('time flies like an arrow');
  const changed = await model.attend('time flies like an arrow', {interventions: {causal: true}});
  layersRun = 0;
  await model.matrices(pass, whatViewsAsk);
  await model.matrices(changed.pass, whatViewsAsk);
  await model.headStatistics(pass);
  assert.equal(layersRun, 0);
});

test('two texts that are compared run once, however often both are asked', async () => {
  const {pass: before} = await model.attend('the cat sat');
  const {pass: after} = await model.attend('the dog sat down');
  await model.matrices(before, whatViewsAsk);
  layersRun = 0;
  for (let layer = 0; layer < layers; layer++) {
    for (const pass of [before, after]) {
      await model.matrices(pass, [{kind: 'attention', layer, head: 0}]);
    }
  }
  assert.equal(layersRun, 0);
});

test('a run that an abort has stopped in the queue leaves the trace of the pass before', async () => {
  const {pass} = await model.attend('a bird sang');
  const controller = new AbortController();
  const queued = model.attend('a bird sang well', {signal: controller.signal});
  controller.abort(new Error('enough'));
  await assert.rejects(queued, /enough/);
  layersRun = 0;
  await model.matrices(pass, whatViewsAsk);
  assert.equal(layersRun, 0);
});

test('an older pass runs in place of the latest when there is no room for its trace', async () => {
  const small = await runtime.load(await openModel(goldenFolder('odd-sizes')));
  const ask = async (/** @type {PassInput} */ pass) => [
    ...(await small.matrices(pass, whatViewsAsk)),
    await small.layerAttention(pass, 1),
    await small.headStatistics(pass),
  ];
  const {pass: before} = await small.attend('the cat sat');
  const expected = await ask(before);
  const {pass: after} = await small.attend('the dog sat down');
  layersRun = 0;
  hasRoom = false;
  assert.deepEqual(await ask(before), expected);
  hasRoom = true;
  assert.equal(layersRun, layers);
  assert.ok(withoutRoom.size > 0);
  for (const wasm of withoutRoom) assert.ok(/** @type {any} */ (wasm).isDeleted());
  // Neither runs more than once when there is room again.
  for (const pass of [after, before, after, before]) await ask(pass);
  assert.equal(layersRun, 3 * layers);
  small.dispose();
});

test('matrices that come with a pass are those that are pulled one by one', async () => {
  const {pass, matrices} = await model.attend('time flies', {matrices: whatViewsAsk});
  const pulled = await model.matrices(pass, whatViewsAsk);
  assert.deepEqual(matrices, pulled);
  assert.deepEqual(matrices[1], await model.pull(pass, 'attention', [2, 4]));
  assert.deepEqual(matrices[2], await model.measure(pass, 'norm', 1, 3));
  assert.deepEqual(matrices[5], await model.pull(pass, 'queries', [1, 0]));
});

test('wanted matrices that are no list, or of no known kind, are refused', async () => {
  for (const wrong of [{kind: 'attention'}, [{kind: 'hiddenStates'}], [null], [undefined]]) {
    const options = /** @type {any} */ ({matrices: wrong});
    await assert.rejects(model.attend('a', options), {code: 'bad-option', message: /^matrices: /});
  }
  assert.equal(layersRun, 0);
});
