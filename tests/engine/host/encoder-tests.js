/** Tests that every encoder of transformers passes, by its golden model in tests/golden. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {gunzipSync} from 'node:zlib';
import {openModel} from '../../../scripts/cli/source.mjs';
import {headArithmetic} from '../../../web/attention/head-arithmetic.js';
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
  part,
  readTensors,
  runtime,
  TOLERANCE,
} from '../support.js';

/** @import {PassInput} from '../../../web/engine/host/encoder.js' */
/** @typedef {Awaited<ReturnType<typeof import('../support.js').loadGolden>>} LoadedModel */

/**
 * @param {string} name
 * @param {LoadedModel} model
 * @param {LoadedModel} quantized
 * @param {string} text
 */
export function testEncoder(name, model, quantized, text) {
  testParameterCount(name, model);

  test(`${name}: a quantized file loads to the very same numbers, near those of its model`, async () => {
    const bytes = join(quantized.quantizedFile());
    const open = () => readSafetensors(inChunks(bytes), 'copy');
    const copy = await runtime.load({name: 'copy', path: 'copy', weights: 'copy', files: {}, open});
    const [found, exact] = [await allAttention(quantized, text), await allAttention(model, text)];
    assert.deepEqual(await allAttention(copy, text), found);
    assert(largestDifference(found, exact) < 0.05, String(largestDifference(found, exact)));
    assert.deepEqual(copy.notes, []);
    copy.dispose();
  });

  test(`${name}: ids of 1,000 hard strings are those of transformers`, async () => {
    const {files} = await openModel(goldenFolder(name));
    const tokenizer = new Tokenizer(files, name);
    for (const [text, ids] of hardStrings(name))
      assert.deepEqual(tokenizer.encode(text).ids, ids, JSON.stringify(text));
  });
}

/** @param {string} name @param {LoadedModel} model */
export function testParameterCount(name, model) {
  test(`${name}: the tree counts the parameters of the weights`, async () => {
    const tensors = await readTensors(`${goldenFolder(name)}/model.safetensors`);
    const count = Object.values(tensors).reduce((sum, {data}) => sum + data.length, 0);
    assert.equal(modelTree(model.config, model.predictionHeads).parameters, count);
  });
}

/** @param {string} name @returns {[string, number[]][]}  1,000 texts with the ids that transformers give */
export function hardStrings(name) {
  const {strings} = JSON.parse(readFileSync('tests/golden/hard-strings.json', 'utf8'));
  const packed = readFileSync(`${goldenFolder(name)}/ids.json.gz`);
  /** @type {number[][]} */
  const expected = JSON.parse(gunzipSync(packed).toString());
  assert.equal(expected.length, 1000);
  const texts = /** @type {string[]} */ (strings).slice(-expected.length);
  return texts.map((text, at) => [text, expected[at]]);
}

/** @param {string} name @param {LoadedModel} model */
export function testExplainedLogit(name, model) {
  test(`${name}: a logit is explained by its gradient as autograd has it, and by parts that sum to it`, async () => {
    const expected = await expectedOf(name);
    const ids = part(expected.input_ids, 0);
    const {pass} = await model.encoder.run(batchOf(ids));
    const word = {token: 4, id: 7};
    const {contributions, value} = await model.explain(pass, 'decompx', word);
    assert(Math.abs(value - expected.explained_value.data[0]) <= TOLERANCE.logits);
    const total = contributions.reduce((sum, each) => sum + each, 0);
    assert(Math.abs(total - value) <= TOLERANCE.logits);
    const gradient = model.explain(pass, 'gradient', word);
    const expectedGradient = expected.explained_gradient.data;
    if (expectedGradient.every((each) => Math.abs(each) < 1e-5)) {
      // Words are normalized before anything is added to them.
      await assert.rejects(gradient, {code: 'not-available', message: /all contributions are 0$/});
    } else {
      const difference = largestDifference((await gradient).contributions, expectedGradient);
      assert(difference <= TOLERANCE.contributions, String(difference));
    }
    for (const method of /** @type {const} */ (['norm', 'globenc', 'alti', 'value-zeroing'])) {
      const shares = await model.explain(pass, method, word);
      const sum = shares.contributions.reduce((all, each) => all + each, 0);
      assert(Math.abs(sum - 1) <= 1e-5, method);
    }
  });
}

/**
 * Computes what a reader sees of each head, and compares its softmax with the weights.
 *
 * @param {LoadedModel} model
 * @param {PassInput} pass
 * @param {(layer: number, head: number) => Float32Array} [expected]  the weights, those of the engine unless given
 */
export async function assertWeightsAreSoftmax(model, pass, expected) {
  const {layers, heads, headDim, scoreDivisors} = model.shape;
  const tokens = pass.ids.length;
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const [queries, keys, values, positionScores, attention] = await Promise.all(
        /** @type {const} */ (['queries', 'keys', 'values', 'positionScores', 'attention']).map(
          (kind) => model.pull(pass, kind, [layer, head]),
        ),
      );
      const weights = expected?.(layer, head) ?? attention;
      const vectors = {
        queries,
        keys,
        values,
        positionScores,
        headDim,
        divisor: scoreDivisors?.[layer],
      };
      for (let query = 0; query < tokens; query++) {
        const seen = model.config.isCausal ? query + 1 : tokens;
        const {softmax} = headArithmetic(vectors, query, {seen});
        const row = weights.subarray(query * tokens, (query + 1) * tokens);
        assert(largestDifference(softmax, row) <= TOLERANCE.attention);
      }
    }
  }
}
