/** Compares the whole path in float32 with tensors that PyTorch computed (tests/golden). */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  expectedOf,
  goldenModels,
  largestDifference,
  loadGolden,
  part,
  TOLERANCE,
} from '../support.js';

/** @import {Quantity} from '../../../web/engine/host/held-trace.js' */

/** @type {Partial<Record<Quantity, number>>} */
const limits = {
  attention: TOLERANCE.attention,
  wordLogits: TOLERANCE.logits,
  classifierLogits: TOLERANCE.logits,
};

for (const name of goldenModels) {
  test(`every matrix of ${name} matches PyTorch’s`, async (t) => {
    const model = await loadGolden(name);
    const expected = await expectedOf(name);
    const [sequences, tokens] = expected.input_ids.shape;
    const lengths = Int32Array.from({length: sequences}, (_, sequence) =>
      Array.from(part(expected.attention_mask, sequence)).reduce((sum, mask) => sum + mask, 0),
    );
    const {pass} = await model.encoder.run({
      ids: Int32Array.from(expected.input_ids.data),
      tokenTypes: Int32Array.from(expected.token_type_ids.data),
      lengths,
    });

    /** @type {Record<string, number>} */
    const worst = {};
    /**
     * @param {Quantity} quantity
     * @param {string} key
     * @param {number} sequence
     * @param {number[]} pulled Indices as the engine takes them.
     * @param {number[]} stored Indices in the file.
     */
    const compare = async (quantity, key, sequence, pulled, stored) => {
      const actual = await model.encoder.pull(pass, quantity, pulled, sequence);
      const wanted = part(expected[key], ...stored);
      // Matrices have one row per token, and rows of padding are not compared.
      const rows = quantity === 'wordLogits' || pulled.length === 0 ? null : lengths[sequence];
      const count = rows === null ? wanted.length : (rows * wanted.length) / tokens;
      const difference = largestDifference(actual, wanted, count);
      worst[quantity] = Math.max(worst[quantity] ?? 0, difference);
    };

    const {layers, heads} = model.shape;
    for (let sequence = 0; sequence < sequences; sequence++) {
      for (let layer = 0; layer < layers; layer++) {
        for (let head = 0; head < heads; head++) {
          const at = [layer, sequence, head];
          await compare('attention', 'attentions', sequence, [layer, head], at);
          await compare('queries', 'queries', sequence, [layer, head], at);
          await compare('keys', 'keys', sequence, [layer, head], at);
          await compare('values', 'values', sequence, [layer, head], at);
        }
      }
      for (let index = 0; index <= layers; index++) {
        await compare('hiddenStates', 'hidden_states', sequence, [index], [index, sequence]);
      }
      for (const key of ['mlm_logits', 'next_logits'].filter((each) => expected[each])) {
        for (let token = 0; token < lengths[sequence]; token++) {
          await compare('wordLogits', key, sequence, [layers, token], [sequence, token]);
        }
      }
      if (expected.pooler_output) {
        await compare('poolerOutput', 'pooler_output', sequence, [], [sequence]);
      }
      if (expected.classifier_logits) {
        await compare('classifierLogits', 'classifier_logits', sequence, [0], [sequence]);
      }
    }

    const {labels, tokenLabels, ...others} = model.predictionHeads;
    assert.equal(tokenLabels, 0);
    assert.deepEqual(
      {...others, classifier: labels > 0},
      {
        maskedLm: 'mlm_logits' in expected,
        nextToken: 'next_logits' in expected,
        pooler: 'pooler_output' in expected,
        classifier: 'classifier_logits' in expected,
      },
    );
    for (const [quantity, difference] of Object.entries(worst)) {
      const limit = limits[/** @type {Quantity} */ (quantity)] ?? TOLERANCE.hiddenStates;
      t.diagnostic(`${quantity}: largest difference ${difference.toExponential(1)}`);
      assert(difference <= limit, `${quantity}: ${difference} is more than ${limit}`);
    }
    model.dispose();
  });
}

test('there are at least four golden models', () => {
  assert(goldenModels.length >= 4, `found ${goldenModels.length}`);
});
