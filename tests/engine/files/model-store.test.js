/** Tests that keeping models loses nothing and leaves nothing half-written, whatever fails and when. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {nextTask} from '../../../web/engine/event-loop.js';
import {ModelStore} from '../../../web/engine/files/model-store.js';
import {exclusively, Shelf as Stored} from '../../../web/engine/files/shelf.js';
import {join, loadGolden, runtime} from '../support.js';
import {tries} from '../../support/tries.js';

/** Stands for a browser's cache, and fails when a test says so. */
class Shelf {
  /** @type {Map<string, Blob>} */
  entries = new Map();
  /** `good` more calls succeed, and then `bad` calls fail. */
  good = Infinity;
  bad = Infinity;
  hasFailed = false;

  #call() {
    this.good -= 1;
    if (this.good >= 0) return;
    this.bad -= 1;
    if (this.bad < 0) return;
    this.hasFailed = true;
    throw new DOMException('the disk is full', 'QuotaExceededError');
  }

  async match(/** @type {any} */ key) {
    this.#call();
    const blob = this.entries.get(key);
    return blob && new Response(blob);
  }

  async put(/** @type {any} */ key, /** @type {Response} */ response) {
    // A browser throws away what it has read of the weights when the disk is full.
    const blob = await response.blob();
    this.#call();
    this.entries.set(key, blob);
  }

  async delete(/** @type {any} */ key) {
    this.#call();
    return this.entries.delete(key);
  }

  async keys() {
    this.#call();
    return [...this.entries.keys()].map((url) => ({url}));
  }
}

const SOURCE = 'kept:odd-sizes';
const model = await loadGolden('odd-sizes', 'int8');
const quantized = join(model.quantizedFile());
const put = (/** @type {ModelStore} */ store, source = SOURCE, name = 'odd-sizes') =>
  store.put(source, name, model.quantizedFile());

/** @param {ModelStore} store */
async function assertOpens(store, source = SOURCE) {
  const kept = await store.open(source);
  assert(kept);
  const loaded = await runtime.load(kept);
  assert.deepEqual(join(loaded.quantizedFile()), quantized);
  loaded.dispose();
}

/** @param {import('../../../web/engine/files/model-sources.js').Source} source */
async function assertReads(source) {
  const {pieces, close} = await source.open();
  try {
    for await (const {tensor} of pieces) assert(tensor.name);
  } finally {
    await close();
  }
}

test('a page without storage keeps models in memory, and says that they do not last', async () => {
  const store = await ModelStore.open();
  assert.equal(store.isLasting, false);
  const kept = await put(store);
  assert.equal(kept.bytes, quantized.length);
  assert.deepEqual(await store.list(), [kept]);
  assert.deepEqual(new Uint8Array(await (await store.file(SOURCE))?.arrayBuffer() ?? []), quantized); // prettier-ignore
  await assertOpens(store);
  await store.remove(SOURCE);
  assert.deepEqual(await store.list(), []);
  assert.equal(await store.open(SOURCE), undefined);
  assert.equal(await store.file(SOURCE), undefined);
});

/** Stands for `caches`. Whoever has opened a cache can use it after it was deleted, as in browsers. */
class Caches {
  /** @type {Map<string, Shelf>} */
  #all = new Map();
  isDenied = false;

  async open(/** @type {string} */ name) {
    if (this.isDenied) throw new DOMException('the operation is insecure', 'SecurityError');
    const cache = this.#all.get(name) ?? new Shelf();
    this.#all.set(name, cache);
    return cache;
  }

  deleteAll() {
    this.#all.clear();
  }
}

test('a model that is kept after the reader has deleted what the page stored is there at the next visit', async (t) => {
  const caches = new Caches();
  Object.assign(globalThis, {caches});
  t.after(() => Reflect.deleteProperty(globalThis, 'caches'));
  const store = await ModelStore.open();
  await put(store);
  caches.deleteAll();
  assert.deepEqual(await store.list(), []);
  assert.equal(await store.open(SOURCE), undefined);
  await put(store);
  await assertOpens(await ModelStore.open());

  // What is deleted while a model is being kept leaves none, or the whole one.
  const keeping = put(store, 'kept:other');
  await nextTask();
  caches.deleteAll();
  await keeping.catch(() => {});
  const next = await ModelStore.open();
  for (const {source} of await next.list())
    if (await next.open(source)) await assertOpens(next, source);

  caches.isDenied = true;
  await assert.rejects(store.list(), {
    code: 'storage-failed',
    message: /the operation is insecure/,
  });
  await assert.rejects(put(store), {code: 'storage-full', message: /the operation is insecure/});
  caches.isDenied = false;
  await put(store);
  await assertOpens(await ModelStore.open());
});

