import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {parseHubAddress} from '../../web/engine/hub-address.js';
import {modelAddress} from '../../web/engine/model-address.js';
import {tries} from '../support/tries.js';

const HUB = 'https://huggingface.co';

for (const [pasted, address] of [
  ['google-bert/bert-base-uncased', 'hub:google-bert/bert-base-uncased'],
  ['bert-base-uncased', 'hub:bert-base-uncased'],
  ['docs-bert/models', 'hub:docs-bert/models'],
  ['a/b/', 'hub:a/b'],
  ['a/b?library=transformers', 'hub:a/b'],
  ['a/b#training', 'hub:a/b'],
  ['a/b/tree/main', 'hub:a/b'],
  ['bert-base-uncased/tree/main', 'hub:bert-base-uncased'],
  ['a/b/tree/v1.0', 'hub:a/b@v1.0'],
  ['a/b/tree/main/onnx', 'hub:a/b'],
  ['a/b/tree/refs%2Fpr%2F28', 'hub:a/b@refs/pr/28'],
  ['a/b/tree/refs/pr/28', 'hub:a/b@refs/pr/28'],
  ['a/b/commits/main', 'hub:a/b'],
  ['a/b/discussions/3', 'hub:a/b'],
  ['a/b/blob/main/config.json', 'hub:a/b'],
  ['a/b/blob/main/README.md', 'hub:a/b'],
  ['a/b/resolve/main/model.safetensors?download=true', 'hub:a/b'],
  ['a/b/resolve/86b5e09/pytorch_model.bin?download=true', 'hub:a/b@86b5e09'],
  ['a/b/resolve/main/model-00001-of-00002.safetensors', 'hub:a/b'],
  ['a/b/resolve/main/model.safetensors.index.json', 'hub:a/b'],
]) {
  test(`${pasted} on the hub is the address of ${address}`, () => {
    assert.equal(modelAddress(`${HUB}/${pasted}`), address);
    assert.equal(modelAddress(` hf.co/${pasted}\n`), address);
    const mirror = address.replace('hub:', 'hub:https://mirror.test/x/');
    assert.equal(modelAddress(`https://mirror.test/x/${pasted}`, 'https://mirror.test/x/'), mirror);
    assert(parseHubAddress(address).name);
  });
}

for (const file of [
  'int8.safetensors',
  'model-int8.safetensors',
  'q4/model-Q4_K_M.gguf',
  'saved/picture.json',
  'a.npz',
]) {
  test(`${file} on the hub is opened by itself`, () => {
    const address = `${HUB}/a/b/resolve/v2/${file}`;
    assert.equal(modelAddress(`${address}?download=true`), address);
    assert.equal(modelAddress(`${HUB}/a/b/blob/v2/${file}`), address);
  });
}

for (const address of [
  '',
  'hub:a/b@v2',
  'kept:bert',
  'saved.json',
  'a/b',
  'https://mirror.test/a/b',
  'https://mirror.test/a/b/resolve/main/model.safetensors?download=true',
  `${HUB}/`,
  `${HUB}/datasets/a/b/resolve/main/saved.json`,
  `${HUB}/spaces/a/b`,
  `${HUB}/docs/hub/models`,
  `${HUB}/models?search=bert`,
  `${HUB}/models`,
  `${HUB}/settings/tokens`,
  `${HUB}/docs`,
  `${HUB}/blog`,
  `${HUB}/learn/nlp-course`,
  `${HUB}/organizations/new`,
  `${HUB}/login?next=%2Fa%2Fb`,
  `${HUB}/tasks/fill-mask`,
  `${HUB}/../x`,
  `${HUB}/..`,
  `${HUB}/a/.`,
  `${HUB}/a/b/tree/%2e%2E`,
  `${HUB}/a/b/resolve/main/../saved.json`,
  `${HUB}/a/b.json`,
  `${HUB}/a/b/tree/%E0%A4`,
]) {
  test(`“${address}” stays as it is`, () => {
    assert.equal(modelAddress(address), address);
  });
}

test('any address is read once: what it becomes stays as it is', () => {
  const part = fc.constantFrom(
    'a',
    'b.c',
    'tree',
    'blob',
    'resolve',
    'main',
    'x.json',
    '%41',
    '..',
    '@',
  );
  const path = fc.array(part, {maxLength: 7}).map((parts) => `${HUB}/${parts.join('/')}`);
  fc.assert(
    fc.property(fc.oneof(path, fc.string()), (address) => {
      const read = modelAddress(address);
      assert.equal(modelAddress(read), read);
    }),
    tries(5000),
  );
});
