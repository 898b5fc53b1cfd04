/** Tests DeBERTa, whose queries and keys also meet vectors of distances (tests/golden/deberta-v2). */

import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {openModel} from '../../../scripts/cli/source.mjs';
import {assertWeightsAreSoftmax, testEncoder, testExplainedLogit} from './encoder-tests.js';
import {
  batchOf,
  expectedOf,
  goldenFolder,
  largestDifference,
  loadGolden,
  part,
  runtime,
  TOLERANCE,
} from '../support.js';

const NAME = 'deberta-v2';
const TEXT = 'the cat sat on the mat and he was in the river';

const model = await loadGolden(NAME);
const quantized = await loadGolden(NAME, 'int8');
after(() => [model, quantized].forEach((each) => each.dispose()));

testEncoder(NAME, model, quantized, TEXT);
testExplainedLogit(NAME, model);

test('products with distances are those of transformers, and with them the scores give its attention', async () => {
  const {layers, heads, headDim, scoreDivisors, hasPositionScores} = model.shape;
  assert.deepEqual(scoreDivisors, new Array(layers).fill(Math.sqrt(3 * headDim)));
  assert.equal(hasPositionScores, true);
  const {input_ids, position_scores, attentions} = await expectedOf(NAME);
  const {pass} = await model.encoder.run(batchOf(part(input_ids, 0)));
  let largest = 0;
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const found = await model.pull(pass, 'positionScores', [layer, head]);
      const wanted = part(position_scores, layer, head);
      assert(largestDifference(found, wanted) <= TOLERANCE.hiddenStates);
      largest = Math.max(largest, ...wanted);
    }
  }
  assert(largest > 1, `${largest}`);
  const expected = (/** @type {number} */ layer, /** @type {number} */ head) =>
    /** @type {Float32Array} */ (part(attentions, layer, 0, head));
  await assertWeightsAreSoftmax(model, pass, expected);
});

test('a temperature divides whole scores, products with distances too', async () => {
  const weightsAt = async (/** @type {number} */ temperature) => {
    const {pass} = await model.attend(TEXT, {interventions: {temperature}});
    return model.pull(pass, 'attention', [0, 2]);
  };
  const [whole, half] = [await weightsAt(1), await weightsAt(2)];
  const tokens = Math.sqrt(whole.length);
  for (let query = 0; query < tokens; query++) {
    const row = whole.subarray(query * tokens, (query + 1) * tokens).map(Math.sqrt);
    const sum = row.reduce((a, b) => a + b, 0);
    const found = half.subarray(query * tokens, (query + 1) * tokens);
    assert(
      largestDifference(
        found,
        row.map((root) => root / sum),
      ) <= TOLERANCE.attention,
    );
  }
});

test('a word head by the names of BERT, as in files of older versions, computes the same', async () => {
  const source = await openModel(goldenFolder(NAME));
  const renamed = async () => {
    const file = await source.open();
    const names = new Map(
      ['dense', 'LayerNorm'].map((each) => [
        `lm_predictions.lm_head.${each}.`,
        `cls.predictions.transform.${each}.`,
      ]),
    ).set('lm_predictions.lm_head.bias', 'cls.predictions.bias');
    for (const tensor of file.header.tensors) {
      for (const [theirs, ours] of names) tensor.name = tensor.name.replace(theirs, ours);
    }
    return file;
  };
  const other = await runtime.load({...source, open: renamed}, {precision: 'f32'});
  const masked = 'the cat [MASK] on the mat';
  const topOf = async (/** @type {typeof model} */ each) =>
    each.predictions((await each.attend(masked)).pass, 3);
  assert.deepEqual(await topOf(other), await topOf(model));
  assert.deepEqual(other.notes, []);
  other.dispose();
});

test('queries and keys of distances that take more than the weights are refused', async () => {
  const source = await openModel(goldenFolder(NAME));
  const config = JSON.parse(source.files['config.json']);
  source.files['config.json'] = JSON.stringify({...config, position_buckets: 2 ** 20});
  await assert.rejects(runtime.load(source), {
    code: 'bad-config',
    message:
      /expected buckets of distances whose queries and keys take at most \d+ bytes, found 2097152, whose take/,
  });
});
