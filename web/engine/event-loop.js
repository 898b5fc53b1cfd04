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
 * Node's own queue where there is one; a message to ourselves elsewhere, since nested timers wait
 * at least 4 ms.
 * @type {() => Promise<unknown>}
 */
const nextTask =
  'setImmediate' in globalThis
    ? () => new Promise((resolve) => /** @type {any} */ (globalThis).setImmediate(resolve))
    : messageToSelf();

function messageToSelf() {
  const {port1, port2} = new MessageChannel();
  port1.start();
  return () =>
    new Promise((resolve) => {
      port1.addEventListener('message', resolve, {once: true});
      port2.postMessage(null);
    });
}
