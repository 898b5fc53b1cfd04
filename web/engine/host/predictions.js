/** What the prediction heads of a model say about a pass: words in place of tokens, and classes. */

import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {quote} from '../json.js';
import {checkedIds, isList} from './checked-ids.js';
import {copiesAtOnce, withMasks} from './masked-copies.js';
import {namedSpans} from './named-spans.js';
import {logProbabilities, logSoftmax, softmaxTop} from './softmax-top.js';

/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {Quantity} from './held-trace.js' */
/** @import {NamedSpan} from './named-spans.js' */
/** @import {Targets} from './targets.js' */
/** @import {Tokenizer} from '../text/tokenizer.js' */

/**
 * @typedef {object} Candidate
 * @property {string} token
 * @property {number} id
 * @property {number} probability
 * @property {boolean} startsWord Whether the token begins a word.
 */

/**
 * @typedef {object} Prediction
 * @property {number} index The index of the `[MASK]` among the tokens, or of a model that predicts
 *   the next token, that of the token before it.
 * @property {Candidate[]} top The most likely tokens, the likeliest first.
 */

/**
 * @typedef {object} Surprise How unexpected a token is, given the rest of its text, or of a model
 *   that predicts the next token, given the tokens before it.
 * @property {number} index The index of the token.
 * @property {number} probability The token's probability when it alone is masked, or after those
 *   before it.
 * @property {number} bits -log₂ of the probability. The sum over a sentence is the
 *   pseudo-log-likelihood of Salazar et al. 2020, "Masked Language Model Scoring", equation 2, with
 *   another sign and unit; of a model that predicts the next token it is the log-likelihood.
 * @property {Candidate[]} top The tokens that were expected most.
 */

/** @typedef {{label: string, logit: number, probability: number}} Class */

export class Predictions {
  #name;
  #encoder;
  #tokenizer;
  #targets;
  #pull;

  /**
   * @param {string} name The name of the model, for messages.
   * @param {Encoder} encoder
   * @param {Tokenizer} tokenizer
   * @param {Targets} targets
   * @param {(pass: PassInput, quantity: Quantity, indices: number[]) => Promise<Float32Array>} pull
   */
  constructor(name, encoder, tokenizer, targets, pull) {
    this.#name = name;
    this.#encoder = encoder;
    this.#tokenizer = tokenizer;
    this.#targets = targets;
    this.#pull = pull;
  }

