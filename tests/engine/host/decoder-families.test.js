/** Tests each family of decoders against transformers (tests/golden). */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, test} from 'node:test';
import {readSafetensors} from '../../../web/engine/files/safetensors.js';
import {hardStrings, testParameterCount} from './encoder-tests.js';
import {
  batchOf,
  causalFamilies,
  expectedOf,
  goldenFolder,
  inChunks,
  join,
  largestDifference,
  loadGolden,
  part,
  readTensors,
  runtime,
  TOLERANCE,
} from '../support.js';

const TEXT = 'the cat sat on the mat and he was in the river';

for (const family of causalFamilies) {
  const model = await loadGolden(family);
  const quantized = await loadGolden(family, 'int8');
  const config = readFileSync(`${goldenFolder(family)}/config.json`, 'utf8');
  const {eos_token_id: endToken} = JSON.parse(config);
  after(() => {
    model.dispose();
    quantized.dispose();
  });

  test(`${family}: no token attends to a later one, and each row sums to 1`, async () => {
    for (const each of [model, quantized]) {
      const {pass, ids} = await each.attend(TEXT);
      for (let layer = 0; layer < each.shape.layers; layer++) {
        for (let head = 0; head < each.shape.heads; head++) {
          const weights = await each.pull(pass, 'attention', [layer, head]);
          for (let query = 0; query < ids.length; query++) {
            const row = weights.subarray(query * ids.length, (query + 1) * ids.length);
            assert(row.subarray(query + 1).every((weight) => weight === 0));
            assert(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-6);
          }
        }
      }
    }
  });

  testParameterCount(family, model);

  test(`${family}: the logit lens reads every layer as transformers does`, async () => {
    const expected = await expectedOf(family);
    const ids = part(expected.input_ids, 0);
    const {pass} = await model.encoder.run(batchOf(ids));
    for (let index = 0; index <= model.shape.layers; index++) {
      for (const token of ids.keys()) {
        const logits = await model.pull(pass, 'wordLogits', [index, token]);
        const wanted = part(expected.lens_logits, index, 0, token);
        assert(largestDifference(logits, wanted) <= TOLERANCE.logits);
      }
    }
    const lens = await model.logitLens(pass, 3, 2);
    const [prediction] = (await model.predictions(pass, 2)).slice(3);
    assert.equal(lens.length, model.shape.layers + 1);
    assert.deepEqual(prediction, {index: 3, top: lens[model.shape.layers]});
  });

  test(`${family}: the greedy continuations of 200 texts are those of transformers`, async () => {
    const {texts, continuations} = await readTensors(`${goldenFolder(family)}/greedy.safetensors`);
    assert.equal(texts.shape[0], 200);
    for (let text = 0; text < texts.shape[0]; text++) {
      const ids = part(texts, text).filter((id) => id >= 0);
      const wanted = Array.from(part(continuations, text));
      const end = wanted.indexOf(endToken);
      const {pass} = await model.encoder.run(batchOf(ids));
      const found = await model.generate(pass, {tokens: wanted.length});
      assert.deepEqual(found.ids, end < 0 ? wanted : wanted.slice(0, end), `text ${text}`);
      assert.equal(found.ended, end >= 0);
    }
  });

  test(`${family}: a step with kept keys and values gives the numbers of a whole pass, with changes too`, async () => {
    /** @type {import('../../../web/engine/interventions.js').Interventions[]} */
    const all = [
      {},
      {heads: [{layer: 1, head: 2, scale: 0.5}], layersOff: [2], maskedTokens: [1], temperature: 2},
    ];
    for (const each of [model, quantized]) {
      for (const interventions of all) {
        const attended = await each.attend(TEXT, {interventions});
        const {ids: added} = await each.generate(attended.pass, {tokens: 8});
        assert.equal(added.length, 8);
        const {changes} = attended.pass;
        for (const [count, id] of added.entries()) {
          const batch = {...batchOf([...attended.ids, ...added.slice(0, count)]), changes};
          const {pass} = await each.encoder.run(batch);
          const predictions = await each.predictions(pass, 1);
          assert.equal(predictions.at(-1)?.top[0].id, id);
        }
      }
    }
  });

  test(`${family}: the quantized file gives the numbers of the model that it was made from`, async () => {
    const bytes = join(quantized.quantizedFile());
    const open = () => readSafetensors(inChunks(bytes), 'copy');
    const copy = await runtime.load({name: 'copy', path: 'copy', weights: 'copy', files: {}, open});
    const [a, b] = [await quantized.attend(TEXT), await copy.attend(TEXT)];
    for (const index of [0, 1, 2, 3]) {
      const states = await quantized.pull(a.pass, 'hiddenStates', [index]);
      assert.deepEqual(await copy.pull(b.pass, 'hiddenStates', [index]), states);
    }
    const [exact, rough] = [await model.attend(TEXT), a];
    const weights = await model.pull(exact.pass, 'attention', [2, 1]);
    const found = await quantized.pull(rough.pass, 'attention', [2, 1]);
    assert(largestDifference(found, weights) < 0.1);
    assert.deepEqual(copy.notes, []);
    copy.dispose();
  });

  test(`${family}: ids of 1,000 hard strings are those of transformers`, async () => {
    for (const [text, expected] of hardStrings(family)) {
      // The tokenizer of a batch refuses texts without a token.
      const ids = text === '' ? [] : [...model.tokenize([text]).ids.data];
      assert.deepEqual(ids, expected.slice(0, model.shape.positions), JSON.stringify(text));
    }
  });
}
