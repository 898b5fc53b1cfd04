import assert from 'node:assert/strict';
import {test} from 'node:test';
import {allSteps, stepsTo} from '../../../web/engine/host/pass-steps.js';

test('the classes of a token or a text need all layers, whichever token it is', () => {
  for (const token of [0, 1, 2, 50]) {
    assert.equal(stepsTo('classifierLogits', [token], 3), allSteps(3));
  }
  assert.equal(stepsTo('wordLogits', [1, 0], 3), 2);
  assert.equal(stepsTo('attention', [1, 0], 3), 3);
  assert.equal(stepsTo('poolerOutput', [], 3), allSteps(3));
});
