/** Tests the lab as lessons call it, through the engine's worker; tests/lab tests its numbers. */

import assert from 'node:assert/strict';
import {setMaxListeners} from 'node:events';
import {after, before, test} from 'node:test';
import {BertscopeError, createEngine} from '../../../web/engine/index.js';
import {ThreadWorker} from '../thread-worker.js';

/** @import {Engine} from '../../../web/engine/index.js' */
/** @import {Lab} from '../../../web/engine/lab/lab.js' */

Object.assign(globalThis, {Worker: ThreadWorker});

/** @type {Engine} */
let engine;
/** @type {Lab} */
let lab;
before(async () => {
  engine = await createEngine({kernel: 'simd128'});
  lab = engine.lab;
});
after(() => engine.dispose());

test('lesson 4: 5 queries over 7 keys, width 256, 8 heads, batch 4, give [4, 5, 256]', async () => {
  const query = await lab.normal([4, 5, 256], 1);
  const key = await lab.normal([4, 7, 256], 2);
  const result = await lab.multiHead({query, key, value: key, heads: 8, seed: 3, parameters: true});
  assert.deepEqual(result.queryHeads.shape, [4, 8, 5, 32]);
  assert.deepEqual(result.keyHeads.shape, [4, 8, 7, 32]);
  assert.deepEqual(result.attention.weights.shape, [4, 8, 5, 7]);
  assert.deepEqual(result.attention.entropy.shape, [4, 8, 5]);
  assert.deepEqual(result.output?.shape, [4, 5, 256]);
  assert.deepEqual(result.parameters?.query.weight.shape, [256, 256]);
  assert.equal(result.output?.data.length, 4 * 5 * 256);

  // The same numbers come from one operation at a time.
  const {parameters} = result;
  assert(parameters?.output);
  const q = await lab.splitHeads(await lab.project(query, parameters.query), 8);
  const k = await lab.splitHeads(await lab.project(key, parameters.key), 8);
  const v = await lab.splitHeads(await lab.project(key, parameters.value), 8);
  const weights = await lab.softmax(await lab.scores(q, k));
  const combined = await lab.combineHeads(await lab.weightedSum(weights, v));
  assert.deepEqual(await lab.project(combined, parameters.output), result.output);
});

test('the same seed gives the same numbers, and another seed other ones', async () => {
  const first = await lab.linear(3, 4, 5);
  assert.deepEqual(await lab.linear(3, 4, 5), first);
  assert.notDeepEqual(await lab.linear(3, 4, 6), first);
});

test('softmax over the wrong axis makes columns sum to 1, over the right one rows', async () => {
  const scores = await lab.normal([1, 6, 6], 1);
  for (const [axis, other] of /** @type {['keys' | 'queries', 'keys' | 'queries'][]} */ ([
    ['keys', 'queries'],
    ['queries', 'keys'],
  ])) {
    const weights = await lab.softmax(scores, {axis});
    const sums = await lab.sums(weights, {axis});
    assert(sums.data.every((sum) => Math.abs(sum - 1) < 1e-6));
    const others = await lab.sums(weights, {axis: other});
    assert(others.data.some((sum) => Math.abs(sum - 1) > 0.1));
  }
});

test('dropout empties about as many numbers as its probability says, and enlarges the others', async () => {
  const x = await lab.normal([10, 100], 1);
  const {data} = await lab.dropout(x, {probability: 0.5, seed: 3});
  const empty = data.filter((value) => value === 0).length;
  assert(empty > 450 && empty < 550, `${empty} of 1000`);
  assert(data.every((value, at) => value === 0 || value === x.data[at] * 2));
  assert.notDeepEqual((await lab.dropout(x, {probability: 0.5, seed: 4})).data, data);
});

test('splitting heads shows where every number comes from', async () => {
  const x = {shape: [1, 2, 4], data: [0, 1, 2, 3, 4, 5, 6, 7]};
  const split = await lab.splitHeads(x, 2);
  assert.deepEqual(split.shape, [1, 2, 2, 2]);
  assert.deepEqual([...split.data], [0, 1, 4, 5, 2, 3, 6, 7]);
  assert.deepEqual([...(await lab.combineHeads(split)).data], x.data);
});

test('more layers do not change the first ones, and other positions do not change the layers', async () => {
  const input = await lab.normal([1, 5, 32], 1);
  const options = /** @type {const} */ ({input, heads: 4, seed: 7, norm: 'pre'});
  const two = await lab.encoder({...options, layers: 2});
  const four = await lab.encoder({...options, layers: 4});
  assert.deepEqual(four.hiddenStates.slice(0, 3), two.hiddenStates);
  assert.equal(four.norms.length, 5);
  assert.deepEqual(four.attention[3].shape, [1, 4, 5, 5]);
  const {logits} = await lab.classifier({hiddenState: four.hiddenStates[4], labels: 3, seed: 1});
  assert.deepEqual(logits.shape, [1, 3]);
});

