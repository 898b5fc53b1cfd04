/**
 * An error that a caller can act on: `code` is stable, the message says what was expected and
 * what was found.
 */
export class BertscopeError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = 'BertscopeError';
    this.code = code;
  }
}
