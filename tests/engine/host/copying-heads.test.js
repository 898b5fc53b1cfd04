/** Tests which heads copy, beside the head detector of TransformerLens (`scripts/reference/make_copying_golden.py`). */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {COPYING} from '../../../web/engine/host/copying-heads.js';
import {goldenFolder, loadGolden} from '../support.js';

/** @type {{repeated: number[], families: Record<string, Record<typeof COPYING[number], number[]>>}} */
const golden = JSON.parse(readFileSync(goldenFolder('copying-heads.json'), 'utf8'));

for (const [family, expected] of Object.entries(golden.families)) {
  test(`${family}: heads have the scores of TransformerLens`, async (t) => {
    const model = await loadGolden(family);
    t.after(() => model.dispose());
    const found = await model.copyingHeads({ids: golden.repeated});
    const all = found.ids.length;
    // Its score is a share of the attention of all tokens, also of those that have no such place.
    const withPlace = {previous: all - 1, duplicate: all / 2, induction: all / 2};
    for (const name of COPYING) {
      assert.equal(found[name].length, expected[name].length);
      for (const [at, score] of expected[name].entries()) {
        const ours = (found[name][at] * withPlace[name]) / all;
        assert.ok(Math.abs(ours - score) < 2e-6, `${name} of head ${at}: ${ours}, not ${score}`);
      }
    }
  });
}

test('random tokens are all different, and the same for the same seed', async (t) => {
  const model = await loadGolden('gpt2');
  t.after(() => model.dispose());
  const {ids} = await model.copyingHeads({tokens: 12, seed: 5});
  assert.equal(new Set(ids.slice(0, 12)).size, 12);
  assert.deepEqual(ids.slice(12), ids.slice(0, 12));
  assert.deepEqual((await model.copyingHeads({tokens: 12, seed: 5})).ids, ids);
  assert.notDeepEqual((await model.copyingHeads({tokens: 12, seed: 6})).ids, ids);
});

test('measures that are asked for at the same time are those of one after the other', async (t) => {
  const model = await loadGolden('gpt2');
  t.after(() => model.dispose());
  const seeds = [1, 2, 3];
  const together = await Promise.all(seeds.map((seed) => model.copyingHeads({seed})));
  for (const [index, seed] of seeds.entries())
    assert.deepEqual(await model.copyingHeads({seed}), together[index]);
});

test('a model whose tokens see the whole text, and tokens that do not fit, are refused', async (t) => {
  const [decoder, encoder] = [await loadGolden('gpt2'), await loadGolden('roberta')];
  t.after(() => [decoder, encoder].forEach((model) => model.dispose()));
  const most = Math.floor(decoder.shape.positions / 2);
  await assert.rejects(encoder.copyingHeads({}), {
    code: 'not-available',
    message: /expected a decoder, whose tokens look back/,
  });
  for (const tokens of [1, most + 1, 2.5])
    await assert.rejects(decoder.copyingHeads({tokens}), {
      code: 'bad-option',
      message: `copyingHeads.tokens: expected a whole number from 2 to ${most}, found ${tokens}`,
    });
  await assert.rejects(decoder.copyingHeads({ids: [3]}), {
    code: 'bad-option',
    message: `the tokens to repeat: expected 2 to ${most}, found 1`,
  });
});
