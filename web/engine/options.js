import {BertscopeError} from './errors.js';

/**
 * Refuses unknown options, since a misspelt one would be ignored.
 * @param {string} what
 * @param {object} others
 * @param {string} known
 */
export function refuseOptions(what, others, known) {
  for (const name of Object.keys(others)) {
    const message = `${what}: expected the options ${known}, found ${name}`;
    throw new BertscopeError('bad-option', message);
  }
}
