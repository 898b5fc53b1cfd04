import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ModelCache} from '../../web/session/model-cache.js';
import {SharedEngine} from '../../web/session/shared-engine.js';

/** @import {TestContext} from 'node:test' */

/**
 * Makes a shared engine with fake models, and lists its events. A model loads at once, or fails if it is `missing`.
 *
 * @param {TestContext} t
 */
function share(t) {
  t.mock.timers.enable({apis: ['setTimeout']});
  /** @type {string[]} */
  const events = [];
  let engines = 0;
  const create = async (/** @type {string} */ url) => {
    const name = `engine ${++engines}`;
    events.push(`${name} starts for ${url}`);
    if (url === 'broken') throw new Error('no WebAssembly');
    return {
      hasEnded: false,
      isStuck: false,
      async endIfStuck() {
        if (this.isStuck) this.dispose();
      },
      async load(/** @type {string} */ source, /** @type {any} */ {onProgress, signal}) {
        signal.addEventListener('abort', () => events.push(`loading ${source} stops`));
        for (let i = 0; i < (source === 'slow' ? 3 : 1); i++) await settle();
        signal.throwIfAborted();
        onProgress({loaded: 1, total: 2});
        if (source === 'missing') throw new Error('not found');
        onProgress({loaded: 2, total: 2});
        return {name: source, source, dispose: () => events.push(`${source} goes`)};
      },
      dispose() {
        this.hasEnded = true;
        events.push(`${name} ends`);
      },
    };
  };
  /** @type {ModelCache<any, any>} */
  const models = new ModelCache(3);
  const shared = new SharedEngine(/** @type {any} */ (create), models);
  /** @param {string} url @param {object} user @param {AbortSignal} [signal] */
  const ask = (url, user, signal = new AbortController().signal) =>
    shared.model(url, {user, onProgress: () => {}, signal});
  const pass = async (/** @type {number} */ seconds) => {
    t.mock.timers.tick(seconds * 1000);
    await settle();
  };
  return {shared, models, events, ask, pass};
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('several users share one engine and one copy of a model', async (t) => {
  const {ask, events} = share(t);
  const [a, b, c] = await Promise.all([ask('x', {}), ask('x', {}), ask('y', {})]);
  assert.equal(a.engine, b.engine);
  assert.equal(a.engine, c.engine);
  assert.equal(a.model, b.model);
  assert.notEqual(a.model, c.model);
  assert.equal(a.bytes, 2);
  assert.deepEqual(events, ['engine 1 starts for x']);
});

test('a model that the page gives is brought once, and its progress is that of bringing and loading', async (t) => {
  const {ask, shared, events} = share(t);
  let brought = 0;
  shared.give('given:mine', async (onProgress) => {
    brought++;
    await settle();
    onProgress({loaded: 1, total: 8});
    return 'its files';
  });
  /** @type {number[]} */
  const totals = [];
  const use = {user: {}, signal: new AbortController().signal};
  const onProgress = (/** @type {{total: number}} */ {total}) => totals.push(total);
  const [{model}, other] = await Promise.all([
    shared.model('given:mine', {...use, onProgress}),
    ask('given:mine', {}),
  ]);
  assert.equal(model.source, 'its files');
  assert.equal(other.model, model);
  assert.equal(brought, 1);
  assert.deepEqual(totals, [8, 2, 2]);
  assert.deepEqual(events, ['engine 1 starts for given:mine']);
});

test('the engine ends some time after its last user has left', async (t) => {
  const {ask, models, events, pass} = share(t);
  const [one, two] = [{}, {}];
  const {model} = await ask('x', one);
  await ask('x', two);
  models.release(one);
  await pass(60);
  models.release(two);
  await pass(9);
  assert.deepEqual(events, ['engine 1 starts for x']);
  await pass(2);
  assert.deepEqual(events, ['engine 1 starts for x', 'engine 1 ends']);
  assert.equal(models.hold(two, model), false);
  await ask('y', one);
  assert.equal(events.at(-1), 'engine 2 starts for y');
});

test('a user who comes back in time finds the engine and the model', async (t) => {
  const {ask, models, events, pass} = share(t);
  const user = {};
  const {model} = await ask('x', user);
  for (let times = 0; times < 3; times++) {
    models.release(user);
    await pass(9);
    assert.equal(models.hold(user, model), true);
    await pass(60);
  }
  assert.equal((await ask('x', {})).model, model);
  assert.deepEqual(events, ['engine 1 starts for x']);
});

test('a user who leaves while the engine starts or the model loads keeps neither', async (t) => {
  const {ask, models, events, pass} = share(t);
  const user = {};
  const controller = new AbortController();
  const asked = ask('slow', user, controller.signal);
  await settle();
  controller.abort();
  models.release(user);
  await assert.rejects(asked, {name: 'AbortError'});
  await pass(10);
  const all = ['engine 1 starts for slow', 'loading slow stops', 'engine 1 ends'];
  assert.deepEqual(events, all);
});

test('a load that nobody waits for is stopped, and the next request starts another', async (t) => {
  const {ask, events} = share(t);
  const [one, two] = [new AbortController(), new AbortController()];
  const asked = [ask('slow', {}, one.signal), ask('slow', {}, two.signal)];
  await settle();
  one.abort();
  assert.deepEqual(events, ['engine 1 starts for slow']);
  two.abort();
  const again = ask('slow', {});
  assert.deepEqual(events, ['engine 1 starts for slow', 'loading slow stops']);
  await Promise.all(asked.map((each) => assert.rejects(each, {name: 'AbortError'})));
  assert.equal((await again).model.source, 'slow');
});

test('whoever asks while the engine is stuck gets another engine', async (t) => {
  const {shared, ask, events} = share(t);
  const {engine} = await ask('x', {});
  Object.assign(engine, {isStuck: true});
  const next = await ask('x', {});
  assert.notEqual(next.engine, engine);
  assert.deepEqual(events, ['engine 1 starts for x', 'engine 1 ends', 'engine 2 starts for x']);
  Object.assign(next.engine, {isStuck: true});
  assert.notEqual(await shared.use(async (used) => used), next.engine);
  assert.deepEqual(events.slice(3), ['engine 2 ends', 'engine 3 starts for ']);
});

test('a load that is given up ends the engine that it has made stuck', async (t) => {
  const {shared, ask, events} = share(t);
  const {engine} = await ask('x', {});
  const controller = new AbortController();
  const loading = shared.load('slow', {signal: controller.signal});
  await settle();
  Object.assign(engine, {isStuck: true});
  controller.abort();
  await assert.rejects(loading, {name: 'AbortError'});
  assert.deepEqual(events.slice(1), ['loading slow stops', 'engine 1 ends']);
});

test('an action uses the engine only while it runs', async (t) => {
  const {shared, events, pass} = share(t);
  let end = (/** @type {string} */ _result) => {};
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => (end = resolve));
  const used = shared.use(() => ended);
  await pass(60);
  end('done');
  assert.equal(await used, 'done');
  await pass(10);
  assert.deepEqual(events, ['engine 1 starts for ', 'engine 1 ends']);
  await assert.rejects(
    shared.use(async () => Promise.reject(new Error('no'))),
    /no/,
  );
  await pass(10);
  assert.equal(events.at(-1), 'engine 2 ends');
});

