/** Tests models whose scores have biases by distance: MPNet and T5 (tests/golden). */

import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {openModel} from '../../../scripts/cli/source.mjs';
import {headArithmetic} from '../../../web/attention/head-arithmetic.js';
import {assertWeightsAreSoftmax, testEncoder, testExplainedLogit} from './encoder-tests.js';
import {
  allAttention,
  batchOf,
  expectedOf,
  goldenFolder,
  largestDifference,
  loadGolden,
  part,
  runtime,
} from '../support.js';

/** @typedef {Awaited<ReturnType<typeof loadGolden>>} LoadedModel */

const TEXT = 'the cat sat on the mat and he was in the river';

const mpnet = await loadGolden('mpnet');
const quantized = await loadGolden('mpnet', 'int8');
const t5 = await loadGolden('t5');
after(() => [mpnet, quantized, t5].forEach((model) => model.dispose()));

testEncoder('mpnet', mpnet, quantized, TEXT);
testExplainedLogit('mpnet', mpnet);

test('biases of all distances are those of transformers, on both sides of a token', async () => {
  const run = async (/** @type {LoadedModel} */ {encoder}, /** @type {number} */ tokens) =>
    (await encoder.run(batchOf(new Array(tokens).fill(5)))).pass;
  for (const [name, model, tokens] of /** @type {const} */ ([
    ['mpnet', mpnet, 298],
    ['t5', t5, 64],
  ])) {
    const {biases_by_distance: expected, decoder_biases: ofDecoder} = await expectedOf(name);
    const pass = await run(model, tokens);
    for (let head = 0; head < model.shape.heads; head++) {
      const found = await model.encoder.pull(pass, 'positionScores', [1, head]);
      assert.deepEqual(found, byDistance(part(expected, head), tokens));
    }
    if (!ofDecoder) continue;
    const {decoder} = /** @type {NonNullable<LoadedModel['translator']>} */ (model.translator);
    const source = await model.encoder.pull(pass, 'hiddenStates', [model.shape.layers]);
    const written = await decoder.encoder.run({...batchOf(new Array(tokens).fill(5)), source});
    for (let head = 0; head < decoder.shape.heads; head++) {
      const found = await decoder.encoder.pull(written.pass, 'positionScores', [1, head]);
      const wanted = byDistance(part(ofDecoder, head), tokens);
      for (let query = 0; query < tokens; query++) {
        // No token of a decoder sees a later one.
        const [begin, end] = [query * tokens, query * tokens + query + 1];
        assert.deepEqual(found.subarray(begin, end), wanted.subarray(begin, end));
      }
    }
  }
});

/** @param {ArrayLike<number>} biases  from the farthest key before its query to the farthest behind it @param {number} tokens */
const byDistance = (biases, tokens) =>
  Float32Array.from({length: tokens ** 2}, (_, at) => {
    const [query, key] = [Math.floor(at / tokens), at % tokens];
    return biases[key - query + tokens - 1];
  });

test('the weights are the softmax of the scores that a reader sees, with their biases', async () => {
  assert.equal(mpnet.shape.hasPositionScores, true);
  await assertWeightsAreSoftmax(mpnet, (await mpnet.attend(TEXT)).pass);
  const {encoder, decoder} = await t5.translate(TEXT, {tokens: 7});
  await assertWeightsAreSoftmax(t5, encoder.pass);
  const translator = /** @type {NonNullable<LoadedModel['translator']>} */ (t5.translator);
  await assertWeightsAreSoftmax(translator.decoder, decoder.pass);
});

test('a temperature divides whole scores, biases too', async () => {
  const {pass, ids} = await mpnet.attend(TEXT, {interventions: {temperature: 4}});
  const [queries, keys, values, positions, weights] = await Promise.all(
    /** @type {const} */ (['queries', 'keys', 'values', 'positionScores', 'attention']).map(
      (kind) => mpnet.pull(pass, kind, [0, 2]),
    ),
  );
  const {headDim} = mpnet.shape;
  const vectors = {
    ...{queries, keys, values, headDim, divisor: 4 * Math.sqrt(headDim)},
    positionScores: positions.map((bias) => bias / 4),
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
