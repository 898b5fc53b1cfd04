import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {createRuntime} from '../../../scripts/cli/engine.mjs';
import {openModel} from '../../../scripts/cli/source.mjs';
import {readSafetensors} from '../../../web/engine/files/safetensors.js';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';
import {
  allAttention,
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
const weights = new Uint8Array(readFileSync(`${FOLDER}/model.safetensors`));
const vocabulary = readFileSync(`${FOLDER}/vocab.txt`, 'utf8');

/**
 * Opens the golden model with something changed.
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

test('weights do not depend on where their chunks are cut', async () => {
  const whole = await runtime.load(await sourceOf());
  const cuts = Array.from({length: weights.length / 997}, (_, n) => n * 997);
  const cut = await runtime.load(await sourceOf({cuts}));
  assert.deepEqual(await allAttention(cut, 'time flies'), await allAttention(whole, 'time flies'));
});

test('progress counts the bytes of the file and ends at its size', async () => {
  /** @type {import('../../../web/engine/host/load-encoders.js').Progress[]} */
  const told = [];
  const options = {onProgress: (/** @type {typeof told[0]} */ progress) => told.push(progress)};
  await runtime.load(await sourceOf(), options);
  assert(told.every(({total}) => total === weights.length));
  assert(told.every(({loaded}, at) => at === 0 || loaded > told[at - 1].loaded));
  assert.equal(told.at(-1)?.loaded, weights.length);
});

test('thousands of empty tensors are ignored with a hundred notes', async () => {
  const {tensors} = await readAll(inChunks(weights));
  const all = [...tensors].map(([name, tensor]) => ({name, ...tensor}));
  for (let i = all.length; i < 16384; i++) {
    all.push({name: `x${i}`, dtype: 'F32', shape: [0], bytes: new Uint8Array(0)});
  }
  const model = await runtime.load(await sourceOf({bytes: safetensors(all)}));
  const ignored = model.notes.filter((note) => note.startsWith('ignored x'));
  assert.equal(ignored.length, 100);
  const others = 16384 - tensors.size - 100;
  assert(model.notes.includes(`and ${others} more of this kind`), String(model.notes.at(-1)));
});

for (const of of ['Sequence', 'Token'])
  test(`a classifier of many thousand classes is refused: ${of}`, async () => {
    const source = await openModel(goldenFolder('half-classifier'));
    const {tensors} = await readAll(
      inChunks(
        new Uint8Array(readFileSync(`${goldenFolder('half-classifier')}/model.safetensors`)),
      ),
    );
    const all = [...tensors].map(([name, {dtype, shape, bytes}]) => {
      if (!name.startsWith('classifier.')) return {name, dtype, shape, bytes};
      const many = 16385;
      const row = bytes.length / shape[0];
      return {name, dtype, shape: [many, ...shape.slice(1)], bytes: new Uint8Array(many * row)};
    });
    const bytes = safetensors(all);
    const config = JSON.parse(source.files['config.json']);
    config.architectures = [`BertFor${of}Classification`];
    source.files['config.json'] = JSON.stringify(config);
    source.open = () => readSafetensors(inChunks(bytes), source.weights, bytes.length);
    const message = /expected a classifier of at most 16384 classes, found 16385$/;
    await assert.rejects(runtime.load(source), {code: 'unsupported-model', message});
  });

test('an aborted load ends with the reason and closes its input', async () => {
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

test('the tokenizer of a load that was given up is not built', async () => {
  const controller = new AbortController();
  const source = await sourceOf({files: {'tokenizer.json': 'would be refused'}});
  const {open} = source;
  source.open = () => {
    // A message of the page, which arrives when the worker next waits.
    setImmediate(() => controller.abort());
    return open();
  };
  await assert.rejects(runtime.load(source, {signal: controller.signal}), {name: 'AbortError'});
});

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

test('a vocabulary with more tokens than the model has embeddings is refused by the name of its file', async () => {
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
  // The engine still loads a good model.
  await runtime.load(await sourceOf());
});

test('empty lines at the end of a vocabulary are ignored', async () => {
  const files = {'vocab.txt': `${vocabulary}\n\n\n`};
  const model = await runtime.load(await sourceOf({files}));
  assert.deepEqual(model.notes, (await loadGolden('odd-sizes')).notes);
  assert.equal((await model.attend('time')).tokens.length, 3);
});

test('a note tells of a far too short vocabulary, but not of one whose model is padded', async () => {
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

test('a text with an added token that has no embedding is refused by the name of the token', async () => {
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
  // Without a [PAD] that has an embedding, batches are padded with another token.
  const padless = await runtime.load(await sourceOf({files: added('[PAD]', 101)}));
  const batch = padless.tokenize(['time flies like', 'time'], {padding: true});
  assert((await padless.hiddenStates(batch)).data.every(Number.isFinite));
  const maskless = await runtime.load(await sourceOf({files: added('[MASK]', 101)}));
  assert.equal(maskless.maskToken, null);
  assert.deepEqual(await maskless.predictions((await maskless.attend('time')).pass), []);
  // Every text has a [CLS], so the model is refused.
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

test('weights whose products are not finite are refused with the first such layer', async () => {
  const {metadata, tensors} = await readAll(inChunks(weights));
  for (const [tensor, quantity, indices, where] of /** @type {const} */ ([
    // Both biases are huge, so that every product overflows in whatever order a kernel adds.
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
    const refused = {
      code: 'invalid-weights',
      message: `${FOLDER}: expected weights that give finite numbers, found others first in ${where}`,
    };
    if (quantity === 'attention') {
      const [layer, head] = indices;
      const matrices = [{kind: quantity, layer, head}];
      await assert.rejects(model.attend('time flies', {matrices}), refused);
    }
    const {pass} = await model.attend('time flies');
    await assert.rejects(model.pull(pass, quantity, [...indices]), refused);
  }
});

test('weights do not depend on the order of tensors in the header or in the file', async () => {
  const {metadata, tensors} = await readAll(inChunks(weights));
  const expected = await allAttention(await runtime.load(await sourceOf()), 'time flies');
  // The header lists the tensors from the last to the first; their data stay.
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

test('a tensor of five gigabytes is refused by its size or shape, whether or not the file has its bytes', async () => {
  const own = await createRuntime();
  const shape = [2_100_000, 600];
  const bytes = 4 * shape[0] * shape[1];
  assert(bytes > 5e9);
  const name = 'embeddings.word_embeddings.weight';
  const header = withHeader({[name]: {dtype: 'F32', shape, data_offsets: [0, bytes]}});
  const source = await sourceOf();
  const refuses = (/** @type {Partial<typeof source>} */ changes, /** @type {object} */ refusal) =>
    assert.rejects(own.load({...source, ...changes}, {precision: 'f32'}), refusal);
  /** Opens the weights like a server that does not tell their length. */
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
  // The engine still loads a good model.
  await own.load(await sourceOf());
});

test('an empty tensor is refused if it is a weight, and otherwise ignored with a note', async () => {
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

test('a dtype that weights cannot have is refused', async () => {
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
