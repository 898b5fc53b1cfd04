/** Measures the error of quantization on the embedded model, over fifty sentences. */

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {openModel} from '../../../scripts/cli/source.mjs';
import {sentences} from '../sentences.js';
import {fromRoot, part, readTensors, runtime} from '../support.js';

const EMBEDDED = fromRoot('web/models/default/bertscope-default.safetensors');
/** PyTorch's results with the weights before quantization, from `scripts/train reference`. */
const EXPECTED = fromRoot('tests/golden/embedded-model.safetensors');
/** Attention is stored in fixed point. */
const ONE = 32767;

/** @type {Awaited<ReturnType<typeof runtime.load>>} */
let model;
/** @type {Awaited<ReturnType<typeof readTensors>>} */
let expected;
before(async () => {
  model = await runtime.load(await openModel(EMBEDDED));
  expected = await readTensors(EXPECTED);
});
after(() => model?.dispose());

test('int8 attention is within 0.001 of float32 attention, and has the same strongest tokens', async (t) => {
  const {layers, heads} = model.shape;
  let sum = 0;
  let values = 0;
  let same = 0;
  let rows = 0;
  for (const [index, sentence] of sentences.entries()) {
    const {pass} = await model.attend(sentence);
    assert.deepEqual(pass.ids, expected[`${index}.ids`].data, `${sentence}: other tokens`);
    const tokens = pass.ids.length;
    for (let layer = 0; layer < layers; layer++) {
      for (let head = 0; head < heads; head++) {
        const actual = await model.pull(pass, 'attention', [layer, head]);
        const exact = part(expected[`${index}.attention`], layer, head);
        actual.forEach((value, at) => (sum += Math.abs(value - exact[at] / ONE)));
        for (let begin = 0; begin < actual.length; begin += tokens) {
          const strongest = indexOfLargest(actual.subarray(begin, begin + tokens));
          const exactRow = exact.subarray(begin, begin + tokens);
          same += Number(exactRow[strongest] === exactRow[indexOfLargest(exactRow)]);
        }
        values += actual.length;
        rows += tokens;
      }
    }
  }
  t.diagnostic(`mean absolute difference ${(sum / values).toFixed(5)} over ${values} weights`);
  const share = ((100 * same) / rows).toFixed(2);
  t.diagnostic(`most-attended token equal in ${share} % of ${rows} rows`);
  assert(sentences.length >= 50);
  assert(sum / values <= 0.001);
  assert(same / rows >= 0.985);
});

test('int8 fills a blank with the same word as float32', async (t) => {
  let same = 0;
  for (const index of sentences.keys()) {
    const ids = Int32Array.from(expected[`${index}.masked`].data);
    const tokenTypes = new Int32Array(ids.length);
    const {pass} = await model.encoder.run({ids, tokenTypes, lengths: Int32Array.of(ids.length)});
    const [{top}] = await model.predictions(pass, 1);
    same += Number(top[0].id === expected[`${index}.guess`].data[0]);
  }
  t.diagnostic(`likeliest word equal in ${same} of ${sentences.length} sentences`);
  assert(same / sentences.length >= 0.9);
});

/** @param {ArrayLike<number>} row */
const indexOfLargest = (row) => Array.prototype.indexOf.call(row, Math.max(...Array.from(row)));
