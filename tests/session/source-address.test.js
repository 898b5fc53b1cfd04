import assert from 'node:assert/strict';
import {test} from 'node:test';
import {pageAddresses} from '../../web/session/page-access.js';
import {namesSnapshot, readSource, sourceOf} from '../../web/session/source-address.js';

Object.assign(globalThis, {document: {baseURI: 'https://example.org/post/'}});

test('a name stays unchanged, an address is resolved against the page, and an ending marks saved attention', () => {
  const named = {isNamed: true, isSnapshot: false};
  const addressed = {isNamed: false, isSnapshot: false};
  assert.deepEqual(readSource(''), {url: '', ...named});
  assert.deepEqual(readSource('kept:Модель 2.json'), {url: 'kept:Модель 2.json', ...named});
  assert.deepEqual(readSource('hub:owner/name@main'), {url: 'hub:owner/name@main', ...named});
  assert.deepEqual(readSource('../my bert.safetensors'), {
    url: 'https://example.org/my%20bert.safetensors',
    ...addressed,
  });
  for (const src of ['saved.json', 'https://example.com/a.npz?v=2#x']) {
    assert.ok(readSource(src).isSnapshot, src);
  }
  assert.throws(() => readSource('https://'), TypeError);
});

test('with an engine, the page of a file on a hub stands for the file', () => {
  const page = 'https://huggingface.co/someone/pictures/blob/main/saved.json';
  const file = 'https://huggingface.co/someone/pictures/resolve/main/saved.json';
  assert.equal(sourceOf(page, pageAddresses).url, file);
  assert.equal(sourceOf(page, null).url, page);
  assert.ok(namesSnapshot(page, pageAddresses));
});
