/** What the prediction heads of a model say about a pass: words in place of tokens, and classes. */

import {BertscopeError} from '../errors.js';
import {parseJsonObject, isRecord, quote} from '../json.js';
import {logSoftmax, softmaxTop} from './softmax-top.js';

/** @import {Encoder, PassInput, Quantity} from './encoder.js' */
/** @import {Explanation, ExplainTarget} from './explanations.js' */
/** @import {Target} from './head-effects.js' */
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
 * @property {number} index The index of the `[MASK]` among the tokens.
 * @property {Candidate[]} top The most likely tokens, the likeliest first.
 */

/**
 * @typedef {object} Surprise How unexpected a token is, given the rest of its text.
 * @property {number} index The index of the token.
 * @property {number} probability The token's probability when it alone is masked.
 * @property {number} bits -log₂ of the probability. The sum over a sentence is the
 *   pseudo-log-likelihood of Salazar et al. 2020, "Masked Language Model Scoring", equation 2, with
 *   another sign and unit.
 * @property {Candidate[]} top The tokens that were expected most.
 */

/** @typedef {{label: string, logit: number, probability: number}} Class */

/** Enough rows to make good use of the kernels, few enough to let an abort in soon. */
const ROWS_AT_ONCE = 128;

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
   * Lists the tokens that are expected in place of each `[MASK]`.
   * @param {PassInput} pass
   * @param {number} [topK]
   */
  async ofMasks(pass, topK = 5) {
    this.#requireMaskedLm();
    const masks = [...pass.ids.keys()].filter((at) => pass.ids[at] === this.#tokenizer.maskId);
    /** @type {Prediction[]} */
    const predictions = [];
    for (const index of masks) {
      const logits = await this.#pull(pass, 'maskedLmLogits', [this.#layers, index]);
      predictions.push({index, top: this.#candidates(logits, topK)});
    }
    return predictions;
  }

  /**
   * Applies the masked-LM head to a token's hidden state at every layer (nostalgebraist 2020,
   * "interpreting GPT: the logit lens"). The head was trained on the last layer's states only: what
   * it reads from earlier ones shows when a prediction takes shape, not what those layers "think".
   * @param {PassInput} pass
   * @param {number} token
   * @param {number} [topK]
   * @returns {Promise<Candidate[][]>} Index 0: after the embeddings; `i`: after layer `i - 1`.
   */
  async atEveryLayer(pass, token, topK = 5) {
    this.#requireMaskedLm();
    const layers = [];
    for (let index = 0; index <= this.#layers; index++) {
      const logits = await this.#pull(pass, 'maskedLmLogits', [index, token]);
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
    this.#requireMaskedLm();
    for (const id of ids) this.#checkIndex('an entry of the vocabulary', id, this.#vocabulary);
    const logits = await this.#pull(pass, 'maskedLmLogits', [this.#layers, token]);
    return Float32Array.from(ids, (id) => Math.exp(logSoftmax(logits, id)));
  }

  /**
   * Masks each token in a copy of the text of its own. Several copies are run at once.
   * @param {Encoder} probe
   * @param {PassInput} pass
   * @param {object} [options]
   * @param {number} [options.topK]
   * @param {AbortSignal} [options.signal]
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts tokens.
   * @returns {Promise<Surprise[]>} One for each token that is not special.
   */
  async surprise(probe, pass, {topK = 5, signal, onProgress} = {}) {
    this.#requireMaskedLm();
    const maskId = this.#requireMask();
    const {begin, separator, mask, pad} = this.#tokenizer.special;
    const tokens = [...pass.ids.keys()].filter(
      (at) => ![begin, separator, mask, pad].includes(this.#tokenizer.token(pass.ids[at])),
    );
    const atOnce = Math.max(1, Math.floor(ROWS_AT_ONCE / pass.ids.length));
    return probe.work(async ({run, read}) => {
      /** @type {Surprise[]} */
      const surprises = [];
      for (let from = 0; from < tokens.length; from += atOnce) {
        const masked = tokens.slice(from, from + atOnce);
        await run(withMasks(pass, masked, maskId));
        for (const [sequence, index] of masked.entries()) {
          const logits = read('maskedLmLogits', [this.#layers, index], sequence);
          const log = logSoftmax(logits, pass.ids[index]);
          const top = this.#candidates(logits, topK);
          surprises.push({index, probability: Math.exp(log), bits: -log / Math.LN2, top});
        }
        onProgress?.({done: surprises.length, total: tokens.length});
      }
      return surprises;
    }, signal);
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
   * @returns {Target} The target, after it was checked; by default the first `[MASK]`.
   */
  target({ids}, target = {token: ids.indexOf(this.#tokenizer.maskId ?? -1)}) {
    if ('label' in target) {
      this.#requireClassifier();
      this.#checkIndex('a class', target.label, this.#encoder.heads.labels);
      return target;
    }
    this.#requireMaskedLm();
    if (target.token === -1) {
      const message = 'expected a target or a text with [MASK], found neither';
      throw new BertscopeError('bad-target', message);
    }
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
    this.#requireMaskedLm();
    return this.target(pass, {token, id: this.#idOfWord(word), masked});
  }

  /**
   * @param {Target | 'vector'} target
   * @param {number} [id] That of the word.
   * @returns {Explanation['target']} With names for its numbers.
   */
  named(target, id = 0) {
    if (target === 'vector') return target;
    if ('label' in target) return {label: target.label, name: this.#labels()[target.label]};
    return {token: target.token, id, word: this.#tokenizer.token(id)};
  }

  /**
   * The pass that the target is read from. Its token is masked if the target asks for that.
   * @param {PassInput} pass
   * @param {Target} target
   * @returns {Omit<PassInput, 'id'>}
   */
  passOf(pass, target) {
    const isMasked = 'token' in target && target.masked;
    return isMasked ? withMasks(pass, [target.token], this.#requireMask()) : pass;
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

  #requireMaskedLm() {
    if (this.#encoder.heads.maskedLm) return;
    const message = `${this.#name}: expected weights with a masked-LM head, found none`;
    throw new BertscopeError('no-masked-lm-head', message);
  }

  /** @returns {number} The id of the mask token. */
  #requireMask() {
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
 * @param {PassInput} pass
 * @param {number[]} tokens The token to mask in each sequence of the batch.
 * @param {number} maskId
 */
function withMasks({ids, tokenTypes, changes}, tokens, maskId) {
  const size = ids.length;
  const batch = {
    ids: new Int32Array(tokens.length * size),
    tokenTypes: new Int32Array(tokens.length * size),
    lengths: new Int32Array(tokens.length).fill(size),
    changes,
  };
  tokens.forEach((token, sequence) => {
    batch.ids.set(ids, sequence * size);
    batch.ids[sequence * size + token] = maskId;
    batch.tokenTypes.set(tokenTypes, sequence * size);
  });
  return batch;
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
