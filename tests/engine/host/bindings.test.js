/** The wasm module by itself: whatever it is called with, it answers or returns an error. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import fc from 'fast-check';
import {NO_CHANGES} from '../../../web/engine/interventions.js';
import {parseConfig} from '../../../web/engine/files/model-config.js';
import {tries} from '../../support/tries.js';
import {fromRoot, goldenFolder, inChunks, readAll} from '../support.js';

/** @import {Failure, ModelConfig, WasmFlow, WasmHeads, WasmModel, WasmModule} from '../../../web/engine/wasm-module.d.ts' */

const FOLDER = goldenFolder('odd-sizes');
const config = parseConfig(`${readFileSync(`${FOLDER}/config.json`)}`, 'odd-sizes');
const {tensors} = await readAll(
  inChunks(new Uint8Array(readFileSync(`${FOLDER}/model.safetensors`))),
);

const {default: createModule} = await import('#wasm/bertscope.js');
const module = /** @type {WasmModule} */ (
  await createModule({
    wasmBinary: readFileSync(fromRoot('build/wasm/bertscope.wasm')),
    wasmMemory: new WebAssembly.Memory({initial: 256, maximum: 65536}),
    printErr: () => {},
  })
);
const kernels = new module.Kernels(0);

/** @param {unknown} result */
function failureOf(result) {
  const {code, message} = /** @type {Failure} */ (result ?? {});
  assert.equal(typeof message, 'string', `expected a failure, found ${result}`);
  return {code, message};
}

/** @param {WasmModel} model @param {Partial<Record<keyof ModelConfig, unknown>>} [changes] */
const begin = (model, changes) =>
  model.begin(/** @type {ModelConfig} */ ({...config, ...changes}), 'int8');

/** @param {WasmModel} model @param {(value: number) => number} [change] Of each byte. */
function load(model, change = (value) => value) {
  assert.equal(begin(model), null);
  for (const [name, {dtype, shape, bytes}] of tensors) {
    const wanted = model.beginTensor(name, dtype, shape);
    assert.equal(typeof wanted, 'boolean', name);
    // The least of the mantissa, so that all stay finite.
    assert.equal(model.append(bytes.map((value, at) => (at % 4 ? value : change(value)))), null);
    assert.equal(model.endTensor(), null);
  }
  assert.equal(model.finish(), null);
}

function loadedModel() {
  const model = new module.Model(kernels);
  load(model);
  return model;
}

const IDS = Int32Array.of(2, 7, 9, 3);
const TYPES = Int32Array.of(0, 0, 0, 1);
const LENGTHS = Int32Array.of(4);
const CLASSES = {
  kinds: Uint8Array.of(1, 0, 0, 2),
  words: Int32Array.of(-1, 0, 1, -1),
  occurrences: Int32Array.of(-1, 0, 1, -1),
};

function runModel() {
  const model = loadedModel();
  assert.equal(model.start(IDS, TYPES, LENGTHS, NO_CHANGES), null);
  for (let layer = 0; layer < config.layers; layer++) assert.equal(model.runLayer(layer), null);
  return model;
}

