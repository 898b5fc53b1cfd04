/** Tests the limits of what a model's own tokenizer may do to a text. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {refuseGrowth} from '../../../web/engine/text/tokenizer-limits.js';

/** @param {object} step @param {number} times */
const sequence = (step, times) => ({type: 'Sequence', normalizers: Array(times).fill(step)});
/** The steps that make more characters of one, and how many at most. @type {[object, number][]} */
const GROWING = [
  [{type: 'Replace', pattern: {String: 'a'}, content: 'aa'}, 2],
  [{type: 'Replace', pattern: {String: ''}, content: 'a'}, 2],
  [{type: 'Replace', pattern: {Regex: '(?=a)'}, content: 'a'}, 2],
  [{type: 'Metaspace', replacement: '_'}, 2],
  [{type: 'Metaspace', replacement: '_', str_rep: '__'}, 4],
  [{type: 'Prepend', prepend: 'a'}, 2],
  [{type: 'Lowercase'}, 2],
  [{type: 'BertNormalizer'}, 3],
  [{type: 'ByteLevel'}, 4],
  [{type: 'NFKC'}, 18],
  [{type: 'Precompiled'}, 40],
];

test('a tokenizer has at most 64 steps of a kind', () => {
  const step = {type: 'StripAccents'};
  refuseGrowth({normalizer: sequence(step, 63)}, 'm');
  for (const normalizer of [sequence(step, 64), sequence(sequence(step, 9), 9)]) {
    assert.throws(() => refuseGrowth({normalizer}, 'm'), {
      code: 'bad-tokenizer',
      message: 'm: expected a normalizer of at most 64 steps, found more',
    });
  }
});

test('all steps together make at most 8192 characters of one', () => {
  for (const [step, each] of GROWING) {
    const most = Math.floor(Math.log(8192) / Math.log(each) + 1e-9);
    refuseGrowth({normalizer: sequence(step, most)}, 'm');
    for (const [more, parts] of Object.entries({
      [most + 1]: {normalizer: sequence(step, most + 1)},
      [2 * most]: {normalizer: sequence(step, most), pre_tokenizer: sequence(step, most)},
    })) {
      assert.throws(() => refuseGrowth(parts, 'm'), {
        code: 'bad-tokenizer',
        message: `m: expected steps that make at most 8192 characters of one, found some that may make ${each ** Number(more)}`,
      });
    }
  }
});
