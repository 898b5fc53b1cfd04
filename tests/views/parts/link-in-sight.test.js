import assert from 'node:assert/strict';
import {test} from 'node:test';
import {LinkInSight, scrolledTo} from '../../../web/views/parts/link-in-sight.js';

const place = {size: 20, scrolled: 100, room: 200};

test('two rows that are in sight stay where they are', () => {
  assert.equal(scrolledTo({pinned: 5, partner: 14}, place), 100);
});

test('two rows that fit are brought to the middle', () => {
  assert.equal(scrolledTo({pinned: 40, partner: 41}, place), 720);
  assert.equal(scrolledTo({pinned: 0, partner: 1}, place), 0);
});

test('of two rows that do not fit together, the pinned one is in sight with the rows towards the other', () => {
  assert.equal(scrolledTo({pinned: 40, partner: 5}, place), 620);
  assert.equal(scrolledTo({pinned: 2, partner: 60}, place), 40);
});

test('a link is sought once for each text, head and pinned token, unless the reader has just pinned it', () => {
  const snapshot = /** @type {any} */ ({queryTokens: ['a', 'b'], keyTokens: ['a', 'b']});
  const token = {side: /** @type {const} */ ('query'), index: 1};
  const selection = /** @type {any} */ ({layer: 0, heads: [1], token});
  const inSight = new LinkInSight();
  inSight.follow(snapshot, {...selection, token: null});
  assert.equal(inSight.isSought, false);
  inSight.follow(snapshot, selection);
  assert.equal(inSight.isSought, true);
  inSight.isSought = false;
  inSight.follow(snapshot, selection);
  assert.equal(inSight.isSought, false);
  const other = {...token, index: 0};
  inSight.pin(other);
  inSight.follow(snapshot, {...selection, token: other});
  assert.equal(inSight.isSought, false);
  inSight.follow(snapshot, {...selection, token: other, heads: [2]});
  assert.equal(inSight.isSought, true);
});
