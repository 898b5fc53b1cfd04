import {BertscopeError} from '../errors.js';

/**
 * Other numbers would be rounded or wrap around on their way into wasm.
 * @param {ArrayLike<number>} ids
 */
export function checkedIds(ids) {
  const checked = Int32Array.from(ids);
  const wrong = checked.findIndex((id, index) => id !== ids[index] || id < 0);
  if (wrong < 0) return checked;
  const message = `expected whole numbers from 0 as token ids, found ${ids[wrong]}`;
  throw new BertscopeError('bad-index', message);
}
