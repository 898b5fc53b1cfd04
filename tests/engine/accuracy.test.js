/** What quantization costs on the embedded model, measured on fifty sentences. */

import assert from 'node:assert/strict';
import {existsSync, readdirSync} from 'node:fs';
import {test} from 'node:test';
import {openModel} from '../../scripts/cli/source.mjs';
import {sentences} from './sentences.js';
import {fromRoot, runtime} from './support.js';

const DEFAULT = fromRoot('web/models/default');
/** The weights that the embedded model was quantized from. */
const ORIGINAL = fromRoot('../shared/data/starter-model');
const skip = existsSync(ORIGINAL) ? false : `${ORIGINAL} is not there`;

test(
  'int8 attention is float32 attention within 0.001, and points at the same token',
  {skip},
  async (t) => {
    const [embedded] = readdirSync(DEFAULT).filter((name) => name.endsWith('.safetensors'));
    const int8 = await runtime.load(await openModel(`${DEFAULT}/${embedded}`));
    const float32 = await runtime.load(await openModel(ORIGINAL), {precision: 'f32'});
    const {layers, heads} = int8.shape;
    let sum = 0;
    let values = 0;
    let same = 0;
    let rows = 0;
    for (const sentence of sentences) {
      const a = await int8.attend(sentence);
      const b = await float32.attend(sentence);
      const tokens = a.tokens.length;
      for (let layer = 0; layer < layers; layer++) {
        for (let head = 0; head < heads; head++) {
          const actual = await int8.pull(a.pass, 'attention', [layer, head]);
          const exact = await float32.pull(b.pass, 'attention', [layer, head]);
          for (let row = 0; row < tokens; row++) {
            const rowOf = (/** @type {Float32Array} */ matrix) =>
              matrix.subarray(row * tokens, (row + 1) * tokens);
            const [actualRow, exactRow] = [rowOf(actual), rowOf(exact)];
            actualRow.forEach((value, key) => (sum += Math.abs(value - exactRow[key])));
            same += Number(indexOfLargest(actualRow) === indexOfLargest(exactRow));
          }
          values += tokens * tokens;
          rows += tokens;
        }
      }
    }
    t.diagnostic(`mean absolute difference ${(sum / values).toFixed(5)} over ${values} weights`);
    t.diagnostic(
      `most-attended token equal in ${((100 * same) / rows).toFixed(2)} % of ${rows} rows`,
    );
    assert(sentences.length >= 50);
    assert(sum / values <= 0.001);
    assert(same / rows >= 0.985);
  },
);

/** @param {Float32Array} row */
const indexOfLargest = (row) => row.indexOf(Math.max(...row));
