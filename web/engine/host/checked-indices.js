import {BertscopeError} from '../errors.js';

/**
 * Refuses what is no index. Larger indices would wrap around on their way into wasm.
 * @param {string} quantity
 * @param {number[]} indices
 */
export function checkIndices(quantity, indices) {
  for (const index of indices) {
    if (Number.isInteger(index) && index >= 0 && index < 2 ** 31) continue;
    const message = `${quantity}: expected whole numbers from 0 as indices, found ${index}`;
    throw new BertscopeError('bad-index', message);
  }
}
