/** Tests the bridge alone: both of its sides are in this thread. */

import assert from 'node:assert/strict';
import {getEventListeners} from 'node:events';
import {test} from 'node:test';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {serve} from '../../web/engine/serve.js';
import {BertscopeError} from '../../web/engine/errors.js';
import {nextTask} from '../../web/engine/event-loop.js';
import {connect, End, settle, untilAborted} from './bridge-line.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

test('a method gets its arguments, and the page gets its result', async () => {
  const {host} = connect({
    add: (/** @type {number} */ a, /** @type {number} */ b) => a + b,
    async echo(/** @type {unknown[]} */ ...args) {
      return args;
    },
  });
  assert.equal(await host.add(2, 3), 5);
  const args = ['a', [1], {text: 'b', none: undefined}, null, undefined];
  assert.deepEqual(await host.echo(...args), args);
  assert.deepEqual(await host.echo(), []);
});

test('a call whose signal was aborted before is not sent', async () => {
  const {host, worker} = connect({run: untilAborted});
  const reason = new Error('too late');
  await assert.rejects(host.run({signal: AbortSignal.abort(reason)}), reason);
  assert.deepEqual(worker.sent, []);
});

test('an abort rejects the call at once with its reason, and reaches the method', async () => {
  /** @type {AbortSignal | undefined} */
  let heard;
  const {host} = connect({
    run(/** @type {{signal?: AbortSignal}} */ {signal}) {
      heard = signal;
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve('late')));
    },
  });
  const controller = new AbortController();
  const {signal} = controller;
  const running = host.run({signal});
  await settle();
  assert.equal(heard?.aborted, false);
  const reason = new Error('changed my mind');
  controller.abort(reason);
  await assert.rejects(running, reason);
  await settle();
  assert.equal(heard?.aborted, true);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a call that has ended no longer listens to its signal', async () => {
  const {host, worker} = connect({
    pass: async (/** @type {object} */ _options) => 1,
    fail: async (/** @type {object} */ _options) => Promise.reject(new Error('no')),
  });
  const controller = new AbortController();
  const {signal} = controller;
  assert.equal(await host.pass({signal}), 1);
  await assert.rejects(host.fail({signal}));
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  controller.abort();
  assert.equal(worker.sent.length, 2);
});

test('only the latest of several waiting calls begins', async () => {
  /** @type {number[]} */
  const begun = [];
  const {host} = connect({
    async run(/** @type {number} */ index, /** @type {{signal?: AbortSignal}} */ _options) {
      begun.push(index);
      return index;
    },
  });
  let controller = new AbortController();
  const calls = Array.from({length: 20}, (_, index) => {
    controller.abort();
    controller = new AbortController();
    return host.run(index, {signal: controller.signal});
  });
  const settled = await Promise.allSettled(calls);
  assert.equal(settled.filter(({status}) => status === 'rejected').length, 19);
  assert.equal(await calls[19], 19);
  assert.deepEqual(begun, [19]);
});

test('progress arrives in order and before the result, at most every 50 ms, and the last always', async (t) => {
  const now = t.mock.method(performance, 'now', () => 0);
  const {host} = connect({
    async count(
      /** @type {number} */ total,
      /** @type {{onProgress?: (progress: {done: number, total: number}) => void}} */ {onProgress},
    ) {
      for (let done = 1; done <= total; done++) {
        now.mock.mockImplementation(() => 10 * done);
        onProgress?.({done, total});
      }
      return total;
    },
  });
  /** @type {unknown[]} */
  const told = [];
  const counted = host.count(13, {onProgress: ({done}) => told.push(done)});
  await counted.then((total) => told.push(`all ${total}`));
  assert.deepEqual(told, [1, 6, 11, 13, 'all 13']);
  assert.equal(await host.count(3, {}), 3);
});

test('an aborted call reports no more progress', async (t) => {
  const now = t.mock.method(performance, 'now', () => 0);
  const {host} = connect({
    async count(
      /** @type {{onProgress?: (progress: object) => void, signal?: AbortSignal}} */ {onProgress},
    ) {
      for (let done = 1; done <= 5; done++) {
        now.mock.mockImplementation(() => 50 * done);
        onProgress?.({done});
      }
    },
  });
  const controller = new AbortController();
  let told = 0;
  const onProgress = () => {
    if (++told === 2) controller.abort();
  };
  await assert.rejects(host.count({onProgress, signal: controller.signal}), {name: 'AbortError'});
  await settle();
  assert.equal(told, 2);
});

