import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import fc from 'fast-check';
import {
  headArithmetic,
  isCausal,
  largestAt,
  softmax,
  sum,
  typicalSize,
} from '../../web/attention/head-arithmetic.js';

const command = fileURLToPath(new URL('../../scripts/bertscope.mjs', import.meta.url));

/** @param {ArrayLike<number>} found @param {ArrayLike<number>} expected @param {number} tolerance */
function assertNear(found, expected, tolerance) {
  assert.equal(found.length, expected.length);
  for (let i = 0; i < found.length; i++) {
    const off = Math.abs(found[i] - expected[i]);
    assert.ok(off <= tolerance, `number ${i} is ${found[i]}, expected ${expected[i]}`);
  }
}

const small = {
  queries: Float32Array.of(1, 2, 0, -1),
  keys: Float32Array.of(3, 1, -1, 0.5),
  values: Float32Array.of(10, 0, 0, 20),
  headDim: 2,
};

test('the arithmetic of two tokens is as computed by hand', () => {
  const {products, sums, scores, softmax, weighted, output} = headArithmetic(small, 0);
  assert.deepEqual([...products], [3, 2, -1, 1]);
  assert.deepEqual([...sums], [5, 0]);
  assertNear(scores, [5 / Math.SQRT2, 0], 1e-6);
  const share = 1 / (1 + Math.exp(-5 / Math.SQRT2));
  assertNear(softmax, [share, 1 - share], 1e-6);
  assertNear(weighted, [10 * share, 0, 0, 20 * (1 - share)], 1e-5);
  assertNear(output, [10 * share, 20 * (1 - share)], 1e-5);
});

test('scores have what distances add, and another divisor, where a model does', () => {
  const positionScores = Float32Array.of(-0.5, 2, 7, -0.5);
  const {scores, positionScores: added} = headArithmetic({...small, divisor: 1, positionScores}, 0);
  assert.deepEqual([...scores], [4.5, 2]);
  assert.deepEqual([...(added ?? [])], [-0.5, 2]);
  const {scores: ofSecond} = headArithmetic({...small, positionScores}, 1);
  assertNear(ofSecond, [-1 / Math.SQRT2 + 7, -0.5 / Math.SQRT2 - 0.5], 1e-6);
});

test('given weights replace the softmax in the output, and only there', () => {
  const {softmax, output} = headArithmetic(small, 0, {weights: [0.5, 0.5]});
  assert.deepEqual([...output], [5, 10]);
  assert.deepEqual([...softmax], [...headArithmetic(small, 0).softmax]);
});

test('a causal query shares its attention among the keys it sees', () => {
  const {softmax, output} = headArithmetic(small, 0, {seen: 1});
  assert.deepEqual([...softmax], [1, 0]);
  assert.deepEqual([...output], [10, 0]);
});

test('attention is causal when each weight above the diagonal is exactly 0', () => {
  assert.ok(isCausal(Float32Array.of(1, 0, 0, 0.5, 0.5, 0, 0.2, 0.3, 0.5), 3));
  assert.ok(!isCausal(Float32Array.of(1, 0, 0, 0.5, 0.5, 1e-9, 0.2, 0.3, 0.5), 3));
  assert.ok(!isCausal(Float32Array.of(1), 1));
});

test('softmax sums to 1 and keeps the order, whatever the size of the scores', () => {
  const scores = fc.float32Array({minLength: 1, maxLength: 64, noNaN: true, min: -1e4, max: 1e4});
  fc.assert(
    fc.property(scores, (scores) => {
      const shares = softmax(scores);
      assert.ok(Math.abs(sum(shares) - 1) < 1e-5);
      assert.equal(Math.max(...shares), shares[largestAt(scores)]);
    }),
  );
});

test('the typical size of numbers is their root mean square, and 0 if there are none', () => {
  assert.equal(typicalSize(Float32Array.of(3, -3, 3)), 3);
  assert.equal(typicalSize(new Float32Array(0)), 0);
});

test('the softmax of q·k/√d of the engine’s vectors is the attention that the engine reports', () => {
  const text = 'time flies like an arrow';
  const out = execFileSync(process.execPath, [command, 'attend', '--with', 'qkv', text]);
  const pass = JSON.parse(out.toString());
  const {layers, heads, tokens, head_dim: headDim} = pass.shape;
  const flat = (/** @type {number[][]} */ rows) => Float32Array.from(rows.flat());
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const vectors = {
        queries: flat(pass.queries[layer][head]),
        keys: flat(pass.keys[layer][head]),
        values: flat(pass.values[layer][head]),
        headDim,
      };
      for (let query = 0; query < tokens; query++) {
        const {softmax} = headArithmetic(vectors, query);
        assertNear(softmax, pass.attentions[layer][head][query], 1e-4);
      }
    }
  }
});
