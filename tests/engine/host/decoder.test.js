/** Tests what a decoder alone can do, and what it cannot, with GPT-2 (tests/golden/gpt2). */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, test} from 'node:test';
import {openModel} from '../../../scripts/cli/source.mjs';
import {readSafetensors} from '../../../web/engine/files/safetensors.js';
import {
  allAttention,
  batchOf,
  goldenFolder,
  inChunks,
  largestDifference,
  loadGolden,
  readAll,
  runtime,
  safetensors,
} from '../support.js';

const TEXT = 'the cat sat on the mat and he was in the river';

const model = await loadGolden('gpt2');
const quantized = await loadGolden('gpt2', 'int8');
after(() => {
  model.dispose();
  quantized.dispose();
});

test('drawn continuations depend on the seed and the temperature alone', async () => {
  const {pass} = await model.attend(TEXT);
  const draw = async (/** @type {number} */ seed, temperature = 1) =>
    (await model.generate(pass, {tokens: 12, seed, temperature})).ids;
  assert.deepEqual(await draw(1), await draw(1));
  assert.notDeepEqual(await draw(1), await draw(2));
  assert.deepEqual(await draw(3, 1e-6), (await model.generate(pass, {tokens: 12})).ids);
});

test('a continuation ends at the last position of the model, and where it is stopped', async () => {
  const {pass} = await model.attend(TEXT);
  const {ids} = await model.generate(pass, {tokens: 1000});
  assert.equal(pass.ids.length + ids.length, model.shape.positions);
  const controller = new AbortController();
  /** @type {string[]} */
  const seen = [];
  const stopped = model.generate(pass, {
    signal: controller.signal,
    onProgress: ({text, done, total}) => {
      seen.push(text);
      assert.equal(total, 20);
      if (done === 3) controller.abort();
    },
  });
  await assert.rejects(stopped, {name: 'AbortError'});
  assert.equal(seen.length, 3);
});

test('options of a continuation that make no sense are refused', async () => {
  const {pass} = await model.attend(TEXT);
  for (const [options, message] of /** @type {const} */ ([
    [{tokens: -1}, 'generate.tokens: expected a whole number from 0 to 2147483648, found -1'],
    [{temperature: NaN}, 'generate.temperature: expected a number from 0 to 100, found NaN'],
    [{seed: 0.5}, 'generate.seed: expected a whole number from 0 to 4294967295, found 0.5'],
  ])) {
    const code = 'bad-option';
    await assert.rejects(model.generate(pass, options), {code, message});
  }
});

test('what is defined only for encoders is refused with the reason', async () => {
  const {pass} = await model.attend(TEXT);
  const code = 'not-available';
  const message = /because decompx is defined for these, .* found norms before the parts/;
  await assert.rejects(model.explain(pass, 'decompx'), {code, message});
  await assert.rejects(model.sentenceSimilarity(pass, pass), {
    code,
    message: /their mean is no sentence vector/,
  });
  const contributions = new Float32Array(pass.ids.length);
  await assert.rejects(model.deletionCurve(pass, contributions), {code: 'no-mask-token'});
  const bert = await loadGolden('roberta');
  const other = await bert.attend('the cat');
  await assert.rejects(bert.generate(other.pass), {
    code,
    message: /expected a model that predicts the next token, found another/,
  });
  bert.dispose();
});

test('a token surprises by its probability after those before it', async () => {
  const {pass, ids} = await model.attend(TEXT);
  const surprises = await model.surprise(pass, {topK: 1});
  assert.deepEqual(
    surprises.map(({index}) => index),
    ids.map((_, index) => index).slice(1),
  );
  const predictions = await model.predictions(pass, 1);
  for (const {index, probability, bits, top} of surprises) {
    const [given] = await model.probabilities(pass, index - 1, [ids[index]]);
    assert(Math.abs(given - probability) < 1e-6);
    assert(Math.abs(bits + Math.log2(probability)) < 1e-9);
    assert.deepEqual(top, predictions[index - 1].top);
  }
});

