import assert from 'node:assert/strict';
import {test} from 'node:test';
import {differenceOf} from '../../web/attention/difference.js';
import {commonOf, isSameShape, unionOf} from '../../web/attention/shape.js';
import {createSnapshot} from '../../web/attention/snapshot.js';

/** @param {string[]} tokens @param {number[]} weights */
const snapshotOf = (tokens, weights) =>
  createSnapshot({tokens, layers: 1, heads: 1, attention: () => Float32Array.from(weights)});

const before = snapshotOf(['the', 'cat'], [0.5, 0.5, 1, 0]);
const after = snapshotOf(['the', 'dog'], [0.25, 0.75, 1, 0]);

test('a difference is the later attention minus the earlier, and names both tokens in that order where they differ', () => {
  const difference = differenceOf(before, after);
  assert.deepEqual([...(difference.attention(0, 0) ?? [])], [-0.25, 0.25, 0, 0]);
  assert.deepEqual(difference.queryTokens, ['the', 'dog | cat']);
  assert.equal(difference.isDifference, true);
});

test('a difference is made once, and so are its matrices', () => {
  const [from, to] = [Float32Array.of(1, 0, 0, 1), Float32Array.of(0, 1, 1, 0)];
  const model = {tokens: ['a', 'b'], layers: 1, heads: 2};
  const earlier = createSnapshot({...model, attention: () => from});
  const later = createSnapshot({...model, attention: () => to});
  const difference = differenceOf(earlier, later);
  assert.equal(differenceOf(earlier, later), difference);
  assert.equal(difference.attention(0, 1), difference.attention(0, 0));
  const mixed = createSnapshot({...model, attention: (_, head) => (head ? to : from)});
  const other = differenceOf(mixed, later);
  assert.notEqual(other, difference);
  assert.deepEqual([...(other.attention(0, 0) ?? [])], [-1, 1, 1, -1]);
  assert.deepEqual([...(other.attention(0, 1) ?? [])], [0, 0, 0, 0]);
});

test('the difference of attention from itself is zero', () => {
  const difference = differenceOf(after, after);
  assert.ok(difference.attention(0, 0)?.every((weight) => weight === 0));
  assert.deepEqual(difference.keyTokens, after.keyTokens);
});

test('a head that was not fetched has no difference yet', () => {
  const missing = createSnapshot({
    tokens: ['a', 'b'],
    layers: 1,
    heads: 1,
    attention: () => undefined,
  });
  assert.equal(differenceOf(missing, after).attention(0, 0), undefined);
});

test('a difference of two models has the heads that both have', () => {
  const has = (/** @type {number} */ layer, /** @type {number} */ head) => layer + head > 0;
  const difference = differenceOf({...before, layers: 12, heads: 8}, {...after, layers: 6, heads: 12, has}); // prettier-ignore
  assert.deepEqual([difference.layers, difference.heads], [6, 8]);
  assert.deepEqual([difference.has?.(0, 0), difference.has?.(0, 1)], [false, true]);
});

test('shapes are equal if their gaps are, and only a shape with gaps lists its heads', () => {
  const partly = () => ({layers: 2, heads: 2, held: [false, true, true, true]});
  const [whole, tall] = [2, 3].map((layers) => ({layers, heads: 2}));
  assert(isSameShape(partly(), partly()));
  assert(isSameShape(whole, {...whole, held: partly().held.fill(true)}));
  assert(isSameShape(partly(), {...whole, has: (layer, head) => layer + head > 0}));
  assert(!isSameShape(partly(), whole));
  assert(!isSameShape(whole, tall));
  for (const shape of [commonOf(whole, tall), unionOf(whole, tall), unionOf(whole, partly())])
    assert.equal(shape.held, undefined);
  assert.deepEqual(commonOf(partly(), partly()).held, partly().held);
});

test('sides with different numbers of tokens are refused with both numbers', () => {
  const longer = snapshotOf(['a', 'b', 'c'], Array(9).fill(1 / 3));
  assert.throws(
    () => differenceOf(before, longer),
    /as many tokens that attend .* 2 were kept, 3 are here/,
  );
});
