/** Tests translations through the engine's public side, with its worker on a thread of Node's. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {createEngine} from '../../web/engine/index.js';
import {fromRoot} from './support.js';
import {ThreadWorker} from './thread-worker.js';

/** @import {Engine} from '../../web/engine/index.js' */

// The page has the origin of its scripts, which is "null" for files.
Object.assign(globalThis, {Worker: ThreadWorker, self: {origin: 'null'}});

/** @type {Engine} */
let engine;
/** @type {Awaited<ReturnType<Engine['load']>>} */
let model;
before(async () => {
  engine = await createEngine();
  const bytes = readFileSync(fromRoot('web/models/dates/bertscope-dates.safetensors'));
  model = await engine.load([new File([bytes], 'dates.safetensors')]);
});
after(() => engine.dispose());

test('a date in words becomes digits, each of which is read where the text says it', async () => {
  /** @type {string[]} */
  const told = [];
  const onProgress = (/** @type {{text: string}} */ progress) => told.push(progress.text);
  const text = 'the twenty-third of March 2021';
  const translation = await model.translate(text, {onProgress});
  assert.equal(translation.text, '2021-03-23');
  assert.deepEqual(translation.tokens, [...'2021-03-23', '</s>']);
  assert.equal(told.at(-1), '2021-03-23');
  const {encoder, decoder} = translation;
  assert.deepEqual(decoder.tokens, ['<s>', ...'2021-03-23']);

  const {layers} = /** @type {NonNullable<typeof model.decoderShape>} */ (model.decoderShape);
  const cross = await translation.crossAttention(layers - 1, 0);
  const read = encoder.tokens;
  const weightOf = (/** @type {number} */ row, /** @type {string[]} */ words) =>
    words.reduce((sum, word) => sum + cross[row * read.length + read.indexOf(word)], 0);
  assert(weightOf(5, ['march']) > 0.9 && weightOf(6, ['march']) > 0.9);
  assert(weightOf(8, ['twenty', '-', 'third']) > 0.9);
});

test('both passes of a translation are results like any other', async () => {
  const {encoder, decoder} = await model.translate('on 2 May 1955');
  assert.equal(encoder.offsets[1]?.join(), '3,4');
  assert.equal((await encoder.attention(0, 0)).length, encoder.tokens.length ** 2);
  const causal = await decoder.attention(0, 0);
  assert.equal(causal[1], 0, 'the first token attends to a later one');
  const [{top}] = await decoder.predictions(1);
  assert.equal(top[0].token, '1');
  const [, {length}] = await decoder.logitLens(0, 2);
  assert.equal(length, 2);
  const {statistics} = await decoder.headStatistics();
  assert.equal(statistics.entropy.length, 8);
});

test('a translation that is given up ends, and unknown options are refused', async () => {
  const controller = new AbortController();
  controller.abort();
  const {signal} = controller;
  await assert.rejects(model.translate('2 May 1955', {signal}), {name: 'AbortError'});
  // @ts-expect-error
  await assert.rejects(model.translate('2 May 1955', {beam: 4}), {code: 'bad-option'});
});
