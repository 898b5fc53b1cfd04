/** Compares the model that writes dates with PyTorch, whose values `scripts/train/dates` made. */

import assert from 'node:assert/strict';
import {readFileSync, statSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {openModel} from '../../../scripts/cli/source.mjs';
import {openFiles} from '../../../web/engine/files/model-sources.js';
import {
  fromRoot,
  join,
  largestDifference,
  loadGolden,
  part,
  readTensors,
  runtime,
  TOLERANCE,
} from '../support.js';

const MODEL = fromRoot('web/models/dates/bertscope-dates.safetensors');
const GOLDEN = fromRoot('tests/golden/dates.safetensors');

/** @type {Awaited<ReturnType<typeof runtime.load>>} */
let model;
/** @type {Awaited<ReturnType<typeof readTensors>>} */
let expected;
/** @type {string[]} */
let texts;
before(async () => {
  model = await runtime.load(await openModel(MODEL), {precision: 'f32'});
  expected = await readTensors(GOLDEN);
  texts = textsOf(GOLDEN);
});
after(() => model?.dispose());

/** @param {string} path @returns {string[]} What the metadata says. */
function textsOf(path) {
  const file = readFileSync(path);
  const header = JSON.parse(`${file.subarray(8, 8 + Number(file.readBigUInt64LE(0)))}`);
  return JSON.parse(header.__metadata__.texts);
}

test('the embedded encoder-decoder has less than a megabyte', () => {
  assert(statSync(MODEL).size < 1e6);
});

test('every text has the tokens that the model was trained on, and becomes PyTorch’s answer', async () => {
  for (const [index, text] of texts.entries()) {
    const {encoder, ids} = await model.translate(text);
    assert.deepEqual(encoder.ids, Array.from(expected[`${index}.source`].data), text);
    assert.deepEqual(ids, Array.from(expected[`${index}.answer`].data), text);
  }
});

test('attention of the encoder, of the decoder and between them is PyTorch’s', async (t) => {
  const {decoder} = /** @type {NonNullable<typeof model.translator>} */ (model.translator);
  /** @type {Record<string, number>} */
  const worst = {encoder: 0, decoder: 0, cross: 0, hidden: 0, logits: 0};
  for (const [index, text] of texts.entries()) {
    const translated = await model.translate(text);
    const source = translated.encoder.pass;
    const written = translated.decoder.pass;
    /** @param {keyof typeof worst} name @param {Float32Array} actual @param {number[]} at */
    const compare = (name, actual, ...at) => {
      const wanted = part(expected[`${index}.${name}`], ...at);
      worst[name] = Math.max(worst[name], largestDifference(actual, wanted));
    };
    const {layers, heads} = model.shape;
    for (let layer = 0; layer < layers; layer++) {
      for (let head = 0; head < heads; head++) {
        const at = [layer, head];
        compare('encoder', await model.pull(source, 'attention', at), ...at);
        compare('decoder', await decoder.pull(written, 'attention', at), ...at);
        compare('cross', await decoder.pull(written, 'crossAttention', at), ...at);
      }
    }
    compare('hidden', await model.pull(source, 'hiddenStates', [layers]));
    for (const token of written.ids.keys()) {
      compare('logits', await decoder.pull(written, 'wordLogits', [layers, token]), token);
    }
  }
  for (const [name, difference] of Object.entries(worst)) {
    t.diagnostic(`${name}: largest difference ${difference.toExponential(1)}`);
    const limit = {hidden: TOLERANCE.hiddenStates, logits: TOLERANCE.logits}[name];
    assert(difference <= (limit ?? TOLERANCE.attention), `${name}: ${difference}`);
  }
});

test('the decoder goes on from a beginning that it is given, as if it had written it', async () => {
  const own = await model.translate('4 May 1999');
  const again = await model.translate('4 May 1999', {written: own.ids.slice(0, 5)});
  assert.deepEqual([again.ids, again.text, again.ended], [own.ids, '1999-05-04', true]);
  const {ids} = await model.translate('4 May 2021');
  const other = await model.translate('4 May 1999', {written: ids.slice(0, 4)});
  assert.equal(other.text, '2021-05-04');
  assert.deepEqual(other.decoder.tokens, ['<s>', ...'2021-05-04']);
  const whole = own.ids.slice(0, -1);
  assert.deepEqual((await model.translate('4 May 1999', {written: whole})).ids, own.ids);
  for (const [wrong, code] of /** @type {[number, string][]} */ ([
    [0.5, 'bad-index'],
    [-1, 'bad-index'],
    [150, 'invalid-input'],
  ])) {
    await assert.rejects(model.translate('4 May 1999', {written: [wrong]}), {code});
  }
});

test('int8 weights write the same dates, also after they were saved again', async () => {
  const quantized = await runtime.load(await openModel(MODEL));
  const file = new File([join(quantized.quantizedFile())], 'again.safetensors');
  const again = await runtime.load(await openFiles([{path: file.name, file}]));
  for (const [index, text] of texts.entries()) {
    const answer = Array.from(expected[`${index}.answer`].data);
    assert.deepEqual((await quantized.translate(text)).ids, answer, text);
    assert.deepEqual((await again.translate(text)).ids, answer, text);
  }
  assert.deepEqual(again.notes, []);
  quantized.dispose();
  again.dispose();
});

test('the vectors of the cross attention give its weights', async () => {
  const {decoder} = /** @type {NonNullable<typeof model.translator>} */ (model.translator);
  const {encoder, decoder: written} = await model.translate(texts[0]);
  const refs = /** @type {const} */ ([
    'crossQueries',
    'crossKeys',
    'crossValues',
    'crossAttention',
  ]);
  const [queries, keys, values, weights] = await decoder.matrices(
    written.pass,
    refs.map((kind) => ({kind, layer: 1, head: 2})),
  );
  const {headDim} = decoder.shape;
  const count = encoder.ids.length;
  assert.deepEqual([keys.length, values.length], [count * headDim, count * headDim]);
  for (const row of written.ids.keys()) {
    const query = queries.subarray(row * headDim, (row + 1) * headDim);
    const scores = encoder.ids.map((_, key) =>
      query.reduce((sum, value, at) => sum + value * keys[key * headDim + at], 0),
    );
    const shares = scores.map((score) => Math.exp(score / Math.sqrt(headDim)));
    const sum = shares.reduce((a, b) => a + b);
    const expected = Float32Array.from(shares, (share) => share / sum);
    const actual = weights.subarray(row * count, (row + 1) * count);
    assert(largestDifference(actual, expected) <= TOLERANCE.attention);
  }
});

test('an older translation can be asked for its attention after a newer one', async () => {
  const {decoder} = /** @type {NonNullable<typeof model.translator>} */ (model.translator);
  const [first, second] = [await model.translate(texts[0]), await model.translate(texts[1])];
  const cross = await decoder.pull(first.decoder.pass, 'crossAttention', [1, 0]);
  assert(largestDifference(cross, part(expected['0.cross'], 1, 0)) <= TOLERANCE.attention);
  const newer = await decoder.pull(second.decoder.pass, 'crossAttention', [1, 0]);
  assert(largestDifference(newer, part(expected['1.cross'], 1, 0)) <= TOLERANCE.attention);
});

test('a translation stops after as many tokens as were asked for', async () => {
  const {tokens, text, decoder} = await model.translate('1 May 1999', {tokens: 4});
  assert.deepEqual(tokens, ['1', '9', '9', '9']);
  assert.equal(text, '1999');
  assert.deepEqual(decoder.tokens, ['<s>', '1', '9', '9']);
  await assert.rejects(model.translate('1 May 1999', {tokens: 0}), {code: 'bad-option'});
});

test('what a model or a pass does not have is refused with the reason', async () => {
  const code = 'not-available';
  const plain = await loadGolden('odd-sizes');
  await assert.rejects(plain.translate('a'), {code, message: /found one without a decoder/});
  plain.dispose();

  const {decoder} = /** @type {NonNullable<typeof model.translator>} */ (model.translator);
  const translated = await model.translate(texts[0]);
  const {pass} = translated.encoder;
  await assert.rejects(model.pull(pass, 'crossAttention', [0, 0]), {code});
  await assert.rejects(decoder.pull(pass, 'attention', [0, 0]), {
    code,
    message: /expected a pass with a text that the decoder looks into, found none/,
  });
  for (const [side, each] of /** @type {const} */ ([
    [model, pass],
    [decoder, translated.decoder.pass],
  ])) {
    await assert.rejects(side.explain(each, 'gradient', 'vector'), {
      code,
      message: /found a side of an encoder-decoder/,
    });
  }
});

test('what is cut between both texts changes what is written, token by token and in one pass', async () => {
  const text = 'the twenty-third of March 2021';
  const {layers, heads} = model.shape;
  const {decoder} = /** @type {NonNullable<typeof model.translator>} */ (model.translator);
  const plain = await model.translate(text);
  const month = plain.encoder.tokens.indexOf('march');
  assert.equal(plain.text, '2021-03-23');
  // The tokens 5 and 6 are the month.
  const edges = [5, 6].flatMap((query) =>
    inAllHeads(layers, heads, (layer, head) => ({
      ...{layer, head, query, key: month, weight: 0, renormalise: true},
      part: /** @type {const} */ ('cross'),
    })),
  );
  const cut = await model.translate(text, {interventions: {edges}});
  assert.match(cut.text, /^2021-..-23$/);
  assert.notEqual(cut.text, plain.text);
  assert.deepEqual(cut.decoder.dropped, []);
  for (const [query, written] of cut.ids.entries()) {
    const logits = await decoder.pull(cut.decoder.pass, 'wordLogits', [layers, query]);
    assert.equal(logits.indexOf(Math.max(...logits)), written, `token ${query}`);
    const weights = await decoder.pull(cut.decoder.pass, 'crossAttention', [layers - 1, 0]);
    const weight = weights[query * cut.encoder.ids.length + month];
    assert.equal(weight === 0, query === 5 || query === 6);
  }

  // A token of the text that is hidden is hidden from the decoder too.
  const hidden = await model.translate(text, {interventions: {maskedTokens: [month]}});
  assert.match(hidden.text, /^2021-/);
  assert.notEqual(hidden.text.slice(5, 7), '03');
  const seen = await decoder.pull(hidden.decoder.pass, 'crossAttention', [0, 0]);
  assert.equal(seen[month], 0);
  assert.equal((await model.translate(text)).text, plain.text);
});

test('heads of each part are switched off on their own', async () => {
  const text = '4 July 1776';
  const {layers, heads} = model.shape;
  const {decoder} = /** @type {NonNullable<typeof model.translator>} */ (model.translator);
  const last = (/** @type {Awaited<ReturnType<typeof model.translate>>} */ {encoder}) =>
    model.pull(encoder.pass, 'hiddenStates', [layers]);
  const plain = await model.translate(text);
  for (const part of /** @type {const} */ (['encoder', 'decoder', 'cross'])) {
    const off = inAllHeads(layers, heads, (layer, head) => ({layer, head, scale: 0, part}));
    const changed = await model.translate(text, {interventions: {heads: off}});
    const isSame = largestDifference(await last(plain), await last(changed)) === 0;
    assert.equal(isSame, part !== 'encoder', part);
    const [before, after] = await Promise.all(
      [plain, changed].map(({decoder: {pass}}) => decoder.pull(pass, 'wordLogits', [layers, 0])),
    );
    assert(largestDifference(before, after) > 0.01, part);
  }
});

test('changes that a translation has no place for are dropped or refused', async () => {
  const edge = {layer: 0, head: 0, weight: 0, renormalise: true};
  const edges = [
    {...edge, query: 0, key: 99, part: /** @type {const} */ ('cross')},
    {...edge, query: 40, key: 0, part: /** @type {const} */ ('cross')},
    {...edge, query: 64, key: 0, part: /** @type {const} */ ('cross')},
    {...edge, query: 999, key: 999, part: /** @type {const} */ ('decoder')},
    {...edge, query: 1, key: 2, part: /** @type {const} */ ('decoder')},
  ];
  const {decoder} = await model.translate('4 July 1776', {interventions: {edges}});
  assert.deepEqual(
    decoder.dropped.map(({message}) => message.replace(/.*set: /, '')),
    [
      'the text has 7 tokens',
      'the decoder has 64 positions',
      'the decoder has 64 positions',
      'a decoder sees no later token',
      '11 tokens were written',
    ],
  );
  const code = 'bad-intervention';
  const part = /** @type {any} */ ('both');
  await assert.rejects(
    model.translate('4 July 1776', {interventions: {heads: [{layer: 0, head: 0, scale: 0, part}]}}),
    {code, message: /part: expected 'encoder', 'decoder' or 'cross', found "both"/},
  );
  const plain = await loadGolden('odd-sizes');
  const head = {layer: 0, head: 0, scale: 0, part: /** @type {const} */ ('cross')};
  await assert.rejects(plain.attend('a', {interventions: {heads: [head]}}), {
    code,
    message: /part: expected 'encoder', found "cross"/,
  });
  plain.dispose();
});

/**
 * @template T
 * @param {number} layers
 * @param {number} heads
 * @param {(layer: number, head: number) => T} make
 */
function inAllHeads(layers, heads, make) {
  return Array.from({length: layers * heads}, (_, at) => make(Math.floor(at / heads), at % heads));
}
