/** Tests that keeping models loses nothing and leaves nothing half-written, whatever fails and when. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nextTask} from '../../../web/engine/event-loop.js';
import {ModelStore} from '../../../web/engine/files/model-store.js';
import {exclusively, Shelf as Stored} from '../../../web/engine/files/shelf.js';
import {runtime} from '../support.js';
import {Shelf, SOURCE, quantized, put, assertOpens} from './kept-model.js';

/** Lets each call in turn be the first to fail, alone or with all later ones. */
async function* failures(/** @type {(shelf: Shelf) => Promise<ModelStore>} */ prepare) {
  for (const bad of [1, Infinity]) {
    for (let good = 0, isThrough = false; !isThrough; good++) {
      const shelf = new Shelf();
      const store = await prepare(shelf);
      Object.assign(shelf, {good, bad});
      yield {shelf, store, good, bad};
      isThrough = !shelf.hasFailed;
    }
  }
}

test('a model that cannot be kept leaves nothing half-written, whichever step fails', async () => {
  let failed = 0;
  for await (const {shelf, store, bad} of failures(async (shelf) => new ModelStore(shelf, true))) {
    const kept = await put(store).catch((error) => {
      assert.equal(error.code, 'storage-full');
      assert.match(error.message, /^odd-sizes: expected room .* \(the disk is full\)$/);
    });
    Object.assign(shelf, {good: Infinity});
    if (!kept) failed += 1;
    assert.deepEqual(await store.list(), kept ? [kept] : []);
    if (kept) await assertOpens(store);
    // If deleting fails too, the next write removes the rest.
    else if (bad === 1) assert.deepEqual(shelf.entries.size, 0);
    await put(store);
    assert.equal(shelf.entries.size, 2);
    await assertOpens(store);
  }
  assert.equal(failed, 4);
});

test('a model that cannot be kept again stays as it was', async () => {
  let failed = 0;
  const prepare = async (/** @type {Shelf} */ shelf) => {
    const store = new ModelStore(shelf, true);
    await put(store, SOURCE, 'older');
    return store;
  };
  for await (const {shelf, store} of failures(prepare)) {
    const kept = await put(store, SOURCE, 'newer').catch(() => undefined);
    Object.assign(shelf, {good: Infinity});
    if (!kept) failed += 1;
    const [{name}] = await store.list();
    assert.equal(name, kept ? 'newer' : 'older');
    await assertOpens(store);
    await put(store, SOURCE, 'newest');
    assert.equal(shelf.entries.size, 2);
    await assertOpens(store);
    await store.remove(SOURCE);
    assert.equal(shelf.entries.size, 0);
  }
  assert.equal(failed, 4);
});

test('a failure in the middle of the weights leaves the older model', async () => {
  const shelf = new Shelf();
  const store = new ModelStore(shelf, true);
  await put(store);
  const parts = function* () {
    yield quantized.subarray(0, 1000);
    throw new Error('the model was disposed of');
  };
  await assert.rejects(store.put(SOURCE, 'newer', parts()), {message: /disposed of/});
  assert.equal(shelf.entries.size, 2);
  await assertOpens(store);
});

for (const [where, at] of /** @type {[string, number][]} */ ([
  ['the length of the header', 3],
  ['the header', 20],
  ['the last tensor', quantized.length - 1],
])) {
  test(`a kept model of which a byte changed in ${where} is refused and removed`, async () => {
    const shelf = new Shelf();
    const store = new ModelStore(shelf, true);
    await put(store);
    const key = [...shelf.entries.keys()].find((key) => key.includes('/weights'));
    assert(key);
    const damaged = quantized.slice();
    damaged[at] ^= 0x80;
    shelf.entries.set(key, new Blob([damaged]));
    const kept = await store.open(SOURCE);
    assert(kept);
    await assert.rejects(runtime.load(kept), {
      code: 'kept-damaged',
      message:
        'the kept model odd-sizes: expected the bytes that were kept, found others; it was removed, load it again',
    });
    assert.equal(shelf.entries.size, 0);
  });
}

