import assert from 'node:assert/strict';
import {test} from 'node:test';
import {colourIndex, matrixColours} from '../../../web/views/parts/weight-colours.js';
import {nextCell} from '../../../web/views/matrix/keyboard.js';
import {cellAt, matrixScene, partnersOf, rowSum, sizeOf} from '../../../web/views/matrix/scene.js';
import {createSnapshot} from '../../../web/attention/snapshot.js';

const tokens = ['[CLS]', 'a', '[SEP]', 'b', '[SEP]'];

/** Head h puts the weight 1 on token (query + h) mod 5. */
const snapshot = createSnapshot({
  tokens,
  tokenTypeIds: [0, 0, 0, 1, 1],
  layers: 1,
  heads: 2,
  attention: (_, head) =>
    Float32Array.from({length: 25}, (_, at) =>
      Number((Math.floor(at / 5) + head) % 5 === at % 5 ? 1 : 0),
    ),
});

/** @param {Partial<import('../../../web/attention/selection.js').Selection>} change */
const sceneOf = (change = {}) => ({
  ...matrixScene({
    snapshot,
    selection: {layer: 0, heads: [0, 1], filter: 'all', token: null, ...change},
  }),
  cell: 10,
  left: 50,
  top: 30,
  right: 56,
});

test('a cell is the mean of the chosen heads', () => {
  assert.deepEqual([...sceneOf().weights.slice(0, 5)], [0.5, 0.5, 0, 0, 0]);
  assert.deepEqual([...sceneOf({heads: [1]}).weights.slice(0, 5)], [0, 1, 0, 0, 0]);
});

test('colours run to the next round limit above the strongest weight', () => {
  assert.equal(sceneOf().limit, 0.5);
  assert.equal(sceneOf({heads: [0]}).limit, 1);
});

test('the sum of a row covers the keys that the filter leaves', () => {
  assert.equal(rowSum(sceneOf(), 2), 1);
  assert.equal(rowSum(sceneOf({filter: 'aa'}), 2), 0.5);
});

test('a point finds a cell, the label of a row, the label of a column, or nothing', () => {
  const scene = sceneOf({filter: 'ab'});
  assert.deepEqual(sizeOf(scene), {width: 50 + 20 + 56, height: 30 + 30});
  assert.deepEqual(cellAt(scene, 51, 41), {query: 1, key: 3});
  assert.deepEqual(cellAt(scene, 20, 31), {query: 0, key: null});
  assert.deepEqual(cellAt(scene, 65, 5), {query: null, key: 4});
  assert.equal(cellAt(scene, 20, 5), null);
  assert.equal(cellAt(scene, 80, 41), null);
});

test('a query lists the weights it gives, and a key those it receives, strongest first', () => {
  const scene = sceneOf();
  const indices = (/** @type {'query' | 'key'} */ side) =>
    partnersOf(scene, {side, index: 1})
      .filter(({weight}) => weight > 0)
      .map(({index}) => index);
  assert.deepEqual(indices('query'), [1, 2]);
  assert.deepEqual(indices('key'), [0, 1]);
});

test('arrow keys begin at the first cell shown and stay among the cells shown', () => {
  const scene = sceneOf({filter: 'ab'});
  assert.deepEqual(nextCell('ArrowDown', null, scene), {query: 0, key: 3});
  assert.deepEqual(nextCell('ArrowDown', {query: 2, key: 3}, scene), {query: 2, key: 3});
  assert.deepEqual(nextCell('End', {query: 1, key: 3}, scene), {query: 1, key: 4});
  assert.equal(nextCell('x', null, scene), null);
});

test('the background colour means weight 0, and is in the middle of differences', () => {
  for (const dark of [false, true]) {
    const background = dark ? [22, 24, 28] : [255, 255, 255];
    assert.deepEqual(matrixColours(false, dark)[colourIndex(0, 0.5, false)], background);
    const middle = matrixColours(true, dark)[colourIndex(0, 0.5, true)];
    middle.forEach((value, i) => assert.ok(Math.abs(value - background[i]) < 3));
  }
  assert.equal(colourIndex(2, 0.5, false), 255);
  assert.equal(colourIndex(-0.5, 0.5, true), 0);
});