test('a configuration is refused by the field that is wrong', () => {
  const model = new module.Model(kernels);
  const whole = 'expected a whole number from 0 to 4294967294, found';
  const activation = 'expected gelu, gelu_new, gelu_pytorch_tanh or relu, found';
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
    ['activation', 'swish', `activation: ${activation} swish`],
    ['maskedLmActivation', 5, `maskedLmActivation: ${activation} 5`],
    [
      'classifierActivation',
      'swish',
      'classifierActivation: expected gelu, gelu_new, gelu_pytorch_tanh, relu or tanh, found swish',
    ],
    [
      'family',
      undefined,
      'the family: expected bert, distilbert, roberta, electra or albert, found undefined',
    ],
    ['heads', 7, 'hidden_size: expected a multiple of num_attention_heads (7), found 60'],
    ['layers', 0, 'num_hidden_layers: expected 1 to 1024, found 0'],
    [
      'layerNormEpsilon',
      'small',
      'layer_norm_eps: expected a finite number of at least 0, found nan',
    ],
  ])) {
    const failure = failureOf(begin(model, {[field]: value}));
    assert.deepEqual(failure, {code: 'invalid-config', message});
  }
  for (const value of [undefined, null, 5, 'config', []]) {
    assert.equal(failureOf(model.begin(/** @type {any} */ (value), 'int8')).code, 'invalid-config');
  }
  assert.deepEqual(failureOf(model.begin(config, /** @type {any} */ ('f16'))), {
    code: 'invalid-config',
    message: 'the precision: expected int8 or f32, found f16',
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
    assert.match(missing(model), /LayerNorm\.bias/);
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
  assert.match(missing(model), /LayerNorm\.bias/);
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
    ...[undefined, null, 60, {length: 1}, {length: -1}, {length: 2 ** 40}],
  ]) {
    const refused = model.beginTensor('pooler.dense.bias', 'F32', /** @type {any} */ (shape));
    assert.match(failureOf(refused).code, /shape-mismatch|invalid-input/);
    assert.equal(model.append(new Uint8Array(240)), null); // ignored
  }
  model.delete();
});

test('invalid token ids, types and lengths are refused, and the latest pass stays readable', () => {
  const model = runModel();
  const before = model.attention(0, 1, 2);
  const lists = /** @type {const} */ (['ids', 'types', 'lengths']);
  const good = {ids: IDS, types: TYPES, lengths: LENGTHS};
  for (const [name, value] of /** @type {[typeof lists[number], unknown][]} */ ([
    ...lists.flatMap((name) =>
      [undefined, null, 4, {}, {length: -4}, {length: 1e12}].map((value) => [name, value]),
    ),
    ['ids', Int32Array.of()],
    ['ids', Int32Array.of(2, 7, 9)],
    ['ids', Int32Array.of(2, 7, -9, 3)],
    ['ids', Int32Array.of(2, 7, 101, 3)],
    ['ids', [2, 7, 2 ** 32 + 9, 3]], // 9, if it wrapped around
    ['ids', [2, 7, 9.5, 3]],
    ['ids', Float64Array.of(2, 7, 2 ** 40, 3)],
    ['types', Int32Array.of(0, 0, 0)],
    ['types', Int32Array.of(0, 0, 0, 1, 1)],
    ['types', Int32Array.of(0, 0, 0, 2)],
    ['types', Int32Array.of(0, 0, 0, -1)],
    ['lengths', Int32Array.of()],
    ['lengths', Int32Array.of(-4)],
    ['lengths', Int32Array.of(0)],
    ['lengths', Int32Array.of(5)],
    ['lengths', Int32Array.of(2, 3, 1)],
    ['lengths', [2 ** 32 + 4]],
  ])) {
    const {ids, types, lengths} = /** @type {any} */ ({...good, [name]: value});
    const failure = failureOf(model.start(ids, types, lengths, NO_CHANGES));
    assert.match(failure.code, /invalid-input|out-of-memory/, `${name} ${value}`);
  }
  for (const ids of [undefined, [], [101], [-1], [2 ** 32], [NaN], {length: 1e12}]) {
    const failure = failureOf(model.wordEmbeddings(/** @type {any} */ (ids)));
    assert.match(failure.code, /invalid-input|out-of-memory/);
  }
  assert.deepEqual(model.attention(0, 1, 2), before);
  model.delete();
});