test('the arrays of a result are moved, and those of the arguments are copied', async () => {
  const moved = Float32Array.of(1, 2, 3, 4);
  const halves = [moved.subarray(0, 2), moved.subarray(2)];
  const {host} = connect({
    split: (/** @type {Float32Array} */ given) => ({given, parts: [{shape: [2], data: halves}]}),
  });
  const own = Float32Array.of(5);
  const {given, parts} = await host.split(own);
  assert.deepEqual([given, own], [Float32Array.of(5), Float32Array.of(5)]);
  assert.deepEqual(parts[0].data, [Float32Array.of(1, 2), Float32Array.of(3, 4)]);
  assert.equal(moved.length, 0);
});

test('a bridge that moves arguments moves arrays and ports', async () => {
  const taken = {
    take(/** @type {MessagePort} */ port, /** @type {{values: Float32Array}} */ {values}) {
      port.postMessage(values.length);
      port.close();
    },
  };
  const {host} = connect(taken, {moves: true});
  const {port1, port2} = new MessageChannel();
  const said = new Promise((resolve) => (port1.onmessage = ({data}) => resolve(data)));
  const values = Float32Array.of(1, 2);
  await host.take(port2, {values});
  assert.equal(await said, 2);
  assert.equal(values.length, 0);
});

test('errors cross the bridge with their class and code', async () => {
  const {bridge, host} = connect({
    refuse() {
      throw new BertscopeError('bad-option', 'expected a text, found 5', {cause: () => {}});
    },
    async slip() {
      throw new TypeError('x is not a function');
    },
    unsendable: () => ({function() {}}),
  });
  await assert.rejects(host.refuse(), (error) => {
    assert(error instanceof BertscopeError);
    assert.equal(error.code, 'bad-option');
    assert.equal(error.message, 'expected a text, found 5');
    return true;
  });
  await assert.rejects(host.slip(), {name: 'TypeError', message: 'x is not a function'});
  await assert.rejects(host.unsendable(), {name: 'DataCloneError'});
  assert.equal(bridge.hasEnded, false);
});

test('an argument that cannot be sent to the worker rejects its call alone', async () => {
  const {host} = connect({echo: async (/** @type {unknown} */ value) => value});
  await assert.rejects(
    host.echo(() => {}),
    {name: 'DataCloneError'},
  );
  assert.equal(await host.echo(1), 1);
});

