/** Tests the tree of a search with several beams. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {branchesOf} from '../../web/workbench/beam-tree.js';

const step = (/** @type {string} */ token, /** @type {number} */ parent) => ({
  token,
  parent,
  id: token.charCodeAt(0),
  score: -1,
});

test('tokens that follow each other without a choice are one branch', () => {
  const steps = [
    step('a', -1),
    step('b', 0),
    step('c', 0),
    step('d', 1),
    step('e', 2),
    step('f', 2),
  ];
  assert.deepEqual(branchesOf(steps, [{last: 3}, {last: 4}]), [
    {
      tokens: ['a'],
      last: 0,
      branches: [
        {tokens: ['b', 'd'], last: 3, branches: []},
        {
          tokens: ['c'],
          last: 2,
          branches: [
            {tokens: ['e'], last: 4, branches: []},
            {tokens: ['f'], last: 5, branches: []},
          ],
        },
      ],
    },
  ]);
  assert.deepEqual(branchesOf([], []), []);
});

test('of a long search only what was found is drawn', () => {
  const chain = Array.from({length: 200}, (_, index) => step('x', index - 1));
  const other = Array.from({length: 200}, (_, index) => step('y', index ? 199 + index : 4));
  const [branch, ...others] = branchesOf([...chain, ...other], [{last: 199}]);
  assert.deepEqual([branch.tokens.length, branch.branches, others], [200, [], []]);
});
