/** Compares encoder-decoders as they are published with transformers (`make_translation_golden.py`). */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, test} from 'node:test';
import {gunzipSync} from 'node:zlib';
import {openModel} from '../../../scripts/cli/source.mjs';
import {blobFile} from '../../../web/engine/files/byte-file.js';
import {openFiles, openPaths} from '../../../web/engine/files/model-sources.js';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';
import {
  fromRoot,
  goldenFolder,
  inChunks,
  join,
  largestDifference,
  loadGolden,
  part,
  readAll,
  readTensors,
  runtime,
  safetensors,
  TOLERANCE,
} from '../support.js';

/** @typedef {Awaited<ReturnType<typeof loadGolden>>} LoadedModel */
/**
 * @typedef {object} Translations
 * @property {string[]} texts
 * @property {number[][]} ids
 * @property {number[][]} [target_ids] Of the texts in capitals, by Marian's other vocabulary.
 * @property {Record<number, {ids: number[], text: string}>} written
 */

/** @typedef {{dtype: import('../support.js').Dtype, shape: number[], bytes: Uint8Array}} Stored */

/** @type {LoadedModel[]} */
const loaded = [];
after(() => loaded.forEach((model) => model.dispose()));

/** The number of tokens that transformers was asked for. */
const WRITTEN = 24;

/** @param {string} name @returns {Translations} */
const translationsOf = (name) =>
  JSON.parse(`${gunzipSync(readFileSync(`${goldenFolder(name)}/translations.json.gz`))}`);

for (const name of ['marian', 'bart', 't5', 'flan-t5']) {
  const expected = translationsOf(name);
  const model = await loadGolden(name);
  const {decoder} = /** @type {NonNullable<typeof model.translator>} */ (model.translator);
  loaded.push(model);

  test(`${name}: 1,000 texts have the ids that transformers gives them`, async () => {
    const {files} = await openModel(goldenFolder(name));
    const tokenizer = new Tokenizer(files, name);
    assert.equal(expected.texts.length, 1000);
    for (const [index, text] of expected.texts.entries()) {
      assert.deepEqual(tokenizer.encode(text).ids, expected.ids[index], JSON.stringify(text));
    }
  });

  test(`${name}: 200 texts become the tokens that transformers writes`, async () => {
    const written = Object.entries(expected.written);
    assert.equal(written.length, 200);
    for (const [index, {ids, text}] of written) {
      const source = expected.texts[Number(index)];
      const found = await model.translate(source, {tokens: WRITTEN});
      assert.deepEqual(found.ids, ids, JSON.stringify(source));
      assert.equal(found.text.trim(), text.trim());
    }
  });

  test(`${name}: attention of the decoder and into the text is PyTorch’s`, async (t) => {
    const {pass, ids, tensors} = await runRecorded(name, model);
    const {layers, heads} = decoder.shape;
    /** @type {Record<string, number>} */
    const worst = {attentions: 0, cross_attentions: 0, hidden_states: 0, logits: 0};
    /** @param {string} key @param {Float32Array} actual @param {number[]} at */
    const compare = (key, actual, ...at) => {
      worst[key] = Math.max(worst[key], largestDifference(actual, part(tensors[key], ...at)));
    };
    for (let layer = 0; layer < layers; layer++) {
      for (let head = 0; head < heads; head++) {
        const at = [layer, head];
        compare('attentions', await decoder.pull(pass, 'attention', at), ...at);
        compare('cross_attentions', await decoder.pull(pass, 'crossAttention', at), ...at);
      }
    }
    for (let index = 0; index <= layers; index++) {
      compare('hidden_states', await decoder.pull(pass, 'hiddenStates', [index]), index);
    }
    for (const token of ids.data.keys()) {
      compare('logits', await decoder.pull(pass, 'wordLogits', [layers, token]), token);
    }
    for (const [key, difference] of Object.entries(worst)) {
      t.diagnostic(`${key}: largest difference ${difference.toExponential(1)}`);
      const limits = {hidden_states: TOLERANCE.hiddenStates, logits: TOLERANCE.logits};
      const limit = limits[/** @type {keyof typeof limits} */ (key)] ?? TOLERANCE.attention;
      assert(difference <= limit, `${key}: ${difference} is more than ${limit}`);
    }
  });

  test(`${name}: what ALTI+ shares out is PyTorch’s`, async (t) => {
    const {source, pass} = await runRecorded(name, model);
    const expected = await readTensors(fromRoot('tests/golden/written.safetensors'));
    const wanted = expected[`${name}.alti-plus`].data;
    const logits = expected[`${name}.values`].data;
    // The entry whose logits are recorded.
    const id = 7;
    for (const token of pass.ids.keys()) {
      const found = await model.explainTranslation(source, pass, {token, id});
      const difference = largestDifference(matrixOf(found), wanted) / Math.max(...wanted);
      if (token === 0) t.diagnostic(`largest difference ${difference.toExponential(1)}`);
      assert(difference <= 5e-6, `${difference}`);
      assert(Math.abs(found.value - logits[token]) <= TOLERANCE.logits);
      assert.equal(found.prefix.tokens.length, token + 1);
    }
    const zeroed = await model.explainTranslation(source, pass, {
      ...{token: 0, id, method: 'value-zeroing'},
    });
    const turns = expected[`${name}.written.value-zeroing`].data;
    const difference = largestDifference(matrixOf(zeroed), turns) / Math.max(...turns);
    assert(difference <= 5e-6, `${difference}`);
  });

  test(`${name}: gradients of written tokens are PyTorch’s`, async () => {
    const {source, pass} = await runRecorded(name, model);
    const expected = await readTensors(fromRoot('tests/golden/written.safetensors'));
    const width = source.ids.length + pass.ids.length;
    const target = {id: 7, token: pass.ids.length - 1};
    for (const method of /** @type {const} */ (['gradient', 'integrated-gradients'])) {
      for (const instead of [undefined, 11]) {
        const found = await model.explainTranslation(source, pass, {...target, method, instead});
        const part = `${instead ? 'contrast.' : ''}${method.replace('-gradients', '')}`;
        const wanted = expected[`${name}.${part}`].data.subarray(target.token * width);
        const both = [...found.source.contributions, ...found.prefix.contributions];
        const difference = largestDifference(both, wanted) / Math.max(...wanted.map(Math.abs));
        assert(difference <= 5e-6, `${part}: ${difference}`);
      }
    }
  });

  test(`${name}: a quantized file writes what the quantized folder writes`, async () => {
    const quantized = await loadGolden(name, 'int8');
    const file = new File([join(quantized.quantizedFile())], 'again.safetensors');
    const again = await runtime.load(await openFiles([{path: file.name, file}]));
    loaded.push(quantized, again);
    for (const index of Object.keys(expected.written).slice(0, 20)) {
      const text = expected.texts[Number(index)];
      const {ids} = await quantized.translate(text, {tokens: WRITTEN});
      assert.deepEqual((await again.translate(text, {tokens: WRITTEN})).ids, ids, text);
    }
    assert.deepEqual(again.notes, []);
  });
}

