/** Compares the results of the prediction heads with PyTorch's. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {expectedOf, goldenFolder, loadGolden, part, readTensors, TOLERANCE} from '../support.js';

const TEXT = 'time flies like [MASK]';
const OPTIONS = {pair: 'fruit flies like a banana'};

const model = await loadGolden('odd-sizes');
const {layers, hiddenSize} = model.shape;
const {vocabulary} = model.config;
const {pass, tokens} = await model.attend(TEXT, OPTIONS);
const {lens, surprise} = await readTensors(`${goldenFolder('odd-sizes')}/analysis.safetensors`);

/** @param {ArrayLike<number>} logits */
function softmax(logits) {
  const exponents = Array.from(logits, Math.exp);
  const sum = exponents.reduce((a, b) => a + b);
  return exponents.map((exponent) => exponent / sum);
}

test('the masked-LM head at every layer matches PyTorch’s', async () => {
  for (const token of [0, 4, tokens.length - 1]) {
    const found = await model.predict.atEveryLayer(pass, token, vocabulary);
    assert.equal(found.length, layers + 1);
    for (const [index, top] of found.entries()) {
      const expected = softmax(part(lens, index, token));
      assert.equal(top.length, vocabulary);
      for (const {id, probability} of top)
        assert(Math.abs(probability - expected[id]) <= TOLERANCE.probabilities);
      const ids = [70, 3, 70];
      const chosen = index === layers ? await model.predict.probabilities(pass, token, ids) : [];
      chosen.forEach((value, at) =>
        assert(Math.abs(value - expected[ids[at]]) <= TOLERANCE.probabilities),
      );
    }
  }
  const [{token, id}] = (await model.predict.atEveryLayer(pass, 4, 1))[layers];
  const [{top}] = await model.predictions(pass, 1);
  assert.deepEqual({token, id}, {token: top[0].token, id: top[0].id});
});

for (const atOnce of ['several masks in a batch', 'one mask after another']) {
  test(`the surprise of every token matches PyTorch’s, ${atOnce}`, async () => {
    // Ten copies of a text of 12 tokens fit a batch, but only three of a text of 40.
    const text = atOnce.startsWith('one') ? 'a '.repeat(38) : TEXT;
    const options = text === TEXT ? OPTIONS : {};
    const attended = await model.attend(text, options);
    /** @type {number[]} */
    const told = [];
    const found = await model.surprise(attended.pass, {
      topK: 2,
      onProgress: ({done}) => told.push(done),
    });
    const ordinary = attended.tokens.flatMap((token, index) =>
      ['[CLS]', '[SEP]', '[MASK]'].includes(token) ? [] : index,
    );
    assert.deepEqual(
      found.map(({index}) => index),
      ordinary,
    );
    assert.equal(told.at(-1), ordinary.length);
    for (const {index, bits, probability, top} of found) {
      assert.equal(top.length, 2);
      assert(Math.abs(2 ** -bits - probability) < 1e-6);
      if (text === TEXT)
        assert(Math.abs(bits - surprise.data[index]) <= TOLERANCE.bits, `${index}`);
      else {
        const masked = `${'a '.repeat(index - 1)}[MASK]${' a'.repeat(38 - index)}`;
        const alone = await model.attend(masked);
        const [expected] = await model.predict.probabilities(alone.pass, index, [
          attended.ids[index],
        ]);
        assert(Math.abs(probability - expected) <= 1e-5, `${index}`);
      }
    }
    if (text !== TEXT) assert.deepEqual(told, [3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 38]);
  });
}

test('the classes of a classifier have PyTorch’s logits and the names of id2label', async () => {
  const classifier = await loadGolden('half-classifier');
  const attended = await classifier.attend('she sat on the mat', {pair: 'he was in the arrow .'});
  const found = await classifier.predict.classes(attended.pass);
  const expected = part((await expectedOf('half-classifier')).classifier_logits, 0);
  assert.deepEqual(
    found.map(({label}) => label),
    ['negative', 'neutral', 'positive'],
  );
  const probabilities = softmax(expected);
  for (const [index, {logit, probability}] of found.entries()) {
    assert(Math.abs(logit - expected[index]) <= TOLERANCE.logits);
    assert(Math.abs(probability - probabilities[index]) <= TOLERANCE.probabilities);
  }
  await assert.rejects(classifier.predict.atEveryLayer(attended.pass, 1), {
    code: 'no-masked-lm-head',
    message: /expected weights with a masked-LM head, found none/,
  });
  for (const asked of [
    () => classifier.surprise(attended.pass),
    () => classifier.predict.probabilities(attended.pass, 1, []),
  ])
    await assert.rejects(async () => asked(), {code: 'no-masked-lm-head'});
  await assert.rejects(model.predict.classes(pass), {code: 'no-classifier'});
  classifier.dispose();
});

test('tokens and entries that do not exist are refused', async () => {
  await assert.rejects(model.predict.atEveryLayer(pass, 12), {code: 'out-of-range'});
  await assert.rejects(model.predict.atEveryLayer(pass, 0.5), {code: 'bad-index'});
  await assert.rejects(model.predict.probabilities(pass, 0, [101]), {code: 'bad-target'});
});

test('hidden states are compared token by token and layer by layer', async () => {
  const same = await model.similarity(pass, pass);
  assert.equal(same.length, (layers + 1) * tokens.length);
  assert(same.every((cosine) => Math.abs(cosine - 1) < 1e-6));
  const interventions = {heads: [{layer: 1, head: 0, scale: 0}]};
  const changed = await model.attend(TEXT, {...OPTIONS, interventions});
  const cosines = await model.similarity(changed.pass, pass);
  cosines.subarray(0, 2 * tokens.length).forEach((cosine) => assert(Math.abs(cosine - 1) < 1e-6));
  const [a, b] = [
    await model.pull(pass, 'hiddenStates', [layers]),
    await model.pull(changed.pass, 'hiddenStates', [layers]),
  ];
  const first = (/** @type {number[]} */ products) => products.reduce((sum, value) => sum + value);
  const dot = (/** @type {Float32Array} */ x, /** @type {Float32Array} */ y) =>
    first([...x.subarray(0, hiddenSize)].map((value, at) => value * y[at]));
  const expected = dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  assert(Math.abs(cosines[layers * tokens.length] - expected) < 1e-6);
  assert(expected < 0.9999);
  const other = await model.attend('time');
  await assert.rejects(model.similarity(other.pass, pass), {code: 'different-texts'});
});
