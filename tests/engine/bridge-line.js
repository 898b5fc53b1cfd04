/** Connects both sides of the bridge in one thread, on a line that copies and moves like a worker's. */

import {Bridge} from '../../web/engine/bridge.js';
import {serve} from '../../web/engine/serve.js';
import {nextTask} from '../../web/engine/event-loop.js';

/** One end of a line. */
export class End extends EventTarget {
  /** @type {any[]} */
  sent = [];
  isTerminated = false;
  other = /** @type {End} */ (/** @type {unknown} */ (undefined));

  /** @param {unknown} message @param {any[]} [transfer] */
  postMessage(message, transfer = []) {
    const data = structuredClone(message, {transfer});
    this.sent.push(data);
    setImmediate(() => {
      this.other.dispatchEvent(new MessageEvent('message', {data}));
    });
  }

  terminate() {
    this.isTerminated = true;
  }
}

/**
 * @template {object} T
 * @param {T} served
 * @param {ConstructorParameters<typeof Bridge>[1]} [options]
 */
export function connect(served, options) {
  const [worker, page] = [new End(), new End()];
  [worker.other, page.other] = [page, worker];
  serve(served, /** @type {any} */ (page));
  /** @type {Bridge<T>} */
  const bridge = new Bridge(/** @type {any} */ (worker), options);
  return {bridge, host: bridge.host, worker, page};
}

/** Lets messages go back and forth. */
export async function settle() {
  for (let i = 0; i < 10; i++) await nextTask();
}

/** Runs until its signal is aborted. */
export const untilAborted = (/** @type {{signal?: AbortSignal}} */ {signal}) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
