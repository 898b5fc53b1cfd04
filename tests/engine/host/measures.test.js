/** Compares the measures of a text with NumPy's. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {measures} from '../../../web/engine/measures.js';
import {
  goldenFolder,
  largestDifference,
  loadGolden,
  part,
  readTensors,
  TOLERANCE,
} from '../support.js';

/** @import {Measure} from '../../../web/engine/measures.js' */

const TEXT = 'time flies like [MASK]';
const OPTIONS = {pair: 'fruit flies like a banana'};

const model = await loadGolden('odd-sizes');
const {layers, heads} = model.shape;
const {pass, tokens} = await model.attend(TEXT, OPTIONS);
const expected = await readTensors(`${goldenFolder('odd-sizes')}/analysis.safetensors`);

test('norms, rollout and flow of every layer match NumPy’s', async (t) => {
  /** @type {number[]} */
  const differences = [];
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const norms = part(expected.head_norms, layer, head);
      differences.push(largestDifference(await model.measure(pass, 'norm', layer, head), norms));
      const weights = await model.pull(pass, 'attention', [layer, head]);
      assert.deepEqual(await model.measure(pass, 'weight', layer, head), weights);
    }
    const names = /** @type {const} */ ({norm: 'layer_norms', rollout: 'rollout', flow: 'flow'});
    for (const [measure, name] of Object.entries(names)) {
      const found = await model.measure(pass, /** @type {Measure} */ (measure), layer);
      differences.push(largestDifference(found, part(expected[name], layer)));
    }
  }
  const worst = Math.max(...differences);
  t.diagnostic(`norms, rollout and flow: largest difference ${worst.toExponential(1)}`);
  assert(worst <= TOLERANCE.measures);
});

test('rows of rollout and flow sum to 1, also with interventions', async () => {
  const edge = {layer: 0, head: 0, query: 1, key: 2, weight: 0};
  const interventions = {layersOff: [1], edges: [edge], causal: true};
  const changed = await model.attend(TEXT, {...OPTIONS, interventions});
  for (const measure of /** @type {const} */ (['rollout', 'flow'])) {
    const found = await model.measure(changed.pass, measure, 2);
    for (const query of tokens.keys()) {
      const row = found.subarray(query * tokens.length, (query + 1) * tokens.length);
      const sum = row.reduce((sum, share) => sum + share, 0);
      assert(Math.abs(sum - 1) < 1e-5, `${measure} of ${query}: ${sum}`);
      assert(row.subarray(query + 1).every((share) => share === 0));
    }
    assert.notDeepEqual(found, await model.measure(pass, measure, 2));
  }
});

test('flow reports its progress and stops when it is aborted', async () => {
  const controller = new AbortController();
  let done = 0;
  const flow = model.measure(pass, 'flow', 2, undefined, {
    signal: controller.signal,
    onProgress: (progress) => {
      assert.equal(progress.total, tokens.length);
      done = progress.done;
      if (done === 3) controller.abort();
    },
  });
  await assert.rejects(flow, {name: 'AbortError'});
  assert.equal(done, 3);
});

test('measures, layers and heads that do not exist are refused', async () => {
  assert.deepEqual(Object.keys(measures), ['weight', 'norm', 'rollout', 'flow']);
  const attempts = /** @type {[any, number, number | undefined, string][]} */ ([
    ['weights', 0, 0, 'bad-option'],
    ['weight', 0, undefined, 'bad-index'],
    ['norm', 3, 0, 'out-of-range'],
    ['norm', 0, 5, 'out-of-range'],
    ['rollout', 3, undefined, 'out-of-range'],
    ['flow', 3, undefined, 'out-of-range'],
    ['flow', -1, undefined, 'bad-index'],
  ]);
  for (const [measure, layer, head, code] of attempts) {
    await assert.rejects(async () => model.measure(pass, measure, layer, head), {code});
  }
});
