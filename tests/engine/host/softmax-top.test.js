import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {indexOfLargest, softmaxTop} from '../../../web/engine/host/softmax-top.js';

test('the top values are the first of a full sort, with equal ones in their order', () => {
  const logit = fc.oneof(fc.integer({min: -3, max: 3}), fc.float({min: -30, max: 30, noNaN: true}));
  fc.assert(
    fc.property(
      fc.array(logit, {minLength: 1, maxLength: 60}),
      fc.integer({min: 1, max: 70}),
      (values, count) => {
        const logits = Float32Array.from(values);
        const order = [...logits.keys()].sort((a, b) => logits[b] - logits[a] || a - b);
        const top = softmaxTop(logits, count);
        assert.deepEqual(
          top.map(({index}) => index),
          order.slice(0, count),
        );
        assert.equal(indexOfLargest(logits), order[0]);
        const sum = logits.reduce((sum, logit) => sum + Math.exp(logit - logits[order[0]]), 0);
        assert(Math.abs(top[0].probability * sum - 1) < 1e-9);
      },
    ),
  );
});
