import assert from 'node:assert/strict';
import {test} from 'node:test';
import {settledFrom} from '../../web/workbench/lens-grid.js';

/** @param {number[]} ids */
const columnOf = (ids) => ids.map((id) => [{id}]);

test('a guess is settled from the first layer on that keeps it to the end', () => {
  assert.equal(settledFrom(columnOf([1, 2, 3])), 2);
  assert.equal(settledFrom(columnOf([3, 2, 3, 3])), 2);
  assert.equal(settledFrom(columnOf([3, 3, 3])), 0);
  assert.equal(settledFrom(columnOf([7])), 0);
});