test('effects of heads and patches are read after the text', async () => {
  const {pass, ids} = await model.attend(TEXT);
  const effects = await model.headEffects(pass, undefined);
  const [{id, probability}] = (await model.predictions(pass, 1))[ids.length - 1].top;
  assert.deepEqual(effects.target, {token: ids.length - 1, id});
  assert(Math.abs(effects.probability - probability) < 1e-6);
  assert(effects.change.some((change) => change !== 0));
  const changed = 5;
  const other = ids.map((id, at) => (at === changed ? id + 1 : id));
  const from = await model.encoder.run(batchOf(other));
  const {map, shape} = await model.patch(pass, from.pass);
  assert.deepEqual(shape, [model.shape.layers + 1, ids.length]);
  const isMoved = Array.from(map, (share) => share !== 0);
  // Both texts have the same states before the changed token, and after the last layer only the
  // last token's is read.
  const [first, last] = [isMoved.slice(0, ids.length), isMoved.slice(-ids.length)];
  assert.deepEqual(
    first,
    ids.map((_, at) => at === changed),
  );
  assert.deepEqual(
    last,
    ids.map((_, at) => at === ids.length - 1),
  );
});

test('the measures of a decoder mix only what a token can see', async () => {
  const {pass, ids} = await model.attend(TEXT);
  for (const measure of /** @type {const} */ (['norm', 'rollout', 'flow'])) {
    const matrix = await model.measure(pass, measure, 2, measure === 'norm' ? 1 : undefined);
    for (let query = 0; query < ids.length; query++) {
      const row = matrix.subarray(query * ids.length, (query + 1) * ids.length);
      assert(row.subarray(query + 1).every((value) => value === 0));
      const sum = row.reduce((all, value) => all + value, 0);
      if (measure !== 'norm') assert(Math.abs(sum - 1) < 1e-5);
    }
  }
  const {statistics} = await model.headStatistics(pass);
  assert(statistics.next.every((share) => share === 0));
});

test('the only token that the first one sees is not masked', async () => {
  const {dropped} = await model.attend(TEXT, {interventions: {maskedTokens: [0]}});
  assert.deepEqual(
    dropped.map(({code}) => code),
    ['no-keys-left'],
  );
});

test('names without the prefix, masks among the weights and an untied decoder load', async () => {
  const file = readFileSync(`${goldenFolder('gpt2')}/model.safetensors`);
  const {tensors} = await readAll(inChunks(new Uint8Array(file)));
  const entries = [...tensors].map(([name, tensor]) => ({
    ...tensor,
    name: name.replace('transformer.', ''),
  }));
  const masks = ['h.0.attn.bias', 'h.1.attn.masked_bias'].map((name) => ({
    name,
    dtype: /** @type {const} */ ('F32'),
    shape: [1, 1, 2, 2],
    bytes: new Uint8Array(16),
  }));
  const bare = await withWeights([...masks, ...entries]);
  assert.deepEqual(await allAttention(bare, TEXT), await allAttention(model, TEXT));
  assert.deepEqual(bare.notes, []);

  const words = /** @type {(typeof entries)[0]} */ (
    entries.find(({name}) => name === 'wte.weight')
  );
  const twice = Float32Array.from(new Float32Array(words.bytes.slice().buffer), (x) => 2 * x);
  const decoder = {...words, name: 'lm_head.weight', bytes: new Uint8Array(twice.buffer)};
  const untied = await withWeights([...entries, decoder], {tie_word_embeddings: false});
  const logitsOf = async (/** @type {typeof model} */ each) =>
    each.pull((await each.attend(TEXT)).pass, 'wordLogits', [3, 4]);
  const expected = (await logitsOf(model)).map((logit) => 2 * logit);
  assert(largestDifference(await logitsOf(untied), expected) < 1e-4);
});

test('a configuration that the layers cannot express is refused by its field', async () => {
  for (const [fields, message] of /** @type {const} */ ([
    [{add_cross_attention: true}, 'add_cross_attention to be false'],
    [{n_head: 0}, 'n_head to be a positive integer, found 0'],
  ])) {
    const message_ = new RegExp(message);
    await assert.rejects(withWeights([], fields), {code: 'bad-config', message: message_});
  }
});

/**
 * @param {Parameters<typeof safetensors>[0]} tensors
 * @param {object} [fields] Of the configuration.
 */
async function withWeights(tensors, fields) {
  const source = await openModel(goldenFolder('gpt2'));
  const config = {...JSON.parse(source.files['config.json']), ...fields};
  const files = {...source.files, 'config.json': JSON.stringify(config)};
  const open = () => readSafetensors(inChunks(safetensors(tensors)), 'file');
  return runtime.load({...source, files, open}, {precision: 'f32'});
}
