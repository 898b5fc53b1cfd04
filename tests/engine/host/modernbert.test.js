/** Tests a model with local layers, rotary positions and gates (tests/golden/modernbert). */

import assert from 'node:assert/strict';
import {after, test} from 'node:test';
import {openModel} from '../../../scripts/cli/source.mjs';
import {parseConfig} from '../../../web/engine/files/model-config.js';
import {testEncoder} from './encoder-tests.js';
import {goldenFolder, loadGolden} from '../support.js';

const TEXT = 'the cat [MASK] on the mat';
/** How many tokens the local layers of the golden model see on each side. */
const WINDOW = 2;

const model = await loadGolden('modernbert');
const quantized = await loadGolden('modernbert', 'int8');
after(() => {
  model.dispose();
  quantized.dispose();
});

testEncoder('modernbert', model, quantized, TEXT);

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

const {files} = await openModel(goldenFolder('modernbert'));

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
