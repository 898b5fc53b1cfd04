/** A loaded model in the thread that runs it: tokenizer and encoder. */

import {lengthsOf, tokenizeBatch} from './batch.js';
import {BertscopeError} from './errors.js';
import {headEffects} from './head-effects.js';
import {collectHeadStatistics} from './head-statistics.js';
import {changesNothing, fitToText, parseInterventions} from './interventions.js';
import {writeSafetensors} from './safetensors.js';
import {softmaxTop} from './softmax-top.js';
import {classifyTokens} from './token-classes.js';

/** @import {BatchOptions, TokenBatch} from './batch.js' */
/** @import {Encoder, Pass, Quantity} from './encoder.js' */
/** @import {Target} from './head-effects.js' */
/** @import {HeadStatistics} from './head-statistics.js' */
/** @import {Tensor} from './lab.js' */
/** @import {Changes, Dropped, Interventions} from './interventions.js' */
/** @import {Encoding, Tokenizer} from './tokenizer.js' */
/** @import {WasmModule} from './wasm-module.d.ts' */

/**
 * @typedef {object} Shape
 * @property {number} layers
 * @property {number} heads
 * @property {number} headDim
 * @property {number} hiddenSize
 * @property {number} positions Longest text in tokens.
 */

/**
 * @typedef {object} AttendOptions
 * @property {string} [pair] A second sentence.
 * @property {boolean} [specialTokens] Put `[CLS]` and `[SEP]` around the text; true unless given.
 * @property {Interventions} [interventions] What the model is to do differently.
 */

/**
 * @typedef {Encoding & {pass: Pass, milliseconds: number, dropped: Dropped[]}} Attended `dropped`:
 *   interventions that the text leaves no room for.
 */

/**
 * @typedef {object} Prediction
 * @property {number} index Of the `[MASK]` among the tokens.
 * @property {{token: string, id: number, probability: number}[]} top Most likely first.
 */

/** Of the quantized file; the metadata says it, as a string. */
export const FORMAT = Object.freeze({format: 'bertscope-int8', version: '1'});

export class Model {
  #tokenizer;
  #configText;
  #module;
  /** @type {Encoder | undefined} Of passes with interventions. */
  #changed;
  /** @type {Encoder | undefined} Of many passes that nobody looks at. */
  #probe;

  /**
   * @param {Encoder} encoder
   * @param {Tokenizer} tokenizer
   * @param {string} configText `config.json`
   * @param {string} name
   * @param {Pick<WasmModule, 'Heads'>} module
   */
  constructor(encoder, tokenizer, configText, name, module) {
    this.encoder = encoder;
    this.#tokenizer = tokenizer;
    this.#configText = configText;
    this.#module = module;
    this.name = name;
    this.config = encoder.config;
    this.notes = encoder.notes;
    this.predictionHeads = encoder.heads;
    const {layers, heads, hiddenSize, positions} = encoder.config;
    /** @type {Shape} */
    this.shape = {layers, heads, headDim: hiddenSize / heads, hiddenSize, positions};
  }

  /**
   * @param {string} text Longer ones than the model has positions for are cut.
   * @param {AttendOptions} [options]
   * @param {AbortSignal} [signal]
   * @returns {Promise<Attended>}
   */
  async attend(text, {pair, specialTokens, interventions} = {}, signal) {
    const wanted = parseInterventions(interventions, this.shape);
    const maxTokens = this.shape.positions;
    const encoding = this.#tokenizer.encode(text, {pair, specialTokens, maxTokens});
    if (encoding.ids.length === 0) {
      throw new BertscopeError('empty-text', 'expected a text of at least one token, found none');
    }
    const {changes, dropped} = fitToText(wanted, encoding.ids.length);
    const batch = {
      ids: Int32Array.from(encoding.ids),
      tokenTypes: Int32Array.from(encoding.tokenTypeIds),
      lengths: Int32Array.of(encoding.ids.length),
      changes: changesNothing(changes) ? undefined : changes,
    };
    const run = await this.#encoderOf(batch).run(batch, signal);
    return {...encoding, ...run, dropped};
  }

