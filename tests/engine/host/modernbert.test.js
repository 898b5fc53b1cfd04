/** Tests a model with local layers, rotary positions and gates (tests/golden/modernbert). */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, test} from 'node:test';
import {gunzipSync} from 'node:zlib';
import {openModel} from '../../../scripts/cli/source.mjs';
import {modelTree} from '../../../web/engine/client/model-tree.js';
import {parseConfig} from '../../../web/engine/files/model-config.js';
import {readSafetensors} from '../../../web/engine/files/safetensors.js';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';
import {
  allAttention,
  goldenFolder,
  inChunks,
  join,
  largestDifference,
  loadGolden,
  readTensors,
  runtime,
} from '../support.js';

const TEXT = 'the cat [MASK] on the mat';
/** How many tokens the local layers of the golden model see on each side. */
const WINDOW = 2;

const model = await loadGolden('modernbert');
const quantized = await loadGolden('modernbert', 'int8');
after(() => {
  model.dispose();
  quantized.dispose();
});

test('a local layer sees what is near, every third layer the whole text', async () => {
  for (const each of [model, quantized]) {
    const {pass, ids} = await each.attend(TEXT);
    for (let layer = 0; layer < each.shape.layers; layer++) {
      for (let head = 0; head < each.shape.heads; head++) {
        const weights = await each.pull(pass, 'attention', [layer, head]);
        for (const [at, weight] of weights.entries()) {
          const distance = Math.abs(Math.floor(at / ids.length) - (at % ids.length));
          const isSeen = layer % 3 === 0 || distance <= WINDOW;
          assert.equal(weight > 0, isSeen, `layer ${layer}, ${distance} tokens apart`);
        }
      }
    }
  }
});

test('the mask is predicted, and at every layer', async () => {
  const {pass, tokens} = await model.attend(TEXT);
  const [{index, top}] = await model.predictions(pass, 3);
  assert.equal(tokens[index], '[MASK]');
  const lens = await model.logitLens(pass, index, 3);
  assert.equal(lens.length, model.shape.layers + 1);
  assert.deepEqual(lens[model.shape.layers], top);
});

test('what takes layers like BERT’s apart is refused with the reason', async () => {
  const {pass} = await model.attend(TEXT);
  const message = /found norms before the parts/;
  await assert.rejects(model.explain(pass, 'globenc'), {code: 'not-available', message});
  const ofSum = /found a word head with an activation of its own/;
  await assert.rejects(model.logitAttribution(pass), {code: 'not-available', message: ofSum});
  await assert.rejects(model.explain(pass, 'alti-logit'), {code: 'not-available', message: ofSum});
  await assert.rejects(model.generate(pass), {code: 'not-available'});
});

test('a query whose whole window is masked is refused by its number', async () => {
  const maskedTokens = [0, 1, 2, 3, 4, 5];
  await assert.rejects(model.attend(TEXT, {interventions: {maskedTokens}}), {
    code: 'invalid-input',
    message: /at least one token that token 0 may attend to/,
  });
});

test('a quantized file loads to the very same numbers', async () => {
  const bytes = join(quantized.quantizedFile());
  const open = () => readSafetensors(inChunks(bytes), 'copy');
  const copy = await runtime.load({name: 'copy', path: 'copy', weights: 'copy', files: {}, open});
  assert.deepEqual(await allAttention(copy, TEXT), await allAttention(quantized, TEXT));
  const [found, exact] = [await allAttention(quantized, TEXT), await allAttention(model, TEXT)];
  assert(largestDifference(found, exact) < 0.05);
  copy.dispose();
});

const {files} = await openModel(goldenFolder('modernbert'));

test('ids of 1,000 hard strings are those of Hugging Face’s tokenizers', () => {
  const {strings} = JSON.parse(readFileSync('tests/golden/hard-strings.json', 'utf8'));
  const packed = readFileSync(`${goldenFolder('modernbert')}/ids.json.gz`);
  /** @type {number[][]} */
  const expected = JSON.parse(gunzipSync(packed).toString());
  assert.equal(expected.length, 1000);
  const tokenizer = new Tokenizer(files, 'modernbert');
  const texts = /** @type {string[]} */ (strings).slice(-expected.length);
  for (const [at, text] of texts.entries()) {
    assert.deepEqual(tokenizer.encode(text).ids, expected[at], JSON.stringify(text));
  }
});

/** @type {Record<string, unknown>} */
const json = JSON.parse(files['config.json']);

/** @param {object} changes */
const parse = (changes) => parseConfig(JSON.stringify({...json, ...changes}), 'm');

test('configurations of both forms name the same layers', () => {
  const {layer_types: _, rope_parameters: __, ...plain} = json;
  const old = {
    ...plain,
    global_attn_every_n_layers: 3,
    global_rope_theta: 160000,
    local_rope_theta: 10000,
  };
  assert.deepEqual(parseConfig(JSON.stringify(old), 'm'), parse({}));
  const {window, globalEvery, rotaryBase, localRotaryBase} = parse({});
  assert.deepEqual([window, globalEvery, rotaryBase, localRotaryBase], [WINDOW, 3, 160000, 10000]);
});

test('a configuration that the layers cannot express is refused by its field', () => {
  const rotation = {rope_theta: 160000, rope_type: 'yarn'};
  for (const [changes, message] of /** @type {const} */ ([
    [{norm_bias: true}, 'norm_bias to be false, found true'],
    [{decoder_bias: false}, 'decoder_bias to be true, found false'],
    [{local_attention: 0}, 'local_attention to be a positive integer, found 0'],
    [{layer_types: ['full_attention']}, 'layer_types to be full_attention in every n-th layer'],
    [{rope_parameters: {full_attention: rotation}}, 'rope_type to be default, found "yarn"'],
  ])) {
    assert.throws(() => parse(changes), {code: 'bad-config', message: new RegExp(message)});
  }
});

test('the tree counts the parameters of the weights', async () => {
  const tensors = await readTensors(`${goldenFolder('modernbert')}/model.safetensors`);
  const count = Object.values(tensors).reduce((sum, {data}) => sum + data.length, 0);
  assert.equal(modelTree(model.config, model.predictionHeads).parameters, count);
});
