import assert from 'node:assert/strict';
import {test} from 'node:test';
import {readFileSync} from 'node:fs';
import {Encoder} from '../../../web/engine/host/encoder.js';
import {Runtime} from '../../../web/engine/host/runtime.js';
import {createRuntime} from '../../../scripts/cli/engine.mjs';
import {openModel} from '../../../scripts/cli/source.mjs';
import {readSafetensors} from '../../../web/engine/files/safetensors.js';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';
import {
  fromRoot,
  goldenFolder,
  inChunks,
  join,
  loadGolden,
  readAll,
  runtime,
  safetensors,
  withHeader,
} from '../support.js';

const FOLDER = goldenFolder('odd-sizes');
const EMBEDDED = fromRoot('web/models/default/bertscope-default.safetensors');
const weights = new Uint8Array(readFileSync(`${FOLDER}/model.safetensors`));

/**
 * The golden model with something changed.
 * @param {{bytes?: Uint8Array, cuts?: number[], files?: Record<string, string>}} [changes]
 */
async function sourceOf({bytes = weights, cuts, files = {}} = {}) {
  const source = await openModel(FOLDER);
  return {
    ...source,
    open: () => readSafetensors(inChunks(bytes, cuts), source.weights, bytes.length),
    files: {...source.files, ...files},
  };
}

/** Every attention matrix of a text, one behind the other. */
async function allAttention(
  /** @type {import('../../../web/engine/host/loaded-model.js').LoadedModel} */ model,
  /** @type {string} */ text,
) {
  const {pass} = await model.attend(text);
  const matrices = [];
  for (let layer = 0; layer < model.shape.layers; layer++) {
    for (let head = 0; head < model.shape.heads; head++) {
      matrices.push(...(await model.pull(pass, 'attention', [layer, head])));
    }
  }
  return matrices;
}

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

test('weights load the same wherever their chunks are cut', async () => {
  const whole = await runtime.load(await sourceOf());
  const cuts = Array.from({length: weights.length / 997}, (_, n) => n * 997);
  const cut = await runtime.load(await sourceOf({cuts}));
  assert.deepEqual(await allAttention(cut, 'time flies'), await allAttention(whole, 'time flies'));
});

