/**
 * Implements what the engine needs of a browser's `Worker` with Node's threads: messages, errors,
 * termination, and a fetch that reads files. The thread loads this module too, where it stands for
 * the worker's global scope.
 */

import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {getHeapStatistics, setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {isMainThread, parentPort, Worker as Thread, workerData} from 'node:worker_threads';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** What JavaScript holds in this thread. */
export function heapBytes() {
  collectGarbage();
  return getHeapStatistics().used_heap_size;
}

export class ThreadWorker extends EventTarget {
  /** @type {ThreadWorker[]} */
  static all = [];
  #thread;

  /** @param {URL} url */
  constructor(url) {
    super();
    ThreadWorker.all.push(this);
    this.#thread = new Thread(new URL(import.meta.url), {workerData: url.href});
    this.ended = new Promise((resolve) => this.#thread.once('exit', resolve));
    this.#thread.on('message', (data) => this.dispatchEvent(new MessageEvent('message', {data})));
    this.#thread.on('error', ({message}) =>
      this.dispatchEvent(Object.assign(new Event('error', {cancelable: true}), {message})),
    );
  }

  /** @param {unknown} message @param {any[]} [transfers] */
  postMessage(message, transfers) {
    this.#thread.postMessage(message, transfers);
  }

  terminate() {
    return this.#thread.terminate();
  }

  /** @returns {Promise<number>} The size of the wasm memory. */
  async memoryBytes() {
    return (await this.memory()).memoryBytes;
  }

  /**
   * @returns {Promise<{memoryBytes: number, heapBytes: number}>} The size of the wasm memory, and what JavaScript
   *   holds in the thread after its garbage is collected.
   */
  async memory() {
    this.#thread.postMessage('memory');
    for (;;) {
      const [{memoryBytes, heapBytes}] = await once(this.#thread, 'message');
      if (memoryBytes !== undefined) return {memoryBytes, heapBytes};
    }
  }
}

// The page and the engine's scripts are files here, and the origin of a file is written “null”.
if (isMainThread) Object.assign(globalThis, {self: {origin: 'null'}});

if (!isMainThread && parentPort) {
  const port = parentPort;
  const scope = new EventTarget();
  const {fetch} = globalThis;
  /** @type {WebAssembly.Memory | undefined} */
  let memory;
  WebAssembly.Memory = class extends WebAssembly.Memory {
    /** @param {WebAssembly.MemoryDescriptor} descriptor */
    constructor(descriptor) {
      super(descriptor);
      memory = this;
    }
  };
  Object.assign(globalThis, {
    addEventListener: scope.addEventListener.bind(scope),
    removeEventListener: scope.removeEventListener.bind(scope),
    postMessage: port.postMessage.bind(port),
    fetch: async (/** @type {any} */ input, /** @type {any} */ init) => {
      if (!String(input).startsWith('file:')) return fetch(input, init);
      const headers = {'content-type': 'application/wasm'};
      return new Response(await readFile(new URL(input)), {headers});
    },
  });
  await import(workerData);
  port.on('message', (data) => {
    if (data === 'memory') {
      return port.postMessage({memoryBytes: memory?.buffer.byteLength, heapBytes: heapBytes()});
    }
    if (data === 'trap') return trapLater();
    if (data === 'crash') throw new Error('a crash that was asked for');
    scope.dispatchEvent(new MessageEvent('message', {data}));
  });
}

/** Answers the calls of other workers as if the wasm had trapped. The page's are answered as before. */
function trapLater() {
  const {postMessage} = MessagePort.prototype;
  /** @param {any} answer @param {any} [transfer] */
  MessagePort.prototype.postMessage = function ({call, ...answer}, transfer) {
    if (!call) return postMessage.call(this, answer, transfer);
    const error = {code: 'engine-crashed', message: 'a trap that was asked for'};
    return postMessage.call(this, {call, error});
  };
}
