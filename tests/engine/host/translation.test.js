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
    await assert.rejects(side.explain(each, 'alti', 'vector'), {
      code,
      message: /found a side of an encoder-decoder/,
    });
  }
});
