import assert from 'node:assert/strict';
import {test} from 'node:test';
import {plainDisplay} from '../../web/attention/display.js';
import {SnapshotError} from '../../web/attention/snapshot.js';
import {
  differenceDrawingOf,
  drawingOf,
  filtersOf,
  neededOf,
  selectionOf,
  unmatchedIn,
} from '../../web/scope/view-data.js';
import {choiceOf, passOf} from './passes.js';

const pair = passOf('[CLS] a b [SEP] c [SEP]', {sentenceB: 4});
const single = passOf('[CLS] a b [SEP]');

test('a pair of sentences has five filters, one sentence has one', () => {
  assert.deepEqual(filtersOf(pair), ['all', 'aa', 'bb', 'ab', 'ba']);
  assert.deepEqual(filtersOf(single), ['all']);
  assert.deepEqual(filtersOf(null), ['all']);
});

test('the parts of an encoder-decoder model are its filters', () => {
  const {snapshot} = single;
  const parts = {encoder: snapshot, cross: snapshot};
  assert.deepEqual(filtersOf({...single, parts}), ['encoder', 'cross']);
});

test('a selection names only what is there', () => {
  const choice = choiceOf({layer: 9, heads: [1, 7], filter: 'ab'});
  const selection = selectionOf(choice, single.snapshot, single);
  assert.deepEqual(selection, {layer: 1, heads: [1], filter: 'all', token: null});
  assert.equal(selectionOf(choice, pair.snapshot, pair).filter, 'ab');
});

test('the head view needs the chosen heads, the model view every head', () => {
  const choice = choiceOf({layer: 1, heads: [2]});
  const names = (/** @type {'head' | 'model' | 'neuron'} */ view) =>
    neededOf(single, view, choice).map(({kind, layer, head}) => `${kind} ${layer}.${head}`);
  assert.deepEqual(names('head'), ['attention 1.2']);
  assert.equal(new Set(names('model')).size, 6);
  assert.deepEqual(names('neuron'), ['attention 1.2', 'queries 1.2', 'keys 1.2', 'values 1.2']);
});

test('the mean of layers needs the chosen heads of each of them', () => {
  const display = {...plainDisplay, meanLayers: /** @type {const} */ ('all')};
  const needed = neededOf(single, 'matrix', choiceOf({heads: [0], display}));
  assert.deepEqual(
    needed.map(({layer, head}) => [layer, head]),
    [
      [0, 0],
      [1, 0],
    ],
  );
});

test('a pinned token stays pinned only where it is drawn', () => {
  const token = /** @type {const} */ ({side: 'query', index: 2});
  assert.deepEqual(drawingOf(single, 'head', choiceOf({token})).selection.token, token);
  const display = {...plainDisplay, special: /** @type {const} */ ('hide')};
  const hidden = drawingOf(single, 'head', choiceOf({token, display}));
  assert.deepEqual(hidden.snapshot.queryTokens, ['a', 'b']);
  assert.deepEqual(hidden.selection.token, {side: 'query', index: 1});
  for (const index of [4, 9]) {
    const beyond = choiceOf({token: {side: 'query', index}});
    assert.equal(drawingOf(single, 'head', beyond).selection.token, null);
  }
});

test('a difference has the weights of the second pass minus those of the first', () => {
  const other = passOf('[CLS] a c [SEP]', {layers: 1});
  const {snapshot} = differenceDrawingOf(other, single, 'head', choiceOf());
  assert.deepEqual([snapshot.layers, snapshot.heads], [1, 3]);
  assert.deepEqual(snapshot.queryTokens, ['[CLS]', 'a', 'b | c', '[SEP]']);
  assert.ok(snapshot.attention(0, 1)?.every((weight) => weight === 0));
});

test('texts with different numbers of tokens are subtracted by the words that both have', () => {
  const longer = passOf('[CLS] a new b [SEP]');
  const {snapshot} = differenceDrawingOf(single, longer, 'matrix', choiceOf());
  assert.deepEqual(snapshot.queryTokens, ['[CLS]', 'a', 'b', '[SEP]']);
  assert.deepEqual(unmatchedIn(single, longer, 'matrix', choiceOf(), true), {
    before: [],
    after: ['new'],
    isShared: true,
  });
  assert.throws(() => differenceDrawingOf(single, longer, 'neuron', choiceOf()), SnapshotError);
});
