/** Tests how the wasm module by itself takes a configuration and tensors. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NO_CHANGES} from '../../../web/engine/interventions.js';
import {
  begin,
  config,
  failureOf,
  IDS,
  kernels,
  LENGTHS,
  load,
  loadedModel,
  module,
  TYPES,
} from './bare-module.js';

/** @import {ModelConfig, WasmModel} from '../../../web/engine/wasm-module.d.ts' */

test('a configuration is refused by the field that is wrong', () => {
  const model = new module.Model(kernels);
  const whole = 'expected a whole number from 0 to 4294967294, found';
  const activation = 'expected gelu, gelu_new, gelu_pytorch_tanh, relu, swish, silu, found';
  for (const [field, value, message] of /** @type {[keyof ModelConfig, unknown, string][]} */ ([
    ['heads', 1.9, `heads: ${whole} 1.9`],
    ['layerGroups', -3, `layerGroups: ${whole} -3`],
    ['hiddenSize', NaN, `hiddenSize: ${whole} NaN`],
    ['layers', 2 ** 32, `layers: ${whole} 4294967296`],
    ['layers', Infinity, `layers: ${whole} Infinity`],
    ['vocabulary', '101', `vocabulary: ${whole} 101`],
    ['positions', undefined, `positions: ${whole} undefined`],
    ['tokenTypes', null, `tokenTypes: ${whole} null`],
    ['embeddingSize', {}, `embeddingSize: ${whole} object`],
    ['positionOffset', 1e-9, `positionOffset: ${whole} 1e-9`],
    ['intermediateSize', -0.5, `intermediateSize: ${whole} -0.5`],
    ['activation', 'mish', `activation: ${activation} mish`],
    ['wordHeadActivation', 5, `wordHeadActivation: ${activation} 5`],
    [
      'classifierActivation',
      'mish',
      'classifierActivation: expected gelu, gelu_new, gelu_pytorch_tanh, relu, swish, silu or tanh, found mish',
    ],
    [
      'family',
      undefined,
      'the family: expected one of bert, distilbert, roberta, electra, albert, gpt2, modernbert, modernbert-classifier, mpnet, deberta-v2, bart, t5, llama, gpt_neox, found undefined',
    ],
    ['classifierInput', 5, 'classifierInput: expected pooler, dense or state, found 5'],
    ['classifiedState', 'last', 'classifiedState: expected first, mean or each, found last'],
    ['heads', 7, 'hidden_size: expected a multiple of num_attention_heads (7), found 60'],
    ['layers', 0, 'num_hidden_layers: expected 1 to 1024, found 0'],
    [
      'layerNormEpsilon',
      'small',
      'layer_norm_eps: expected a finite number of at least 0, found NaN',
    ],
  ])) {
    const failure = failureOf(begin(model, {[field]: value}));
    assert.deepEqual(failure, {code: 'invalid-config', message});
  }
  for (const value of [undefined, null, 5, 'config', []]) {
    const failure = failureOf(model.begin(/** @type {any} */ (value), 'int8', 'plain'));
    assert.equal(failure.code, 'invalid-config');
  }
  assert.deepEqual(failureOf(model.begin(config, /** @type {any} */ ('f16'), 'plain')), {
    code: 'invalid-config',
    message: 'the precision: expected int8 or f32, found f16',
  });
  assert.deepEqual(failureOf(model.begin(config, 'int8', /** @type {any} */ ('bent'))), {
    code: 'invalid-config',
    message: 'the basis: expected plain or rotated, found bent',
  });
  assert.equal(begin(model, {classifierActivation: 'tanh'}), null);
  model.delete();
});

