/** Tests what is kept of models, for how long, and what of it is read. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {nextTask} from '../../../web/engine/event-loop.js';
import {ModelStore} from '../../../web/engine/files/model-store.js';
import {tries} from '../../support/tries.js';
import {Shelf, SOURCE, model, quantized, put, assertOpens, assertReads} from './kept-model.js';

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
