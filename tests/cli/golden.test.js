/** Compares what `attend` writes with tensors that PyTorch computed, from the text to the JSON. */

import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {expectedOf, largestDifference, part, TOLERANCE} from '../engine/support.js';
import {bertscope, GOLDEN} from './support.js';

/** The first sequence of these models is this text; see scripts/reference/make_golden.py. */
const TEXTS = {
  'odd-sizes': ['time flies like [MASK]', 'fruit flies like a banana'],
  'half-classifier': ['she sat on the mat', 'he was in the arrow .'],
};

/**
 * @param {any} nested
 * @param {ArrayLike<number>} expected
 */
function assertNear(nested, expected) {
  const worst = largestDifference([nested].flat(Infinity), expected);
  assert(worst <= TOLERANCE.hiddenStates, `${worst} is more than ${TOLERANCE.hiddenStates}`);
}

for (const [name, [text, pair]] of Object.entries(TEXTS)) {
  test(`attend writes PyTorch’s numbers for a text with ${name}`, async () => {
    const expected = await expectedOf(name);
    const parts = expected.mlm_logits ? 'qkv,hidden,mlm' : 'qkv,hidden';
    const options = ['--precision', 'f32', '--with', parts, '--top-k', '101', '--text-pair', pair];
    const {stdout, stderr} = await bertscope(['attend', join(GOLDEN, name), ...options, text]);
    assert.equal(stderr, '');
    const result = JSON.parse(stdout);
    assert.deepEqual(result.ids, [...part(expected.input_ids, 0)]);
    assert.deepEqual(result.token_type_ids, [...part(expected.token_type_ids, 0)]);
    for (const quantity of ['attentions', 'queries', 'keys', 'values']) {
      /** @type {any[]} */
      const layers = result[quantity];
      layers.forEach((layer, index) => assertNear(layer, part(expected[quantity], index, 0)));
    }
    for (const [index, hidden] of result.hidden_states.entries()) {
      assertNear(hidden, part(expected.hidden_states, index, 0));
    }
    if (!expected.mlm_logits) return;
    assert.equal(result.predictions.length, 1);
    const [{index, top}] = result.predictions;
    assert.equal(result.tokens[index], '[MASK]');
    const exponents = Float64Array.from(part(expected.mlm_logits, 0, index), Math.exp);
    const sum = exponents.reduce((sum, value) => sum + value, 0);
    assert.equal(top.length, exponents.length);
    assertNear(
      top.map((/** @type {{probability: number}} */ one) => one.probability),
      top.map((/** @type {{id: number}} */ {id}) => exponents[id] / sum),
    );
  });
}
