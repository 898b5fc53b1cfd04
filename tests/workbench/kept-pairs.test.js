/** Tests that typed sentences and their pairs are kept, and that nothing else in the storage becomes one. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {storageOf} from '../support/page-storage.js';
import {keepPairs, keptPairs} from '../../web/workbench/kept-pairs.js';

test('typed sentences come back with the pairs of each line, those of a line that is not there now too', (t) => {
  storageOf(t, 'sessionStorage');
  const pairs = new Map([
    ['The red car stopped.', new Map([[1, 2]])],
    ['A small dog.', new Map([[1, 2], [0, 2]])], // prettier-ignore
    ['Nothing here.', new Map()],
  ]);
  keepPairs({text: 'The red car stopped.\nNothing here.', pairs});
  const {text, pairs: found} = keptPairs();
  assert.equal(text, 'The red car stopped.\nNothing here.');
  pairs.delete('Nothing here.');
  assert.deepEqual(found, pairs);
});

test('what is no pair of two words of its line is passed over', (t) => {
  const stored = storageOf(t, 'sessionStorage');
  const nothing = {text: '', pairs: new Map()};
  assert.deepEqual(keptPairs(), nothing);
  keepPairs({text: 'a b.', pairs: new Map([['a b.', new Map([[0, 1]])]])});
  const [[key, written]] = stored;
  for (const other of ['', 'no JSON', 'null', '7', '{"text":7,"pairs":{}}', '[]']) {
    stored.set(key, other);
    assert.deepEqual(keptPairs(), nothing, other);
  }
  for (const wrong of [
    '[[0,2]]',
    '[[0,9]]',
    '[[0,0]]',
    '[[-1,1]]',
    '[[0.5,1]]',
    '[["x",1]]',
    '[[0]]',
    '[0]',
    '7',
  ]) {
    stored.set(key, written.replace('[[0,1]]', wrong));
    assert.deepEqual(keptPairs(), {text: 'a b.', pairs: new Map()}, wrong);
  }
});

test('without storage, nothing is kept and nothing fails', () => {
  keepPairs({text: 'a b', pairs: new Map()});
  assert.deepEqual(keptPairs(), {text: '', pairs: new Map()});
});
