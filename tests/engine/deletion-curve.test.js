/** Tests explanations on their own texts: what is left of an answer when tokens are masked. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {loadModel} from '../../scripts/cli/engine.mjs';
import {defaultModel} from '../../scripts/cli/source.mjs';
import {loadGolden} from './support.js';

const embedded = await loadModel(await defaultModel());
const TEXT = 'The dog was [MASK] in the garden.';
const {pass, tokens} = await embedded.attend(TEXT);
const blank = tokens.indexOf('[MASK]');
/** The dog first, then the garden, then the rest from the left. */
const contributions = tokens.map((token) => ({dog: 2, garden: 1})[token] ?? 0);

/** @param {number[]} masked */
async function probabilityWithout(masked, id = 0) {
  const ids = Int32Array.from(pass.ids);
  for (const token of masked) ids[token] = ids[blank];
  const {pass: changed} = await embedded.encoder.run({...pass, ids});
  return (await embedded.probabilities(changed, blank, [id]))[0];
}

const meanOf = (/** @type {number[]} */ values) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test('tokens are masked in the order of their contributions, and the answer is measured', async () => {
  const [{top}] = await embedded.predictions(pass, 1);
  const {order, counts, deletion, random} = await embedded.deletionCurve(pass, contributions);
  const words = order.map((token) => tokens[token]);
  assert.deepEqual(words, ['dog', 'garden', 'the', 'was', 'in', 'the', '.']);
  assert.deepEqual(counts, [0, 1, 2, 3, 4, 5, 6, 7]);
  for (const count of counts) {
    const without = await probabilityWithout(order.slice(0, count), top[0].id);
    const only = await probabilityWithout(order.slice(count), top[0].id);
    assert(Math.abs(deletion.without[count] - without) < 1e-5, `without ${count}`);
    assert(Math.abs(deletion.only[count] - only) < 1e-5, `only ${count}`);
  }
  for (const {without, only, comprehensiveness, sufficiency} of [deletion, random]) {
    assert.equal(without[0], only.at(-1));
    assert.equal(without.at(-1), only[0]);
    const whole = without[0];
    const fall = (/** @type {Float32Array} */ curve) =>
      meanOf(Array.from(curve, (value) => whole - value));
    assert(Math.abs(comprehensiveness - fall(without)) < 1e-6);
    assert(Math.abs(sufficiency - fall(only)) < 1e-6);
  }
  assert.equal(random.without[0], deletion.without[0]);
  assert.notDeepEqual(random.without, deletion.without);
});

test('the same seed draws the same orders, and another seed others', async () => {
  const randomOf = async (/** @type {number} */ seed) =>
    (await embedded.deletionCurve(pass, contributions, {seed})).random;
  const first = await randomOf(3);
  assert.deepEqual(await randomOf(3), first);
  assert.notDeepEqual((await randomOf(4)).without, first.without);
});

test('random orders count with their reverses, so that one curve is the other from behind', async () => {
  const {random} = await embedded.deletionCurve(pass, contributions, {randomOrders: 2});
  random.without.forEach((value, at) =>
    assert(Math.abs(value - random.only[random.only.length - 1 - at]) < 1e-6),
  );
});

test('a curve without random orders measures only the order that is asked for', async () => {
  let copies = 0;
  const {random, deletion} = await embedded.deletionCurve(pass, contributions, {
    randomOrders: 0,
    onProgress: ({total}) => (copies = total),
  });
  assert.equal(random, null);
  assert.deepEqual(deletion, (await embedded.deletionCurve(pass, contributions)).deletion);
  // Each number of masked tokens from either end, of which both ends mask all or none.
  assert.equal(copies, 14);
});

