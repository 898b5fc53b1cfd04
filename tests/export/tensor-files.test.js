/** Tests the files of a lesson's tensors. */

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {tensorCsv, tensorNpz} from '../../web/export/tensor-files.js';
import {PYTHON} from '../support/python.js';

const matrix = {
  shape: [1, 2, 2],
  data: Float32Array.of(0.25, 0.75, 0.1, 0.9),
  axes: ['batch', 'query', 'key'],
  nameOf: (/** @type {number} */ row) => [',', '"'][row],
  columns: [',', '"'],
};

const heads = {
  shape: [1, 2, 2, 3],
  data: Float32Array.from({length: 12}, (_, i) => i),
  axes: ['batch', 'head', 'tokens', 'size'],
  nameOf: (/** @type {number} */ row) => ['the', 'cat'][row % 2],
  columns: [],
};

test('a matrix is saved as a square with the tokens in the first row and column, quoted as CSV demands', () => {
  assert.equal(tensorCsv(matrix), ',",",""""\r\n",",0.25,0.75\r\n"""",0.100000001,0.899999976\r\n');
});

test('a tensor of more axes is saved with the indices of each row', () => {
  assert.deepEqual(tensorCsv(heads).trim().split('\r\n'), [
    'batch,head,tokens,,0,1,2',
    '0,0,0,the,0,1,2',
    '0,0,1,cat,3,4,5',
    '0,1,0,the,6,7,8',
    '0,1,1,cat,9,10,11',
  ]);
});

test('NumPy reads a saved tensor with its shape, and its names', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'bertscope-')), 'tensor.npz');
  writeFileSync(file, tensorNpz('output of each head', heads));
  const script = `
import numpy, sys
arrays = numpy.load(sys.argv[1])
print(arrays.files, arrays["output_of_each_head"].shape, arrays["output_of_each_head"][0, 1, 0, 2], list(map(str, arrays["rows"])))
`;
  assert.equal(
    execFileSync(PYTHON, ['-c', script, file], {encoding: 'utf8'}).trim(),
    "['output_of_each_head', 'rows'] (1, 2, 2, 3) 8.0 ['the', 'cat', 'the', 'cat']",
  );
});