test('progress is told in bytes of the file and ends at its size', async () => {
  /** @type {import('../../../web/engine/host/encoder.js').Progress[]} */
  const told = [];
  const options = {onProgress: (/** @type {typeof told[0]} */ progress) => told.push(progress)};
  await runtime.load(await sourceOf(), options);
  assert(told.every(({total}) => total === weights.length));
  assert(told.every(({loaded}, at) => at === 0 || loaded > told[at - 1].loaded));
  assert.equal(told.at(-1)?.loaded, weights.length);
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

test('an aborted load ends with the reason and lets go of its input', async () => {
  const controller = new AbortController();
  let closed = false;
  const source = await sourceOf();
  const chunks = async function* () {
    try {
      yield weights.subarray(0, 100_000);
      controller.abort();
      yield weights.subarray(100_000);
    } finally {
      closed = true;
    }
  };
  source.open = () => readSafetensors(chunks(), source.weights);
  await assert.rejects(runtime.load(source, {signal: controller.signal}), {name: 'AbortError'});
  assert(closed);
});

test('a text over the position limit is cut and the model says by how much', async () => {
  const model = await loadGolden('odd-sizes', 'int8');
  const {tokens, truncated} = await model.attend('a '.repeat(50));
  assert.equal(tokens.length, model.shape.positions);
  assert.equal(tokens.at(-1), '[SEP]');
  assert.equal(truncated, 50 + 2 - model.shape.positions);
});

test('predictions are shares of a softmax, one list per [MASK], most likely first', async () => {
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

test('a disposed model says so', async () => {
  const model = await loadGolden('odd-sizes', 'int8');
  const {pass} = await model.attend('time');
  model.dispose();
  model.dispose();
  await assert.rejects(model.attend('time'), {code: 'disposed'});
  await assert.rejects(model.pull(pass, 'attention', [0, 0]), {code: 'disposed'});
});

test('ten models loaded and disposed of leave the memory as large as the first did', async () => {
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
 * A float32 BERT as a hub has it, never held whole.
 * @param {{vocab_size: number, hidden_size: number, intermediate_size: number,
 *   num_hidden_layers: number, max_position_embeddings: number}} config
 * @param {number} chunkBytes As some browsers read: many megabytes at a time.
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

test('a model needs a configuration and a tokenizer', async () => {
  const source = await sourceOf();
  await assert.rejects(runtime.load({...source, files: {}}), {
    code: 'bad-config',
    message: `${FOLDER}: expected weights quantized by bertscope or a config.json beside them, found neither`,
  });
  const config = source.files['config.json'];
  await assert.rejects(runtime.load({...(await sourceOf()), files: {'config.json': config}}), {
    code: 'bad-tokenizer',
  });
});

const vocabulary = readFileSync(`${FOLDER}/vocab.txt`, 'utf8');

test('a vocabulary with tokens that the model has no embeddings for is refused by its file', async () => {
  const words = Array.from({length: 50}, (_, n) => `word${n}\n`).join('');
  const expected =
    'expected 101 tokens at most, as many as the model has word embeddings (vocab_size)';
  await assert.rejects(runtime.load(await sourceOf({files: {'vocab.txt': vocabulary + words}})), {
    code: 'bad-tokenizer',
    message: `${FOLDER}: vocab.txt: ${expected}, found ids up to 150 (word49): it belongs to another model`,
  });
  const other = await openModel(goldenFolder('roberta'));
  const {'vocab.json': ids, 'merges.txt': merges} = other.files;
  const {'config.json': config} = (await sourceOf()).files;
  const files = {'config.json': config, 'vocab.json': ids, 'merges.txt': merges};
  await assert.rejects(runtime.load({...(await sourceOf()), files}), {
    code: 'bad-tokenizer',
    message: /odd-sizes: vocab\.json: expected 101 tokens at most, .*, found ids up to 319 /,
  });
  const unigram = (await openModel(goldenFolder('xlm-roberta'))).files['tokenizer.json'];
  const json = JSON.parse(unigram);
  json.model.vocab.push(...Array.from({length: 40}, (_, n) => [`▁new${n}`, -20]));
  await assert.rejects(
    runtime.load(await sourceOf({files: {'tokenizer.json': JSON.stringify(json)}})),
    {
      code: 'bad-tokenizer',
      message: /odd-sizes: tokenizer\.json: .*, found ids up to 108 \(▁new39\)/,
    },
  );
  // The engine goes on.
  await runtime.load(await sourceOf());
});

test('a vocabulary with empty lines behind it is that of the model', async () => {
  const files = {'vocab.txt': `${vocabulary}\n\n\n`};
  const model = await runtime.load(await sourceOf({files}));
  assert.deepEqual(model.notes, (await loadGolden('odd-sizes')).notes);
  assert.equal((await model.attend('time')).tokens.length, 3);
});

test('a vocabulary that is far too short is told in a note, one of a padded model is not', async () => {
  const short = {'vocab.txt': vocabulary.split('\n').slice(0, 50).join('\n')};
  const model = await runtime.load(await sourceOf({files: short}));
  assert.deepEqual(
    model.notes.filter((note) => note.includes('vocab.txt')),
    [
      `${FOLDER}: vocab.txt has 50 tokens, the model word embeddings for 101: the others have no name`,
    ],
  );
  const padded = {'vocab.txt': vocabulary.split('\n').slice(0, 95).join('\n')};
  assert.deepEqual(
    (await runtime.load(await sourceOf({files: padded}))).notes,
    (await loadGolden('odd-sizes')).notes,
  );
});

test('an added token without an embedding is refused where a text has it, by name', async () => {
  const {files} = await sourceOf();
  const json = JSON.parse(new Tokenizer({'vocab.txt': vocabulary}, 'm').files['tokenizer.json']);
  const added = (/** @type {string} */ content, /** @type {number} */ id) => {
    const {added_tokens: tokens} = json;
    const others = tokens.filter((/** @type {any} */ token) => token.content !== content);
    const vocab = {...json.model.vocab};
    delete vocab[content];
    const changed = {
      ...json,
      added_tokens: [...others, {...tokens[0], content, id}],
      model: {...json.model, vocab},
    };
    return {...files, 'tokenizer.json': JSON.stringify(changed)};
  };
  const model = await runtime.load(await sourceOf({files: added('[USER]', 101)}));
  assert.equal((await model.attend('time flies')).tokens.length, 4);
  await assert.rejects(model.attend('[USER] time'), {
    code: 'bad-tokenizer',
    message: `${FOLDER}: tokenizer.json: expected tokens that the model has word embeddings for (ids below 101), found [USER] with id 101`,
  });
  assert.equal((await model.attend('time flies')).tokens.length, 4);
  // Batches are filled up with what the model has a row for.
  const padless = await runtime.load(await sourceOf({files: added('[PAD]', 101)}));
  const batch = padless.tokenize(['time flies like', 'time'], {padding: true});
  assert((await padless.hiddenStates(batch)).data.every(Number.isFinite));
  const maskless = await runtime.load(await sourceOf({files: added('[MASK]', 101)}));
  assert.equal(maskless.maskToken, null);
  assert.deepEqual(await maskless.predictions((await maskless.attend('time')).pass), []);
  // Every text has this one.
  await assert.rejects(runtime.load(await sourceOf({files: added('[CLS]', 101)})), {
    code: 'bad-tokenizer',
    message: /found \[CLS\] with id 101$/,
  });
});

test('weights of another shape than the configuration’s are refused by name', async () => {
  const config = JSON.parse((await sourceOf()).files['config.json']);
  const files = {'config.json': JSON.stringify({...config, intermediate_size: 90})};
  await assert.rejects(runtime.load(await sourceOf({files})), {
    name: 'BertscopeError',
    message: /intermediate.*90.*100/,
  });
});

test('weights whose products are not finite are refused by the first layer', async () => {
  const {metadata, tensors} = await readAll(inChunks(weights));
  for (const [tensor, quantity, indices, where] of /** @type {const} */ ([
    // Both, so that every product overflows, in whatever order a kernel adds them up.
    ['encoder.layer.1.attention.self.(query|key).bias', 'attention', [1, 4], 'layer 1'],
    ['encoder.layer.0.intermediate.dense.bias', 'hiddenStates', [3], 'layer 0'],
    ['embeddings.LayerNorm.weight', 'attention', [0, 0], 'the embeddings'],
  ])) {
    const changed = [...tensors].map(([name, {bytes, ...others}]) => {
      const huge = new Float32Array(bytes.length / 4).map((_, at) => (at % 7 ? 3e38 : -3e38));
      const isIt = new RegExp(`^bert.${tensor}$`).test(name);
      return {name, ...others, bytes: isIt ? new Uint8Array(huge.buffer) : bytes};
    });
    const model = await runtime.load(await sourceOf({bytes: safetensors(changed, metadata)}));
    const {pass} = await model.attend('time flies');
    await assert.rejects(model.pull(pass, quantity, [...indices]), {
      code: 'invalid-weights',
      message: `${FOLDER}: expected weights that give finite numbers, found others first in ${where}`,
    });
  }
});

test('tensors in any order, in the header and in the file, are the same weights', async () => {
  const {metadata, tensors} = await readAll(inChunks(weights));
  const expected = await allAttention(await runtime.load(await sourceOf()), 'time flies');
  // As the data lie, but told of from the last to the first.
  const length = Number(new DataView(weights.buffer).getBigUint64(0, true));
  const header = JSON.parse(Buffer.from(weights.subarray(8, 8 + length)).toString());
  const turned = withHeader(Object.fromEntries(Object.entries(header).reverse()));
  const told = join([turned, weights.subarray(8 + length)]);
  const inReverse = [...tensors].reverse().map(([name, tensor]) => ({name, ...tensor}));
  for (const bytes of [told, safetensors(inReverse, metadata)]) {
    const model = await runtime.load(await sourceOf({bytes}));
    assert.deepEqual(await allAttention(model, 'time flies'), expected);
    model.dispose();
  }
});

test('a tensor of five gigabytes is refused by its size, wherever it is and whether the file has it or not', async () => {
  const own = await createRuntime();
  const shape = [2_100_000, 600];
  const bytes = 4 * shape[0] * shape[1];
  assert(bytes > 5e9);
  const name = 'embeddings.word_embeddings.weight';
  const header = withHeader({[name]: {dtype: 'F32', shape, data_offsets: [0, bytes]}});
  const source = await sourceOf();
  const refuses = (/** @type {Partial<typeof source>} */ changes, /** @type {object} */ refusal) =>
    assert.rejects(own.load({...source, ...changes}, {precision: 'f32'}), refusal);
  /** As a server without a length sends it. */
  const open = () => readSafetensors(inChunks(join([header, new Uint8Array(2400)])), 'weights');
  const config = JSON.parse(source.files['config.json']);
  await refuses(
    {open: () => readSafetensors(inChunks(header), 'weights', header.length)},
    {
      code: 'bad-safetensors',
      message: `weights: expected ${header.length + bytes} bytes, found ${header.length} (the file is cut off)`,
    },
  );
  await refuses(
    {open},
    {
      code: 'shape-mismatch',
      message: /word_embeddings\.weight: expected shape \[101, 60\], found \[2100000, 600\]/,
    },
  );
  const large = JSON.stringify({...config, vocab_size: shape[0], hidden_size: shape[1]});
  await refuses(
    {open, files: {...source.files, 'config.json': large}},
    {code: 'out-of-memory', message: /^.*odd-sizes: .*word_embeddings/},
  );
  // The engine goes on.
  await own.load(await sourceOf());
});

test('a tensor of no bytes is refused where it is a weight, and ignored with a note where it is none', async () => {
  const {metadata, tensors} = await readAll(inChunks(weights));
  const all = [...tensors].map(([name, tensor]) => ({name, ...tensor}));
  const empty = (/** @type {string} */ name, /** @type {number[]} */ shape) =>
    /** @type {typeof all[number]} */ ({name, dtype: 'F32', shape, bytes: new Uint8Array(0)});
  for (const [{name, shape}, at] of /** @type {const} */ ([
    [all[0], 0],
    [all[all.length - 1], all.length - 1],
  ])) {
    const none = [0, ...shape.slice(1)];
    const bytes = safetensors(all.with(at, empty(name, none)), metadata);
    await assert.rejects(runtime.load(await sourceOf({bytes})), {
      code: 'shape-mismatch',
      message: `${FOLDER}: ${name}: expected shape [${shape.join(', ')}], found [${none.join(', ')}]`,
    });
  }
  for (const extra of [empty('nothing', [0]), empty('nothing', [3, 0, 7])]) {
    for (const order of [
      [extra, ...all],
      [...all, extra],
    ]) {
      const model = await runtime.load(await sourceOf({bytes: safetensors(order, metadata)}));
      assert(model.notes.some((note) => note.startsWith('ignored nothing: ')));
      assert.equal((await model.attend('time')).tokens.length, 3);
    }
  }
  await assert.rejects(runtime.load(await sourceOf({bytes: new Uint8Array(0)})), {
    code: 'bad-safetensors',
    message: /expected at least 8 bytes, found 0 \(the file is cut off\)/,
  });
});

test('every missing tensor is named', async () => {
  const bytes = safetensors([
    {name: 'bert.embeddings.LayerNorm.bias', dtype: 'F32', shape: [60], bytes: new Uint8Array(240)},
  ]);
  await assert.rejects(runtime.load(await sourceOf({bytes})), {
    name: 'BertscopeError',
    message: /word_embeddings.*encoder\.layer\.2\.output\.dense/,
  });
});

test('a dtype that is no weight’s is refused', async () => {
  const shape = [101, 60];
  const header = {
    'embeddings.word_embeddings.weight': {dtype: 'I64', shape, data_offsets: [0, 48480]},
  };
  const bytes = withHeader(header, 48480);
  await assert.rejects(runtime.load(await sourceOf({bytes})), {
    name: 'BertscopeError',
    message: /word_embeddings.*I64/,
  });
});

test('a truncated file is refused, and the engine loads the next one', async () => {
  for (const length of [4, 1000, weights.length - 1]) {
    await assert.rejects(runtime.load(await sourceOf({bytes: weights.subarray(0, length)})), {
      code: 'bad-safetensors',
      message: /cut off/,
    });
  }
  const bytes = weights.subarray(0, -1);
  const open = () => readSafetensors(inChunks(bytes), 'weights');
  const unknown = {...(await sourceOf({bytes})), open};
  await assert.rejects(runtime.load(unknown), {code: 'bad-safetensors', message: /cut off in /});
  await runtime.load(await sourceOf());
});

test('a quantized file loads to the very same numbers', async () => {
  const original = await loadGolden('odd-sizes', 'int8');
  const bytes = join(original.quantizedFile());
  const source = {name: 'q', path: 'q', weights: 'q', files: {}};
  const open = () => readSafetensors(inChunks(bytes), 'q');
  const read = await runtime.load({...source, open});
  assert.deepEqual(
    await allAttention(read, 'time flies'),
    await allAttention(original, 'time flies'),
  );
  assert.deepEqual(join(read.quantizedFile()), bytes);
  assert.equal(read.predictionHeads.maskedLm, true);

  const float32 = await runtime.load({...source, open}, {precision: 'f32'});
  const exact = await allAttention(await loadGolden('odd-sizes', 'f32'), 'time flies');
  const dequantized = await allAttention(float32, 'time flies');
  const worst = Math.max(...exact.map((value, at) => Math.abs(value - dequantized[at])));
  assert(worst > 0 && worst < 0.05, `largest difference ${worst}`);
});

test('a quantized file of a later version is refused', async () => {
  const bytes = safetensors([], {format: 'bertscope-int8', version: '2'});
  await assert.rejects(runtime.load(await sourceOf({bytes})), {
    code: 'unsupported-model',
    message: /expected format version 1, found 2/,
  });
});

test('an unknown kernel is refused by name', async () => {
  const unused = () => assert.fail('the module must not be made');
  const create = (/** @type {any} */ kernel) => Runtime.create(unused, {kernel});
  await assert.rejects(create('fast'), {code: 'bad-option', message: /found fast/});
});

test('a browser without WebAssembly SIMD is told so before anything is loaded', async (t) => {
  t.mock.method(WebAssembly, 'validate', () => false);
  const unused = () => assert.fail('the module must not be made');
  await assert.rejects(Runtime.create(unused), {code: 'no-wasm-simd'});
});

test('an engine that does not start is told apart from a model that does not load', async () => {
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
    runLayer: () => {
      throw new WebAssembly.RuntimeError('unreachable');
    },
  };
  const {config} = await loadGolden('odd-sizes', 'int8');
  const encoder = new Encoder(/** @type {any} */ (trapping), config, 'm');
  const batch = {ids: new Int32Array(1), tokenTypes: new Int32Array(1), lengths: Int32Array.of(1)};
  await assert.rejects(encoder.run(batch), {code: 'engine-crashed', message: /m: .*unreachable/});
});
