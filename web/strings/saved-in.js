/** @import {Strings} from './en/saved.js' */

/**
 * Loads what an element with a saved picture says in a language. The build of the frozen element has
 * `given-strings.js` in the place of this module.
 *
 * @param {string} language
 * @returns {Promise<Strings>}
 */
export async function savedIn(language) {
  return (await import(`./${language}/saved.js`)).saved;
}
