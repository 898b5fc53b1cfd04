/** The bytes of a GGUF file from front to back: first its values, one at a time, then its tensors. */

import {shorten} from '../json.js';

/** @typedef {(expected: string, found: string) => Error} Refusal Makes the error that refuses the file. */

/** The header of a model with a vocabulary of a quarter of a million tokens has some ten megabytes. */
const MAX_HEADER_BYTES = 1 << 26;
const FIRST_BYTES = 1 << 12;

/** It is thrown where a value goes on beyond the bytes that have arrived. */
const SHORT = new Error('short');

/** Reads values from bytes that may end within any of them. All numbers are little-endian. */
export class Cursor {
  #bytes;
  #view;
  #refuse;
  at = 0;

  /** @param {Uint8Array} bytes @param {Refusal} refuse */
  constructor(bytes, refuse) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#refuse = refuse;
  }

  /** @param {number} count @returns {number} Where these bytes begin. */
  skip(count) {
    if (count > this.#bytes.length - this.at) throw SHORT;
    this.at += count;
    return this.at - count;
  }

  /** @param {number} count @returns {Uint8Array} */
  bytes(count) {
    const begin = this.skip(count);
    return this.#bytes.subarray(begin, this.at);
  }

  u32() {
    return this.#view.getUint32(this.skip(4), true);
  }

  /** Beyond 2^53 the number is not exact, and far beyond every limit. */
  u64() {
    return Number(this.#view.getBigUint64(this.skip(8), true));
  }

  /** @param {(view: DataView, at: number) => number | boolean} read @param {number} bytes */
  scalar(read, bytes) {
    return read(this.#view, this.skip(bytes));
  }

  /**
   * @param {number} most Its longest length, in bytes.
   * @param {string} what For messages.
   * @returns {Uint8Array}
   */
  stringBytes(most, what) {
    const length = this.u64();
    if (length > most) throw this.#refuse(`${what} of at most ${most} bytes`, `${length}`);
    return this.bytes(length);
  }

  /** @param {number} most Its longest length, in bytes. @param {string} what For messages. */
  string(most, what) {
    const bytes = this.stringBytes(most, what);
    try {
      return UTF8.decode(bytes);
    } catch {
      throw this.#refuse(`${what} in UTF-8`, 'other bytes');
    }
  }
}

const UTF8 = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});

export class GgufInput {
  #chunks;
  #refuse;
  /** What has arrived and was not read yet. @type {Uint8Array} */
  #rest = new Uint8Array(0);
  /** How many bytes of the file were read. */
  position = 0;

  /** @param {AsyncIterable<Uint8Array>} chunks @param {Refusal} refuse */
  constructor(chunks, refuse) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#refuse = refuse;
  }

  async close() {
    await this.#chunks.return?.();
  }

  /**
   * Reads a value of the header. It is read again from its beginning when more bytes are needed, and
   * each time at least twice as many have arrived, so the cost stays linear.
   * @template T
   * @param {(cursor: Cursor) => T} read
   * @param {string} what For messages.
   * @returns {Promise<T>}
   */
  async value(read, what) {
    for (;;) {
      const cursor = new Cursor(this.#rest, this.#refuse);
      try {
        const value = read(cursor);
        this.#drop(cursor.at);
        if (this.position <= MAX_HEADER_BYTES) return value;
      } catch (error) {
        if (error !== SHORT) throw error;
      }
      if (this.position + this.#rest.length > MAX_HEADER_BYTES) {
        throw this.#refuse(`a header of at most ${MAX_HEADER_BYTES} bytes`, 'more');
      }
      if (!(await this.#grow())) throw this.#cutOff(what);
    }
  }

  /** @returns {Promise<boolean>} Whether the file had more bytes. */
  async #grow() {
    const parts = [this.#rest];
    let length = this.#rest.length;
    const wanted = Math.max(2 * length, FIRST_BYTES);
    while (length < wanted) {
      const next = await this.#chunks.next();
      if (next.done) break;
      parts.push(next.value);
      length += next.value.length;
    }
    const grown = length > this.#rest.length;
    this.#rest = joined(parts, length);
    return grown;
  }

  /** @param {number} bytes */
  #drop(bytes) {
    this.#rest = this.#rest.subarray(bytes);
    this.position += bytes;
  }

  /**
   * @param {number} bytes
   * @param {string} what For messages.
   * @returns {AsyncGenerator<Uint8Array, void>} As many bytes, in chunks as they arrive.
   */
  async *take(bytes, what) {
    let left = bytes;
    while (left > 0) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done) throw this.#cutOff(what);
        this.#rest = next.value;
      }
      const chunk = this.#rest.subarray(0, left);
      this.#drop(chunk.length);
      left -= chunk.length;
      if (chunk.length > 0) yield chunk;
    }
  }

  /** @param {number} most @returns {Promise<boolean>} Whether the file ends after so many bytes at most. */
  async endsWithin(most) {
    let left = most;
    for (;;) {
      if (this.#rest.length > left) return false;
      left -= this.#rest.length;
      const next = await this.#chunks.next();
      if (next.done) return true;
      this.#rest = next.value;
    }
  }

  /** @param {string} what */
  #cutOff(what) {
    const bytes = this.position + this.#rest.length;
    return this.#refuse(`the rest of ${shorten(what)}`, `${bytes} bytes (the file is cut off)`);
  }
}

/**
 * @param {Uint8Array[]} parts
 * @param {number} length The length of all parts together.
 */
export function joined(parts, length) {
  const filled = parts.filter((part) => part.length > 0);
  if (filled.length === 1) return filled[0];
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of filled) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
