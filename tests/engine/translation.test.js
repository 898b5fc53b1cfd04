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

test('a written token is explained by the text and by what was written before it', async () => {
  const translation = await model.translate('the twenty-third of March 2021');
  const {encoder, decoder, tokens, ids} = translation;
  /** @type {number[]} */
  const told = [];
  const onProgress = (/** @type {{done: number}} */ {done}) => told.push(done);
  const found = await translation.explain({token: 6, onProgress});
  assert.equal(found.method, 'alti-plus');
  assert.deepEqual(found.target, {token: 6, id: ids[6], word: '3'});
  assert.deepEqual(found.source.tokens, encoder.tokens);
  assert.deepEqual(found.prefix.tokens, decoder.tokens.slice(0, 7));
  for (const {contributions, share} of [found.source, found.prefix]) {
    const sum = contributions.reduce((all, amount) => all + amount, 0);
    assert(Math.abs(sum - share) < 1e-6 && contributions.every((amount) => amount >= 0));
  }
  assert(Math.abs(found.source.share + found.prefix.share - 1) < 1e-6);
  const {contributions} = found.source;
  const most = encoder.tokens[contributions.indexOf(Math.max(...contributions))];
  assert.equal(most, 'march');
  assert(told.at(-1) === 1 && told.every((done, at) => at === 0 || done >= told[at - 1]));

  const width = encoder.tokens.length + decoder.tokens.length;
  const {matrix = new Float32Array(0)} = found;
  assert.equal(matrix.length, decoder.tokens.length * width);
  const row = matrix.subarray(6 * width, 7 * width);
  assert.deepEqual(row.slice(0, encoder.tokens.length), contributions);
  const last = await translation.explain();
  assert.equal(last.target.token, tokens.length - 1);
  assert.deepEqual(last.matrix, found.matrix);
});

test('an explanation of a translation is that of the pass as it was changed', async () => {
  const text = '4 July 1776';
  const {layers, heads} = /** @type {NonNullable<typeof model.decoderShape>} */ (
    model.decoderShape
  );
  const off = (/** @type {'cross' | 'encoder'} */ part) =>
    Array.from({length: layers * heads}, (_, at) => ({
      ...{layer: Math.floor(at / heads), head: at % heads},
      ...{scale: 0, part},
    }));
  const blind = await model.translate(text, {interventions: {heads: off('cross')}});
  const {source} = await blind.explain({token: 3});
  assert.equal(source.share, 0);
  const plain = await (await model.translate(text)).explain({token: 0});
  const own = await model.translate(text, {interventions: {heads: off('encoder')}});
  const changed = await own.explain({token: 0});
  assert.notDeepEqual(changed.source.contributions, plain.source.contributions);
});

test('gradients explain a written token, also rather than another one', async () => {
  const text = 'the twenty-third of March 2021';
  const {heads} = /** @type {NonNullable<typeof model.decoderShape>} */ (model.decoderShape);
  const changed = {
    heads: [{layer: 1, head: heads - 1, scale: 0, part: /** @type {const} */ ('cross')}],
  };
  for (const interventions of [undefined, changed]) {
    const translation = await model.translate(text, {interventions});
    const {encoder, decoder} = translation;
    const method = 'integrated-gradients';
    /** @type {number[]} */
    const told = [];
    const onProgress = (/** @type {{done: number}} */ {done}) => told.push(done);
    const found = await translation.explain({token: 6, method, onProgress});
    const {source, prefix, value, baseline = NaN, remainder = NaN} = found;
    assert.equal(found.method, method);
    assert.equal(found.matrix, undefined);
    assert.deepEqual(source.tokens, encoder.tokens);
    assert.deepEqual(prefix.tokens, decoder.tokens.slice(0, 7));
    assert(Math.abs(source.share + prefix.share + remainder - (value - baseline)) < 1e-4);
    assert(Math.abs(remainder) < 0.02 * Math.abs(value - baseline), `${remainder}`);
    assert.equal(source.contributions.at(-1), 0, 'the end of the text is the baseline’s');
    assert(told.at(-1) === 1 && told.every((done, at) => at === 0 || done >= told[at - 1]));

    const rival = await translation.explain({token: 6, method, instead: '5'});
    assert.equal(rival.instead?.word, '5');
    assert(rival.value > 0, 'another token is likelier than the one that was written');
    const sum = rival.source.share + rival.prefix.share + (rival.remainder ?? NaN);
    assert(Math.abs(sum - (rival.value - (rival.baseline ?? NaN))) < 1e-4);
    const plain = await translation.explain({token: 6, method: 'gradient'});
    assert.equal(plain.value.toFixed(3), value.toFixed(3));
    assert.deepEqual([plain.baseline, plain.remainder], [undefined, undefined]);
  }
});