test('the targets of an encoder-decoder attend to its sources', async () => {
  const source = await lab.normal([1, 7, 32], 1);
  const target = await lab.normal([1, 5, 32], 2);
  const keep = {shape: [1, 7], data: [1, 1, 1, 1, 1, 0, 0]};
  const {encoder, decoder} = await lab.encoderDecoder({source, target, heads: 4, seed: 1, keep});
  assert.deepEqual(encoder.output.shape, [1, 7, 32]);
  const {weights} = decoder.crossAttention.attention;
  assert.deepEqual(weights.shape, [1, 4, 5, 7]);
  assert(weights.data.every((weight, at) => (weight === 0) === at % 7 > 4));
  assert(decoder.selfAttention.attention.weights.data[1] === 0, 'the first target sees the second');
  assert.deepEqual(decoder.output.shape, [1, 5, 32]);
});

test('an aborted lab call that has not begun is never run', async () => {
  const work = new AbortController();
  setMaxListeners(20, work.signal); // Node warns of more than ten listeners
  const until = lab.until(work.signal);
  let run = 0;
  const [worker] = ThreadWorker.all;
  worker.addEventListener('message', (event) => {
    const {value} = /** @type {MessageEvent} */ (event).data;
    if (value?.data?.length === 512) run++;
  });
  // The other calls and their abort arrive while this one runs.
  const input = await lab.normal([1, 32, 128], 1);
  const busy = lab.encoder({input, layers: 96, heads: 4, seed: 1});
  const calls = Array.from({length: 20}, (_, seed) => until.normal([512], seed));
  work.abort();
  const outcomes = await Promise.allSettled(calls);
  assert.ok(outcomes.every(({status}) => status === 'rejected'));
  await assert.rejects(until.normal([2], 1), {name: 'AbortError'});
  assert.equal((await lab.normal([2], 1)).data.length, 2, 'other calls still run');
  await busy;
  assert.ok(run < 20, 'all aborted calls were run');
});

/** @param {number[]} shape */
const zeros = (...shape) => ({shape, data: new Float32Array(shape.reduce((a, b) => a * b))});

for (const [
  what,
  call,
  code,
  message,
] of /** @type {[string, (lab: Lab) => Promise<unknown>, string, RegExp][]} */ ([
  ['a vector', (l) => l.softmax(zeros(3)), 'shape-mismatch', /softmax: .* found the shape \[3\]/],
  ['no tensor', (l) => l.softmax(/** @type {any} */ (3)), 'bad-option', /a tensor.* found 3/],
  [
    'too few numbers',
    (l) => l.gelu({shape: [2, 2], data: [1]}),
    'size-mismatch',
    /gelu: .*expected 4 numbers for the shape \[2, 2\], found 1/,
  ],
  [
    'an unknown option',
    (l) => l.softmax(zeros(2, 2), /** @type {any} */ ({axes: 'keys'})),
    'bad-option',
    /softmax: expected the options axis, found axes/,
  ],
  [
    'an unknown axis',
    (l) => l.softmax(zeros(2, 2), {axis: /** @type {any} */ (1)}),
    'bad-option',
    /expected keys or queries as axis, found 1/,
  ],
  [
    'heads that do not divide the hidden size',
    (l) => l.splitHeads(zeros(1, 2, 6), 4),
    'shape-mismatch',
    /splitHeads: .*divides 6 features, found 4/,
  ],
  [
    'keys of another width',
    (l) => l.scores(zeros(1, 2, 6), zeros(1, 2, 5)),
    'shape-mismatch',
    /found \[1, 2, 6\] and \[1, 2, 5\]/,
  ],
  [
    'a padding mask of another batch',
    (l) => l.mask(zeros(2, 3, 3), {keep: zeros(1, 3)}),
    'shape-mismatch',
    /expected \[2, 3\], found \[1, 3\]/,
  ],
  ['a negative seed', (l) => l.normal([2], -1), 'bad-option', /from 0 as seed, found -1/],
  ['no seed', (l) => l.normal([2], /** @type {any} */ (undefined)), 'bad-option', /found nothing/],
  ['a shape that is too large', (l) => l.normal([1e5, 1e5], 1), 'invalid-input', /16777216/],
  [
    'weights that are too large',
    (l) => l.linear(2 ** 30, 2 ** 30, 1),
    'invalid-input',
    /linear: .*found \[1073741824, 1073741824\]/,
  ],
  [
    'too many layers',
    (l) => l.encoder({input: zeros(1, 2, 4), layers: 1000, heads: 1, seed: 1}),
    'invalid-input',
    /the layers: expected 1 to 96, found 1000/,
  ],
  [
    'a linear layer without a bias',
    (l) => l.project(zeros(2, 2), /** @type {any} */ ({weight: zeros(2, 2)})),
    'bad-option',
    /project: expected a tensor.* as bias, found nothing/,
  ],
])) {
  test(`the lab refuses ${what} by name and stays usable`, async () => {
    await assert.rejects(call(lab), (error) => {
      assert(error instanceof BertscopeError);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    });
    assert.deepEqual((await lab.gelu({shape: [1], data: [0]})).data, Float32Array.of(0));
  });
}
