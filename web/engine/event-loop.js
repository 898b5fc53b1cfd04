/** Long work in small steps, so that an abort is noticed. */

const STEP_MS = 6;

let due = 0;

/**
 * Lets other tasks run when the last time was some milliseconds ago.
 * @param {AbortSignal} [signal] Its reason is thrown once it is aborted.
 */
export async function breathe(signal) {
  if (performance.now() >= due) {
    await nextTask();
    due = performance.now() + STEP_MS;
  }
  signal?.throwIfAborted();
}

/**
 * Comes back behind every task and message that waits already: by Node's own queue where there is
 * one, by a message to ourselves elsewhere, since nested timers wait at least 4 ms.
 * @type {() => Promise<unknown>}
 */
export const nextTask =
  'setImmediate' in globalThis
    ? () => new Promise((resolve) => /** @type {any} */ (globalThis).setImmediate(resolve))
    : messageToSelf();

function messageToSelf() {
  const {port1, port2} = new MessageChannel();
  /** @type {((_: unknown) => void)[]} */
  const waiting = [];
  // Each message is for one of them, in their order.
  port1.onmessage = () => waiting.shift()?.(undefined);
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}
