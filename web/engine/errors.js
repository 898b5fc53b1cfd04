/** @import {ErrorCode} from './error-code.d.ts' */

/** A message may name what is in a file, and pages draw it. */
const MAX_MESSAGE = 2 ** 12;

/** An error that a caller can act on: its message says what was expected and what was found. */
export class BertscopeError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(
      message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message,
      options,
    );
    this.name = 'BertscopeError';
    this.code = code;
  }
}
