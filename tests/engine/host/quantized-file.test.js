import assert from 'node:assert/strict';
import {test} from 'node:test';
import {readSafetensors} from '../../../web/engine/files/safetensors.js';
import {
  allAttention,
  inChunks,
  join,
  loadGolden,
  readAll,
  runtime,
  safetensors,
} from '../support.js';

/** @import {Dtype} from '../support.js' */

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

test('a quantized file with outliers has version 2, and comes back as it was read', async () => {
  const original = await loadGolden('odd-sizes', 'int8');
  const {metadata, tensors} = await readAll(inChunks(join(original.quantizedFile())));
  assert.equal(metadata.version, '1');
  const weight = 'bert.encoder.layer.0.attention.self.value.weight';
  const bytesOf = (/** @type {ArrayBufferView} */ {buffer}) => new Uint8Array(buffer);
  const outliers = {
    index: {dtype: 'I32', bytes: bytesOf(Int32Array.of(0, 1700, 3599))},
    value: {dtype: 'F32', bytes: bytesOf(Float32Array.of(9, -4, 2.5))},
  };
  const entries = [...tensors].flatMap(([name, tensor]) => [
    {name, ...tensor},
    ...Object.entries(name === `${weight}_scale` ? outliers : {}).map(([part, {dtype, bytes}]) => ({
      name: `${weight}_outlier_${part}`,
      dtype: /** @type {Dtype} */ (dtype),
      shape: [3],
      bytes,
    })),
  ]);
  const file = safetensors(entries, {...metadata, version: '2'});
  const source = {name: 'q', path: 'q', weights: 'q', files: {}};
  const open = () => readSafetensors(inChunks(file), 'q');
  const read = await runtime.load({...source, open});
  assert.deepEqual(read.notes, []);
  assert.deepEqual(join(read.quantizedFile()), file);

  const attention = await allAttention(read, 'time flies');
  assert.notDeepEqual(attention, await allAttention(original, 'time flies'));
  const float32 = await runtime.load({...source, open}, {precision: 'f32'});
  const exact = await allAttention(float32, 'time flies');
  const worst = Math.max(...exact.map((value, at) => Math.abs(value - attention[at])));
  assert(worst > 0 && worst < 0.05, `largest difference ${worst}`);
});

test('a quantized file of a later version is refused', async () => {
  const bytes = safetensors([], {format: 'bertscope-int8', version: '3'});
  const open = () => readSafetensors(inChunks(bytes), 'q');
  await assert.rejects(runtime.load({name: 'q', path: 'q', weights: 'q', files: {}, open}), {
    code: 'unsupported-model',
    message: /expected format version 1 or 2, found 3/,
  });
});
