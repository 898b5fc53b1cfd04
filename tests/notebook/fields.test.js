import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {neededOf} from '../../web/notebook/python-files.js';
import {traits} from '../../web/notebook/traits.js';

test("Python's fields are those of the element", () => {
  const script = fileURLToPath(new URL('../../scripts/notebook/fields.mjs', import.meta.url));
  const {status, stderr} = spawnSync(process.execPath, [script, '--check'], {encoding: 'utf8'});
  assert.equal(status, 0, stderr);
});

test('values with parts are texts in Python, and the others are values of JSON', () => {
  const typeOf = Object.fromEntries(
    traits.map(({name, type, isWritten}) => [name, isWritten ? 'written' : type]),
  );
  for (const [name, type] of Object.entries({
    ...{text: 'text', layer: 'integer', heads: 'integers', strongest: 'number', words: 'flag'},
    ...{token: 'written', interventions: 'written', compare: 'written', opened: 'flag'},
  })) {
    assert.equal(typeOf[name], type, name);
  }
});

test('of a folder, the files that the engine reads are sent, with weights in one format', () => {
  const pathsOf = (/** @type {string[]} */ ...paths) =>
    neededOf(paths.map((path) => ({path}))).map(({path}) => path);
  assert.deepEqual(
    pathsOf('config.json', 'model.safetensors', 'pytorch_model.bin', 'tf_model.h5', 'vocab.txt'),
    ['config.json', 'vocab.txt', 'model.safetensors'],
  );
  assert.deepEqual(pathsOf('config.json', 'onnx/model.onnx', 'pytorch_model.bin'), [
    'config.json',
    'pytorch_model.bin',
  ]);
  assert.deepEqual(pathsOf('any.safetensors'), ['any.safetensors']);
  assert.deepEqual(pathsOf('README.md', 'any.gguf'), ['any.gguf']);
});