test('Value Zeroing of a translation gives shares of every layer of the decoder', async () => {
  const translation = await model.translate('the twenty-third of March 2021');
  const {source, prefix, matrix, layers} = await translation.explain({
    ...{token: 6, method: 'value-zeroing'},
  });
  assert(Math.abs(source.share + prefix.share - 1) < 1e-6);
  const size =
    translation.decoder.tokens.length *
    (translation.encoder.tokens.length + translation.decoder.tokens.length);
  assert.deepEqual([matrix?.length, layers?.length, layers?.[0].length], [size, 2, size]);
});

test('what an explanation of a translation does not know is refused with the reason', async () => {
  const translation = await model.translate('2 May 1955');
  const code = 'bad-option';
  for (const token of [-1, 11, 0.5]) {
    await assert.rejects(translation.explain({token}), {
      code: 'bad-target',
      message: `dates: expected a token of the text from 0 to 10, found ${token}`,
    });
  }
  const refused = /** @type {const} */ (['norm', 'globenc', 'alti', 'alti-logit', 'decompx']);
  for (const method of refused) {
    await assert.rejects(translation.explain({method}), {
      code,
      message: `expected a method of value-zeroing, alti-plus, gradient, integrated-gradients, which follow cross attention, to explain what an encoder-decoder has written, found "${method}", which is defined for a model that reads one text`,
    });
  }
  for (const method of /** @type {const} */ (['alti-plus', 'value-zeroing'])) {
    await assert.rejects(translation.explain({method, instead: '3'}), {
      code,
      message: `expected a method of gradient, integrated-gradients to tell one answer from another, found "${method}", whose shares are of the hidden state that both are read from`,
    });
  }
  await assert.rejects(translation.explain({token: 0, method: 'gradient', instead: '1'}), {
    code: 'same-answer',
  });
  await assert.rejects(translation.explain({method: 'gradient', instead: 'frog'}), {
    code: 'bad-target',
  });
  await assert.rejects(translation.explain({method: /** @type {any} */ ('lime')}), {
    code,
    message: /alti-plus, .*found "lime"/,
  });
  // @ts-expect-error
  await assert.rejects(translation.explain({target: 'mask'}), {code});
  await assert.rejects(translation.decoder.explain({method: 'alti-plus'}), {
    code,
    message: /found "alti-plus": call explain of a translation/,
  });
  await assert.rejects(translation.decoder.explain({method: 'gradient'}), {
    code: 'not-available',
    message: /found a side of an encoder-decoder, whose written tokens are explained instead/,
  });
  const controller = new AbortController();
  controller.abort();
  const {signal} = controller;
  await assert.rejects(translation.explain({signal}), {name: 'AbortError'});
});

test('a translation that is given up ends, and unknown options are refused', async () => {
  const controller = new AbortController();
  controller.abort();
  const {signal} = controller;
  await assert.rejects(model.translate('2 May 1955', {signal}), {name: 'AbortError'});
  // @ts-expect-error
  await assert.rejects(model.translate('2 May 1955', {beam: 4}), {code: 'bad-option'});
});