test('a note without weights does not count as a kept model', async () => {
  const shelf = new Shelf();
  const store = new ModelStore(shelf, true);
  await put(store);
  for (const key of shelf.entries.keys()) if (key.includes('/weights')) shelf.entries.delete(key);
  assert.equal(await store.open(SOURCE), undefined);
  assert.deepEqual(await store.list(), []);
});

/** @param {Shelf} shelf Lets the bytes of a model's note break off in the middle. */
function breakNotes(shelf) {
  const {match} = shelf;
  shelf.match = async (key) => {
    const response = await match.call(shelf, key);
    if (!response || !String(key).includes('/note/')) return response;
    return new Response(
      new ReadableStream({start: (body) => body.error(new TypeError('no disk'))}),
    );
  };
}

test('a model whose note cannot be read now stays', async () => {
  const shelf = new Shelf();
  const kept = await put(new ModelStore(shelf, true));
  breakNotes(shelf);
  const store = new ModelStore(shelf, true);
  const failed = {code: 'storage-failed', message: /^this browser's storage: .* \(no disk\)$/};
  assert.deepEqual(await store.list(), []);
  await assert.rejects(store.open(SOURCE), failed);
  await assert.rejects(store.file(SOURCE), failed);
  await put(store); // whether older weights may go, nobody knows
  assert.equal(shelf.entries.size, 3);
  shelf.match = Shelf.prototype.match;
  assert.equal((await store.list())[0].hash, kept.hash);
  await assertOpens(store);
});

test('storage that does not answer is given up, and its weights stay for the note that it may still write', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']});
  const shelf = new Shelf();
  const store = new ModelStore(shelf, true);
  const {put: write} = shelf;
  /** @type {(() => unknown)[]} */
  const late = [];
  shelf.put = (key, response) =>
    String(key).includes('/note/')
      ? new Promise(() => late.push(() => write.call(shelf, key, response)))
      : write.call(shelf, key, response);
  const silent = assert.rejects(put(store), {code: 'storage-failed', message: /none for 10 s$/});
  while (late.length === 0) await nextTask();
  t.mock.timers.tick(10_000);
  await silent;
  await late[0]();
  await assertOpens(store);
});

test('storage that takes long is waited for while it takes weights', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']});
  const shelf = new Shelf();
  const store = new ModelStore(shelf, true);
  const {put: write} = shelf;
  /** @type {(() => void) | undefined} */
  let goOn;
  shelf.put = async (key, response) => {
    if (!String(key).includes('/note/')) await new Promise((done) => (goOn = () => done(0)));
    return write.call(shelf, key, response);
  };
  const kept = put(store);
  while (!goOn) await nextTask();
  t.mock.timers.tick(10_000);
  await nextTask();
  goOn();
  await kept;
  await assertOpens(store);
});

test('stored weights that stop arriving are given up', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']});
  const silent = new ReadableStream({pull: () => new Promise(() => {})});
  const shelf = new Stored(Object.assign(new Shelf(), {match: async () => new Response(silent)}));
  const chunks = await shelf.chunks('weights', 'the kept model');
  const given = assert.rejects(async () => chunks?.next(), {code: 'storage-failed'});
  t.mock.timers.tick(10_000);
  await given;
});

test('whoever waits for a lock that another tab does not give back gives up', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']});
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator') ?? {value: undefined};
  const setNavigator = (/** @type {PropertyDescriptor} */ how) =>
    Object.defineProperty(globalThis, 'navigator', {...how, configurable: true});
  t.after(() => setNavigator(before));
  const request = (/** @type {string} */ _lock, /** @type {{signal: AbortSignal}} */ {signal}) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  setNavigator({value: {locks: {request}}});
  const given = assert.rejects(
    exclusively('a lock', async () => {}),
    {code: 'storage-failed', message: /another tab's work on it/},
  );
  t.mock.timers.tick(15_000);
  await given;
});
