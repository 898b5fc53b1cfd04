import assert from 'node:assert/strict';
import {test} from 'node:test';
import {settledFrom, shownTokens} from '../../web/workbench/lens-grid.js';

/** @param {number[]} ids */
const columnOf = (ids) => ids.map((id) => [{id}]);

test('a guess is settled from the first layer on that keeps it to the end', () => {
  assert.equal(settledFrom(columnOf([1, 2, 3])), 2);
  assert.equal(settledFrom(columnOf([3, 2, 3, 3])), 2);
  assert.equal(settledFrom(columnOf([3, 3, 3])), 0);
  assert.equal(settledFrom(columnOf([7])), 0);
});

test('of a long text the last tokens are read, by their places in it', () => {
  assert.deepEqual(shownTokens({tokens: ['a', 'b', 'c']}), [0, 1, 2]);
  const places = shownTokens({tokens: Array.from({length: 70}, String)});
  assert.deepEqual([places.length, places[0], places.at(-1)], [64, 6, 69]);
});
