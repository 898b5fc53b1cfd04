/** An encoder-decoder: a decoder writes a text token by token while it looks into the encoder's. */

import {BertscopeError} from '../errors.js';
import {checkMethod, requireSigned, requireTextsOf} from './explanations.js';
import {changesOfDecoder, droppedEdge, parseInterventions} from '../interventions.js';
import {textOf} from './generation.js';
import {checkedIds} from './checked-ids.js';

/** @import {DecoderConfig} from '../files/model-config.js' */
/** @import {FoundBeam, GenerateOptions, WrittenStep} from './generation.js' */
/** @import {PassInput} from './encoder.js' */
/** @import {TranslationExplanation} from './explanations.js' */
/** @import {Attended, LoadedModel} from './loaded-model.js' */
/** @import {Method} from '../methods.js' */
/** @import {Changes, Interventions, ModelPart} from '../interventions.js' */
/** @import {Tokenizer} from '../text/tokenizer.js' */

/**
 * @typedef {GenerateOptions & {written?: number[], interventions?: Interventions}} TranslateOptions
 *   `written` is what the decoder is given as the beginning of its translation, as token ids; it
 *   goes on from there. The default of `tokens` is what the decoder has positions for, but at most
 *   512.
 */

/**
 * @typedef {object} Translated
 * @property {Attended} encoder The pass of the text.
 * @property {Attended} decoder The pass that wrote the translation. Its tokens are those that the
 *   decoder has read: the one that begins a text, and what it has written without the last token.
 * @property {number[]} ids What it has written, with the token that ends a text if it came to that.
 * @property {string[]} tokens
 * @property {boolean[]} specialTokens Which of them begin or end a text.
 * @property {string} text Without those.
 * @property {boolean} ended Whether it came to that token.
 * @property {FoundBeam[]} [beams] With several beams, what was found after the tokens that were given, best first.
 * @property {WrittenStep[]} [steps] All tokens that were kept on the way.
 */

/**
 * @typedef {object} ExplainTranslationOptions
 * @property {number} token The index of a written token.
 * @property {number} id What it is in the vocabulary.
 * @property {Method} [method] The default is `alti-plus`.
 * @property {string | number} [instead] Another word, by its name or number.
 * @property {AbortSignal} [signal]
 * @property {(progress: {done: number, total: number}) => void} [onProgress] Counts to 1.
 */

/**
 * The most tokens that are written unless a reader asks for more. Published models have as many
 * positions.
 */
const MOST_WRITTEN = 512;

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
   * @param {TranslateOptions} options
   * @returns {Promise<Translated>}
   */
  async translate(text, {interventions, written = [], signal, ...options}) {
    const {shape} = this.#encoder;
    const given = checkedIds(written);
    const largest = {
      layers: Math.max(shape.layers, this.decoder.shape.layers),
      heads: Math.max(shape.heads, this.decoder.shape.heads),
    };
    const parts = /** @type {ModelPart[]} */ (['encoder', 'decoder', 'cross']);
    const wanted = parseInterventions(interventions, shape, parts, largest);
    const ofEncoder = (/** @type {{part?: string}} */ {part}) => part === 'encoder';
    const {heads, edges} = wanted;
    const own = {...wanted, heads: heads.filter(ofEncoder), edges: edges.filter(ofEncoder)};
    const encoder = await this.#encoder.attendWith(own, text, {signal});
    const source = await this.#encoder.pull(encoder.pass, 'hiddenStates', [shape.layers]);
    const {maskedTokens = []} = encoder.pass.changes ?? {};
    const {positions} = this.decoder.shape;
    const hidden = {...wanted, maskedTokens};
    const {changes, dropped} = changesOfDecoder(hidden, encoder.ids.length, positions);
    const {startToken, firstToken} = /** @type {DecoderConfig} */ (this.decoder.config);
    const {tokens: most = Math.min(positions - 1, MOST_WRITTEN)} = options;
    const begun = await this.#run([startToken, ...given], source, changes, signal);
    const how = {...options, tokens: most, signal};
    const {ids: added, ended, beams, steps} = await this.decoder.generate(begun.pass, how);
    const ids = [...given, ...added];
    const end = /** @type {number} */ (this.#tokenizer.endId);
    const whole = ended ? [...ids, end] : ids;
    if (whole.length === 0) {
      throw new BertscopeError('bad-option', 'translate: expected at least 1 token, found 0');
    }
    const read = [startToken, ...whole.slice(0, -1)];
    const decoder = await this.#run(read, source, changes, signal);
    const beyond = changes.edges.filter(({query}) => query >= read.length);
    const reason = `${read.length} tokens were written`;
    decoder.dropped.push(...dropped, ...beyond.map((edge) => droppedEdge(edge, reason)));
    const tokens = whole.map((id) => this.#tokenizer.token(id));
    const specialTokens = whole.map((id) => id === firstToken || id === end);
    const translation = textOf(ids, this.decoder, this.#tokenizer);
    const found = beams && {beams, steps};
    return {
      encoder,
      decoder,
      ids: whole,
      tokens,
      specialTokens,
      text: translation,
      ended,
      ...found,
    };
  }

  /**
   * What each token of the text, and each that was written before, contributes to a written token.
   * @param {PassInput} source The encoder's pass.
   * @param {PassInput} written The decoder's, which looks into it.
   * @param {ExplainTranslationOptions} options
   * @returns {Promise<TranslationExplanation>}
   */
  async explain(source, written, {token, id, method = 'alti-plus', ...options}) {
    checkMethod(method);
    requireTextsOf(method, true);
    if (options.instead !== undefined) requireSigned(method, true);
    const baseline = this.#encoder.baselineOfWritten(source, method);
    const {contributions, tokens, ...explained} = await this.decoder.explainWritten(
      written,
      method,
      {token, id},
      {...options, source: {ask: this.#encoder.ask, pass: source, baseline}},
    );
    const count = source.ids.length;
    const part = (/** @type {ArrayLike<number>} */ ids, /** @type {Float32Array} */ amounts) => ({
      tokens: Array.from(ids, (each) => this.#tokenizer.token(each)),
      contributions: amounts,
      share: amounts.reduce((sum, amount) => sum + amount, 0),
    });
    return /** @type {TranslationExplanation} */ ({
      ...explained,
      source: part(source.ids, contributions.slice(0, count)),
      prefix: part(written.ids.slice(0, token + 1), contributions.slice(count, count + token + 1)),
    });
  }

  /**
   * @param {number[]} ids
   * @param {Float32Array} source
   * @param {Changes} changes
   * @param {AbortSignal} [signal]
   * @returns {Promise<Attended>}
   */
  async #run(ids, source, changes, signal) {
    const batch = {
      ids: checkedIds(ids),
      tokenTypes: new Int32Array(ids.length),
      lengths: Int32Array.of(ids.length),
      source,
      changes,
    };
    const run = await this.decoder.run(batch, signal);
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
