/** What a model writes: the continuation of a text, or with a decoder another text. */

import {BertscopeError} from '../errors.js';
import {lazily} from '../lazy-part.js';

/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {Generated, GenerateOptions} from './generation.js' */
/** @import {LoadedModel} from './loaded-model.js' */
/** @import {TranslationExplanation} from './explanations.js' */
/** @import {ExplainTranslationOptions, Translated, TranslateOptions, Translator} from './translator.js' */
/** @import {Tokenizer} from '../text/tokenizer.js' */
/** @import {WasmModule} from '../wasm-module.d.ts' */

/** @typedef {<T>(pass: PassInput, ask: (encoder: Encoder) => Promise<T>) => Promise<T>} AskOfPass */

export class Writing {
  #name;
  #tokenizer;
  #module;
  #ask;
  /** @type {Translator | undefined} It is there if the model is the encoder of an encoder-decoder. */
  translator;

  /**
   * @param {string} name The model's, for messages.
   * @param {Tokenizer} tokenizer
   * @param {Pick<WasmModule, 'ContinuedText'>} module
   * @param {AskOfPass} ask Calls a function with the encoder that holds a pass.
   */
  constructor(name, tokenizer, module, ask) {
    this.#name = name;
    this.#tokenizer = tokenizer;
    this.#module = module;
    this.#ask = ask;
  }

  /**
   * @param {PassInput} pass
   * @param {GenerateOptions} [options]
   * @returns {Promise<Generated>}
   */
  async generate(pass, options = {}) {
    const {generate} = await lazily(() => import('./analyses.js'));
    return this.#ask(pass, (encoder) =>
      generate(this.#module, this.#name, encoder, this.#tokenizer, pass, options),
    );
  }

  /**
   * @param {string} text
   * @param {TranslateOptions} [options]
   * @returns {Promise<Translated>}
   */
  async translate(text, options = {}) {
    return this.#requireTranslator().translate(text, options);
  }

  /**
   * @param {PassInput} source The encoder's pass.
   * @param {PassInput} written The decoder's.
   * @param {ExplainTranslationOptions} options
   * @returns {Promise<TranslationExplanation>}
   */
  async explainTranslation(source, written, options) {
    return this.#requireTranslator().explain(source, written, options);
  }

  /**
   * Calls a method of an encoder-decoder's other half.
   * @param {keyof LoadedModel} method
   * @param {unknown[]} options
   */
  async ofDecoder(method, ...options) {
    const {decoder} = this.#requireTranslator();
    return /** @type {(...options: unknown[]) => unknown} */ (decoder[method])(...options);
  }

  #requireTranslator() {
    if (this.translator) return this.translator;
    const message = `${this.#name}: expected a model that writes another text, found one without a decoder`;
    throw new BertscopeError('not-available', message);
  }
}
