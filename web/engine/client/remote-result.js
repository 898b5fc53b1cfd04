/** A pass whose matrices lie in the worker, as pages use it. */

import {proxy} from 'comlink';
import {refuseOptions} from '../options.js';

/** @import {Pass, Quantity} from '../host/encoder.js' */
/** @import {HeadGuide} from '../host/head-guide.js' */
/** @import {Measure} from '../host/measures.js' */
/** @import {Attended} from '../host/model.js' */
/** @import {Candidate, Class, Prediction, Surprise} from '../host/predictions.js' */
/** @import {WorkerLine} from './worker-line.js' */

/**
 * One text's pass. Matrices stay in the engine's memory until asked for. It holds those of the
 * latest pass only, and of the latest with interventions; an older result stays good, but asking it
 * for more runs its text again.
 */
export class Result {
  #line;
  #model;
  #pass;

  /**
   * @param {WorkerLine} line
   * @param {number} model
   * @param {Attended} attended
   * @param {{text: string, pair?: string}} from
   */
  constructor(line, model, attended, {text, pair = ''}) {
    const {pass, ids, tokens, tokenTypeIds, sentences, specialTokens} = attended;
    const {words, offsets, truncated, dropped, milliseconds} = attended;
    this.#line = line;
    this.#model = model;
    this.#pass = pass;
    /** As it was given: `offsets` are places in it, and in `pair`. */
    this.text = text;
    /** The second one; empty without. */
    this.pair = pair;
    this.ids = ids;
    this.tokens = tokens;
    /** What the model was given: all 0 where it knows no segments. */
    this.tokenTypeIds = tokenTypeIds;
    /** 0 for the first text and what is around it, 1 for the second. */
    this.sentences = sentences;
    /** Which tokens are no part of a text's meaning: `[CLS]`, `</s>`. */
    this.specialTokens = specialTokens;
    /** The interventions that this text leaves no room for. */
    this.dropped = dropped;
    /** The word each token is a piece of, counted in its sentence; null for `[CLS]`, `</s>`. */
    this.words = words;
    /** Where in its sentence each token stands, `[start, end]` in UTF-16 code units; null likewise. */
    this.offsets = offsets;
    /** How many tokens did not fit and were cut off. */
    this.truncated = truncated;
    /** Time in the engine. */
    this.milliseconds = milliseconds;
  }

  /** @param {Result} result For the model that it is of. */
  static passOf(result) {
    return result.#pass;
  }

  /** @param {number} layer @param {number} head @returns {Promise<Float32Array>} [tokens * tokens] */
  attention(layer, head) {
    return this.#pull('attention', layer, head);
  }

  /**
   * Of all heads at once, which costs one call.
   * @param {number} layer
   * @returns {Promise<Float32Array>} [heads * tokens * tokens]
   */
  layerAttention(layer) {
    return this.#line.call((host) => host.layerAttention(this.#model, this.#pass, layer));
  }

  /** @param {number} layer @param {number} head @returns {Promise<Float32Array>} [tokens * headDim] */
  queries(layer, head) {
    return this.#pull('queries', layer, head);
  }

  /** @param {number} layer @param {number} head @returns {Promise<Float32Array>} [tokens * headDim] */
  keys(layer, head) {
    return this.#pull('keys', layer, head);
  }

  /** @param {number} layer @param {number} head @returns {Promise<Float32Array>} [tokens * headDim] */
  values(layer, head) {
    return this.#pull('values', layer, head);
  }

  /**
   * @param {number} index 0 is after the embeddings, `i` after layer `i - 1`.
   * @returns {Promise<Float32Array>} [tokens * hiddenSize]
   */
  hiddenStates(index) {
    return this.#pull('hiddenStates', index);
  }

  /**
   * What the masked-LM head expects in place of each `[MASK]`.
   * @param {number} [topK]
   * @returns {Promise<Prediction[]>}
   */
  predictions(topK) {
    return this.#line.call((host) => host.predictions(this.#model, this.#pass, topK));
  }

  /**
   * The same for any token, at every layer: what the masked-LM head makes of its hidden states. It was
   * trained on the last layer's only.
   * @param {number} token
   * @param {number} [topK]
   * @returns {Promise<Candidate[][]>} Index 0 is after the embeddings, `i` after layer `i - 1`.
   */
  logitLens(token, topK) {
    return this.#line.call((host) => host.logitLens(this.#model, this.#pass, token, topK));
  }

  /**
   * @param {number} token
   * @param {number[]} ids Of the vocabulary.
   * @returns {Promise<Float32Array>} How likely the masked-LM head finds each in the token's place.
   */
  probabilities(token, ids) {
    return this.#line.call((host) => host.probabilities(this.#model, this.#pass, token, ids));
  }

  /**
   * How unexpected each token is: it alone is masked, in turn. Runs beside other passes.
   * @param {object} [options]
   * @param {number} [options.topK]
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] In tokens.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<Surprise[]>} Of the tokens that are not special.
   */
  async surprise({topK, onProgress, signal, ...others} = {}) {
    refuseOptions('surprise', others, 'topK, onProgress and signal');
    const report = onProgress ? proxy(onProgress) : null;
    return this.#line.call(
      (host, call) => host.surprise(call, this.#model, this.#pass, topK, report),
      signal,
    );
  }

  /**
   * What a sequence classifier makes of the text.
   * @returns {Promise<Class[]>}
   */
  classes() {
    return this.#line.call((host) => host.classes(this.#model, this.#pass));
  }

  /**
   * How much of each token's hidden states is as it was, as cosines.
   * @param {Result} before Of the same tokens, say without interventions.
   * @returns {Promise<Float32Array>} [(layers + 1) * tokens]; index 0 is after the embeddings.
   */
  similarity(before) {
    return this.#line.call((host) => host.similarity(this.#model, this.#pass, before.#pass));
  }

  /**
   * What every head does on average over this text: how widely it spreads its attention, how far it
   * looks, where it rests, and a name for it.
   * @param {{similar?: boolean}} [options] `similar` adds a map of which heads do the same.
   * @returns {Promise<HeadGuide>}
   */
  async headStatistics({similar, ...others} = {}) {
    refuseOptions('headStatistics', others, 'similar');
    return this.#line.call((host) => host.headStatistics(this.#model, this.#pass, {similar}));
  }

  /**
   * What a query's row is made of, by one of several measures. Rows of weights, rollout and flow sum
   * to 1; norms are lengths of vectors, of which the page shows each row scaled to sum to 1.
   * @param {Measure} measure
   * @param {number} layer Rollout and flow are of all layers up to and with this one.
   * @param {number} [head] Of a weight or a norm; a norm without one is of the layer's heads together.
   * @param {object} [options]
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Of a flow, in
   *   tokens.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<Float32Array>} [tokens * tokens]
   */
  async measure(measure, layer, head, {onProgress, signal, ...others} = {}) {
    refuseOptions('measure', others, 'onProgress and signal');
    const report = onProgress ? proxy(onProgress) : null;
    return this.#line.call(
      (host, call) => host.measure(call, this.#model, this.#pass, measure, layer, head, report),
      signal,
    );
  }

  /**
   * @param {Quantity} quantity
   * @param {number[]} indices
   */
  #pull(quantity, ...indices) {
    return this.#line.call((host) => host.pull(this.#model, this.#pass, quantity, indices));
  }
}