  /**
   * Lists the tokens that are expected in place of each `[MASK]`, or after each token.
   * @param {PassInput} pass
   * @param {number} [topK]
   * @param {{places?: readonly number[]}} [options] Only these tokens, where they are places.
   */
  async ofPlaces(pass, topK = 5, {places} = {}) {
    this.#targets.requireWordHead();
    if (places !== undefined && !isList(places)) {
      const message = `predictions: expected a list of places, found ${quote(places)}`;
      throw new BertscopeError('bad-option', message);
    }
    const {nextToken} = this.#encoder.heads;
    const isPlace = (/** @type {number} */ at) =>
      (nextToken || pass.ids[at] === this.#tokenizer.maskId) && (places?.includes(at) ?? true);
    /** @type {Prediction[]} */
    const predictions = [];
    for (const index of [...pass.ids.keys()].filter(isPlace)) {
      const logits = await this.#pull(pass, 'wordLogits', [this.#layers, index]);
      predictions.push({index, top: this.#candidates(logits, topK)});
    }
    return predictions;
  }

  /**
   * Applies the word head to a token's hidden state at every layer (nostalgebraist 2020,
   * "interpreting GPT: the logit lens"). The head was trained on the last layer's states only: what
   * it reads from earlier ones shows when a prediction takes shape, not what those layers "think".
   * @param {PassInput} pass
   * @param {number} token
   * @param {number} [topK]
   * @returns {Promise<Candidate[][]>} Index 0: after the embeddings; `i`: after layer `i - 1`.
   */
  async atEveryLayer(pass, token, topK = 5) {
    this.#targets.requireWordHead();
    const layers = [];
    for (let index = 0; index <= this.#layers; index++) {
      const logits = await this.#pull(pass, 'wordLogits', [index, token]);
      layers.push(this.#candidates(logits, topK));
    }
    return layers;
  }

  /**
   * @param {PassInput} pass
   * @param {number} token
   * @param {number[]} ids Ids of the vocabulary.
   * @returns {Promise<Float32Array>} The probability of each in the place of the token.
   */
  async probabilities(pass, token, ids) {
    this.#targets.requireWordHead();
    const checked = checkedIds(ids);
    const {vocabulary} = this.#encoder.config;
    for (const id of checked)
      this.#targets.checkIndex('an entry of the vocabulary', id, vocabulary);
    const logits = await this.#pull(pass, 'wordLogits', [this.#layers, token]);
    return Float32Array.from(checked, (id) => Math.exp(logSoftmax(logits, id)));
  }

  /**
   * Masks each token in a copy of the text of its own. Several copies are run at once. A model that
   * predicts the next token needs one pass.
   * @param {Encoder} probe
   * @param {PassInput} pass
   * @param {object} [options]
   * @param {number} [options.topK]
   * @param {AbortSignal} [options.signal]
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts tokens.
   * @returns {Promise<Surprise[]>} One for each token that is not special and that the model can
   *   predict: nothing predicts the first one from those before it.
   */
  async surprise(probe, pass, {topK = 5, signal, onProgress} = {}) {
    this.#targets.requireWordHead();
    const {nextToken} = this.#encoder.heads;
    const tokens = this.#targets.ordinary(pass).filter((token) => !nextToken || token > 0);
    const batches = nextToken ? [] : this.#maskedBatches(pass, tokens);
    return probe.work(async ({run, read}) => {
      /** @type {Surprise[]} */
      const surprises = [];
      const measure = (/** @type {number} */ index, /** @type {number[]} */ [at, sequence]) => {
        const logits = read('wordLogits', [this.#layers, at], sequence);
        const log = logSoftmax(logits, pass.ids[index]);
        const top = this.#candidates(logits, topK);
        surprises.push({index, probability: Math.exp(log), bits: -log / Math.LN2, top});
      };
      if (nextToken) {
        await run(pass);
        for (const index of tokens) measure(index, [index - 1, 0]);
      }
      for (const {masked, copies} of batches) {
        await run(copies);
        for (const [sequence, index] of masked.entries()) measure(index, [index, sequence]);
        onProgress?.({done: surprises.length, total: tokens.length});
      }
      return surprises;
    }, signal);
  }

  /**
   * @param {PassInput} pass
   * @param {number[]} tokens
   */
  #maskedBatches(pass, tokens) {
    const maskId = this.#targets.requireMask();
    const atOnce = copiesAtOnce(pass.ids.length);
    return Array.from({length: Math.ceil(tokens.length / atOnce)}, (_, batch) => {
      const masked = tokens.slice(batch * atOnce, (batch + 1) * atOnce);
      const copies = withMasks(
        pass,
        masked.map((token) => [token]),
        maskId,
      );
      return {masked, copies};
    });
  }

  /**
   * The probabilities that a sequence classifier gives its classes.
   * @param {PassInput} pass
   * @returns {Promise<Class[]>} In the order of the labels.
   */
  async classes(pass) {
    this.#targets.requireClassifierOf('texts');
    return this.#classesAt(pass, 0);
  }

  /**
   * The probabilities that a classifier of tokens gives the classes of one token.
   * @param {PassInput} pass
   * @param {number} token
   * @returns {Promise<Class[]>} In the order of the labels.
   */
  async tokenClasses(pass, token) {
    this.#targets.requireClassifierOf('tokens');
    this.#targets.checkIndex('a token of the text', token, pass.ids.length);
    return this.#classesAt(pass, token);
  }

  /**
   * Finds what a classifier of tokens names, such as persons and places.
   * @param {PassInput} pass
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<NamedSpan[]>}
   */
  async namedSpans(pass, {signal} = {}) {
    this.#targets.requireClassifierOf('tokens');
    const names = this.#targets.labels();
    const classes = [];
    for (const token of this.#targets.ordinary(pass)) {
      await yieldIfDue(signal);
      const logits = await this.#pull(pass, 'classifierLogits', [token]);
      const [{index, probability}] = softmaxTop(logits, 1);
      classes.push({token, label: names[index], probability});
    }
    return namedSpans(classes);
  }

  /** @param {PassInput} pass @param {number} token @returns {Promise<Class[]>} */
  async #classesAt(pass, token) {
    const logits = await this.#pull(pass, 'classifierLogits', [token]);
    const names = this.#targets.labels();
    return Array.from(logProbabilities(logits), (log, index) => ({
      label: names[index],
      logit: logits[index],
      probability: Math.exp(log),
    }));
  }

  get #layers() {
    return this.#encoder.config.layers;
  }

  /**
   * @param {Float32Array} logits
   * @param {number} topK
   * @returns {Candidate[]}
   */
  #candidates(logits, topK) {
    if (!Number.isInteger(topK) || topK < 1) {
      const message = `${this.#name}: expected a whole number from 1 as topK, found ${quote(topK)}`;
      throw new BertscopeError('bad-option', message);
    }
    return softmaxTop(logits, topK).map(({index: id, probability}) => {
      const token = this.#tokenizer.token(id);
      return {token, id, probability, startsWord: this.#tokenizer.startsWord(token)};
    });
  }
}
