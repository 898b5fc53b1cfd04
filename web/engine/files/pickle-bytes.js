/** @import {BertscopeError} from '../errors.js' */

/** @typedef {(expected: string, found: string) => BertscopeError} Refuse */

/** The bytes of a pickle, read one argument after the other. */
export class PickleBytes {
  #bytes;
  #refuse;
  #at = 0;

  /** @param {Uint8Array} bytes @param {Refuse} refuse Makes the error about bytes that are missing. */
  constructor(bytes, refuse) {
    this.#bytes = bytes;
    this.#refuse = refuse;
  }

  /** How many bytes were read. */
  get at() {
    return this.#at;
  }

  /** @param {number} count */
  take(count) {
    if (this.#at + count > this.#bytes.length) throw this.#refuse('more bytes', 'the end');
    this.#at += count;
    const {buffer, byteOffset} = this.#bytes;
    return new DataView(buffer, byteOffset + this.#at - count, count);
  }

  /** @param {number} bytes The size of a little-endian number in two's complement. */
  long(bytes) {
    const digits = this.take(bytes);
    let value = 0n;
    for (let i = bytes - 1; i >= 0; i--) value = (value << 8n) | BigInt(digits.getUint8(i));
    return Number(BigInt.asIntN(8 * bytes, value));
  }

  /** @param {number} bytes The size of a text in UTF-8. */
  text(bytes) {
    return new TextDecoder('utf-8', {fatal: true}).decode(this.take(bytes));
  }

  /** The text up to the next line feed. */
  line() {
    const end = this.#bytes.indexOf(0x0a, this.#at);
    if (end < 0) throw this.#refuse('a line', 'the end');
    const text = this.text(end - this.#at);
    this.#at += 1;
    return text;
  }
}
