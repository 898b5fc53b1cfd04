import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {drawnSlices} from '../../../web/attention/selection.js';
import {meanWeight, strongestPartners} from '../../../web/attention/weights.js';
import {findLine} from '../../../web/views/head/scene.js';
import {rowCentre} from '../../../web/views/parts/token-column.js';

/** @import {Scene} from '../../../web/views/head/scene.js' */

/**
 * @param {number[][]} matrices
 * @param {number} tokens
 * @returns {Scene}
 */
function sceneOf(matrices, tokens) {
  return {
    matrices: matrices.map((weights, head) => ({
      head,
      colour: '#000000',
      weights: Float32Array.from(weights),
    })),
    signs: null,
    limit: 1,
    dark: false,
    stride: tokens,
    query: {start: 0, end: tokens},
    key: {start: 0, end: tokens},
    focus: null,
    rowHeight: 24,
    width: 400,
  };
}

const even = [0.75, 0.25, 0, 1];
const odd = [0.25, 0.75, 1, 0];

test('the value beside a token is the mean over the active heads', () => {
  const scene = sceneOf([even, odd], 2);
  assert.equal(meanWeight(scene, 0, 1), 0.5);
  assert.equal(meanWeight(sceneOf([odd], 2), 0, 1), 0.75);
});

test('a query lists its keys, and a key its queries, strongest first', () => {
  const scene = sceneOf([[0.1, 0.6, 0.3, 0.7, 0.2, 0.1, 0.4, 0.3, 0.3]], 3);
  const indices = (/** @type {any} */ token) =>
    strongestPartners(scene, token, 2).map(({index}) => index);
  assert.deepEqual(indices({side: 'query', index: 0}), [1, 2]);
  assert.deepEqual(indices({side: 'key', index: 0}), [1, 2]);
  assert.deepEqual(indices({side: 'key', index: 1}), [0, 2]);
});

test('a token in focus hides the lines that do not touch it', () => {
  const scene = sceneOf([even], 2);
  const all = {start: 0, end: 2};
  assert.deepEqual(drawnSlices(scene), {query: all, key: all});
  scene.focus = {side: 'key', index: 1};
  assert.deepEqual(drawnSlices(scene), {query: all, key: {start: 1, end: 2}});
  // The line from the query at row 1 to the key at row 0 is out of focus.
  assert.equal(findLine(sceneOf([odd], 2), 200, 24, 3)?.key, 0);
  assert.equal(findLine({...sceneOf([odd], 2), focus: {side: 'key', index: 1}}, 100, 30, 3), null);
});

test('a point on a single line finds the line', () => {
  const place = fc.tuple(fc.nat(30), fc.nat(30), fc.double({min: 0.05, max: 0.95, noNaN: true}));
  fc.assert(
    fc.property(place, ([query, key, along]) => {
      const weights = new Array(31 * 31).fill(0);
      weights[query * 31 + key] = 1;
      const scene = sceneOf([weights], 31);
      const from = rowCentre(scene.query, query, 24);
      const to = rowCentre(scene.key, key, 24);
      const y = from + (to - from) * along;
      assert.deepEqual(findLine(scene, along * 400, y, 3), {query, key});
      assert.equal(findLine(scene, along * 400, y + 1500, 3), null);
    }),
  );
});

test('a point on crossing lines finds the strongest, and never a line too faint to be drawn', () => {
  const scene = sceneOf([[0, 0.3, 0.7, 0]], 2);
  assert.deepEqual(findLine(scene, 200, 24, 3), {query: 1, key: 0});
  assert.equal(findLine(sceneOf([[0, 0.003, 0.003, 0]], 2), 200, 24, 3), null);
});

test('rows count from the first token that the filter shows', () => {
  assert.equal(rowCentre({start: 3, end: 5}, 3, 24), 12);
  assert.equal(rowCentre({start: 3, end: 5}, 4, 24), 36);
});
