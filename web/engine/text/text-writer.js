/**
 * Decodes a text while it is written. Each new token takes time for its own length, not for the
 * length of the whole text.
 */

import {INCOMPLETE} from './whole-characters.js';

/** @import {Tokenizer} from './tokenizer.js' */

/** A character has at most 4 bytes, each of which may be a token. */
const MAX_WAITING = 8;

export class TextWriter {
  #tokenizer;
  /**
   * The tokens whose text is not complete. In front of them are older tokens, which are decoded
   * again only because the text of a token depends on what stands before it.
   */
  #ids = /** @type {number[]} */ ([]);
  #before = 0;
  /** What was written so far. A character appears when its last byte is written. */
  text = '';

  /** @param {Pick<Tokenizer, 'decode'>} tokenizer */
  constructor(tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /**
   * Source: `DecodeStream` of Hugging Face's tokenizers.
   * @param {number} id
   */
  add(id) {
    this.#ids.push(id);
    const before = this.#decode(this.#ids.slice(0, this.#before));
    const whole = this.#decode(this.#ids);
    const isWaiting = whole.endsWith(INCOMPLETE) || whole.length <= before.length;
    if (isWaiting && this.#ids.length - this.#before < MAX_WAITING) return;
    this.text += whole.slice(before.length);
    this.#ids = this.#ids.slice(this.#before);
    this.#before = this.#ids.length;
  }

  /** Decodes tokens. The tokenizer's library refuses an empty list. @param {number[]} ids */
  #decode(ids) {
    return ids.length > 0 ? this.#tokenizer.decode(ids) : '';
  }
}
