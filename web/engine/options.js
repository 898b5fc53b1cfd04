import {BertscopeError} from './errors.js';

/**
 * The names in a list such as `pair, specialTokens and signal`.
 * @template {string} List
 * @typedef {List extends `${infer First}, ${infer Others}` ? First | NamesIn<Others>
 *   : List extends `${infer First} and ${infer Last}` ? First | Last : List} NamesIn
 */

/**
 * `never`, which no argument fits, unless two unions have the same names.
 * @template Options, List
 * @typedef {[Options, List] extends [List, Options] ? unknown : never} Same
 */

/**
 * Refuses unknown options, since a misspelt one would be ignored.
 * @template {object} Options
 * @template {string} List
 * @param {string} call
 * @param {Options} options
 * @param {List & Same<keyof Options, NamesIn<List>>} known The names of all options, as the message
 *   lists them. `tsc` checks that they are those of the type.
 * @returns {Options} A copy, which stays as it is when the caller changes the object later.
 */
export function checked(call, options, known) {
  const names = known.split(/, | and /);
  if (typeof options !== 'object' || options === null) {
    const message = `${call}: expected an object with the options ${known}, found ${options}`;
    throw new BertscopeError('bad-option', message);
  }
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const message = `${call}: expected the options ${known}, found ${name}`;
    throw new BertscopeError('bad-option', message);
  }
  return {...options};
}