test('begin() drops the old weights and everything derived from them', () => {
  const [model, other] = [loadedModel(), new module.Model(kernels)];
  load(other, (value) => value ^ 0xff);
  const first = model.tensorBytes(0);
  assert.notDeepEqual(model.tensorBytes(1), other.tensorBytes(1));
  assert.equal(begin(model), null);
  const result = [model.tensors(), model.tensorBytes(0), model.attention(0, 0, 0)];
  for (const each of result) assert.equal(failureOf(each).code, 'not-available');
  assert.equal(failureOf(model.start(IDS, TYPES, LENGTHS, NO_CHANGES)).code, 'not-available');
  assert.equal(model.sibling(), null);
  assert.equal(failureOf(model.finish()).code, 'missing-tensors');

  // The list of the first weights serves the second ones, whose memory is elsewhere.
  load(model);
  assert.deepEqual(model.tensorBytes(0), first);
  load(model, (value) => value ^ 0xff);
  for (const [index] of /** @type {any[]} */ (other.tensors()).entries()) {
    assert.deepEqual(model.tensorBytes(index), other.tensorBytes(index));
  }
  assert.equal(failureOf(begin(model, {heads: 1.9})).code, 'invalid-config');
  assert.equal(failureOf(model.tensorBytes(0)).code, 'not-available');
  for (const each of [model, other]) each.delete();
});

test('a tensor counts only after endTensor() has accepted it', () => {
  const model = new module.Model(kernels);
  const name = 'bert.embeddings.LayerNorm.bias';
  const bytes = new Uint8Array(240);
  /** @param {WasmModel} to */
  const missing = (to) => failureOf(to.finish()).message;
  for (const bad of [new Float32Array(60).fill(NaN), new Uint8Array(239), new Uint8Array(241)]) {
    assert.equal(begin(model), null);
    assert.equal(model.beginTensor(name, 'F32', [60]), true);
    const appended = model.append(new Uint8Array(bad.buffer));
    const ended = model.endTensor();
    assert.match(failureOf(ended).message, /LayerNorm\.bias/);
    if (appended) assert.deepEqual(ended, appended);
    assert.match(missing(model), /embeddings\.LayerNorm\.bias/);
  }
  assert.equal(begin(model), null);
  assert.equal(model.beginTensor(name, 'F32', [60]), true);
  assert.equal(model.append(bytes), null);
  assert.equal(model.beginTensor('bert.embeddings.LayerNorm.weight', 'F32', [60]), true);
  assert.equal(model.append(bytes), null);
  assert.equal(model.endTensor(), null);
  // The tensor has ended; there is none to append to.
  assert.equal(model.append(bytes), null);
  assert.equal(model.endTensor(), null);
  assert.match(missing(model), /embeddings\.LayerNorm\.bias/);
  assert.equal(begin(model), null);
  assert.equal(model.beginTensor(name, 'F32', [60]), true);
  assert.equal(model.append(bytes), null);
  // A tensor that is refused ends the one before it as well.
  assert.equal(failureOf(model.beginTensor(name, 'F32', [61])).code, 'shape-mismatch');
  assert.equal(model.endTensor(), null);
  assert.match(missing(model), /embeddings\.LayerNorm\.bias/);
  assert.equal(begin(model), null);
  assert.equal(model.beginTensor(name, 'F32', [60]), true);
  assert.equal(model.append(bytes), null);
  assert.equal(model.endTensor(), null);
  assert.doesNotMatch(missing(model), /embeddings\.LayerNorm\.bias/);
  model.delete();
});

test('a shape that is not a list of whole numbers is refused', () => {
  const model = new module.Model(kernels);
  assert.equal(begin(model), null);
  for (const shape of [
    ...[[], [-60], [60.5], [2 ** 32 + 60], [NaN], ['60'], [60, 1], [Infinity], [[60]]],
    ...[undefined, null, 60, {length: 1}, {length: -1}, {length: 2 ** 31}, {length: 2 ** 40}],
  ]) {
    const refused = model.beginTensor('pooler.dense.bias', 'F32', /** @type {any} */ (shape));
    assert.match(failureOf(refused).code, /shape-mismatch|invalid-input/);
    assert.equal(model.append(new Uint8Array(240)), null); // ignored
  }
  model.delete();
});