test('a model that the reader loads is ready for the user who asks for it next', async (t) => {
  const {shared, ask, events, pass} = share(t);
  /** @type {unknown[]} */
  const told = [];
  const model = await shared.load('kept:x', {onProgress: ({loaded}) => told.push(loaded)});
  assert.deepEqual(told, [1, 2]);
  await pass(5);
  const user = {};
  assert.equal((await ask('kept:x', user)).model, model);
  const again = await shared.load('kept:x', {});
  assert.notEqual(again, model);
  await pass(60);
  assert.deepEqual(events, ['engine 1 starts for ']);
  assert.equal((await ask('kept:x', user)).model, again);
  assert.deepEqual(events, ['engine 1 starts for ', 'kept:x goes']);
});

test('a model that does not load does not count as a user of the engine', async (t) => {
  const {ask, events, pass} = share(t);
  await assert.rejects(ask('missing', {}), /not found/);
  await settle();
  await pass(10);
  assert.deepEqual(events, ['engine 1 starts for missing', 'engine 1 ends']);
});

test('the next user starts another engine after one that did not start or has crashed', async (t) => {
  const {ask, models, events} = share(t);
  await assert.rejects(ask('broken', {}), /no WebAssembly/);
  const user = {};
  const {engine, model} = await ask('x', user);
  Object.assign(engine, {hasEnded: true});
  const next = await ask('x', user);
  assert.notEqual(next.engine, engine);
  assert.notEqual(next.model, model);
  assert.equal(models.hold(user, model), false);
  assert.deepEqual(events.slice(1), ['engine 2 starts for x', 'engine 3 starts for x']);
});
