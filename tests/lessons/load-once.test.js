import assert from 'node:assert/strict';
import {test} from 'node:test';
import {loadOnce} from '../../web/lessons/load-once.js';

test('whoever asks while it loads, or later, gets what is loaded first', async () => {
  let loads = 0;
  const load = loadOnce(async () => ++loads);
  assert.deepEqual(await Promise.all([load(), load()]), [1, 1]);
  assert.equal(await load(), 1);
});

test('what failed to load is loaded again', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    if (++loads === 1) throw new Error('no network');
    return loads;
  });
  await assert.rejects(load(), /no network/);
  assert.equal(await load(), 2);
});
