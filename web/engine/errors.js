/** @import {ErrorCode} from './error-code.d.ts' */

/** An error that a caller can act on: its message says what was expected and what was found. */
export class BertscopeError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = 'BertscopeError';
    this.code = code;
  }
}
