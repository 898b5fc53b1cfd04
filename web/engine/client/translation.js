/** What an encoder-decoder has made of a text, as pages use it. */

import {checked} from '../options.js';
import {Result} from './remote-result.js';

/** @import {LoadedModel} from '../host/loaded-model.js' */
/** @import {TranslationExplanation} from '../host/explanations.js' */
/** @import {Translated} from '../host/translator.js' */
/** @import {Method} from '../methods.js' */
/** @import {RemoteModel} from './remote-model.js' */

/**
 * @param {RemoteModel} model
 * @returns {RemoteModel} Its decoder, in all that a result asks of a model.
 */
export function remoteDecoder(model) {
  const call =
    (/** @type {keyof LoadedModel} */ method) =>
    (/** @type {unknown[]} */ ...options) =>
      model.ofDecoder(method, ...options);
  return /** @type {RemoteModel} */ (
    new Proxy(model, {
      get: (_, name) =>
        name === 'description' ? model.description : call(/** @type {keyof LoadedModel} */ (name)),
    })
  );
}

export class Translation {
  #model;
  #decoder;
  #source;
  #pass;

  /**
   * @param {RemoteModel} model
   * @param {RemoteModel} decoder
   * @param {Translated} translated
   * @param {string} text
   */
  constructor(model, decoder, translated, text) {
    this.#model = model;
    this.#decoder = decoder;
    this.#source = translated.encoder.pass;
    this.#pass = translated.decoder.pass;
    /** What was written, without the token that ends it. */
    this.text = translated.text;
    /** The tokens that were written, with that token if it came. */
    this.tokens = translated.tokens;
    this.ids = translated.ids;
    /** Tells which of the tokens begin or end a text. */
    this.specialTokens = translated.specialTokens;
    /** Whether the model ended the text. */
    this.ended = translated.ended;
    /** What a search with several beams found, best first; undefined with one. */
    this.beams = translated.beams;
    /** The tokens that such a search kept on the way. */
    this.steps = translated.steps;
    /** The pass of the text that was read. */
    this.encoder = new Result(model, translated.encoder, text);
    /**
     * The pass of the text that was written. Its tokens are those that the decoder has read: the one
     * that begins a text, then those that it wrote, without the last.
     */
    this.decoder = new Result(decoder, translated.decoder, translated.text);
  }

  /**
   * @param {number} layer
   * @param {number} head
   * @returns {Promise<Float32Array>} `[written tokens * read tokens]`: where the decoder looks in the
   *   text of the encoder while it writes each token. Rows sum to 1.
   */
  crossAttention(layer, head) {
    return this.#decoder.pull(this.#pass, 'crossAttention', [layer, head]);
  }

  /**
   * How much each token of the text, and each token that was written before it, contributes to a written token. Other
   * calls run meanwhile.
   * @param {object} [options]
   * @param {number} [options.token] Which of `tokens`; the default is the last.
   * @param {number} [options.id] Explains this entry of the vocabulary in the place of the token that was written there.
   * @param {Method} [options.method] `alti-plus`, the default, or `value-zeroing`, `gradient` or
   *   `integrated-gradients`; other methods are defined for models that read one text.
   * @param {string | number} [options.instead] Explains why the token was written rather than this one: a word of the
   *   vocabulary, or its number. Every number is that of the one less that of the other, for which gradients are defined.
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts to 1.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<TranslationExplanation>}
   */
  async explain(options = {}) {
    const how = checked('explain', options, 'token, id, method, instead, onProgress and signal');
    const {token = this.ids.length - 1} = how;
    const target = {...how, token, id: how.id ?? this.ids[token] ?? 0};
    return this.#model.explainTranslation(this.#source, this.#pass, target);
  }
}
