import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createRuntime} from '../../../scripts/cli/engine.mjs';
import {openModel} from '../../../scripts/cli/source.mjs';
import {readSafetensors} from '../../../web/engine/files/safetensors.js';
import {Encoder} from '../../../web/engine/host/encoder.js';
import {Runtime} from '../../../web/engine/host/runtime.js';
import {allAttention, fromRoot, loadGolden, withHeader} from '../support.js';

const EMBEDDED = fromRoot('web/models/default/bertscope-default.safetensors');

test('a text becomes tokens and matrices of the model’s shape', async () => {
  const model = await loadGolden('odd-sizes', 'int8');
  const {layers, heads, headDim, hiddenSize} = model.shape;
  assert.deepEqual(
    {layers, heads, headDim, hiddenSize},
    {layers: 3, heads: 5, headDim: 12, hiddenSize: 60},
  );
  const {pass, tokens, tokenTypeIds, truncated, milliseconds} = await model.attend('time flies', {
    pair: 'an arrow',
  });
  assert.deepEqual(tokens, ['[CLS]', 'time', 'flies', '[SEP]', 'an', 'arrow', '[SEP]']);
  assert.deepEqual(tokenTypeIds, [0, 0, 0, 0, 1, 1, 1]);
  assert.equal(truncated, 0);
  assert(milliseconds > 0);
  const attention = await model.pull(pass, 'attention', [2, 4]);
  assert.equal(attention.length, 7 * 7);
  for (let query = 0; query < 7; query++) {
    const sum = attention.subarray(query * 7, query * 7 + 7).reduce((sum, value) => sum + value, 0);
    assert(Math.abs(sum - 1) < 1e-5, `row ${query} sums to ${sum}`);
  }
  assert.equal((await model.pull(pass, 'queries', [0, 0])).length, 7 * 12);
  assert.equal((await model.pull(pass, 'hiddenStates', [3])).length, 7 * 60);
});

test('an older result stays good while newer texts run', async () => {
  const model = await loadGolden('odd-sizes', 'int8');
  const first = await model.attend('time flies');
  const before = await model.pull(first.pass, 'attention', [1, 1]);
  const running = model.attend('like an arrow');
  const during = await model.pull(first.pass, 'attention', [1, 1]);
  const second = await running;
  const after = await model.pull(first.pass, 'attention', [1, 1]);
  assert.deepEqual(during, before);
  assert.deepEqual(after, before);
  assert.equal((await model.pull(second.pass, 'attention', [1, 1])).length, 25);
});

test('an aborted pass ends with the reason, and the model goes on', async () => {
  const model = await loadGolden('odd-sizes', 'int8');
  const before = await allAttention(model, 'an arrow');
  const controller = new AbortController();
  const running = model.attend('time flies', {signal: controller.signal});
  controller.abort(new Error('enough'));
  await assert.rejects(running, {message: 'enough'});
  assert.deepEqual(await allAttention(model, 'an arrow'), before);
});

test('a text over the position limit is cut and the model says by how much', async () => {
  const model = await loadGolden('odd-sizes', 'int8');
  const {tokens, truncated} = await model.attend('a '.repeat(50));
  assert.equal(tokens.length, model.shape.positions);
  assert.equal(tokens.at(-1), '[SEP]');
  assert.equal(truncated, 50 + 2 - model.shape.positions);
});

test('each [MASK] gets its most likely tokens in order, whose probabilities sum to 1', async () => {
  const model = await loadGolden('odd-sizes');
  const {pass} = await model.attend('time [MASK] like [MASK]');
  const predictions = await model.predictions(pass, 101);
  assert.deepEqual(
    predictions.map(({index}) => index),
    [2, 4],
  );
  for (const {top} of predictions) {
    const sum = top.reduce((sum, {probability}) => sum + probability, 0);
    assert(Math.abs(sum - 1) < 1e-6);
    assert(top.every(({probability}, at) => at === 0 || probability <= top[at - 1].probability));
  }
  assert.equal((await model.predictions(pass, 3))[0].top.length, 3);
  assert.deepEqual(await model.predictions((await model.attend('time')).pass), []);
});

test('predictions of weights without a masked-LM head are refused', async () => {
  const model = await loadGolden('half-classifier');
  const {pass} = await model.attend('time [MASK]');
  await assert.rejects(model.predictions(pass), {code: 'no-masked-lm-head'});
});

test('indices that do not exist are refused, and the model goes on', async () => {
  const model = await loadGolden('odd-sizes', 'int8');
  const {pass} = await model.attend('time flies');
  for (const [layer, head] of [
    [3, 0],
    [0, 5],
    [-1, 0],
    [0.5, 0],
    [0, NaN],
    [0, 2 ** 32],
  ]) {
    await assert.rejects(model.pull(pass, 'attention', [layer, head]), {name: 'BertscopeError'});
  }
  assert.equal((await model.pull(pass, 'attention', [2, 4])).length, 16);
});

test('a text without a token is refused', async () => {
  const model = await loadGolden('odd-sizes', 'int8');
  await assert.rejects(model.attend('', {specialTokens: false}), {code: 'empty-text'});
});

test('a disposed model refuses calls and says that it is disposed', async () => {
  const model = await loadGolden('odd-sizes', 'int8');
  const {pass} = await model.attend('time');
  model.dispose();
  model.dispose();
  await assert.rejects(model.attend('time'), {code: 'disposed'});
  await assert.rejects(model.pull(pass, 'attention', [0, 0]), {code: 'disposed'});
});

