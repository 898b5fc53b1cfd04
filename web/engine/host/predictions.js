/** What the prediction heads of a model say about a pass: words in place of tokens, and classes. */

import {BertscopeError} from '../errors.js';
import {parseJsonObject, isRecord, quote} from '../json.js';
import {copiesAtOnce, withMasks} from './masked-copies.js';
import {logSoftmax, softmaxTop} from './softmax-top.js';

/** @import {Encoder, PassInput, Quantity} from './encoder.js' */
/** @import {Explanation, ExplainTarget} from './explanations.js' */
/** @import {Target} from './head-effects.js' */
/** @import {Method} from '../methods.js' */
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
  #configText;
  #pull;

  /**
   * @param {string} name The name of the model, for messages.
   * @param {Encoder} encoder
   * @param {Tokenizer} tokenizer
   * @param {string} configText `config.json`
   * @param {(pass: PassInput, quantity: Quantity, indices: number[]) => Promise<Float32Array>} pull
   */
  constructor(name, encoder, tokenizer, configText, pull) {
    this.#name = name;
    this.#encoder = encoder;
    this.#tokenizer = tokenizer;
    this.#configText = configText;
    this.#pull = pull;
  }

  /**
   * Lists the tokens that are expected in place of each `[MASK]`, or after each token.
   * @param {PassInput} pass
   * @param {number} [topK]
   * @param {{places?: readonly number[]}} [options] Only these tokens, where they are places.
   */
  async ofPlaces(pass, topK = 5, {places} = {}) {
    this.#requireWordHead();
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
    this.#requireWordHead();
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
    this.#requireWordHead();
    for (const id of ids) this.#checkIndex('an entry of the vocabulary', id, this.#vocabulary);
    const logits = await this.#pull(pass, 'wordLogits', [this.#layers, token]);
    return Float32Array.from(ids, (id) => Math.exp(logSoftmax(logits, id)));
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
    this.#requireWordHead();
    const {nextToken} = this.#encoder.heads;
    const tokens = this.#ordinary(pass).filter((token) => !nextToken || token > 0);
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
    const maskId = this.requireMask();
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
    this.#requireClassifier();
    const logits = await this.#pull(pass, 'classifierLogits', []);
    const names = this.#labels();
    return Array.from(logits, (logit, index) => ({
      label: names[index],
      logit,
      probability: Math.exp(logSoftmax(logits, index)),
    }));
  }

  /**
   * @param {PassInput} pass
   * @param {Target} [target]
   * @returns {Target} The target, after it was checked; by default the first `[MASK]`, or what
   *   follows the last token.
   */
  target({ids}, target) {
    if (target === undefined) return {token: this.#firstBlank(ids)};
    if ('label' in target) {
      this.#requireClassifier();
      this.#checkIndex('a class', target.label, this.#encoder.heads.labels);
      return target;
    }
    this.#requireWordHead();
    this.#checkIndex('a token of the text', target.token, ids.length);
    if (target.id !== undefined) {
      this.#checkIndex('an entry of the vocabulary', target.id, this.#vocabulary);
    }
    return target;
  }

  /**
   * @param {PassInput} pass
   * @param {ExplainTarget} [target]
   * @returns {Target | 'vector'} The target, after it was checked.
   */
  explainTarget(pass, target = 'mask') {
    if (target === 'vector') return target;
    if (target === 'mask') return this.target(pass);
    if (typeof target === 'string' && target.startsWith('class:')) {
      return {label: this.#labelIndex(target.slice('class:'.length))};
    }
    if (!isRecord(target) || !('token' in target || 'label' in target)) {
      const expected = 'mask, vector, class:LABEL, or a token or label';
      const message = `expected the target ${expected}, found ${quote(target)}`;
      throw new BertscopeError('bad-target', message);
    }
    if (!('word' in target)) return this.target(pass, target);
    const {token, word, masked} = target;
    this.#requireWordHead();
    return this.target(pass, {token, id: this.#idOfWord(word), masked});
  }

  /**
   * @param {Target | 'vector'} target
   * @param {number} [index] That of the word, or of a class other than the target's.
   * @returns {Explanation['target']} With names for its numbers.
   */
  named(target, index) {
    if (target === 'vector') return target;
    if ('label' in target) {
      const {label} = target;
      return {label: index ?? label, name: this.#labels()[index ?? label]};
    }
    const id = index ?? 0;
    return {token: target.token, id, word: this.#tokenizer.token(id)};
  }

  /**
   * The pass that the target is read from. Its token is masked if the target asks for that.
   * @param {PassInput} pass
   * @param {Target | 'vector'} target
   * @returns {Omit<PassInput, 'id'>}
   */
  passOf(pass, target) {
    const isMasked = target !== 'vector' && 'token' in target && target.masked;
    return isMasked ? withMasks(pass, [[target.token]], this.requireMask()) : pass;
  }

  /**
   * Where and of what a patch map reads the answer. Without a target it is the likeliest word for a
   * blank that both texts have, or of a classifier the likeliest class.
   * @param {PassInput} pass
   * @param {PassInput} from
   * @param {ExplainTarget} [target]
   * @returns {{place: Target | 'vector', index?: number}}
   */
  patchTarget(pass, from, target) {
    const {maskedLm, nextToken, labels} = this.#encoder.heads;
    if (target === undefined && !maskedLm && !nextToken && labels > 0) return {place: {label: 0}};
    const place = this.explainTarget(pass, target);
    if (place === 'vector') return {place};
    if ('label' in place) return {place, index: place.label};
    const isBlank = pass.ids[place.token] === this.#tokenizer.maskId;
    if (isBlank && !place.masked) this.#requireBlank(from, place.token);
    return {place, index: place.id};
  }

  /**
   * @param {PassInput} from
   * @param {number} token
   */
  #requireBlank(from, token) {
    const {maskId, special} = this.#tokenizer;
    if (from.ids[token] === maskId) return;
    const found = this.#tokenizer.token(from.ids[token]);
    const message = `${this.#name}: expected ${special.mask} at the same place in both texts, token ${token}, found ${found} in the text to patch from`;
    throw new BertscopeError('bad-target', message);
  }

  /**
   * @param {PassInput} pass
   * @param {Method} method
   * @returns {Int32Array} The ids from which integrated gradients begin: all masked but the special
   *   ones. Other methods need none.
   */
  baselineOf(pass, method) {
    if (method !== 'integrated-gradients') return new Int32Array(0);
    const maskId = this.requireMask();
    const ids = Int32Array.from(pass.ids);
    for (const token of this.#ordinary(pass)) ids[token] = maskId;
    return ids;
  }

  /**
   * The tokens whose part in an answer can be tested by masking them.
   * @param {PassInput} pass
   * @param {Target | 'vector'} target
   */
  maskable(pass, target) {
    const own = target !== 'vector' && 'token' in target ? target.token : undefined;
    return this.#ordinary(pass).filter((token) => token !== own);
  }

  /**
   * @param {PassInput} pass
   * @returns {number[]} The tokens that are not special.
   */
  #ordinary({ids}) {
    const {begin, separator, mask, pad} = this.#tokenizer.special;
    const special = new Set([begin, separator, mask, pad]);
    return [...ids.keys()].filter((at) => !special.has(this.#tokenizer.token(ids[at])));
  }

  #labels() {
    return labelsOf(this.#configText, this.#encoder.heads.labels);
  }

  /** @param {string} name */
  #labelIndex(name) {
    this.#requireClassifier();
    const index = this.#labels().indexOf(name);
    if (index >= 0) return index;
    const labels = this.#labels().join(', ');
    const message = `${this.#name}: expected a class of ${labels}, found ${quote(name)}`;
    throw new BertscopeError('bad-target', message);
  }

  /** @param {unknown} word */
  #idOfWord(word) {
    const id = typeof word === 'string' ? this.#tokenizer.idOfWord(word) : undefined;
    if (id !== undefined) return id;
    const message = `${this.#name}: expected a word that is one token of the vocabulary, found ${quote(word)}`;
    throw new BertscopeError('bad-target', message);
  }

  get #layers() {
    return this.#encoder.config.layers;
  }

  get #vocabulary() {
    return this.#encoder.config.vocabulary;
  }

  /**
   * @param {Float32Array} logits
   * @param {number} topK
   * @returns {Candidate[]}
   */
  #candidates(logits, topK) {
    return softmaxTop(logits, topK).map(({index: id, probability}) => {
      const token = this.#tokenizer.token(id);
      return {token, id, probability, startsWord: this.#tokenizer.startsWord(token)};
    });
  }

  /** @param {Int32Array} ids */
  #firstBlank(ids) {
    this.#requireWordHead();
    if (this.#encoder.heads.nextToken) return ids.length - 1;
    const token = ids.indexOf(this.#tokenizer.maskId ?? -1);
    if (token >= 0) return token;
    const message = 'expected a target or a text with [MASK], found neither';
    throw new BertscopeError('bad-target', message);
  }

  #requireWordHead() {
    const {maskedLm, nextToken} = this.#encoder.heads;
    if (maskedLm || nextToken) return;
    const message = `${this.#name}: expected weights with a masked-LM head, found none`;
    throw new BertscopeError('no-masked-lm-head', message);
  }

  /** @returns {number} The id of the mask token. */
  requireMask() {
    const {maskId, special} = this.#tokenizer;
    if (maskId !== undefined) return maskId;
    const message = `${this.#name}: expected a vocabulary with ${special.mask}, found none`;
    throw new BertscopeError('no-mask-token', message);
  }

  #requireClassifier() {
    if (this.#encoder.heads.labels > 0) return;
    const message = `${this.#name}: expected weights with a sequence classifier, found none`;
    throw new BertscopeError('no-classifier', message);
  }

  /**
   * @param {string} what
   * @param {number} index
   * @param {number} count
   */
  #checkIndex(what, index, count) {
    if (Number.isInteger(index) && index >= 0 && index < count) return;
    const message = `${this.#name}: expected ${what} from 0 to ${count - 1}, found ${index}`;
    throw new BertscopeError('bad-target', message);
  }
}

/**
 * @param {string} configText `config.json`, whose `id2label` is optional.
 * @param {number} count
 */
function labelsOf(configText, count) {
  const {id2label} = parseJsonObject(configText, 'config.json', 'bad-config');
  const names = isRecord(id2label) ? id2label : {};
  return Array.from({length: count}, (_, index) => {
    const name = names[index];
    return typeof name === 'string' || typeof name === 'number' ? `${name}` : `LABEL_${index}`;
  });
}
