/** A pass whose matrices are in the worker, as pages use it. */

import {BertscopeError} from '../errors.js';
import {quote} from '../json.js';
import {checked} from '../options.js';

/** @import {DeletionCurve, DeletionOptions} from '../host/deletion-curve.js' */
/** @import {Explanation, ExplainTarget, LogitAttribution} from '../host/explanations.js' */
/** @import {HeadGuide} from '../host/head-guide.js' */
/** @import {StrongestLink, TokenLinks} from '../host/strongest-links.js' */
/** @import {MatrixRef, Measure} from '../measures.js' */
/** @import {Method} from '../methods.js' */
/** @import {Attended} from '../host/loaded-model.js' */
/** @import {NamedSpan} from '../host/named-spans.js' */
/** @import {Candidate, Class, Prediction, Surprise} from '../host/predictions.js' */
/** @import {RemoteModel} from './remote-model.js' */

/**
 * The pass of one text. Its matrices stay in the engine's memory until they are asked for. The
 * engine keeps the matrices of three passes: the latest one, the latest one with interventions, and
 * the older one that was asked last. Any other result stays valid, but its text is run again when
 * it is asked for more.
 */
export class Result {
  #model;
  #pass;

  /**
   * @param {RemoteModel} model
   * @param {Attended} attended
   * @param {string} text
   * @param {string} [pair]
   * @param {readonly number[]} [given] The ids that were given with the text.
   */
  constructor(model, attended, text, pair = '', given) {
    this.#model = model;
    this.#pass = attended.pass;
    /** The text as it was given. `offsets` refer to it and to `pair`. */
    this.text = text;
    /** The second text; empty if there is none. */
    this.pair = pair;
    /** The ids that were given with the text; undefined where the tokenizer has found them. */
    this.givenIds = given;
    this.ids = attended.ids;
    this.tokens = attended.tokens;
    /** The input of the model: all 0 if it has no token types. */
    this.tokenTypeIds = attended.tokenTypeIds;
    /** For each token: 0 in the first text and the special tokens around it, 1 in the second. */
    this.sentences = attended.sentences;
    /** For each token, whether it is a special one, such as `[CLS]` or `</s>`. */
    this.specialTokens = attended.specialTokens;
    /** The interventions that do not fit this text. */
    this.dropped = attended.dropped;
    /** For each token, the index of its word in its sentence; null for `[CLS]` and `</s>`. */
    this.words = attended.words;
    /** For each token, its `[start, end]` in its sentence in UTF-16 code units, or null. */
    this.offsets = attended.offsets;
    /** How many tokens were cut off because they did not fit. */
    this.truncated = attended.truncated;
    /** The time in the engine for the part of the pass that `attend` was asked for. */
    this.milliseconds = attended.milliseconds;
    /** How many workers ran it. */
    this.threads = attended.threads;
    /** The matrices that `attend` was asked for, in their order. */
    this.matrices = attended.matrices;
  }

