/**
 * Types for a long time on the embedded model, in Node.js with the engine in a thread, and measures what memory grows
 * by: that of WebAssembly, and JavaScript's in the page and in the worker.
 */

import {readFile} from 'node:fs/promises';
import {setTimeout as pause} from 'node:timers/promises';
import {createEngine} from '../../web/engine/index.js';
import {everydaySentences} from '../../web/engine/everyday-sentences.js';
import {heapBytes, ThreadWorker} from '../engine/thread-worker.js';
import {fromRoot} from './process.mjs';

/** @typedef {{wasm_bytes: number, page_heap_bytes: number, worker_heap_bytes: number}} Memory */

const MODEL = 'web/models/default/bertscope-default.safetensors';
/** The number of keystrokes before the measured ones: buffers and caches grow until they have met long texts. */
const WARM_UP = 2000;
const LIMITS = {wasm_bytes: 0, heap_bytes: 5e6};

/**
 * @param {number} keystrokes
 * @returns {Promise<boolean>} Whether memory grew by no more than it may.
 */
export async function measureSoak(keystrokes) {
  Object.assign(globalThis, {Worker: ThreadWorker});
  const engine = await createEngine();
  const model = await engine.load(new File([await readFile(fromRoot(MODEL))], MODEL));
  await type(model, WARM_UP);
  const before = await memoryOf();
  const passes = await type(model, keystrokes);
  const after = await memoryOf();
  engine.dispose();
  const grown = /** @type {Memory} */ (
    Object.fromEntries(
      Object.entries(after).map(([name, bytes]) => [
        name,
        bytes - before[/** @type {keyof Memory} */ (name)],
      ]),
    )
  );
  const [wasm, page, worker] = Object.values(grown);
  console.log(
    `soak: ${keystrokes} keystrokes, ${passes} of them answered; WebAssembly ${signed(wasm)}, heap of the page ${signed(page)}, of the worker ${signed(worker)}`,
  );
  return wasm <= LIMITS.wasm_bytes && page + worker < LIMITS.heap_bytes;
}

/**
 * Types sentence after sentence. A key comes before the one before is answered or after it, in turn.
 * @param {import('../../web/engine/index.js').Model} model
 * @param {number} keystrokes
 * @returns {Promise<number>} How many passes ran to their end.
 */
async function type(model, keystrokes) {
  let passes = 0;
  let text = '';
  let controller = new AbortController();
  /** @type {Promise<void>} */
  let running = Promise.resolve();
  for (let key = 0; key < keystrokes; key++) {
    const sentence = everydaySentences[Math.floor(key / 40) % everydaySentences.length];
    text = key % 40 === 0 ? '' : sentence.slice(0, text.length + 1);
    controller.abort();
    controller = new AbortController();
    const {signal} = controller;
    running = model
      .attend(text || 'a', {signal})
      .then(async (result) => {
        await result.attention(key % model.shape.layers, key % model.shape.heads);
        passes += 1;
      })
      .catch((error) => {
        if (!signal.aborted) throw error;
      });
    if (key % 3 > 0) await running;
    // What was dropped is collected, as it is while a reader types.
    if (key % 500 === 0) await memoryOf();
  }
  await running;
  return passes;
}

/** @returns {Promise<Memory>} */
async function memoryOf() {
  const page_heap_bytes = heapBytes();
  await pause(); // results that were collected are dropped in the worker
  const worker = /** @type {ThreadWorker} */ (ThreadWorker.all.at(-1));
  const {memoryBytes, heapBytes: worker_heap_bytes} = await worker.memory();
  return {wasm_bytes: memoryBytes, page_heap_bytes, worker_heap_bytes};
}

/** @param {number} bytes */
const signed = (bytes) => `${bytes < 0 ? '' : '+'}${bytes} B`;