test('invalid interventions are refused, and the latest pass stays readable', () => {
  const model = runModel();
  const before = model.attention(0, 1, 2);
  const edge = {layer: 0, head: 0, query: 0, key: 0, weight: 0.5, renormalise: false};
  for (const changes of /** @type {any[]} */ ([
    ...[undefined, null, 5, 'none', []],
    ...[undefined, null, 5, {}, {length: 2 ** 32}].map((heads) => ({...NO_CHANGES, heads})),
    ...[null, 5, {layer: 0}, {layer: 0, head: 2 ** 32, scale: 1}, {layer: 0, head: 0}].map(
      (head) => ({...NO_CHANGES, heads: [head]}),
    ),
    ...[undefined, [undefined], [{...edge, key: -1}], [{...edge, query: 0.5}]].map((edges) => ({
      ...NO_CHANGES,
      edges,
    })),
    ...[[-1], [2 ** 32], [0.5], ['0'], [null]].map((layersOff) => ({...NO_CHANGES, layersOff})),
    ...[[4], [2 ** 32], [NaN]].map((maskedTokens) => ({...NO_CHANGES, maskedTokens})),
    ...[[1], [1, 1, 'x'], [1, 1, 0], [1, 1, 1, 1]].map((layerTemperature) => ({
      ...NO_CHANGES,
      layerTemperature,
    })),
  ])) {
    for (const result of [model.change(changes), model.start(IDS, TYPES, LENGTHS, changes)]) {
      const failure = failureOf(result);
      assert.match(failure.code, /invalid-input|out-of-range/, JSON.stringify(changes));
    }
  }
  assert.deepEqual(model.attention(0, 1, 2), before);
  model.delete();
});

test('every function refuses an index that does not exist', () => {
  const model = runModel();
  const flow = new module.Flow();
  const heads = new module.Heads(config.layers, config.heads, true);
  assert.equal(failureOf(flow.row(0)).code, 'not-available');
  /** @typedef {(...indices: number[]) => unknown} Call */
  /** @type {[Call, number[]][]} */
  const calls = [];
  for (const [count, names] of /** @type {const} */ ([
    [3, ['attention', 'queries', 'keys', 'values', 'headNorms', 'maskedLmLogits']],
    [2, ['layerNorms', 'rollout', 'hiddenStates']],
    [1, ['poolerOutput', 'tensorBytes']],
  ])) {
    for (const name of names) {
      calls.push([/** @type {Call} */ (model[name].bind(model)), Array(count).fill(0)]);
    }
  }
  calls.push([(sequence, layer) => model.beginFlow(flow, sequence, layer), [0, 0]]);
  calls.push([(sequence) => model.addTo(heads, sequence, CLASSES), [0]]);
  for (const [call, indices] of calls) {
    const {message} = /** @type {Partial<Failure>} */ (call(...indices) ?? {});
    assert.equal(message, undefined);
    for (const at of indices.keys()) {
      for (const bad of [-1, 0.5, 1000, 2 ** 32, 2 ** 32 + 1, 2 ** 53, NaN, Infinity, undefined]) {
        const failure = failureOf(call(...indices.with(at, /** @type {number} */ (bad))));
        assert.equal(failure.code, 'out-of-range', `${bad} at ${at} of ${call}`);
      }
    }
  }
  assert.equal(model.beginFlow(flow, 0, 1), null);
  for (const bad of [-1, 0.5, 4, 2 ** 32, NaN]) {
    assert.equal(failureOf(flow.row(bad)).code, 'out-of-range');
  }
  assert.equal(/** @type {Float32Array} */ (flow.row(3)).length, 4);
  for (const bad of [-1, 0.5, 3, 2 ** 32]) {
    assert.equal(failureOf(model.runLayer(bad)).code, 'out-of-range');
  }
  for (const each of [flow, heads, model]) each.delete();
});

test('the classes of tokens are refused unless there is one of each for every token', () => {
  const model = runModel();
  const heads = new module.Heads(config.layers, config.heads, false);
  for (const changes of /** @type {any[]} */ ([
    {kinds: Uint8Array.of(1, 0, 0)},
    {kinds: Uint8Array.of(1, 0, 4, 2)},
    {kinds: [1, 0, -1, 2]},
    {kinds: [1, 0, 256, 2]},
    {kinds: undefined},
    {words: Int32Array.of(-1, 0, 1, -1, 5)},
    {words: [0, 1, 2, 2 ** 32]},
    {occurrences: Int32Array.of()},
    {occurrences: null},
    {kinds: new Uint8Array(3), words: new Int32Array(3), occurrences: new Int32Array(3)},
  ])) {
    const failure = failureOf(model.addTo(heads, 0, {...CLASSES, ...changes}));
    assert.match(failure.code, /shape-mismatch|invalid-input|out-of-range/);
  }
  for (const classes of /** @type {any[]} */ ([undefined, null, 5, {}])) {
    assert.equal(failureOf(model.addTo(heads, 0, classes)).code, 'invalid-input');
  }
  const {self} = /** @type {Record<string, Float32Array>} */ (heads.means());
  assert(self.every((value) => value === 0)); // none was counted
  assert.equal(model.addTo(heads, 0, CLASSES), null);
  for (const each of [heads, model]) each.delete();
});

