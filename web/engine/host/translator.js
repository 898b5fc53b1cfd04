/** An encoder-decoder: a decoder writes a text token by token while it looks into the encoder's. */

import {BertscopeError} from '../errors.js';

/** @import {DecoderConfig} from '../files/model-config.js' */
/** @import {GenerateOptions} from './generation.js' */
/** @import {Attended, LoadedModel} from './loaded-model.js' */
/** @import {Tokenizer} from '../text/tokenizer.js' */

/**
 * @typedef {object} Translated
 * @property {Attended} encoder The pass of the text.
 * @property {Attended} decoder The pass that wrote the translation. Its tokens are those that the
 *   decoder has read: the one that begins a text, and what it has written without the last token.
 * @property {number[]} ids What it has written, with the token that ends a text if it came to that.
 * @property {string[]} tokens
 * @property {string} text Without that token.
 */

export class Translator {
  #encoder;
  #tokenizer;

  /**
   * @param {LoadedModel} encoder
   * @param {LoadedModel} decoder
   * @param {Tokenizer} tokenizer
   */
  constructor(encoder, decoder, tokenizer) {
    this.#encoder = encoder;
    this.decoder = decoder;
    this.#tokenizer = tokenizer;
  }

  /**
   * @param {string} text
   * @param {GenerateOptions} options
   * @returns {Promise<Translated>}
   */
  async translate(text, {tokens: most = this.decoder.shape.positions - 1, signal, ...options}) {
    const {layers} = this.#encoder.shape;
    const encoder = await this.#encoder.attend(text, {signal});
    const source = await this.#encoder.pull(encoder.pass, 'hiddenStates', [layers]);
    const {startToken} = /** @type {DecoderConfig} */ (this.decoder.config);
    const begun = await this.#run([startToken], source, signal);
    const how = {...options, tokens: most, signal};
    const {ids, ended, text: written} = await this.decoder.generate(begun.pass, how);
    const end = /** @type {number} */ (this.#tokenizer.endId);
    const whole = ended ? [...ids, end] : ids;
    if (whole.length === 0) {
      throw new BertscopeError('bad-option', 'translate: expected at least 1 token, found 0');
    }
    const decoder = await this.#run([startToken, ...whole.slice(0, -1)], source, signal);
    const tokens = whole.map((id) => this.#tokenizer.token(id));
    return {encoder, decoder, ids: whole, tokens, text: written};
  }

  /**
   * @param {number[]} ids
   * @param {Float32Array} source
   * @param {AbortSignal} [signal]
   * @returns {Promise<Attended>}
   */
  async #run(ids, source, signal) {
    const batch = {
      ids: Int32Array.from(ids),
      tokenTypes: new Int32Array(ids.length),
      lengths: Int32Array.of(ids.length),
      source,
    };
    const run = await this.decoder.encoder.run(batch, signal);
    return {
      ids,
      tokens: ids.map((id) => this.#tokenizer.token(id)),
      tokenTypeIds: ids.map(() => 0),
      sentences: ids.map(() => 0),
      specialTokens: ids.map((_, index) => index === 0),
      words: ids.map((_, index) => (index === 0 ? null : index - 1)),
      offsets: ids.map(() => null),
      truncated: 0,
      ...run,
      dropped: [],
      matrices: [],
    };
  }
}
