/** Calls into wasm. */

import {BertscopeError} from '../errors.js';

/** @import {Failure} from '../wasm-module.d.ts' */

/**
 * Throws the failure that wasm reports; a trap gets the code `engine-crashed`.
 * @template T
 * @param {string} name
 * @param {() => T | Failure} action
 * @returns {T}
 */
export function attempt(name, action) {
  let result;
  try {
    result = action();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BertscopeError('engine-crashed', `${name}: the engine stopped: ${reason}`, {
      cause: error,
    });
  }
  if (isFailure(result)) throw new BertscopeError(result.code, `${name}: ${result.message}`);
  return result;
}

/** @param {unknown} result @returns {result is Failure} */
function isFailure(result) {
  return typeof result === 'object' && result !== null && 'code' in result && 'message' in result;
}
