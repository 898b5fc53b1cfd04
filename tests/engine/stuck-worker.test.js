/** Tests how the bridge tells a worker that is stuck from one that is busy. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {connect, End, settle, untilAborted} from './bridge-line.js';

test('a worker that is stuck is ended, and one that answers between tasks is not', async (t) => {
  t.mock.timers.enable({apis: ['setInterval', 'setTimeout']});
  const pass = async (/** @type {number} */ seconds) => {
    for (let i = 0; i < seconds; i++) {
      t.mock.timers.tick(1000);
      await settle();
    }
  };
  const {bridge, host, worker} = connect({wait: untilAborted});
  const waiting = host.wait({});
  await pass(100);
  assert.equal(bridge.hasEnded, false);
  await bridge.endIfStuck(1000);
  worker.other = new End(); // nothing arrives any more
  await pass(19);
  assert.equal(bridge.hasEnded, false);
  const stuck = {code: 'engine-stuck', message: /has not answered for 20 s and was ended/};
  const rejected = assert.rejects(waiting, stuck);
  await pass(3);
  await rejected;
  assert.equal(worker.isTerminated, true);
  await assert.rejects(host.wait({}), stuck);
  await bridge.endIfStuck(1000);
});

test('whoever cannot wait for a stuck worker ends it', async (t) => {
  t.mock.timers.enable({apis: ['setInterval', 'setTimeout']});
  const {bridge, host, worker} = connect({wait: untilAborted});
  worker.other = new End();
  const waiting = assert.rejects(host.wait({}), {code: 'engine-stuck', message: /for 1\.5 s/});
  const ended = bridge.endIfStuck(1500);
  t.mock.timers.tick(1500);
  await Promise.all([ended, waiting]);
  assert.equal(worker.isTerminated, true);
});

test('the answer to an earlier question does not tell that the worker is not stuck', async (t) => {
  t.mock.timers.enable({apis: ['setInterval', 'setTimeout']});
  const {bridge, worker, page} = connect({});
  // The worker is stuck as soon as it has answered once.
  page.addEventListener('message', () => (worker.other = new End()), {once: true});
  const [earlier, later] = [bridge.endIfStuck(1500), bridge.endIfStuck(1500)];
  await earlier;
  await settle();
  t.mock.timers.tick(1500);
  await later;
  assert.equal(worker.isTerminated, true);
});

test('a worker is watched only while calls wait', async (t) => {
  t.mock.timers.enable({apis: ['setInterval', 'setTimeout']});
  const {bridge, host, worker} = connect({add: (/** @type {number} */ a) => a + 1});
  assert.equal(await host.add(1), 2);
  const sent = worker.sent.length;
  worker.other = new End();
  t.mock.timers.tick(100_000);
  await settle();
  assert.equal(worker.sent.length, sent);
  assert.equal(bridge.hasEnded, false);
});

test('a worker that may be silent for longer has a name of its own in what its errors say', async (t) => {
  t.mock.timers.enable({apis: ['setInterval', 'setTimeout']});
  const reader = {name: 'the reader', mostSilentSeconds: 30};
  const {bridge, host, worker} = connect({wait: untilAborted}, reader);
  worker.other = new End();
  const message = 'the reader has not answered for 30 s and was ended, while it was asked for wait';
  const waiting = assert.rejects(host.wait({}), {code: 'engine-stuck', message});
  t.mock.timers.tick(30_000);
  assert.equal(bridge.hasEnded, false);
  t.mock.timers.tick(1000);
  await waiting;
});
