/** Tests the numbers of steps with several heads against arithmetic in float64, which shares no code with the lab. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {steps} from '../../web/lessons/attention-from-scratch/steps.js';
import {compute as computeStep} from './embedded-models.js';
import {embedded} from '../support/embedded-model.js';

/** @import {Choices, Step} from '../../web/lessons/step.js' */
/** @import {Tensor} from '../../web/lessons/parts/tensor.js' */

/** @param {keyof typeof steps} name @param {Choices} choices @returns {Promise<any>} */
const compute = (name, choices) => computeStep(/** @type {Step} */ (steps[name]), {choices});

const increment = 0x9e3779b97f4a7c15n;
const in64 = (/** @type {bigint} */ value) => BigInt.asUintN(64, value);

/** The number of SplitMix64 at a place, from 0. @param {bigint} seed @param {number} at */
function numberOf(seed, at) {
  let z = in64(seed + BigInt(at + 1) * increment);
  z = in64((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = in64((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}

const partOf = (/** @type {bigint} */ seed, /** @type {number} */ index) =>
  numberOf(in64(seed + BigInt(index) * increment), 0);

/** Numbers in ±1/√inputs, of which each number of SplitMix64 gives two. @param {bigint} seed @param {number} count @param {number} inputs */
function uniform(seed, count, inputs) {
  const bound = Math.fround(1 / Math.sqrt(inputs));
  return Array.from({length: count}, (_, at) => {
    const whole = numberOf(seed, at >> 1);
    const half = at % 2 ? whole & 0xffffffffn : whole >> 32n;
    return Math.fround(bound * (Number(half >> 8n) * 2 ** -23 - 1));
  });
}

/** x Wᵀ + b of a random layer. @param {number[][]} rows @param {bigint} seed */
function project(rows, seed) {
  const size = rows[0].length;
  const weights = uniform(partOf(seed, 0), size * size, size);
  const biases = uniform(partOf(seed, 1), size, size);
  return rows.map((row) =>
    biases.map((bias, out) =>
      row.reduce((sum, value, at) => sum + value * weights[out * size + at], bias),
    ),
  );
}

/** @param {number[]} scores */
function softmax(scores) {
  const exponents = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const sum = exponents.reduce((a, b) => a + b);
  return exponents.map((each) => each / sum);
}

/**
 * Heads side by side, [batch, tokens, hidden], without a layer that mixes them.
 *
 * @param {Tensor} x
 * @param {{heads: number, seed: number, causal?: boolean, keep?: Tensor | null}} options
 */
function headsOf({shape: [texts, tokens, hidden], data}, {heads, seed, causal, keep}) {
  const size = hidden / heads;
  const rows = Array.from({length: texts * tokens}, (_, row) =>
    Array.from(data.slice(row * hidden, (row + 1) * hidden)),
  );
  const [q, k, v] = [0, 1, 2].map((index) => project(rows, partOf(BigInt(seed), index)));
  return rows.flatMap((_, row) => {
    const first = row - (row % tokens);
    const keys = Array.from({length: tokens}, (__, key) => first + key).filter(
      (key) => !(causal && key > row) && (!keep || keep.data[key]),
    );
    const weights = Array.from({length: heads}, (__, head) =>
      softmax(
        keys.map((key) => {
          let score = 0;
          for (let at = head * size; at < (head + 1) * size; at++) score += q[row][at] * k[key][at];
          return score / Math.sqrt(size);
        }),
      ),
    );
    return Array.from({length: hidden}, (__, at) =>
      keys.reduce((sum, key, i) => sum + weights[Math.floor(at / size)][i] * v[key][at], 0),
    );
  });
}

/** @param {Tensor} found @param {number[]} expected */
function assertNear({data}, expected) {
  assert.equal(data.length, expected.length);
  const furthest = expected.reduce(
    (most, each, at) => Math.max(most, Math.abs(each - data[at])),
    0,
  );
  assert(furthest <= 1e-6, `differs by ${furthest}`);
}

test('masked heads take what a model has read whole, mask the future alone and are not mixed', async () => {
  for (const heads of [8, 2]) {
    const {x, tokens, output, weights} = await compute('masked-multi-head', {read: true, heads});
    assert.deepEqual(
      [x.shape, output.shape],
      [
        [2, 12, embedded.hidden],
        [2, 12, embedded.hidden],
      ],
    );
    assert.equal(tokens[0][0], '[CLS]');
    assert.equal(tokens[1].at(-1), '[PAD]');
    assertNear(output, headsOf(x, {heads, seed: 0, causal: true}));
    assert(weights.data.at(-1) > 0, 'the last token attends to itself, which is padding');
  }
});

test('what a model has read whole knows the last word before any mask', async () => {
  const {lastToken, before, last} = await compute('masked-multi-head', {read: true});
  assert.equal(lastToken, '.');
  assert(before > 0.001 && last > 0.001, `${before}, ${last}`);
  assert.equal((await compute('masked-multi-head', {read: true, last: '.'})).before, 0);
});

test('several heads mask the padding or do not, as a switch says', async () => {
  const masked = await compute('multi-head', {});
  assert.equal(masked.padding, 0);
  assertNear(masked.combined, headsOf(masked.x, {heads: 8, seed: 0, keep: masked.keepMask}));
  const open = await compute('multi-head', {keep: false});
  assert(open.padding > 0.02 && open.padding < 0.3, String(open.padding));
  assertNear(open.combined, headsOf(open.x, {heads: 8, seed: 0}));
});
