/** Several tabs that keep models at the same time: each step of each may come before or after any of the others. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {ModelStore} from '../../../web/engine/files/model-store.js';
import {tries} from '../../support/tries.js';

const SOURCE = 'kept:a';
const TABS = 3;

/** The Web Locks of one browser, as far as they are used here. */
class Locks {
  /** @type {Map<string, Promise<unknown>>} The last request of each lock. */
  #last = new Map();
  /** @type {Set<string>} */
  #held = new Set();

  /** @param {string} name @param {() => Promise<unknown>} action */
  request(name, action) {
    const run = async () => {
      this.#held.add(name);
      try {
        return await action();
      } finally {
        this.#held.delete(name);
      }
    };
    const ended = (this.#last.get(name) ?? Promise.resolve()).then(run, run);
    this.#last.set(name, ended);
    return ended;
  }

  async query() {
    return {held: Array.from(this.#held, (name) => ({name}))};
  }
}

// Node.js has no locks.
Object.defineProperty(globalThis, 'navigator', {value: {locks: new Locks()}});

/** A cache that all tabs share, each of whose calls takes effect when the scheduler says so. */
class SharedShelf {
  /** @type {Map<string, Uint8Array>} */
  entries = new Map();
  #scheduler;

  /** @param {fc.Scheduler} scheduler */
  constructor(scheduler) {
    this.#scheduler = scheduler;
  }

  #turn() {
    return this.#scheduler.schedule(Promise.resolve());
  }

  async match(/** @type {any} */ key) {
    await this.#turn();
    const bytes = this.entries.get(key);
    return bytes && new Response(/** @type {BodyInit} */ (bytes));
  }

  async put(/** @type {any} */ key, /** @type {Response} */ response) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    await this.#turn();
    this.entries.set(key, bytes);
  }

  async delete(/** @type {any} */ key) {
    await this.#turn();
    return this.entries.delete(key);
  }

  async keys() {
    await this.#turn();
    return [...this.entries.keys()].map((url) => ({url}));
  }
}

/** The acts of a tab, one after the other. */
const acts = fc.array(fc.constantFrom('keep', 'open', 'list', 'read'), {
  minLength: 1,
  maxLength: 3,
});

test('of several tabs that keep one model, none damages or removes what another has kept', async () => {
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(acts, {minLength: 2, maxLength: TABS}),
    async (scheduler, tabs) => {
      const shelf = new SharedShelf(scheduler);
      let hasKept = false;
      const run = tabs.map(async (acts, tab) => {
        const store = new ModelStore(/** @type {any} */ (shelf), true);
        for (const [turn, act] of acts.entries()) {
          if (act === 'open') await store.open(SOURCE);
          if (act === 'list') await store.list();
          if (act === 'read') {
            const blob = await store.file(SOURCE);
            if (blob) assert.match(await blob.text(), /^tab \d turn \d$/);
          }
          if (act !== 'keep') continue;
          const name = `tab ${tab} turn ${turn}`;
          await store.put(SOURCE, name, [new TextEncoder().encode(name)]);
          hasKept = true;
        }
      });
      await scheduler.waitFor(Promise.all(run));
      const store = new ModelStore(/** @type {any} */ (shelf), true);
      const [kept, text] = await scheduler.waitFor(
        Promise.all([store.list(), store.file(SOURCE).then((blob) => blob?.text())]),
      );
      assert.equal(kept.length, Number(hasKept));
      assert.equal(text, kept[0]?.name);
      // No weights are left that no note names.
      assert.equal(shelf.entries.size, hasKept ? 2 : 0);
    },
  );
  await fc.assert(property, tries(1000));
});
