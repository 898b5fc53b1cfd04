/** A model to keep, and a place to keep it that fails when a test says so. */

import assert from 'node:assert/strict';
import {join, loadGolden, runtime} from '../support.js';

/** @import {ModelStore} from '../../../web/engine/files/model-store.js' */

/** Stands for a browser's cache, and fails when a test says so. */
export class Shelf {
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

export const SOURCE = 'kept:odd-sizes';
export const model = await loadGolden('odd-sizes', 'int8');
export const quantized = join(model.quantizedFile());
export const put = (/** @type {ModelStore} */ store, source = SOURCE, name = 'odd-sizes') =>
  store.put(source, name, model.quantizedFile());

/** @param {ModelStore} store */
export async function assertOpens(store, source = SOURCE) {
  const kept = await store.open(source);
  assert(kept);
  const loaded = await runtime.load(kept);
  assert.deepEqual(join(loaded.quantizedFile()), quantized);
  loaded.dispose();
}

/** @param {import('../../../web/engine/files/model-sources.js').Source} source */
export async function assertReads(source) {
  const {pieces, close} = await source.open();
  try {
    for await (const {tensor} of pieces) assert(tensor.name);
  } finally {
    await close();
  }
}
