import assert from 'node:assert/strict';
import {test} from 'node:test';
import {storageOf} from '../support/page-storage.js';
import {Progress} from '../../web/lessons/seen-steps.js';

test('the steps that a reader has seen are known at the next visit, until the reader clears them', (t) => {
  storageOf(t, 'localStorage');
  const first = new Progress();
  assert.equal(first.isEmpty, true);
  first.add('lesson', 'one');
  first.add('lesson', 'two');
  const next = new Progress();
  assert.deepEqual(
    ['one', 'two', 'three'].map((step) => next.has('lesson', step)),
    [true, true, false],
  );
  assert.equal(next.has('other', 'one'), false);
  next.clear();
  assert.equal(new Progress().isEmpty, true);
});

test('without storage, the steps are remembered until the page is closed', () => {
  const progress = new Progress();
  progress.add('lesson', 'one');
  assert.equal(progress.has('lesson', 'one'), true);
});
