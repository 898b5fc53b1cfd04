import {setTimeout as sleep} from 'node:timers/promises';

/**
 * Repeats a check until it no longer throws.
 *
 * @template T
 * @param {string} what  the state that is awaited, which the error names
 * @param {() => T | Promise<T>} check  throws an error that says what it found
 * @param {number} [patience_ms]
 * @returns {Promise<T>}
 */
export async function eventually(what, check, patience_ms = 20_000) {
  const deadline = performance.now() + patience_ms;
  for (;;) {
    try {
      return await check();
    } catch (cause) {
      if (performance.now() > deadline) {
        const {message} = /** @type {Error} */ (cause);
        throw new Error(`waited ${patience_ms / 1000} s for ${what}; last: ${message}`, {cause});
      }
    }
    await sleep(20);
  }
}
