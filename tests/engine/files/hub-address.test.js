import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {BertscopeError} from '../../../web/engine/errors.js';
import {parseHubAddress} from '../../../web/engine/files/hub.js';
import {tries} from '../../support/tries.js';

for (const address of [
  'hub:',
  'hub:a/b/c',
  'hub:../b',
  'hub:a/b@',
  'hub:a/b@../c',
  'hub:a b',
  'hub:a/b?c',
]) {
  test(`${address} is refused as the address of a model`, () => {
    assert.throws(() => parseHubAddress(address), {code: 'bad-source'});
  });
}

test('an address names a revision or means main', () => {
  assert.deepEqual(parseHubAddress('hub:bert-base-uncased'), {
    name: 'bert-base-uncased',
    revision: 'main',
  });
  assert.deepEqual(parseHubAddress('hub:a/b.c@refs/pr/1'), {name: 'a/b.c', revision: 'refs/pr/1'});
});

test('any address names a folder of the hub or is refused', () => {
  const part = fc.stringMatching(/^[\w.-]{1,6}$|^[\w.@/ :%?#-]{0,6}$/);
  const parts = fc.array(part, {minLength: 1, maxLength: 3});
  const address = fc.oneof(
    fc.string(),
    parts.map((parts) => `hub:${parts.join('/')}`),
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
      const root = 'https://hub.test/';
      const url = new URL(`${root}${model.name}/resolve/${encodeURIComponent(model.revision)}/x`);
      const revision = encodeURIComponent(model.revision);
      assert.equal(url.href, `${root}${model.name}/resolve/${revision}/x`);
    }),
    tries(5000),
  );
  assert(read > 50, `${read} were read`);
});
