import assert from 'node:assert/strict';
import {test} from 'node:test';
import {zipSync} from 'fflate';
import {zipFiles} from '../../web/attention/zip-files.js';

/**
 * Makes an archive of one file whose directory lists it several times.
 *
 * @param {number} times
 * @param {number} [bytes]  the size that the directory states
 */
function listed(times, bytes) {
  const archive = zipSync({'a.npy': new Uint8Array(1000)}, {level: 0});
  const end = archive.length - 22;
  const view = new DataView(archive.buffer);
  const at = view.getUint32(end + 16, true);
  if (bytes) view.setUint32(at + 24, bytes, true);
  for (const place of [8, 10]) view.setUint16(end + place, times, true);
  const entries = Array(times).fill(archive.subarray(at, end));
  return Buffer.concat([archive.subarray(0, at), ...entries, archive.subarray(end)]);
}

test('files that share their bytes are refused', () => {
  assert.equal(zipFiles(listed(1))[0].bytes, 1000);
  const message = 'The files of an .npz should not overlap.';
  assert.throws(() => zipFiles(listed(2)), {code: 'bad-snapshot', message});
});

test('an archive that states more than a gigabyte is refused before anything is unpacked', () => {
  assert.equal(zipFiles(listed(1, 1e9))[0].bytes, 1e9);
  const message = 'At most 1000000000 bytes can be unpacked, found more.';
  assert.throws(() => zipFiles(listed(1, 1e9 + 1)), {code: 'bad-snapshot', message});
});