test('head statistics of another model, and of more heads than fit in memory, are refused', () => {
  const model = runModel();
  for (const [layers, heads, code] of /** @type {[number, number, string][]} */ ([
    [3, 0, 'shape-mismatch'],
    [0, 5, 'shape-mismatch'],
    [5, 3, 'shape-mismatch'],
    // 2^32 pairs of heads, a number that 32 bits wrap around to 0.
    [1024, 64, 'out-of-memory'],
    [2 ** 24, 2 ** 24, 'out-of-memory'],
    [-1, 5, 'out-of-memory'],
    [3, 2 ** 32 + 5, 'out-of-memory'],
    [1.5, 5, 'out-of-memory'],
  ])) {
    const sums = new module.Heads(layers, heads, true);
    assert.equal(failureOf(model.addTo(sums, 0, CLASSES)).code, code, `${layers} ${heads}`);
    for (const result of [sums.means(), sums.names(), sums.map()]) {
      if (code === 'out-of-memory') assert.equal(failureOf(result).code, code);
    }
    sums.delete();
  }
  model.delete();
});

test('a model runs although a number for each pair of its heads does not fit in memory', () => {
  const large = {family: 'albert', embeddingSize: 64, hiddenSize: 64, heads: 64, layers: 1024};
  const sizes = {...large, layerGroups: 1, intermediateSize: 1, vocabulary: 8, positions: 4};
  const model = new module.Model(kernels);
  assert.equal(begin(model, {...sizes, tokenTypes: 1}), null);
  const missing = failureOf(model.finish()).message.replace('the weights: missing ', '');
  assert.equal(begin(model, {...sizes, tokenTypes: 1}), null);
  for (const name of missing.split(', ')) {
    const {message} = failureOf(model.beginTensor(name, 'F32', []));
    const shape = /** @type {number[]} */ (JSON.parse(/shape (\[.*?\])/.exec(message)?.[1] ?? ''));
    assert.equal(model.beginTensor(name, 'F32', shape), true);
    const bytes = 4 * shape.reduce((product, size) => product * size);
    assert.equal(model.append(new Uint8Array(bytes)), null);
    assert.equal(model.endTensor(), null);
  }
  assert.equal(model.finish(), null);
  const one = Int32Array.of(1);
  assert.equal(model.start(one, Int32Array.of(0), one, NO_CHANGES), null);
  for (let layer = 0; layer < 1024; layer++) assert.equal(model.runLayer(layer), null);
  const heads = new module.Heads(1024, 64, true);
  const classes = {kinds: Uint8Array.of(0), words: one, occurrences: one};
  assert.equal(failureOf(model.addTo(heads, 0, classes)).code, 'out-of-memory');
  for (const each of [heads, model]) each.delete();
});

test('no argument makes a method of a model throw or trap', () => {
  const model = runModel();
  const heads = new module.Heads(config.layers, config.heads, true);
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
          other.begin(each, 'int8');
          begin(other);
          other.beginTensor(name, 'F32', each);
          other.beginTensor('pooler.dense.bias', 'F32', [60]);
          other.append(each);
          other.endTensor();
          other.finish();
          other.delete();
          model.change(each);
          model.wordEmbeddings(each);
          model.addTo(heads, i, each);
          model.addTo(heads, 0, {kinds: each, words: each, occurrences: each});
          const lists = {heads: [each], edges: [each], layersOff: [each], maskedTokens: each};
          model.change({...NO_CHANGES, ...lists});
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
  for (const each of [heads, model]) each.delete();
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
