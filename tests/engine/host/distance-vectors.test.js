/** Tests DeBERTa, whose queries and keys also meet vectors of distances (tests/golden/deberta-v2). */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, test} from 'node:test';
import {gunzipSync} from 'node:zlib';
import {openModel} from '../../../scripts/cli/source.mjs';
import {modelTree} from '../../../web/engine/client/model-tree.js';
import {readSafetensors} from '../../../web/engine/files/safetensors.js';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';
import {
  allAttention,
  batchOf,
  expectedOf,
  goldenFolder,
  inChunks,
  join,
  largestDifference,
  loadGolden,
  part,
  readTensors,
  runtime,
  TOLERANCE,
} from '../support.js';

const NAME = 'deberta-v2';
const TEXT = 'the cat sat on the mat and he was in the river';

const model = await loadGolden(NAME);
const quantized = await loadGolden(NAME, 'int8');
after(() => [model, quantized].forEach((each) => each.dispose()));

test('products are divided by the root of three head sizes, and no biases are told', async () => {
  const {layers, headDim, scoreDivisors, hasDistanceProducts} = model.shape;
  assert.deepEqual(scoreDivisors, new Array(layers).fill(Math.sqrt(3 * headDim)));
  assert.equal(hasDistanceProducts, true);
  assert.equal((await model.attend(TEXT)).scoreBiases, undefined);
  await assert.rejects(model.encoder.scoreBiases(3), {code: 'not-available'});
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

test('the tree counts the parameters of the weights', async () => {
  const tensors = await readTensors(`${goldenFolder(NAME)}/model.safetensors`);
  const count = Object.values(tensors).reduce((sum, {data}) => sum + data.length, 0);
  assert.equal(modelTree(model.config, model.predictionHeads).parameters, count);
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

test('a quantized file loads to the very same numbers, near those of its model', async () => {
  const bytes = join(quantized.quantizedFile());
  const open = () => readSafetensors(inChunks(bytes), 'copy');
  const copy = await runtime.load({name: 'copy', path: 'copy', weights: 'copy', files: {}, open});
  const [found, exact] = [await allAttention(quantized, TEXT), await allAttention(model, TEXT)];
  assert.deepEqual(await allAttention(copy, TEXT), found);
  assert(largestDifference(found, exact) < 0.05, String(largestDifference(found, exact)));
  assert.deepEqual(copy.notes, []);
  copy.dispose();
});

test('a logit is explained by its gradient as autograd has it, and by parts that sum to it', async () => {
  const expected = await expectedOf(NAME);
  const ids = part(expected.input_ids, 0);
  const {pass} = await model.encoder.run(batchOf(ids));
  const word = {token: 4, id: 7};
  const {contributions, value} = await model.explain(pass, 'gradient', word);
  assert(Math.abs(value - expected.explained_value.data[0]) <= TOLERANCE.logits);
  const difference = largestDifference(contributions, expected.explained_gradient.data);
  assert(difference <= TOLERANCE.contributions, String(difference));
  const parts = await model.explain(pass, 'decompx', word);
  const total = parts.contributions.reduce((sum, each) => sum + each, 0);
  assert(Math.abs(total - value) <= TOLERANCE.logits);
  for (const method of /** @type {const} */ (['norm', 'globenc', 'alti', 'value-zeroing'])) {
    const shares = await model.explain(pass, method, word);
    const sum = shares.contributions.reduce((all, each) => all + each, 0);
    assert(Math.abs(sum - 1) <= 1e-5, method);
  }
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

test('ids of 1,000 hard strings are those of transformers', async () => {
  const {files} = await openModel(goldenFolder(NAME));
  const {strings} = JSON.parse(readFileSync('tests/golden/hard-strings.json', 'utf8'));
  /** @type {number[][]} */
  const expected = JSON.parse(
    gunzipSync(readFileSync(`${goldenFolder(NAME)}/ids.json.gz`)).toString(),
  );
  assert.equal(expected.length, 1000);
  const tokenizer = new Tokenizer(files, NAME);
  const texts = /** @type {string[]} */ (strings).slice(-expected.length);
  for (const [at, text] of texts.entries()) {
    assert.deepEqual(tokenizer.encode(text).ids, expected[at], JSON.stringify(text));
  }
});