/** @param {{matrix?: Float32Array}} explanation */
const matrixOf = ({matrix = new Float32Array(0)}) => matrix;

/**
 * Runs both sides on the tokens in `decoder.safetensors`.
 * @param {string} name
 * @param {LoadedModel} model
 */
async function runRecorded(name, model) {
  const {decoder} = /** @type {NonNullable<typeof model.translator>} */ (model.translator);
  const {ids, source, ...tensors} = await readTensors(`${goldenFolder(name)}/decoder.safetensors`);
  const batchOf = (/** @type {ArrayLike<number>} */ tokens) => ({
    ids: Int32Array.from(tokens),
    tokenTypes: new Int32Array(tokens.length),
    lengths: Int32Array.of(tokens.length),
  });
  const read = await model.encoder.run(batchOf(source.data));
  const hidden = await model.pull(read.pass, 'hiddenStates', [model.shape.layers]);
  const {pass} = await decoder.encoder.run({...batchOf(ids.data), source: hidden});
  return {source: read.pass, pass, ids, tensors};
}

test('a vocabulary that keeps spaces and has symbols of its own gives the ids of SentencePiece', async () => {
  const {texts, target_ids: ids = []} = translationsOf('marian');
  const folder = goldenFolder('marian');
  const files = new Map(
    ['config.json', 'vocab.json', 'model.safetensors', 'target.spm'].map((name) => {
      const bytes = readFileSync(`${folder}/${name}`);
      const path = name === 'target.spm' ? 'source.spm' : name;
      return [path, blobFile(new Blob([bytes]), path)];
    }),
  );
  const source = await openPaths(files, 'marian', folder);
  const tokenizer = new Tokenizer(source.files, 'marian');
  for (const [index, text] of texts.entries()) {
    const capitals = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
    assert.deepEqual(tokenizer.encode(capitals).ids, ids[index], JSON.stringify(capitals));
  }
});

/**
 * A copy of the golden Marian in memory, as older folders have it.
 * @param {(tensors: Map<string, Stored>, texts: Record<string, any>) => void} change
 */
async function loadChanged(change) {
  const folder = goldenFolder('marian');
  const {tensors} = await readAll(
    inChunks(new Uint8Array(readFileSync(`${folder}/model.safetensors`))),
  );
  const names = ['config.json', 'generation_config.json', 'vocab.json', 'tokenizer_config.json'];
  const texts = Object.fromEntries(
    names.map((name) => [name, JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))]),
  );
  change(tensors, texts);
  const entries = [...tensors].map(([name, tensor]) => ({name, ...tensor}));
  const files = new Map([['model.safetensors', safetensors(entries)]]);
  for (const [name, json] of Object.entries(texts))
    files.set(name, Buffer.from(JSON.stringify(json)));
  files.set('source.spm', readFileSync(`${folder}/source.spm`));
  const opened = new Map(
    [...files].map(([name, bytes]) => [name, blobFile(new Blob([join([bytes])]), name)]),
  );
  const changed = await runtime.load(await openPaths(opened, 'marian', 'marian'), {
    precision: 'f32',
  });
  loaded.push(changed);
  return changed;
}

