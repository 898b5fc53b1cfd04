import assert from 'node:assert/strict';
import {test} from 'node:test';
import {plainDisplay} from '../../web/attention/display.js';
import {readingOf} from '../../web/scope/display-cache.js';
import {passOf} from './passes.js';

/** @param {number} strongest */
const keeping = (strongest) => ({...plainDisplay, strongest});

test('the readings that one picture tries are made once', () => {
  const {snapshot} = passOf('a b c');
  const readings = [0.5, 0.6, 0.7].map((share) => readingOf(snapshot, keeping(share)));
  const again = [0.5, 0.6, 0.7].map((share) => readingOf(snapshot, keeping(share)));
  again.forEach((reading, at) => assert.equal(reading, readings[at]));
});

test('the oldest reading is forgotten', () => {
  const {snapshot} = passOf('a b c');
  const first = readingOf(snapshot, keeping(0.5));
  for (const share of [0.6, 0.7, 0.8, 0.9]) readingOf(snapshot, keeping(share));
  assert.notEqual(readingOf(snapshot, keeping(0.5)), first);
});