test('ten models, each loaded and disposed of, need no more memory than one', async () => {
  const own = await createRuntime();
  const sizes = [];
  for (let i = 0; i < 10; i++) {
    const model = await own.load(await openModel(EMBEDDED));
    await model.attend('time flies like an arrow');
    model.dispose();
    sizes.push(own.memoryBytes);
  }
  assert.deepEqual(new Set(sizes), new Set([sizes[0]]));
});

test('quantizing float32 weights while they stream in peaks below 1.4 times the quantized size', async () => {
  const config = {
    model_type: 'bert',
    ...{vocab_size: 8192, hidden_size: 768, intermediate_size: 3072},
    ...{num_hidden_layers: 2, num_attention_heads: 12, max_position_embeddings: 64},
    ...{type_vocab_size: 2, hidden_act: 'gelu'},
  };
  const own = await createRuntime();
  const model = await own.load({
    ...{name: 'wide', path: 'wide', weights: 'wide'},
    open: () => readSafetensors(floatCheckpoint(config, 32 << 20), 'wide'),
    files: {'config.json': JSON.stringify(config), 'vocab.txt': '[UNK]\n[CLS]\n[SEP]\n[PAD]\n'},
  });
  const quantizedBytes = model.encoder
    .tensors()
    .map(({dtype, shape}) => shape.reduce((a, b) => a * b, dtype === 'I8' ? 1 : 4))
    .reduce((a, b) => a + b);
  assert(quantizedBytes > 20e6, `${quantizedBytes} bytes`);
  assert(own.memoryBytes < 1.4 * quantizedBytes, `${own.memoryBytes} for ${quantizedBytes}`);
});

/**
 * Streams a float32 checkpoint of BERT, which is never held whole.
 * @param {{vocab_size: number, hidden_size: number, intermediate_size: number,
 *   num_hidden_layers: number, max_position_embeddings: number}} config
 * @param {number} chunkBytes Some browsers read many megabytes at a time.
 */
async function* floatCheckpoint(config, chunkBytes) {
  const {hidden_size: hidden, intermediate_size: inner} = config;
  /** @type {[string, number[]][]} */
  const shapes = [
    ['embeddings.word_embeddings.weight', [config.vocab_size, hidden]],
    ['embeddings.position_embeddings.weight', [config.max_position_embeddings, hidden]],
    ['embeddings.token_type_embeddings.weight', [2, hidden]],
  ];
  const norm = (/** @type {string} */ name) =>
    shapes.push([`${name}.LayerNorm.weight`, [hidden]], [`${name}.LayerNorm.bias`, [hidden]]);
  const linear = (/** @type {string} */ name, /** @type {number[]} */ [out, inputs]) =>
    shapes.push([`${name}.weight`, [out, inputs]], [`${name}.bias`, [out]]);
  norm('embeddings');
  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    const prefix = `encoder.layer.${layer}`;
    for (const part of ['self.query', 'self.key', 'self.value', 'output.dense']) {
      linear(`${prefix}.attention.${part}`, [hidden, hidden]);
    }
    norm(`${prefix}.attention.output`);
    linear(`${prefix}.intermediate.dense`, [inner, hidden]);
    linear(`${prefix}.output.dense`, [hidden, inner]);
    norm(`${prefix}.output`);
  }
  let end = 0;
  const entries = shapes.map(([name, shape]) => {
    const begin = end;
    end += shape.reduce((a, b) => a * b, 4);
    return [name, {dtype: 'F32', shape, data_offsets: [begin, end]}];
  });
  yield withHeader(Object.fromEntries(entries));
  const chunk = new Uint8Array(
    Float32Array.from({length: chunkBytes / 4}, (_, at) => Math.sin(at)).buffer,
  );
  for (let at = 0; at < end; at += chunkBytes) yield chunk.subarray(0, end - at);
}

test('an unknown kernel is refused by name', async () => {
  const unused = () => assert.fail('the module must not be made');
  const create = (/** @type {any} */ kernel) => Runtime.create(unused, {kernel});
  await assert.rejects(create('fast'), {code: 'bad-option', message: /found fast/});
});

test('a browser without WebAssembly SIMD is refused before anything is loaded', async (t) => {
  t.mock.method(WebAssembly, 'validate', () => false);
  const unused = () => assert.fail('the module must not be made');
  await assert.rejects(Runtime.create(unused), {code: 'no-wasm-simd'});
});

test('an engine that does not start has another code than a model that does not load', async () => {
  const failing = () => Promise.reject(new Error('out of memory'));
  await assert.rejects(Runtime.create(failing), {
    code: 'engine-unavailable',
    message: /out of memory/,
  });
});

test('a trap in the engine has a code of its own', async () => {
  const trapping = {
    predictionHeads: () => ({maskedLm: false, pooler: false, labels: 0}),
    notes: () => [],
    start: () => null,
    layersDone: () => 0,
    runLayer: () => {
      throw new WebAssembly.RuntimeError('unreachable');
    },
  };
  const {config} = await loadGolden('odd-sizes', 'int8');
  const encoder = new Encoder(/** @type {any} */ (trapping), config, 'm');
  const batch = {ids: new Int32Array(1), tokenTypes: new Int32Array(1), lengths: Int32Array.of(1)};
  await assert.rejects(encoder.run(batch), {code: 'engine-crashed', message: /m: .*unreachable/});
});
