/** Tests that a model takes no more memory than its file states, whatever its configuration says. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {openModel} from '../../../scripts/cli/source.mjs';
import {goldenFolder, runtime} from '../support.js';

/** The golden Marian with so many positions. @param {number} positions */
async function marianOf(positions) {
  const source = await openModel(goldenFolder('marian'));
  const config = JSON.parse(source.files['config.json']);
  config.max_position_embeddings = positions;
  source.files['config.json'] = JSON.stringify(config);
  return source;
}

test('sinusoids that take more than the weights are refused before anything is built', async () => {
  const before = runtime.memoryBytes;
  for (const positions of [2 ** 12, 2 ** 20, 2 ** 23]) {
    const bytes = 2 * positions * 32 * 4;
    const message = RegExp(
      `marian: config.json: expected max_position_embeddings whose sinusoids take at most \\d+ bytes, found ${positions}, whose take ${bytes}$`,
    );
    await assert.rejects(runtime.load(await marianOf(positions)), {code: 'bad-config', message});
  }
  assert.equal(runtime.memoryBytes, before);
});

test('biases of distances that take more than the weights are refused like sinusoids', async () => {
  const source = await openModel(goldenFolder('t5'));
  const config = JSON.parse(source.files['config.json']);
  source.files['config.json'] = JSON.stringify({...config, n_positions: 2 ** 23});
  const bytes = 2 * 4 * (2 ** 24 - 1) * 4;
  const message = RegExp(
    `t5: config.json: expected positions whose biases of distances take at most \\d+ bytes, found 8388608, whose take ${bytes}$`,
  );
  await assert.rejects(runtime.load(source), {code: 'bad-config', message});
});

test('a text that is written has at most 512 tokens unless more are asked for', async () => {
  const model = await runtime.load(await marianOf(1024));
  const {ids, ended} = await model.writing.translate('time');
  assert.equal(ids.length, 512);
  assert.equal(ended, false);
  const longer = await model.writing.translate('time', {tokens: 520});
  assert.equal(longer.ids.length, 520);
  model.dispose();
});
