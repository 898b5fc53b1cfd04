/** Tests the limits of what a model's own tokenizer may do to a text. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {refuseGrowth} from '../../../web/engine/text/tokenizer-limits.js';

/** @param {object} step @param {number} times */
const sequence = (step, times) => ({type: 'Sequence', normalizers: Array(times).fill(step)});
const doubling = {type: 'Replace', content: '$1'};

test('a tokenizer has at most 64 steps of a kind', () => {
  const step = {type: 'Lowercase'};
  refuseGrowth({normalizer: sequence(step, 63)}, 'm');
  for (const normalizer of [sequence(step, 64), sequence(sequence(step, 9), 9)]) {
    assert.throws(() => refuseGrowth({normalizer}, 'm'), {
      code: 'bad-tokenizer',
      message: 'm: expected a normalizer of at most 64 steps, found more',
    });
  }
});

test('all steps of a kind make at most 256 characters of one', () => {
  refuseGrowth({normalizer: sequence(doubling, 8)}, 'm');
  assert.throws(() => refuseGrowth({normalizer: sequence(doubling, 9)}, 'm'), {
    code: 'bad-tokenizer',
    message:
      'm: expected a normalizer that makes at most 256 characters of one, found one that may make 512',
  });
});
