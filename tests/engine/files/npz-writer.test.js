import assert from 'node:assert/strict';
import {test} from 'node:test';
import {unzipSync} from 'fflate';
import {npy, npz} from '../../../web/engine/files/npz-writer.js';

const latin = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString('latin1');

test('an array has the bytes that numpy.save writes, with a header padded to 64 bytes', () => {
  const file = npy({values: Float32Array.of(1, -2), shape: [1, 2]});
  const header =
    "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2,), }";
  assert.equal(latin(file.subarray(0, 128)), `${header.padEnd(127)}\n`);
  assert.deepEqual([...file.subarray(128)], [0, 0, 128, 63, 0, 0, 0, 192]);
});

test('a view of a buffer is written without the rest of the buffer', () => {
  const file = npy({values: Int32Array.of(1, 2, 3).subarray(1, 2), shape: [1]});
  assert.deepEqual([...file.subarray(128)], [2, 0, 0, 0]);
});

test('strings are written in UTF-32, padded to the longest in characters', () => {
  const file = npy({values: ['é😀', 'a'], shape: [2]});
  assert.match(latin(file), /'descr': '<U2'/);
  const points = new Uint32Array(file.slice(128).buffer);
  assert.deepEqual([...points], [0xe9, 0x1f600, 0x61, 0]);
});

test('an archive has its arrays under their names', () => {
  const arrays = {a: {values: Float32Array.of(3), shape: [1]}, none: {values: [], shape: [0]}};
  const files = unzipSync(npz(arrays));
  assert.deepEqual(Object.keys(files), ['a.npy', 'none.npy']);
  assert.deepEqual(files['a.npy'], npy(arrays.a));
});
