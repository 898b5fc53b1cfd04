/** @import {TestContext} from 'node:test' */

/**
 * Gives a test the storage of a page, until it ends.
 *
 * @param {TestContext} t
 * @param {'localStorage' | 'sessionStorage'} name
 * @returns {Map<string, string>}  what is stored
 */
export function storageOf(t, name) {
  /** @type {Map<string, string>} */
  const stored = new Map();
  const value = {
    getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ text) => stored.set(key, text),
  };
  Object.defineProperty(globalThis, name, {value, configurable: true});
  t.after(() => Reflect.deleteProperty(globalThis, name));
  return stored;
}
