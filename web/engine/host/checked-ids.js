import {BertscopeError} from '../errors.js';
import {quote} from '../json.js';

/**
 * Whether it has as many numbers as its length says. Of another object with a length, a copy may be larger than all
 * memory.
 * @param {unknown} value
 * @returns {value is ArrayLike<any>}
 */
export const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

/**
 * Other numbers would be rounded or wrap around on their way into wasm.
 * @param {ArrayLike<number>} ids
 */
export function checkedIds(ids) {
  if (!isList(ids)) {
    const message = `expected a list of token ids, found ${quote(ids)}`;
    throw new BertscopeError('bad-option', message);
  }
  const checked = Int32Array.from(ids, Number);
  const wrong = checked.findIndex((id, index) => id !== ids[index] || id < 0);
  if (wrong < 0) return checked;
  const message = `expected whole numbers from 0 as token ids, found ${quote(ids[wrong])}`;
  throw new BertscopeError('bad-index', message);
}
