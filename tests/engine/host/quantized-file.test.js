import assert from 'node:assert/strict';
import {test} from 'node:test';
import {readSafetensors} from '../../../web/engine/files/safetensors.js';
import {
  allAttention,
  goldenFolder,
  inChunks,
  join,
  loadGolden,
  readAll,
  readTensors,
  runtime,
  safetensors,
} from '../support.js';

test('a quantized file loads to the very same numbers', async () => {
  const original = await loadGolden('odd-sizes', 'int8');
  const bytes = join(original.quantizedFile());
  const source = {name: 'q', path: 'q', weights: 'q', files: {}};
  const open = () => readSafetensors(inChunks(bytes), 'q');
  const read = await runtime.load({...source, open});
  assert.deepEqual(
    await allAttention(read, 'time flies'),
    await allAttention(original, 'time flies'),
  );
  assert.deepEqual(join(read.quantizedFile()), bytes);
  assert.equal(read.predictionHeads.maskedLm, true);

  const float32 = await runtime.load({...source, open}, {precision: 'f32'});
  const exact = await allAttention(await loadGolden('odd-sizes', 'f32'), 'time flies');
  const dequantized = await allAttention(float32, 'time flies');
  const worst = Math.max(...exact.map((value, at) => Math.abs(value - dequantized[at])));
  assert(worst > 0 && worst < 0.05, `largest difference ${worst}`);
});

test('the weights of a file of version 3 are its levels times scales, rotated back', async () => {
  const original = await loadGolden('odd-sizes', 'int8');
  const {metadata, tensors} = await readAll(inChunks(join(original.quantizedFile())));
  assert.equal(metadata.version, '3');
  const bufferOf = (/** @type {string} */ name) => tensors.get(name)?.bytes.slice().buffer;
  const name = 'bert.encoder.layer.1.intermediate.dense.weight';
  const levels = new Int8Array(bufferOf(name) ?? new ArrayBuffer(0));
  const scales = new Float32Array(bufferOf(`${name}_scale`) ?? new ArrayBuffer(0));
  const {shape, data} = (await readTensors(`${goldenFolder('odd-sizes')}/model.safetensors`))[name];
  const hadamard = [[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]; // prettier-ignore
  assert.equal(shape[1], 60); // so that blocks have 4 values
  for (const [at, weight] of data.entries()) {
    const block = at - (at % 4);
    const sum = hadamard[at % 4].reduce((sum, sign, i) => sum + sign * levels[block + i], 0);
    const step = scales[Math.floor(at / 60)];
    // Each of the four is within half a step.
    assert(Math.abs(sum * step - weight) <= 2.001 * step, `${at}: ${sum * step}, ${weight}`);
  }
});

test('a quantized file of version 1, whose rows are plain, comes back as it was read', async () => {
  const original = await loadGolden('odd-sizes', 'int8');
  const {metadata, tensors} = await readAll(inChunks(join(original.quantizedFile())));
  assert.equal(metadata.version, '3');
  const entries = [...tensors].map(([name, tensor]) => ({name, ...tensor}));
  const file = safetensors(entries, {...metadata, version: '1'});
  const source = {name: 'q', path: 'q', weights: 'q', files: {}};
  const open = () => readSafetensors(inChunks(file), 'q');
  const read = await runtime.load({...source, open});
  assert.deepEqual(join(read.quantizedFile()), file);

  // The same numbers mean other weights, and do so in both precisions.
  const attention = await allAttention(read, 'time flies');
  assert.notDeepEqual(attention, await allAttention(original, 'time flies'));
  const float32 = await runtime.load({...source, open}, {precision: 'f32'});
  const exact = await allAttention(float32, 'time flies');
  const worst = Math.max(...exact.map((value, at) => Math.abs(value - attention[at])));
  assert(worst > 0 && worst < 0.05, `largest difference ${worst}`);
});

test('a quantized file of another version is refused', async () => {
  const bytes = safetensors([], {format: 'bertscope-int8', version: '2'});
  const open = () => readSafetensors(inChunks(bytes), 'q');
  await assert.rejects(runtime.load({name: 'q', path: 'q', weights: 'q', files: {}, open}), {
    code: 'unsupported-model',
    message: /expected format version 1 or 3, found 2/,
  });
});
