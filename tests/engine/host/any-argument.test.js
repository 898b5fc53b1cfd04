/** Tests that the wasm module by itself neither throws nor traps, with whatever arguments it is called. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {NO_CHANGES} from '../../../web/engine/interventions.js';
import {tries} from '../../support/tries.js';
import {begin, config, IDS, kernels, LENGTHS, module, runModel, TYPES} from './bare-module.js';

test('no argument makes a method of a model throw or trap', () => {
  const model = runModel();
  const heads = new module.Heads(config.layers, config.heads, true);
  const explanation = new module.Explanation();
  const before = model.attention(0, 1, 2);
  const anything = fc.anything({maxDepth: 2});
  const index = fc.oneof(fc.integer(), fc.double());
  fc.assert(
    fc.property(
      fc.array(anything, {minLength: 4, maxLength: 4}),
      fc.array(index, {minLength: 3, maxLength: 3}),
      fc.string(),
      ([a, b, c, d], [i, j, k], name) => {
        const values = /** @type {any[]} */ ([a, b, c, d]);
        for (const each of values) {
          const other = new module.Model(kernels);
          other.begin(each, 'int8', 'rotated');
          begin(other);
          other.beginTensor(name, 'F32', each);
          other.beginTensor('pooler.dense.bias', 'F32', [60]);
          other.append(each);
          other.endTensor();
          other.finish();
          other.delete();
          model.change(each);
          model.wordEmbeddings(each);
          model.beginExplanation(explanation, i, /** @type {any} */ (name), each, each, null);
          model.beginExplanation(explanation, 0, 'norm', each, IDS, null);
          model.beginExplanation(explanation, 0, 'integrated-gradients', each, each, null);
          model.beginExplanation(explanation, 0, 'gradient', each, each, model);
          model.beginExplanation(explanation, 0, 'alti-plus', each, each, model);
          model.addTo(heads, i, each);
          model.addTo(heads, 0, {kinds: each, words: each, occurrences: each});
          model.keep(i);
          model.change({...NO_CHANGES, patches: each});
          model.change({...NO_CHANGES, patches: [each]});
          const lists = {heads: [each], edges: [each], layersOff: [each], maskedTokens: each};
          model.change({...NO_CHANGES, ...lists});
          model.forget();
        }
        model.start(values[0], values[1], values[2], values[3]);
        model.attention(i, j, k);
        model.tensorBytes(i);
      },
    ),
    tries(200),
  );
  assert.equal(model.start(IDS, TYPES, LENGTHS, NO_CHANGES), null);
  for (let layer = 0; layer < config.layers; layer++) assert.equal(model.runLayer(layer), null);
  assert.deepEqual(model.attention(0, 1, 2), before);
  for (const each of [explanation, heads, model]) each.delete();
});

test('no argument makes an operation of the lab throw or trap', () => {
  const layers = new module.RandomLayers();
  const names = Object.keys(module).filter((name) => /^lab[A-Z]/.test(name));
  assert(names.length > 15);
  const ofLayers = ['labFeedForward', 'labMultiHead', 'labEncoderLayer', 'labEncoder'];
  const small = fc.oneof(fc.nat(4), fc.anything({maxDepth: 1}));
  const tensor = fc.record(
    {shape: fc.array(small, {maxLength: 4}), data: small},
    {requiredKeys: []},
  );
  const value = fc.oneof(small, tensor, fc.constant({shape: [2, 3], data: new Float32Array(6)}));
  const fields = [
    ...['x', 'a', 'b', 'ids', 'query', 'key', 'value', 'scores', 'weights', 'values', 'input'],
    ...['keep', 'shape', 'heads', 'features', 'weight', 'bias', 'inFeatures', 'outFeatures'],
    ...['tokens', 'hiddenSize', 'intermediate', 'layers', 'labels', 'hiddenState', 'source'],
    ...['target', 'targetKeep', 'seed', 'epsilon', 'scale', 'axis', 'norm', 'kind', 'positions'],
    ...['causal', 'output', 'parameters'],
  ];
  const options = fc.record(Object.fromEntries(fields.map((field) => [field, value])));
  fc.assert(
    fc.property(fc.oneof(options, fc.anything({maxDepth: 1})), (given) => {
      for (const name of names) /** @type {any} */ (module)[name](given);
      for (const name of ofLayers) /** @type {any} */ (layers)[name](given);
    }),
    tries(300),
  );
  const x = {shape: [2], data: Float32Array.of(1, 2)};
  assert.deepEqual(/** @type {any} */ (module.labNorms({x})).shape, [1]);
  /** @type {any} */ (layers).delete();
});
