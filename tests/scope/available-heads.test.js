import assert from 'node:assert/strict';
import {test} from 'node:test';
import {coverageOf, placeIn, sharedChoice} from '../../web/scope/available-heads.js';
import {choiceOf} from './passes.js';

const whole = {layers: 2, heads: 3};
/** This model has no heads in layer 0, and two heads in layer 1. */
const partly = {
  ...whole,
  has: (/** @type {number} */ layer, /** @type {number} */ head) => layer === 1 && head > 0,
};

test('a layer or head that a model lacks gives way to one that it has', () => {
  const placeOf = (/** @type {number} */ layer, /** @type {number[]} */ heads, shape = whole) =>
    placeIn(shape, choiceOf({layer, heads}));
  assert.deepEqual(placeOf(1, [2]), {layer: 1, heads: [2]});
  assert.deepEqual(placeOf(7, [2, 9]), {layer: 1, heads: [2]});
  assert.deepEqual(placeOf(NaN, [9]), {layer: 0, heads: [0, 1, 2]});
  assert.deepEqual(placeOf(0, [0], partly), {layer: 1, heads: [1, 2]});
});

test('the model view chooses among the heads of its grid, unless one is shown large', () => {
  const grid = {isOpen: false, layers: [1], heads: [0]};
  assert.deepEqual(placeIn(whole, choiceOf({heads: [2], grid})), {layer: 1, heads: [0]});
  const open = choiceOf({heads: [2], grid: {...grid, isOpen: true}});
  assert.deepEqual(placeIn(whole, open), {layer: 0, heads: [2]});
});

test('a view of one head shows the same head of both models', () => {
  const choice = choiceOf({layer: 1, heads: [1, 2]});
  assert.deepEqual(sharedChoice('neuron', choice, whole).heads, [1]);
  assert.deepEqual(sharedChoice('head', choice, whole).heads, [1, 2]);
  assert.deepEqual(sharedChoice('head', choiceOf(), whole).heads, []);
});

test('a model that has all chosen layers and heads lacks nothing', () => {
  const choice = choiceOf({layer: 1, heads: [2]});
  assert.deepEqual(coverageOf('head', choice, whole, 'small'), {
    choice,
    lacksChosen: false,
    isEmpty: false,
    missing: [],
  });
});

test('layers and heads beyond a model are named in a sentence', () => {
  const {lacksChosen, isEmpty, missing} = coverageOf('head', choiceOf({layer: 5}), whole, 'small');
  assert.deepEqual([lacksChosen, isEmpty], [true, true]);
  assert.equal(missing.length, 1);
  assert.match(missing[0], /small.*5/);
});

test('a saved picture has only the heads outside its gaps', () => {
  const some = coverageOf('matrix', choiceOf({layer: 1, heads: [0, 1]}), partly, 'saved');
  assert.deepEqual([some.isEmpty, some.missing.length], [false, 1]);
  const none = coverageOf('matrix', choiceOf({layer: 0, heads: [0]}), partly, 'saved');
  assert.deepEqual([none.isEmpty, none.missing.length], [true, 1]);
});

test('the model view shows all heads in place of a large head that is missing', () => {
  const grid = {isOpen: true, layers: [], heads: []};
  const {choice, lacksChosen, isEmpty} = coverageOf(
    'model',
    choiceOf({layer: 0, heads: [0], grid}),
    partly,
    'saved',
  );
  assert.deepEqual([choice.grid.isOpen, lacksChosen, isEmpty], [false, true, false]);
});
