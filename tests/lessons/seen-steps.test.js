import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Progress} from '../../web/lessons/seen-steps.js';

test('the steps that a reader has seen are known at the next visit, until the reader clears them', (t) => {
  /** @type {Map<string, string>} */
  const stored = new Map();
  const localStorage = {
    getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ text) => stored.set(key, text),
  };
  Object.defineProperty(globalThis, 'localStorage', {value: localStorage, configurable: true});
  t.after(() => Reflect.deleteProperty(globalThis, 'localStorage'));
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
