/** Counts what runs: what is known already must not be computed again, nor what nobody has asked for. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {beforeEach, test} from 'node:test';
import {openModel} from '../../../scripts/cli/source.mjs';
import {Runtime} from '../../../web/engine/host/runtime.js';
import {fromRoot, goldenFolder} from '../support.js';

/** @import {PassInput} from '../../../web/engine/host/encoder.js' */
/** @import {MatrixRef} from '../../../web/engine/measures.js' */
/** @import {WasmModel, WasmModule} from '../../../web/engine/wasm-module.d.ts' */

/** How many layers have run to their end, in all models. */
let layersRun = 0;
/** How many layers have run as far as their attention. */
let layersAttended = 0;
/** Is called before each layer. */
let onLayer = () => {};
/** Whether a model may have a second trace. */
let hasRoom = true;
/** Whether an explanation that has begun has the memory to go on. */
let canGoOn = true;
/** How many explanations have begun. */
let explanationsBegun = 0;
/** The siblings that had no room for a trace. @type {Set<WasmModel>} */
const withoutRoom = new Set();
beforeEach(() => void (layersRun = layersAttended = 0));

const {default: createModule} = await import('#wasm/bertscope.js');
const runtime = await Runtime.create(
  async (options) => {
    const module = /** @type {WasmModule} */ (await createModule(options));
    const {prototype} = module.Model;
    const {runLayer, attendLayer} = prototype;
    prototype.runLayer = function (/** @type {number} */ layer) {
      layersRun++;
      onLayer();
      return runLayer.call(this, layer);
    };
    prototype.attendLayer = function (/** @type {number} */ layer) {
      layersAttended++;
      return attendLayer.call(this, layer);
    };
    const {beginExplanation, sibling} = prototype;
    prototype.beginExplanation = function (/** @type {any[]} */ ...args) {
      explanationsBegun++;
      return beginExplanation.apply(this, args);
    };
    const explaining = module.Explanation.prototype;
    const {step} = explaining;
    explaining.step = function () {
      if (canGoOn) return step.call(this);
      return {code: 'out-of-memory', message: 'expected room for an explanation, found none'};
    };
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
  const first = await model.attend('time flies');
  assert.equal(layersRun, layers);
  const matrices = await model.matrices(first.pass, whatViewsAsk);
  const again = await model.attend('time flies ', {matrices: whatViewsAsk});
  assert.equal(layersRun, layers);
  assert.deepEqual(again.matrices, matrices);
  await model.attend('time', {pair: 'flies'});
  assert.equal(layersRun, 2 * layers);
  assert.equal(layersAttended, 0);
});

/** What a pass runs for matrices that come with it, and what it had not to run. @type {[string, MatrixRef[], {whole: number, attended: number}][]} */
const wantedParts = [
  ['attention of layer 0', [{kind: 'attention', layer: 0, head: 1}], {whole: 0, attended: 1}],
  ['attention of layer 1', [{kind: 'attention', layer: 1, head: 1}], {whole: 1, attended: 1}],
  ['attention of the last', [{kind: 'attention', layer: 2, head: 0}], {whole: 2, attended: 1}],
  ['queries', [{kind: 'queries', layer: 1, head: 0}], {whole: 1, attended: 1}],
  ['keys', [{kind: 'keys', layer: 0, head: 0}], {whole: 0, attended: 1}],
  ['values', [{kind: 'values', layer: 1, head: 0}], {whole: 2, attended: 0}],
  ['norms', [{kind: 'attention', measure: 'norm', layer: 0, head: 0}], {whole: 1, attended: 0}],
  [
    'a rollout',
    [{kind: 'attention', measure: 'rollout', layer: 1, head: 0}],
    {whole: 1, attended: 1},
  ],
  ['a flow', [{kind: 'attention', measure: 'flow', layer: 0, head: 0}], {whole: 0, attended: 1}],
  ['all that views ask', whatViewsAsk, {whole: 2, attended: 1}],
];

for (const [what, matrices, {whole, attended}] of wantedParts) {
  test(`a pass for ${what} runs no more than that, and then the rest`, async () => {
    const {pass: other} = await model.attend('a bird');
    const expected = await model.attend('fruit flies');
    const everything = await allOf(expected.pass);
    await model.attend('a bird');
    layersRun = 0;
    const {pass, matrices: found} = await model.attend('fruit flies', {matrices});
    assert.deepEqual([layersRun, layersAttended], [whole, attended]);
    await model.matrices(pass, matrices);
    assert.deepEqual([layersRun, layersAttended], [whole, attended]);
    assert.deepEqual(await allOf(pass), everything);
    assert.equal(layersRun, layers);
    assert.deepEqual(found, await model.matrices(pass, matrices));
    assert.notDeepEqual(await allOf(other), everything);
  });
}