test('models that are kept while the clock is set back are listed and open', async (t) => {
  const store = new ModelStore(new Shelf(), true);
  t.mock.timers.enable({apis: ['Date'], now: Date.UTC(2026, 10, 25)});
  await put(store);
  t.mock.timers.setTime(0);
  await put(store, 'kept:earlier');
  await put(store);
  assert.equal((await store.list()).length, 2);
  for (const source of [SOURCE, 'kept:earlier']) await assertOpens(store, source);
});

test('a kept model says which commit it came from, also after it was opened', async () => {
  const store = new ModelStore(new Shelf(), true);
  const kept = await store.put(SOURCE, 'odd-sizes', model.quantizedFile(), 'c0ffee');
  assert.equal(kept.commit, 'c0ffee');
  assert.deepEqual(await store.list(), [kept]);
  assert.equal((await store.open(SOURCE))?.commit, 'c0ffee');
});

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

test('a kept model of an earlier version, whose note names no place, opens', async () => {
  const shelf = new Shelf();
  const store = new ModelStore(shelf, true);
  await put(store);
  const [key] = [...shelf.entries.keys()].filter((key) => key.includes('/note/'));
  const note = JSON.parse(await /** @type {Blob} */ (shelf.entries.get(key)).text());
  const weights = key.replace('/note/', `/${note.place}/`);
  shelf.entries.set(key.replace('/note/', '/weights/'), shelf.entries.get(weights) ?? new Blob());
  shelf.entries.delete(weights);
  delete note.place;
  shelf.entries.set(key, new Blob([JSON.stringify(note)]));
  await assertOpens(store);
});

test('any note is read whole, or only its own entry is lost', async () => {
  const shelf = new Shelf();
  const store = new ModelStore(shelf, true);
  const other = await put(store, 'hub:someone/other', 'other');
  const good = await put(store);
  const entries = new Map(shelf.entries);
  const key = [...entries.keys()].find((key) =>
    key.endsWith(`/note/${encodeURIComponent(SOURCE)}`),
  );
  assert(key);
  const text = JSON.stringify(good);
  const changed = fc
    .tuple(fc.constantFrom(...Object.keys(good)), fc.option(fc.jsonValue(), {nil: undefined}))
    .map(([field, value]) => JSON.stringify({...good, [field]: value}));
  const damaged = fc
    .tuple(fc.nat(text.length - 1), fc.string({unit: 'binary', maxLength: 2}))
    .map(([at, by]) => text.slice(0, at) + by + text.slice(at + 1));
  let read = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json(), changed, damaged), async (note) => {
      shelf.entries = new Map(entries).set(key, new Blob([note]));
      const listed = await store.list();
      assert.deepEqual(
        listed.filter(({source}) => source !== SOURCE),
        [other],
      );
      const [found] = listed.filter(({source}) => source === SOURCE);
      assert.equal(await store.has(SOURCE), found !== undefined);
      assert.equal(await store.has('hub:someone/other'), true);
      if (!found) return assert.equal(shelf.entries.size, 2);
      read += 1;
      assert.equal(typeof found.name, 'string');
      assert(Number.isSafeInteger(found.bytes));
      assert.notEqual(String(new Date(found.date)), 'Invalid Date');
      const source = await store.open(SOURCE);
      if (!source) return; // the note names another place for the weights
      const {bytes, hash} = found;
      const isTrue = bytes === good.bytes && hash === good.hash;
      if (isTrue) return assertReads(source);
      await assert.rejects(assertReads(source), {code: 'kept-damaged'});
      assert.deepEqual(await store.list(), [other]);
    }),
    tries(300),
  );
  assert(read > 10, `${read} were read`);
});