  /**
   * @param {string[]} texts
   * @param {BatchOptions} [options]
   */
  tokenize(texts, options) {
    return tokenizeBatch(this.#tokenizer, texts, {...options, maxTokens: this.shape.positions});
  }

  /** @param {ArrayLike<number>} ids */
  decode(ids) {
    return this.#tokenizer.decode([...checkedIds(ids)]);
  }

  /**
   * @param {{shape: number[], data: ArrayLike<number>}} ids
   * @returns {Promise<Tensor>} `[...ids, hiddenSize]`: what the word embeddings hold for each id.
   */
  async embeddings({shape, data}) {
    const values = await this.encoder.wordEmbeddings(checkedIds(data));
    return {shape: [...shape, this.shape.hiddenSize], data: values};
  }

  /**
   * @param {TokenBatch} batch
   * @param {number} [index] 0 is after the embeddings, `i` after layer `i - 1`; the last unless given.
   * @param {AbortSignal} [signal]
   * @returns {Promise<Tensor>} `[texts, tokens, hiddenSize]`
   */
  async hiddenStates(batch, index = this.shape.layers, signal) {
    const {ids, tokenTypeIds} = batch;
    const lengths = lengthsOf(batch);
    const {pass} = await this.encoder.run(
      {ids: ids.data, tokenTypes: tokenTypeIds.data, lengths},
      signal,
    );
    const states = await Promise.all(
      [...lengths.keys()].map((text) => this.encoder.pull(pass, 'hiddenStates', [index], text)),
    );
    const data = new Float32Array(states.length * states[0].length);
    states.forEach((state, text) => data.set(state, text * state.length));
    return {shape: [...ids.shape, this.shape.hiddenSize], data};
  }

  /**
   * @param {Pass} pass
   * @param {Quantity} quantity
   * @param {number[]} indices
   */
  pull(pass, quantity, indices) {
    return this.#encoderOf(pass).pull(pass, quantity, indices);
  }

  /**
   * Before and after are both looked at: each kind of pass has a memory of its own.
   * @param {{changes?: Changes}} pass
   */
  #encoderOf({changes}) {
    if (!changes) return this.encoder;
    return (this.#changed ??= this.encoder.sibling());
  }

  /**
   * What the masked-LM head expects in place of each `[MASK]`.
   * @param {Pass} pass
   * @param {number} [topK]
   * @returns {Promise<Prediction[]>}
   */
  async predictions(pass, topK = 5) {
    this.#requireMaskedLm();
    const masks = [...pass.ids.keys()].filter((at) => pass.ids[at] === this.#tokenizer.maskId);
    const predictions = [];
    for (const index of masks) {
      const logits = await this.pull(pass, 'maskedLmLogits', [this.shape.layers, index]);
      const top = softmaxTop(logits, topK).map(({index: id, probability}) => ({
        token: this.#tokenizer.token(id),
        id,
        probability,
      }));
      predictions.push({index, top});
    }
    return predictions;
  }

  /**
   * @param {Pass} pass
   * @returns {Promise<HeadStatistics>}
   */
  headStatistics(pass) {
    const tokens = Array.from(pass.ids, (id) => this.#tokenizer.token(id));
    const classes = classifyTokens(tokens, this.#tokenizer.special);
    return collectHeadStatistics(this.#module, this.shape, (heads) =>
      this.#encoderOf(pass).addTo(pass, heads, classes),
    );
  }

  /**
   * @param {Pass} pass
   * @param {Target | undefined} target
   * @param {{signal?: AbortSignal, onProgress?: (progress: {done: number, total: number}) => void}} [options]
   */
  headEffects(pass, target, options) {
    this.#probe ??= this.encoder.sibling();
    return headEffects(this.#probe, pass, this.#resolveTarget(pass, target), options);
  }

  #requireMaskedLm() {
    if (this.predictionHeads.maskedLm) return;
    const message = `${this.name}: expected weights with a masked-LM head, found none`;
    throw new BertscopeError('no-masked-lm-head', message);
  }

  /**
   * @param {Pass} pass
   * @param {Target | undefined} target
   * @returns {Target}
   */
  #resolveTarget({ids}, target = {token: ids.indexOf(this.#tokenizer.maskId ?? -1)}) {
    const {vocabulary} = this.config;
    const {labels} = this.predictionHeads;
    /** @param {string} what @param {number} index @param {number} count */
    const check = (what, index, count) => {
      if (Number.isInteger(index) && index >= 0 && index < count) return;
      const message = `${this.name}: expected ${what} from 0 to ${count - 1}, found ${index}`;
      throw new BertscopeError('bad-target', message);
    };
    if ('label' in target) {
      if (labels === 0) {
        const message = `${this.name}: expected weights with a sequence classifier, found none`;
        throw new BertscopeError('no-classifier', message);
      }
      check('a class', target.label, labels);
      return target;
    }
    this.#requireMaskedLm();
    if (target.token === -1) {
      const message = 'expected a target or a text with [MASK], found neither';
      throw new BertscopeError('bad-target', message);
    }
    check('a token of the text', target.token, ids.length);
    if (target.id !== undefined) check('an entry of the vocabulary', target.id, vocabulary);
    return target;
  }

  /** The quantized file, in parts to be written one after the other; int8 models only. */
  quantizedFile() {
    const tensors = this.encoder.tensors();
    return writeSafetensors(tensors, (index) => this.encoder.tensorBytes(index), {
      ...FORMAT,
      'config.json': this.#configText,
      ...this.#tokenizer.files,
    });
  }

  dispose() {
    for (const encoder of [this.encoder, this.#changed, this.#probe]) encoder?.dispose();
  }
}

/**
 * Others would be rounded or wrap around on their way into wasm.
 * @param {ArrayLike<number>} ids
 */
function checkedIds(ids) {
  const checked = Int32Array.from(ids);
  const wrong = checked.findIndex((id, index) => id !== ids[index] || id < 0);
  if (wrong < 0) return checked;
  const message = `expected whole numbers from 0 as token ids, found ${ids[wrong]}`;
  throw new BertscopeError('bad-index', message);
}
