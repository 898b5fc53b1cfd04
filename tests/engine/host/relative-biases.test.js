/** Tests models whose scores have biases by distance: MPNet and T5 (tests/golden). */

import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {openModel} from '../../../scripts/cli/source.mjs';
import {headArithmetic} from '../../../web/attention/head-arithmetic.js';
import {testEncoder, testExplainedLogit} from './encoder-tests.js';
import {
  allAttention,
  expectedOf,
  goldenFolder,
  largestDifference,
  loadGolden,
  part,
  runtime,
  TOLERANCE,
} from '../support.js';

/** @typedef {Awaited<ReturnType<typeof loadGolden>>} LoadedModel */
/** @typedef {Awaited<ReturnType<LoadedModel['attend']>>} Attended */

const TEXT = 'the cat sat on the mat and he was in the river';

const mpnet = await loadGolden('mpnet');
const quantized = await loadGolden('mpnet', 'int8');
const t5 = await loadGolden('t5');
after(() => [mpnet, quantized, t5].forEach((model) => model.dispose()));

testEncoder('mpnet', mpnet, quantized, TEXT);
testExplainedLogit('mpnet', mpnet);

test('biases of all distances are those of transformers, on both sides of a token', async () => {
  for (const [name, model, tokens] of /** @type {const} */ ([
    ['mpnet', mpnet, 298],
    ['t5', t5, 64],
  ])) {
    const {biases_by_distance: expected, decoder_biases: ofDecoder} = await expectedOf(name);
    assert.deepEqual(await model.encoder.scoreBiases(tokens), expected.data);
    const few = await model.encoder.scoreBiases(3);
    const around = part(expected, 1).subarray(tokens - 3, tokens + 2);
    assert.deepEqual(few.subarray(5, 10), around);
    if (!ofDecoder) continue;
    const {decoder} = /** @type {NonNullable<LoadedModel['translator']>} */ (model.translator);
    const found = await decoder.encoder.scoreBiases(tokens);
    for (let head = 0; head < decoder.shape.heads; head++) {
      // No token of a decoder sees a later one.
      const seen = found.subarray(head * (2 * tokens - 1)).subarray(0, tokens);
      assert.deepEqual(seen, part(ofDecoder, head).subarray(0, tokens));
    }
  }
  await assert.rejects(mpnet.encoder.scoreBiases(299), {code: 'out-of-range'});
});

/** @param {LoadedModel} model @param {Attended} attended */
async function assertWeightsAreSoftmax(model, {pass, ids, scoreBiases}) {
  const {layers, heads, headDim, scoreDivisors} = model.shape;
  const size = 2 * ids.length - 1;
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const at = [layer, head];
      const [queries, keys, values, weights] = await Promise.all(
        /** @type {const} */ (['queries', 'keys', 'values', 'attention']).map((kind) =>
          model.pull(pass, kind, at),
        ),
      );
      const biases = scoreBiases?.subarray(head * size, (head + 1) * size);
      assert.equal(biases?.length, size);
      const vectors = {queries, keys, values, headDim, divisor: scoreDivisors?.[layer], biases};
      for (const query of ids.keys()) {
        const seen = model.config.isCausal ? query + 1 : ids.length;
        const {softmax} = headArithmetic(vectors, query, {seen});
        const row = weights.subarray(query * ids.length, (query + 1) * ids.length);
        assert(largestDifference(softmax, row) <= TOLERANCE.attention);
      }
    }
  }
}

test('the weights are the softmax of the scores that a reader sees, with their biases', async () => {
  await assertWeightsAreSoftmax(mpnet, await mpnet.attend(TEXT));
  const {encoder, decoder} = await t5.translate(TEXT, {tokens: 7});
  await assertWeightsAreSoftmax(t5, encoder);
  const translator = /** @type {NonNullable<LoadedModel['translator']>} */ (t5.translator);
  await assertWeightsAreSoftmax(translator.decoder, decoder);
});

test('a temperature divides whole scores, biases too', async () => {
  const {pass, ids, scoreBiases} = await mpnet.attend(TEXT, {interventions: {temperature: 4}});
  const [queries, keys, values, weights] = await Promise.all(
    /** @type {const} */ (['queries', 'keys', 'values', 'attention']).map((kind) =>
      mpnet.pull(pass, kind, [0, 2]),
    ),
  );
  const size = 2 * ids.length - 1;
  const {headDim} = mpnet.shape;
  const vectors = {
    ...{queries, keys, values, headDim, divisor: 4 * Math.sqrt(headDim)},
    biases: scoreBiases?.subarray(2 * size, 3 * size).map((bias) => bias / 4),
  };
  const {softmax} = headArithmetic(vectors, 1);
  assert(largestDifference(softmax, weights.subarray(ids.length, 2 * ids.length)) <= 3e-6);
});

test('the encoder of a T5 alone computes what it computes beside a decoder', async () => {
  const source = await openModel(goldenFolder('t5'));
  const config = JSON.parse(source.files['config.json']);
  source.files['config.json'] = JSON.stringify({...config, architectures: ['T5EncoderModel']});
  const alone = await runtime.load(source, {precision: 'f32'});
  assert.equal(alone.translator, undefined);
  assert.deepEqual(await allAttention(alone, TEXT), await allAttention(t5, TEXT));
  alone.dispose();
});

test('MPNet: the mask is predicted as transformers does, and its words are found', async () => {
  const {pass, tokens} = await mpnet.attend('the cat <mask> on the mat');
  assert.deepEqual(tokens, ['<s>', 'the', 'cat', '<mask>', 'on', 'the', 'mat', '</s>']);
  const [{index, top}] = await mpnet.predictions(pass, 3);
  assert.equal(index, 3);
  assert.equal(top.length, 3);
});