test('sinusoids and shared embeddings that a checkpoint repeats change nothing', async () => {
  const repeated = [
    'model.encoder.embed_tokens.weight',
    'model.decoder.embed_tokens.weight',
    'lm_head.weight',
  ];
  const model = await loadChanged((tensors) => {
    const words = /** @type {Stored} */ (tensors.get('model.shared.weight'));
    for (const name of repeated) tensors.set(name, words);
    const wrong = {...words, shape: [64, 32], bytes: words.bytes.slice(0, 4 * 64 * 32)};
    for (const side of ['encoder', 'decoder']) {
      tensors.set(`model.${side}.embed_positions.weight`, wrong);
    }
  });
  const {texts, written} = translationsOf('marian');
  const [[index, {ids}]] = Object.entries(written);
  assert.deepEqual((await model.translate(texts[Number(index)], {tokens: WRITTEN})).ids, ids);
  assert.deepEqual(
    model.notes.map((note) => note.replace(/:.*/, '')),
    repeated.map((name) => `ignored ${name}`),
  );
});

test('a checkpoint without biases of words writes as one whose biases are zero', async () => {
  const bare = await loadChanged((tensors) => tensors.delete('final_logits_bias'));
  const zero = await loadChanged((tensors) => tensors.get('final_logits_bias')?.bytes.fill(0));
  const [{ids}, {ids: wanted}] = await Promise.all(
    [bare, zero].map((each) => each.translate('the cat sat', {tokens: WRITTEN})),
  );
  assert.equal(ids.length, WRITTEN);
  assert.deepEqual(ids, wanted);
});

test('a decoder with a vocabulary of its own writes the same tokens by other ids', async () => {
  /** @param {number} id @param {number} size */
  const moved = (id, size) => (id * 5 + 3) % size;
  let size = 0;
  const model = await loadChanged((tensors, texts) => {
    const words = /** @type {Stored} */ (tensors.get('model.shared.weight'));
    const bias = /** @type {Stored} */ (tensors.get('final_logits_bias'));
    [size] = words.shape;
    const rowsMoved = (/** @type {Stored} */ tensor) => {
      const row = tensor.bytes.length / size;
      const bytes = tensor.bytes.slice();
      for (let id = 0; id < size; id++) {
        bytes.set(tensor.bytes.subarray(id * row, (id + 1) * row), moved(id, size) * row);
      }
      return {...tensor, bytes};
    };
    tensors.delete('model.shared.weight');
    tensors.set('model.encoder.embed_tokens.weight', words);
    tensors.set('model.decoder.embed_tokens.weight', rowsMoved(words));
    tensors.set('final_logits_bias', rowsMoved(bias));
    Object.assign(texts['config.json'], {
      share_encoder_decoder_embeddings: false,
      decoder_vocab_size: size,
      decoder_start_token_id: moved(size - 1, size),
    });
    texts['generation_config.json'] = {bad_words_ids: [[moved(size - 1, size)]]};
    texts['tokenizer_config.json'].separate_vocabs = true;
    texts['target_vocab.json'] = Object.fromEntries(
      Object.entries(texts['vocab.json']).map(([token, id]) => [token, moved(Number(id), size)]),
    );
  });
  const {texts, written} = translationsOf('marian');
  for (const [index, {ids}] of Object.entries(written).slice(0, 40)) {
    const text = texts[Number(index)];
    const found = await model.translate(text, {tokens: WRITTEN});
    assert.deepEqual(
      found.ids,
      ids.map((id) => moved(id, size)),
      text,
    );
  }
});

test('changes reach each side of a model whose decoder has more layers than its encoder', async () => {
  const model = await loadGolden('bart');
  loaded.push(model);
  const text = 'the cat sat';
  const options = {tokens: 8};
  const shapes = [model.shape.layers, model.translator?.decoder.shape.layers];
  assert.deepEqual(shapes, [2, 3]);
  const plain = await model.translate(text, options);
  const sameTemperature = {temperature: 1, maskedTokens: [], layersOff: []};
  const same = await model.translate(text, {...options, interventions: sameTemperature});
  assert.deepEqual(same.ids, plain.ids);
  const part = /** @type {const} */ ('cross');
  const heads = [{layer: 2, head: 0, scale: 0, part}];
  await model.translate(text, {...options, interventions: {heads, temperature: {1: 0.5}}});
  await assert.rejects(model.translate(text, {...options, interventions: {layersOff: [2]}}), {
    code: 'bad-intervention',
    message: /layersOff\[0\]: expected a whole number from 0 to 1, found 2/,
  });
});