/** All that can be asked of a pass. @param {PassInput} pass */
async function allOf(pass) {
  const all = [];
  for (let layer = 0; layer < layers; layer++) {
    all.push(await model.layerAttention(pass, layer));
    all.push(await model.pull(pass, 'layerNorms', [layer]));
    for (const kind of /** @type {const} */ (['queries', 'keys', 'values'])) {
      all.push(await model.pull(pass, kind, [layer, 0]));
    }
    all.push(await model.measure(pass, 'rollout', layer));
    all.push(await model.measure(pass, 'flow', layer));
  }
  for (let index = 0; index <= layers; index++) {
    all.push(await model.pull(pass, 'hiddenStates', [index]));
    all.push(await model.pull(pass, 'wordLogits', [index, 1]));
  }
  return [...all, await model.headStatistics(pass), await model.explain(pass, 'alti', 'vector')];
}

const firstLayer = {matrices: whatViewsAsk.slice(0, 1)};

test('every question takes a pass that has stopped as far as it needs', async () => {
  const fresh = async () => {
    await model.attend('a bird');
    const {pass} = await model.attend('[MASK] flies', firstLayer);
    return pass;
  };
  const {pass: whole} = await model.attend('[MASK] flies');
  /** @type {((pass: PassInput) => Promise<unknown>)[]} */
  const questions = [
    (pass) => model.predictions(pass, 3),
    (pass) => model.logitLens(pass, 1, 2),
    (pass) => model.probabilities(pass, 1, [5, 6]),
    (pass) => model.headStatistics(pass, {similar: true}),
    (pass) => model.explain(pass),
    (pass) => model.headEffects(pass, undefined),
    (pass) => model.similarity(pass, pass),
    (pass) => model.surprise(pass),
    (pass) => model.sentenceSimilarity(pass, pass),
    (pass) => model.layerAttention(pass, 2),
    (pass) => model.pull(pass, 'hiddenStates', [1]),
  ];
  for (const ask of questions) {
    const expected = await ask(whole);
    assert.deepEqual(await ask(await fresh()), expected, String(ask));
  }
});

test('interventions that change while a pass has stopped give the numbers of a whole pass', async () => {
  const [low, high] = [0, 2].map((layer) => ({heads: [{layer, head: 1, scale: 0}]}));
  const run = async (/** @type {object} */ interventions) => {
    const {pass} = await model.attend('an old house', {interventions, ...firstLayer});
    return pass;
  };
  /** @type {unknown[]} */
  const expected = [];
  for (const interventions of [low, high]) {
    const {pass} = await model.attend('an old house', {interventions});
    expected.push(await allOf(pass));
  }
  await model.attend('a bird', {interventions: low});
  await run(high);
  assert.deepEqual(await allOf(await run(low)), expected[0]);
  assert.deepEqual(await allOf(await run(high)), expected[1]);
});

test('the rest of a pass that has stopped can be asked for when a newer one has run', async () => {
  const {pass: whole} = await model.attend('the cat sat');
  const expected = await allOf(whole);
  await model.attend('a bird');
  const {pass: before} = await model.attend('the cat sat', firstLayer);
  const asked = model.headStatistics(before); // in the queue before the newer text
  const {pass: after} = await model.attend('the dog sat', firstLayer);
  assert.deepEqual(await asked, await model.headStatistics(whole));
  assert.deepEqual(await allOf(before), expected);
  assert.notDeepEqual(await allOf(after), expected);
});

test('a pass that an abort has stopped before its matrices goes on at the next layer', async () => {
  const lastLayer = {matrices: whatViewsAsk.slice(1, 2)};
  const expected = await model.attend('a long day', lastLayer);
  await model.attend('time');
  layersRun = 0;
  const controller = new AbortController();
  onLayer = () => controller.abort(new Error('enough'));
  const {signal} = controller;
  await assert.rejects(model.attend('a long day', {...lastLayer, signal}), /enough/);
  onLayer = () => {};
  const again = await model.attend('a long day', lastLayer);
  assert.equal(layersRun, layers - 1);
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

test('an explanation that runs out of memory is not begun again, and the older text keeps its trace', async () => {
  const dates = fromRoot('web/models/dates/bertscope-dates.safetensors');
  const writer = await runtime.load(await openModel(dates));
  const {encoder, decoder, ids} = await writer.translate('4 July 1776');
  const explain = () =>
    writer.explainTranslation(encoder.pass, decoder.pass, {token: 2, id: ids[2]});
  const expected = await explain();
  await writer.attend('in May');
  hasRoom = false;
  assert.deepEqual(await explain(), expected);
  hasRoom = true;
  await writer.attend('in May');
  assert.deepEqual(await explain(), expected);
  explanationsBegun = 0;
  canGoOn = false;
  await assert.rejects(explain(), {code: 'out-of-memory'});
  canGoOn = true;
  assert.equal(explanationsBegun, 1);
  layersRun = 0;
  assert.deepEqual(await explain(), expected);
  assert.equal(layersRun, 0);
  writer.dispose();
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