  /**
   * What a model needs to find the pass again. Another model would read its token ids as other words.
   * @param {unknown} result
   * @param {RemoteModel} model
   */
  static passOf(result, model) {
    if (result instanceof Result && result.#model === model) return result.#pass;
    const {name} = model.description;
    const other = result instanceof Result ? 'one of another model' : quote(result);
    throw new BertscopeError('bad-option', `${name}: expected a result of it, found ${other}`);
  }

  /** @param {number} layer @param {number} head @returns {Promise<Float32Array>} [tokens * tokens] */
  attention(layer, head) {
    return this.#model.pull(this.#pass, 'attention', [layer, head]);
  }

  /**
   * The attention of all heads of a layer, in one call.
   * @param {number} layer
   * @returns {Promise<Float32Array>} [heads * tokens * tokens]
   */
  layerAttention(layer) {
    return this.#model.layerAttention(this.#pass, layer);
  }

  /**
   * Several matrices in one call. Each has the shape that the method of its kind returns.
   * @param {readonly MatrixRef[]} wanted
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<Float32Array[]>} In the order of `wanted`.
   */
  async pull(wanted, options = {}) {
    return this.#model.matrices(this.#pass, wanted, checked('pull', options, 'signal'));
  }

  /** @param {number} layer @param {number} head @returns {Promise<Float32Array>} [tokens * headDim] */
  queries(layer, head) {
    return this.#model.pull(this.#pass, 'queries', [layer, head]);
  }

  /** @param {number} layer @param {number} head @returns {Promise<Float32Array>} [tokens * headDim] */
  keys(layer, head) {
    return this.#model.pull(this.#pass, 'keys', [layer, head]);
  }

  /** @param {number} layer @param {number} head @returns {Promise<Float32Array>} [tokens * headDim] */
  values(layer, head) {
    return this.#model.pull(this.#pass, 'values', [layer, head]);
  }

  /**
   * What the distance of each key from its query adds to its score: zeros, unless the model's shape says
   * `hasPositionScores`.
   * @param {number} layer
   * @param {number} head
   * @returns {Promise<Float32Array>} [tokens * tokens]
   */
  positionScores(layer, head) {
    return this.#model.pull(this.#pass, 'positionScores', [layer, head]);
  }

  /**
   * @param {number} index 0: after the embeddings; `i`: after layer `i - 1`.
   * @returns {Promise<Float32Array>} [tokens * hiddenSize]
   */
  hiddenStates(index) {
    return this.#model.pull(this.#pass, 'hiddenStates', [index]);
  }

  /**
   * The tokens that the model expects in place of each `[MASK]`, or if it predicts the next token,
   * after each token.
   * @param {number} [topK]
   * @param {{places?: readonly number[]}} [options] The tokens to look at; the default is all.
   * @returns {Promise<Prediction[]>}
   */
  async predictions(topK, options = {}) {
    return this.#model.predictions(this.#pass, topK, checked('predictions', options, 'places'));
  }

  /**
   * The tokens that the word head reads from the hidden states of a token at every layer. The
   * head was trained on those of the last layer only.
   * @param {number} token
   * @param {number} [topK]
   * @returns {Promise<Candidate[][]>} Index 0: after the embeddings; `i`: after layer `i - 1`.
   */
  logitLens(token, topK) {
    return this.#model.logitLens(this.#pass, token, topK);
  }

  /**
   * @param {number} token
   * @param {number[]} ids Ids of the vocabulary.
   * @returns {Promise<Float32Array>} Their probabilities in the token's place, by the masked-LM
   *   head.
   */
  probabilities(token, ids) {
    return this.#model.probabilities(this.#pass, token, ids);
  }

  /**
   * How unexpected each token is when it alone is masked. Other passes run meanwhile.
   * @param {object} [options]
   * @param {number} [options.topK]
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts tokens.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<Surprise[]>} One for each token that is not special.
   */
  async surprise(options = {}) {
    const known = 'topK, onProgress and signal';
    return this.#model.surprise(this.#pass, checked('surprise', options, known));
  }

  /**
   * The probabilities that a sequence classifier gives its classes.
   * @returns {Promise<Class[]>}
   */
  classes() {
    return this.#model.classes(this.#pass);
  }

  /**
   * The probabilities that a classifier of tokens gives the classes of one token.
   * @param {number} token
   * @returns {Promise<Class[]>}
   */
  tokenClasses(token) {
    return this.#model.tokenClasses(this.#pass, token);
  }

  /**
   * What a classifier of tokens names, such as persons and places.
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<NamedSpan[]>}
   */
  async namedSpans(options = {}) {
    return this.#model.namedSpans(this.#pass, checked('namedSpans', options, 'signal'));
  }

  /**
   * How similar each token's hidden states are to those in another result, as cosines.
   * @param {Result} before It has as many tokens: the same text without interventions, for example.
   * @returns {Promise<Float32Array>} [(layers + 1) * tokens]; the first row is after the
   *   embeddings.
   */
  async similarity(before) {
    return this.#model.similarity(this.#pass, Result.passOf(before, this.#model));
  }

  /**
   * What every head does on average over this text: how widely it spreads its attention, how far
   * away and at which kinds of tokens it looks, and a name for what it does.
   * @param {{similar?: boolean, signal?: AbortSignal}} [options] `similar` adds a map of which heads do the same.
   * @returns {Promise<HeadGuide>}
   */
  async headStatistics(options = {}) {
    const how = checked('headStatistics', options, 'similar and signal');
    return this.#model.headStatistics(this.#pass, how);
  }

  /**
   * The links that say most about the text, over all heads: at most eight, and first the strongest of each kind. The
   * engine searches weights; what a link would say is yours to know.
   * @param {Uint8Array} kinds `[tokens * tokens]`, from row to column: the kind of each link, 1 for a pronoun and the word
   *   that it may stand for, 2 for the same word, 3 for two words, 4 for neighbours, 5 for punctuation, 6 for a special
   *   token; 0 if it says nothing.
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<StrongestLink[]>}
   */
  async strongestLinks(kinds, options = {}) {
    const how = checked('strongestLinks', options, 'signal');
    return this.#model.strongestLinks(this.#pass, kinds, how);
  }

  /**
   * The links of one token with words, in every head.
   * @param {{side: 'query' | 'key', index: number}} token `query` for what it looks at, `key` for what looks at it.
   * @param {Uint8Array} words `[tokens]`: 1 for each token that is a word or a piece of one, 0 for others.
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<TokenLinks>}
   */
  async tokenLinks(token, words, options = {}) {
    const how = checked('tokenLinks', options, 'signal');
    return this.#model.tokenLinks(this.#pass, token, words, how);
  }

  /**
   * How much each query takes from each key, by one of several measures. Rows of weights, rollout
   * and flow sum to 1. Norms are lengths of vectors; the page scales their rows to sum to 1.
   * @param {Measure} measure
   * @param {number} layer Rollout and flow measure all layers up to and including this one.
   * @param {number} [head] Of a weight or a norm. A norm without a head measures all heads of the
   *   layer together.
   * @param {object} [options]
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] A flow
   *   counts tokens.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<Float32Array>} [tokens * tokens]
   */
  async measure(measure, layer, head, options = {}) {
    const how = checked('measure', options, 'onProgress and signal');
    return this.#model.measure(this.#pass, measure, layer, head, how);
  }

  /**
   * How much each token contributes to an answer. Other calls run meanwhile.
   * @param {object} [options]
   * @param {Method} [options.method] The default is `alti`, and of models that normalize before the parts of their layers
   *   `integrated-gradients`.
   * @param {ExplainTarget} [options.target] The default is `mask`.
   * @param {string | number} [options.instead] Another word or class, by its name or number: why the
   *   target rather than this one? With the methods whose contributions have a sign.
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts to 1.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<Explanation>}
   */
  async explain(options = {}) {
    const known = 'method, target, instead, onProgress and signal';
    const {method, target, ...how} = checked('explain', options, known);
    return this.#model.explain(this.#pass, method, target, how);
  }

  /**
   * How much each head, each feed-forward network and the embedding add to the logit of a word. Of models that
   * normalize before the parts of their layers and read words from the sum, as decoders do. Other calls run meanwhile.
   * @param {object} [options]
   * @param {ExplainTarget} [options.target] A token and a word; the default is the likeliest word after the text.
   * @param {string | number} [options.instead] Another word: why the target rather than this one?
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts to 1.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<LogitAttribution>}
   */
  async logitAttribution(options = {}) {
    const known = 'target, instead, onProgress and signal';
    const {target, ...how} = checked('logitAttribution', options, known);
    return this.#model.logitAttribution(this.#pass, target, how);
  }

  /**
   * Tests an explanation of this text on the text: masks its tokens, from the one that contributes
   * most, and measures how the answer falls, beside random orders. Other calls run meanwhile.
   * @param {ArrayLike<number>} contributions What `explain` gives for the same target.
   * @param {DeletionOptions} [options]
   * @returns {Promise<DeletionCurve>}
   */
  async deletionCurve(contributions, options = {}) {
    const known = 'target, randomOrders, seed, onProgress and signal';
    const how = checked('deletionCurve', options, known);
    return this.#model.deletionCurve(this.#pass, contributions, how);
  }
}
