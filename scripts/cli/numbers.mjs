import {BertscopeError} from '../../web/engine/errors.js';

/**
 * @param {string} option
 * @param {string | undefined} value The engine checks its range.
 */
export function numberOf(option, value) {
  if (value === undefined) return undefined;
  if (value.trim() && Number.isFinite(Number(value))) return Number(value);
  throw new BertscopeError('usage', `${option}: expected a number, found "${value}"`);
}