test('a class and a sentence vector have curves too', async () => {
  const vector = await embedded.deletionCurve(pass, contributions, {target: 'vector'});
  assert(Math.abs(vector.deletion.without[0] - 1) < 1e-6);
  assert(vector.deletion.without.every((cosine) => cosine <= 1 + 1e-6));
  const classifier = await loadGolden('half-classifier');
  const attended = await classifier.attend('she sat on the mat');
  const numbers = attended.tokens.map((_, token) => token);
  const target = /** @type {const} */ ('class:negative');
  const {order, deletion} = await classifier.deletionCurve(attended.pass, numbers, {target});
  assert.deepEqual(order, [5, 4, 3, 2, 1]);
  const [{probability}] = await classifier.classes(attended.pass);
  assert(Math.abs(deletion.without[0] - probability) < 1e-5);
  classifier.dispose();
});

test('a word that is explained in its own place is never masked', async () => {
  const {pass: full, tokens: words} = await embedded.attend('The dog was happy.');
  const token = words.indexOf('happy');
  const numbers = words.map(() => 1);
  const {order} = await embedded.deletionCurve(full, numbers, {target: {token, masked: true}});
  assert.deepEqual(
    order.map((at) => words[at]),
    ['the', 'dog', 'was', '.'],
  );
});

test('a text with nothing to mask has a curve of one point', async () => {
  const {pass: alone, tokens: words} = await embedded.attend('[MASK]');
  const {order, counts, deletion} = await embedded.deletionCurve(
    alone,
    words.map(() => 0),
  );
  assert.deepEqual([order, counts], [[], [0]]);
  assert.deepEqual([deletion.comprehensiveness, deletion.sufficiency], [0, 0]);
});

test('of a long text 21 points are measured', async () => {
  const {pass: long, tokens: words} = await embedded.attend(`${'the dog '.repeat(30)}[MASK]`);
  const numbers = words.map((_, token) => -token);
  const {order, counts, deletion} = await embedded.deletionCurve(long, numbers, {randomOrders: 1});
  assert.equal(order.length, 60);
  assert.deepEqual(
    counts,
    Array.from({length: 21}, (_, step) => step * 3),
  );
  assert.equal(deletion.without.length, 21);
});

test('contributions and options that do not fit are refused', async () => {
  const bare = await loadGolden('camembert');
  const {pass: ofBare} = await bare.attend('time');
  for (const [
    model,
    of,
    numbers,
    options,
    code,
    message,
  ] of /** @type {[typeof embedded, typeof pass, any, any, string, RegExp][]} */ ([
    [embedded, pass, [1, 2], {}, 'bad-option', /a number for each of 10 tokens, found \[1,2\]/],
    [embedded, pass, contributions.with(2, NaN), {}, 'bad-option', /a number for each/],
    [embedded, pass, undefined, {}, 'bad-option', /a number for each of 10 tokens, found nothing/],
    [embedded, pass, null, {}, 'bad-option', /found null/],
    [embedded, pass, contributions, {randomOrders: 1001}, 'bad-option', /to 1000, found 1001/],
    [embedded, pass, contributions, {randomOrders: -1}, 'bad-option', /from 0 .* found -1/],
    [embedded, pass, contributions, {seed: 2 ** 32}, 'bad-option', /seed: .*found 4294967296/],
    [embedded, pass, contributions, {seed: -1}, 'bad-option', /seed: .*found -1/],
    [
      embedded,
      pass,
      contributions,
      {target: 'class:A'},
      'no-classifier',
      /a classifier, found none/,
    ],
    [bare, ofBare, Array(ofBare.ids.length).fill(0), {}, 'no-masked-lm-head', /masked-LM head/],
  ])) {
    await assert.rejects(model.deletionCurve(of, numbers, options), (error) => {
      assert.equal(/** @type {any} */ (error).code, code);
      assert.match(/** @type {Error} */ (error).message, message);
      return true;
    });
  }
  bare.dispose();
});

test('a curve tells how far it is and stops when it is aborted', async () => {
  const controller = new AbortController();
  let last = 0;
  const curve = embedded.deletionCurve(pass, contributions, {
    signal: controller.signal,
    onProgress: ({done, total}) => {
      assert(done > last && done <= total);
      last = done;
      controller.abort();
    },
  });
  await assert.rejects(curve, {name: 'AbortError'});
});
