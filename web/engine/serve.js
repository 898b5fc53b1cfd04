/** The worker's side of the bridge; see `bridge.js`. */

import {BertscopeError} from './errors.js';
import {pause} from './event-loop.js';
import {paced} from './paced.js';

/** The id of the served object. Other objects have the number of the call that returned them. */
export const SERVED = 0;

/**
 * @param {object} host Its methods are what the page can call.
 * @param {Pick<Worker, 'postMessage' | 'addEventListener'>} page
 */
export function serve(host, page) {
  /** @type {Map<number, any>} */
  const objects = new Map([[SERVED, host]]);
  /** @type {Map<number, AbortController>} One for each running call that has a signal. */
  const running = new Map();

  /**
   * @param {any} message
   * @param {(progress: object) => void} onProgress
   */
  async function run({call, on, method, args, hears}, onProgress) {
    const target = objects.get(on);
    if (!target) throw disposed(method);
    const controller = new AbortController();
    const {signal} = controller;
    const last = args.at(-1);
    if (hears.onProgress) last.onProgress = onProgress;
    if (hears.signal) {
      running.set(call, controller);
      last.signal = signal;
      await pause(signal);
    }
    const value = await target[method](...args);
    if (typeof value?.dispose !== 'function') return {value};
    if (signal.aborted) value.dispose();
    else objects.set(call, value);
    return {isRemote: true, value: value.description};
  }

  /** @param {any} message */
  async function answer(message) {
    const {call} = message;
    const {report, flush} = paced((/** @type {object} */ progress) =>
      page.postMessage({call, progress}, buffersOf(progress)),
    );
    try {
      const result = await run(message, report);
      flush();
      page.postMessage({call, ...result}, buffersOf(result.value));
    } catch (error) {
      page.postMessage({call, error: fieldsOf(error)});
    } finally {
      running.delete(call);
    }
  }

  page.addEventListener('message', ({data}) => {
    const {drop, ping} = data;
    if (ping) return page.postMessage({pong: ping});
    if (!drop) return void answer(data);
    running.get(drop)?.abort();
    objects.get(drop)?.dispose();
    objects.delete(drop);
  });
  page.addEventListener('messageerror', () => {
    throw new Error('it got a message that cannot be read'); // the page hears of it as a crash
  });
}

/** @param {string} method */
const disposed = (method) =>
  new BertscopeError('disposed', `${method}: expected an object in use, found it disposed of`);

/** An error is sent as plain fields, because its clone would lose the code. @param {any} error */
function fieldsOf(error) {
  const {name, message, stack, code} = error;
  return {message, ...(error instanceof BertscopeError ? {code} : {name, stack})};
}

/**
 * @param {any} value It is made of plain objects, lists and typed arrays.
 * @returns {Transferable[]}
 */
export function buffersOf(value) {
  if (ArrayBuffer.isView(value)) return [/** @type {ArrayBuffer} */ (value.buffer)];
  if (typeof value !== 'object' || value === null) return [];
  return [...new Set(Object.values(value).flatMap(buffersOf))];
}
