/** Tests how a decoder's next token is chosen, beside transformers (`scripts/reference/make_sampling_golden.py`). */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, test} from 'node:test';
import {gunzipSync} from 'node:zlib';
import {choose, drawProbabilities, penalizeRepetition} from '../../../web/engine/host/sampling.js';
import {randomNumbers} from '../../../web/engine/random-numbers.js';
import {batchOf, goldenFolder, loadGolden} from '../support.js';

/**
 * @typedef {{temperature: number, topK: number, topP: number, repetitionPenalty: number, logits: number[],
 *   written: number[], probabilities: number[]}} Case
 */

/** @type {{cases: Case[], continuations: {begun: number[], repetitionPenalty: number, added: number[]}[]}} */
const golden = JSON.parse(`${gunzipSync(readFileSync(goldenFolder('sampling.json.gz')))}`);

const model = await loadGolden('gpt2');
after(() => model.dispose());

test('tokens are drawn with the probabilities of transformers', () => {
  assert.ok(golden.cases.length >= 50);
  for (const {logits, written, probabilities, ...settings} of golden.cases) {
    const penalized = Float32Array.from(logits);
    penalizeRepetition(penalized, written, settings.repetitionPenalty);
    const found = drawProbabilities(penalized, settings);
    for (const [id, expected] of probabilities.entries()) {
      const claim = `token ${id} at ${JSON.stringify(settings)}`;
      assert.ok(Math.abs(found[id] - expected) < 1e-6, `${claim}: ${found[id]}, not ${expected}`);
      assert.ok(expected === 0 || found[id] > 0, claim);
    }
  }
});

test('a continuation with a penalty on what is repeated is that of transformers', async () => {
  for (const {begun, repetitionPenalty, added} of golden.continuations) {
    const {pass} = await model.encoder.run(batchOf(begun));
    const {ids} = await model.generate(pass, {tokens: added.length, repetitionPenalty});
    assert.deepEqual(ids, added, `${begun} with ${repetitionPenalty}`);
  }
});

test('tokens are drawn as often as their probability says', () => {
  const logits = Float32Array.of(2, 1, 0, -1, -Infinity);
  const settings = {temperature: 1, topK: 3, topP: 0.95};
  const expected = drawProbabilities(logits, settings);
  const random = randomNumbers(7);
  const draws = 20_000;
  const counts = new Float64Array(logits.length);
  for (let i = 0; i < draws; i++) counts[choose(logits, settings, random)]++;
  for (const [id, count] of counts.entries()) {
    const deviation = Math.sqrt(draws * expected[id] * (1 - expected[id]));
    assert.ok(Math.abs(count - draws * expected[id]) <= 4 * deviation, `token ${id}: ${count}`);
  }
});

test('drawing from one token alone is taking the likeliest', async () => {
  const {pass} = await model.attend('the cat sat on the mat');
  const likeliest = (await model.generate(pass, {tokens: 8})).ids;
  for (const only of [{topK: 1}, {topP: 0}])
    assert.deepEqual(
      (await model.generate(pass, {tokens: 8, temperature: 1, seed: 3, ...only})).ids,
      likeliest,
    );
});

test('settings that make no sense are refused', async () => {
  const {pass} = await model.attend('the cat');
  for (const [options, message] of /** @type {const} */ ([
    [{topK: -1}, 'expected topK to be a whole number from 0 to 2147483648, found -1'],
    [{topP: 1.5}, 'expected topP to be a number from 0 to 1, found 1.5'],
    [{repetitionPenalty: 0}, 'expected repetitionPenalty to be a number from 0.01 to 100, found 0'],
  ]))
    await assert.rejects(model.generate(pass, options), {
      code: 'bad-option',
      message: `generate: ${message}`,
    });
});
