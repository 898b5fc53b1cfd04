import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {openFiles} from '../../../web/engine/files/model-sources.js';
import {goldenFolder, join, loadGolden, runtime} from '../support.js';

const FOLDER = goldenFolder('odd-sizes');

const placed = (/** @type {string} */ path, /** @type {Uint8Array} */ bytes) => ({
  path,
  file: new Blob([/** @type {BlobPart} */ (bytes)]),
});
const filesOf = (/** @type {string[]} */ names) =>
  names.map((name) => placed(name, readFileSync(`${FOLDER}/${name}`)));

test('a model loads from the files of a Hugging Face folder, under the folder’s name', async () => {
  const names = ['config.json', 'model.safetensors', 'vocab.txt', 'expected.safetensors'];
  const model = await runtime.load(await openFiles(filesOf(names), 'odd-sizes'));
  assert.equal(model.name, 'odd-sizes');
  assert.equal((await model.attend('time')).tokens.length, 3);
});

test('a model loads from one quantized file, under the file’s name', async () => {
  const bytes = join((await loadGolden('odd-sizes', 'int8')).quantizedFile());
  const model = await runtime.load(await openFiles([placed('tiny.safetensors', bytes)]));
  assert.equal(model.name, 'tiny');
});

test('files without clear weights are refused with their names', async () => {
  for (const files of [filesOf(['config.json']), []]) {
    const found = files.length > 0 ? /found config\.json$/ : /found no files$/;
    await assert.rejects(openFiles(files), {code: 'bad-source', message: found});
  }
  const two = ['a.safetensors', 'b.safetensors'].map((name) => placed(name, new Uint8Array(0)));
  await assert.rejects(openFiles(two), {code: 'bad-source', message: /found a\.safe.*, b\.safe/});
});

test('a folder of several checkpoints is refused with the folders to choose from', async () => {
  const files = ['run/checkpoint-500', 'run/checkpoint-1000'].flatMap((folder) =>
    filesOf(['config.json', 'model.safetensors', 'vocab.txt']).map(({path, file}) => {
      return {path: `${folder}/${path}`, file};
    }),
  );
  await assert.rejects(openFiles(files, 'run'), {
    code: 'bad-source',
    message:
      'run: expected one model, found 2; choose one of run/checkpoint-1000, run/checkpoint-500',
  });
  // The checkpoint that was saved last, in the folder above them, is the model.
  const last = filesOf(['config.json', 'model.safetensors', 'vocab.txt']);
  const source = await openFiles([...last, ...files], 'run');
  assert.equal(source.weights, 'model.safetensors');
});
