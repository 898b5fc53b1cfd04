import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ModelCache} from '../../web/session/model-cache.js';

/** Makes a cache with room for two models, and lists the names of those that it disposes of, in order. */
function shelfOfTwo() {
  /** @type {ModelCache<{name: string, dispose: () => void}, any>} */
  const shelf = new ModelCache(2);
  /** @type {string[]} */
  const disposed = [];
  return {
    shelf,
    disposed,
    /** @param {string} address @param {string} [name] */
    async put(address, name = address) {
      const model = {name, dispose: () => disposed.push(name)};
      const entry = {loading: Promise.resolve(model)};
      shelf.put(address, entry);
      await entry.loading;
      await Promise.resolve();
      return {model, entry};
    },
  };
}

test('unused models that were used last stay, up to the limit', async () => {
  const {shelf, disposed, put} = shelfOfTwo();
  const {entry} = await put('a');
  await put('b');
  const user = {};
  shelf.use(user, entry);
  shelf.release(user);
  await put('c');
  assert.deepEqual(disposed, ['b']);
  assert.equal(shelf.get('a'), entry);
});

test('a model in use is never disposed of, however many there are, until it is released', async () => {
  const {shelf, disposed, put} = shelfOfTwo();
  const users = ['first', 'second', 'third'].map((name) => ({name}));
  for (const user of users) shelf.use(user, (await put(user.name)).entry);
  await put('fourth');
  assert.deepEqual(disposed, []);
  shelf.release(users[1]);
  assert.deepEqual(disposed, ['second']);
  shelf.use(users[0], (await put('fifth')).entry);
  assert.deepEqual(disposed, ['second', 'fourth', 'first']);
});

test('a model whose address another has taken is disposed of once its last user has left', async () => {
  const {shelf, disposed, put} = shelfOfTwo();
  const old = await put('a', 'old');
  const [one, two] = [{}, {}];
  shelf.use(one, old.entry);
  assert.ok(shelf.hold(two, old.model));
  await put('a', 'new');
  shelf.release(one);
  assert.deepEqual(disposed, []);
  shelf.release(two);
  assert.deepEqual(disposed, ['old']);
  assert.ok(!shelf.hold(two, old.model));
});

test('a model that nobody waits for any longer is disposed of when it arrives', async () => {
  const {shelf, disposed, put} = shelfOfTwo();
  /** @type {(model: {dispose: () => void}) => void} */
  let arrive = () => {};
  const late = {loading: new Promise((resolve) => (arrive = resolve))};
  shelf.put('a', late);
  await put('a');
  assert.equal(disposed.length, 0);
  arrive({dispose: () => disposed.push('late')});
  await late.loading;
  assert.deepEqual(disposed, ['late']);
});

test('a failed load is forgotten, so that it can be tried again', async () => {
  const {shelf} = shelfOfTwo();
  const loading = Promise.reject(new Error('no network'));
  shelf.put('a', {loading});
  await loading.catch(() => {});
  await Promise.resolve();
  assert.equal(shelf.get('a'), undefined);
});