for (const [how, event, message] of /** @type {const} */ ([
  [
    'stops',
    Object.assign(new Event('error'), {message: 'boom'}),
    /worker stopped: boom, while it was asked for run$/,
  ],
  [
    'does not start',
    new Event('error'),
    /worker stopped: it could not be started, while it was asked for run$/,
  ],
  [
    'sends an unreadable message',
    new Event('messageerror'),
    /sent a message that cannot be read, while it was asked for run$/,
  ],
])) {
  test(`a worker that ${how} rejects every call`, async () => {
    const {bridge, host, worker} = connect({run: untilAborted});
    const {signal} = new AbortController();
    const waiting = [host.run({signal}), host.run({})];
    worker.dispatchEvent(event);
    const crashed = {name: 'BertscopeError', code: 'engine-crashed', message};
    for (const call of [...waiting, host.run({})]) await assert.rejects(call, crashed);
    assert.equal(bridge.hasEnded, true);
    assert.equal(worker.isTerminated, true);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
}

test('a worker that ends without a reason after it has answered says so, with what it was asked for', async () => {
  const {host, worker} = connect({add: (/** @type {number} */ a) => a + 1, run: untilAborted});
  assert.equal(await host.add(1), 2);
  const waiting = [host.run({}), host.add(1)];
  worker.dispatchEvent(new Event('error'));
  const message =
    /the browser does not say why, perhaps for lack of memory, while it was asked for run, add$/;
  for (const call of waiting) await assert.rejects(call, {code: 'engine-crashed', message});
});

test('a worker that cannot read a message stops', () => {
  const page = new End();
  serve({}, /** @type {any} */ ({addEventListener: page.addEventListener.bind(page)}));
  const listener = getEventListeners(page, 'messageerror')[0];
  assert.throws(() => /** @type {Function} */ (listener)(), /message that cannot be read/);
});

test('every call rejects after a trap in the engine', async () => {
  const {host, worker} = connect({
    run: untilAborted,
    trap() {
      throw new BertscopeError('engine-crashed', 'm: the engine stopped: unreachable');
    },
  });
  const waiting = host.run({});
  await assert.rejects(host.trap(), {code: 'engine-crashed', message: /unreachable/});
  await assert.rejects(waiting, {code: 'engine-crashed', message: /unreachable/});
  assert.equal(worker.isTerminated, true);
});

test('an ended bridge keeps its first reason', async () => {
  const {bridge, host} = connect({run: untilAborted});
  const waiting = host.run({});
  bridge.end(new BertscopeError('disposed', 'first'));
  bridge.end(new BertscopeError('engine-crashed', 'second'));
  await assert.rejects(waiting, {code: 'disposed'});
  await assert.rejects(host.run({}), {code: 'disposed', message: 'first'});
});

/** Serves things that stay in the worker, and lists those that it has disposed of. */
function connectThings() {
  /** @type {string[]} */
  const disposed = [];
  /** @type {((_: unknown) => void)[]} */
  const waiting = [];
  const things = {
    /** @param {string} name @param {{signal?: AbortSignal}} [_options] */
    async make(name, _options) {
      return {
        description: {name},
        name: async () => name,
        wait: () => new Promise((resolve) => waiting.push(resolve)),
        dispose: () => {
          disposed.push(name);
        },
      };
    },
  };
  return {...connect(things), disposed, waiting};
}

test('an object with a dispose method stays in the worker until it is disposed of', async () => {
  const {host, disposed} = connectThings();
  const [a, b] = [await host.make('a'), await host.make('b')];
  assert.equal(await a.name(), 'a');
  assert.deepEqual(a.description, {name: 'a'});
  a.dispose();
  a.dispose();
  await assert.rejects(a.name(), {name: 'BertscopeError', code: 'disposed', message: /^name: /});
  assert.equal(await b.name(), 'b');
  assert.deepEqual(disposed, ['a']);
});

test('an object whose call was aborted is disposed of, whenever the abort comes', async () => {
  const {host, worker, page, disposed} = connectThings();
  const made = host.make('kept', {signal: new AbortController().signal});
  assert.equal(await (await made).name(), 'kept');

  const before = new AbortController();
  const unbegun = host.make('unbegun', {signal: before.signal});
  before.abort();
  await assert.rejects(unbegun, {name: 'AbortError'});

  const late = new AbortController();
  const answered = host.make('answered', {signal: late.signal});
  // The object exists already, and its answer is on the way.
  while (!page.sent.at(-1).isRemote) await nextTask();
  late.abort();
  await assert.rejects(answered, {name: 'AbortError'});
  await settle();
  assert.deepEqual(disposed, ['answered']);
  assert.equal(worker.sent.at(-1).drop, worker.sent.at(-2).call);
});

test('an object that is made after its call was aborted is disposed of', async () => {
  /** @type {(made: {dispose: () => void}) => void} */
  let make = () => {};
  /** @type {string[]} */
  const disposed = [];
  const {host} = connect({
    make: (/** @type {{signal?: AbortSignal}} */ _options) =>
      /** @type {Promise<{dispose: () => void}>} */ (new Promise((resolve) => (make = resolve))),
  });
  const controller = new AbortController();
  const making = host.make({signal: controller.signal});
  await settle();
  controller.abort();
  await assert.rejects(making, {name: 'AbortError'});
  await settle();
  make({dispose: () => disposed.push('late')});
  await settle();
  assert.deepEqual(disposed, ['late']);
});

test('an object that the page has dropped is disposed of, but not while a call to it runs', async () => {
  const {host, disposed, waiting} = connectThings();
  const running = (await host.make('a')).wait();
  await settle();
  collectGarbage();
  await settle();
  assert.deepEqual(disposed, []);
  waiting[0]('done');
  assert.equal(await running, 'done');
  while (disposed.length === 0) {
    await nextTask();
    collectGarbage();
  }
  assert.deepEqual(disposed, ['a']);
});
