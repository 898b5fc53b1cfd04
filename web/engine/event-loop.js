/** Splits long work into small steps, so that an abort is noticed. */

const STEP_MS = 6;

let due = 0;

/**
 * Lets other tasks run if they have not run for some milliseconds.
 * @param {AbortSignal} [signal] If it is aborted, its reason is thrown.
 */
export async function yieldIfDue(signal) {
  if (performance.now() >= due) await pause(signal);
  else signal?.throwIfAborted();
}

/**
 * Lets all tasks run that are waiting at this moment.
 * @param {AbortSignal} [signal] If it is aborted, its reason is thrown.
 */
export async function pause(signal) {
  await nextTask();
  due = performance.now() + STEP_MS;
  signal?.throwIfAborted();
}

/**
 * Resolves after all tasks and messages that are waiting at this moment. In Node, `setImmediate`
 * does this. Browsers do not have it, and their nested timers wait at least 4 ms, so there we send
 * a message to ourselves.
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
  // Each message resolves the promise that has waited longest.
  port1.onmessage = () => waiting.shift()?.(undefined);
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}
