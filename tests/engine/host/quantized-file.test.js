import assert from 'node:assert/strict';
import {test} from 'node:test';
import {crc32} from 'node:zlib';
import {checksumOf} from '../../../web/engine/files/header-checksum.js';
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
  const ofVersion1 = {...metadata, version: '1'};
  const checksum = checksumOf(ofVersion1, entries);
  const file = safetensors(entries, {...ofVersion1, checksum});
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

/** A quantized file with other metadata. @param {(metadata: Record<string, string>) => void} change */
async function quantizedWith(change) {
  const original = await loadGolden('odd-sizes', 'int8');
  const {metadata, tensors} = await readAll(inChunks(join(original.quantizedFile())));
  change(metadata);
  const bytes = safetensors(
    [...tensors].map(([name, tensor]) => ({name, ...tensor})),
    metadata,
  );
  const open = () => readSafetensors(inChunks(bytes), 'q');
  return {name: 'q', path: 'q', weights: 'q', files: {}, open};
}

test('a file that calls itself of another version, or has other shapes, is refused', async () => {
  const message = /^q: expected the checksum [0-9a-f]{8} of its version and shapes, found /;
  const refused = {code: 'bad-safetensors', message};
  const load = async (/** @type {(metadata: Record<string, string>) => void} */ change) =>
    runtime.load(await quantizedWith(change));
  await assert.rejects(
    load((metadata) => (metadata.version = '1')),
    refused,
  );
  await assert.rejects(
    load((metadata) => (metadata.checksum = '')),
    refused,
  );
  const {metadata, tensors} = await readAll(
    inChunks(join((await loadGolden('odd-sizes', 'int8')).quantizedFile())),
  );
  const entries = [...tensors].map(([name, tensor]) => ({name, ...tensor}));
  assert.equal(checksumOf(metadata, entries), metadata.checksum);
  assert.equal(checksumOf(metadata, entries.toReversed()), metadata.checksum);
  const [{shape}] = entries;
  entries[0].shape = shape.toReversed();
  assert.notEqual(String(entries[0].shape), String(shape));
  assert.notEqual(checksumOf(metadata, entries), metadata.checksum);
});

test('a file without a checksum is read, and a note says that it is unverified', async () => {
  const note = 'q is unverified: it has no checksum of its header';
  for (const version of ['1', '3']) {
    const source = await quantizedWith((metadata) => {
      metadata.version = version;
      delete metadata.checksum;
    });
    assert.deepEqual((await runtime.load(source)).notes, [note]);
  }
  assert.deepEqual((await runtime.load(await quantizedWith(() => {}))).notes, []);
});

test('the checksum is the CRC-32 of the version and the shapes', () => {
  const tensors = [{name: 'a', dtype: /** @type {const} */ ('I8'), shape: [1, 2]}];
  const text = 'bertscope-int8\n3\n["a","I8",[1,2]]';
  const expected = crc32(text).toString(16).padStart(8, '0');
  assert.equal(checksumOf({format: 'bertscope-int8', version: '3'}, tensors), expected);
});
