import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {createSnapshot} from '../../web/attention/snapshot.js';
import {
  activeHeads,
  filterSlices,
  filters,
  isOfDecoder,
  isolateHead,
  toggleHead,
  writtenToken,
} from '../../web/attention/selection.js';

const pair = createSnapshot({
  tokens: ['[CLS]', 'a', '[SEP]', 'b', '[SEP]'],
  tokenTypeIds: [0, 0, 0, 1, 1],
  layers: 1,
  heads: 1,
  attention: () => undefined,
});
const a = {start: 0, end: 3};
const b = {start: 3, end: 5};
const both = {start: 0, end: 5};

test('a filter is named by the sentence of its queries, then of its keys', () => {
  assert.deepEqual(filterSlices('all', pair), {query: both, key: both});
  assert.deepEqual(filterSlices('aa', pair), {query: a, key: a});
  assert.deepEqual(filterSlices('bb', pair), {query: b, key: b});
  assert.deepEqual(filterSlices('ab', pair), {query: a, key: b});
  assert.deepEqual(filterSlices('ba', pair), {query: b, key: a});
});

test('a single sentence shows everything under every filter', () => {
  for (const filter of filters) {
    assert.deepEqual(filterSlices(filter, {...pair, sentenceB: null}), {query: both, key: both});
  }
});

const someHeads = fc
  .tuple(fc.integer({min: 1, max: 20}), fc.array(fc.integer({min: -3, max: 25})), fc.nat(19))
  .map(([count, heads, head]) => ({count, active: activeHeads(heads, count), head: head % count}));

test('active heads are never empty, ascending, and heads of the model', () => {
  fc.assert(
    fc.property(someHeads, ({count, active}) => {
      assert.ok(active.length > 0 && active.every((head) => head >= 0 && head < count));
      assert.deepEqual(
        active,
        [...new Set(active)].sort((x, y) => x - y),
      );
    }),
  );
});

test('toggling a head twice changes nothing, unless it was the last one', () => {
  fc.assert(
    fc.property(someHeads, ({active, head}) => {
      assert.deepEqual(toggleHead(toggleHead(active, head), head), active);
    }),
  );
});

test('the last active head cannot be switched off', () => {
  assert.deepEqual(toggleHead([3], 3), [3]);
  assert.deepEqual(toggleHead([1, 3], 3), [1]);
  assert.deepEqual(toggleHead([1, 3], 2), [1, 2, 3]);
});

test('isolating a head leaves it alone active, and isolating the only head brings all back', () => {
  assert.deepEqual(isolateHead([0, 1, 2], 1, 3), [1]);
  assert.deepEqual(isolateHead([0, 2], 1, 3), [1]);
  assert.deepEqual(isolateHead([1], 1, 3), [0, 1, 2]);
});

test('a decoder wrote its own tokens, and those that ask in cross attention', () => {
  const query = {side: /** @type {const} */ ('query'), index: 1};
  const key = {...query, side: /** @type {const} */ ('key')};
  assert(isOfDecoder({filter: 'decoder', token: key}));
  assert(isOfDecoder({filter: 'cross', token: query}));
  assert(!isOfDecoder({filter: 'cross', token: key}));
  assert(!isOfDecoder({filter: 'encoder', token: query}));
  assert(!isOfDecoder({filter: 'decoder', token: null}));
});

test('a token of the decoder is the written one that it is, but for the one that begins a text', () => {
  const at = (/** @type {number} */ index) => ({side: /** @type {const} */ ('query'), index});
  assert.equal(writtenToken({filter: 'cross', token: at(0)}), 0);
  assert.equal(writtenToken({filter: 'decoder', token: at(3)}), 2);
  assert.equal(writtenToken({filter: 'decoder', token: {side: 'key', index: 1}}), 0);
  assert.equal(writtenToken({filter: 'decoder', token: at(0)}), null);
  assert.equal(writtenToken({filter: 'cross', token: {side: 'key', index: 1}}), null);
  assert.equal(writtenToken({filter: 'encoder', token: at(1)}), null);
  assert.equal(writtenToken({filter: 'cross', token: null}), null);
});
