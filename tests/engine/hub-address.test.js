import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {locationOf} from '../../web/engine/client/sendable-source.js';
import {BertscopeError} from '../../web/engine/errors.js';
import {atEndpoint, parseHubAddress} from '../../web/engine/hub-address.js';
import {tries} from '../support/tries.js';

for (const address of [
  'hub:',
  'hub:a/b/c',
  'hub:../b',
  'hub:a/b@',
  'hub:a/b@../c',
  'hub:a b',
  'hub:a/b?c',
  'hub:https://a/b',
  'hub:https://user:secret@mirror.test/a/b',
  'hub:https://mirror.test/x?y/a/b',
  'hub:file:///etc/a/b',
]) {
  test(`${address} is refused as the address of a model`, () => {
    assert.throws(() => parseHubAddress(address), {code: 'bad-source'});
  });
}

test('an address names a revision or means main, and a hub or means Hugging Face’s', () => {
  const endpoint = 'https://huggingface.co';
  for (const [address, model] of /** @type {[string, object][]} */ ([
    ['hub:bert-base-uncased', {endpoint, name: 'bert-base-uncased', revision: 'main'}],
    ['hub:a/b.c@refs/pr/1', {endpoint, name: 'a/b.c', revision: 'refs/pr/1'}],
    [
      'hub:http://localhost:8080/hub/a/b@v2',
      {endpoint: 'http://localhost:8080/hub', name: 'a/b', revision: 'v2'},
    ],
  ])) {
    assert.deepEqual(parseHubAddress(address), model);
  }
});

test('an address says from which hub it is', () => {
  assert.equal(atEndpoint('hub:a/b', undefined), 'hub:a/b');
  assert.equal(atEndpoint('hub:a/b', 'https://huggingface.co/'), 'hub:a/b');
  assert.equal(atEndpoint('hub:a/b@v2', 'https://m.test/'), 'hub:https://m.test/a/b@v2');
  assert.equal(atEndpoint('hub:https://n.test/a/b', 'https://m.test'), 'hub:https://n.test/a/b');
});

test('a model is loaded and kept under the hub that the caller names', () => {
  const source = 'hub:https://m.test/a/b';
  assert.deepEqual(locationOf('hub:a/b', {endpoint: 'https://m.test', token: 't'}), {
    source,
    token: 't',
  });
  assert.equal(locationOf('https://m.test/a/b', {endpoint: 'https://m.test'}).source, source);
  assert.equal(locationOf('hub:a/b', {}).source, 'hub:a/b');
});

test('any address names a folder of the hub or is refused', () => {
  const part = fc.stringMatching(/^[\w.-]{1,6}$|^[\w.@/ :%?#-]{0,6}$/);
  const parts = fc.array(part, {minLength: 1, maxLength: 3});
  const address = fc.oneof(
    fc.string(),
    parts.map((parts) => `hub:${parts.join('/')}`),
    parts.map((parts) => `hub:https://hub.test/${parts.join('/')}`),
  );
  let read = 0;
  fc.assert(
    fc.property(address, (address) => {
      let model;
      try {
        model = parseHubAddress(address);
      } catch (error) {
        assert(error instanceof BertscopeError, String(error));
        return assert.equal(error.code, 'bad-source');
      }
      read += 1;
      const root = `${model.endpoint}/`;
      const url = new URL(`${root}${model.name}/resolve/${encodeURIComponent(model.revision)}/x`);
      const revision = encodeURIComponent(model.revision);
      assert.equal(url.href, `${root}${model.name}/resolve/${revision}/x`);
    }),
    tries(5000),
  );
  assert(read > 50, `${read} were read`);
});
