import {saved} from './en/saved.js';

/** @import {Strings} from './en/saved.js' */

/**
 * Finds what a script that ran before (`bertscope-frozen-es.js`) gave to frozen elements, which load nothing
 * themselves. Without such a script they speak English.
 *
 * @param {string} language
 * @returns {Strings}
 */
export function savedIn(language) {
  /** @type {{bertscopeStrings?: Record<string, Strings>}} */
  const {bertscopeStrings} = /** @type {any} */ (globalThis);
  return bertscopeStrings?.[language] ?? saved;
}
