/** A model that runs in the worker, as pages use it. */

import {proxy} from 'comlink';
import {modelTree} from './model-tree.js';
import {refuseOptions} from '../options.js';
import {Result} from './remote-result.js';

/** @import {BatchOptions, TokenBatch} from '../text/token-batch.js' */
/** @import {KeptModel} from '../files/model-store.js' */
/** @import {HeadEffects, Target} from '../host/head-effects.js' */
/** @import {HeadGuide} from '../host/head-guide.js' */
/** @import {Tensor, TensorLike} from '../lab/lab.js' */
/** @import {AttendOptions, Shape} from '../host/model.js' */
/** @import {UnusedHead} from '../files/model-config.js' */
/** @import {Untrained, UntrainedOptions} from '../lab/untrained-model.js' */
/** @import {ModelConfig, PredictionHeads} from '../wasm-module.d.ts' */
/** @import {WorkerLine} from './worker-line.js' */

/**
 * @typedef {object} Loaded
 * @property {string} source Under which it is kept.
 * @property {number} id
 * @property {string} name
 * @property {ModelConfig} config
 * @property {Shape} shape
 * @property {string[]} notes
 * @property {PredictionHeads} predictionHeads
 * @property {UnusedHead | null} unusedHead
 * @property {string | null} maskToken
 * @property {boolean} isByteLevel
 */

/** A model that is loaded: runs texts, and tells what it is made of. */
export class Model {
  #line;
  #id;

  /**
   * @param {WorkerLine} line
   * @param {Loaded} loaded
   */
  constructor(line, {id, source, name, config, shape, notes, ...others}) {
    const {predictionHeads, unusedHead, maskToken, isByteLevel} = others;
    this.#line = line;
    this.#id = id;
    /** Under which it is kept, and then opened again. */
    this.source = source;
    this.name = name;
    this.config = config;
    this.shape = shape;
    /** What was ignored while loading, one sentence each. */
    this.notes = notes;
    this.predictionHeads = predictionHeads;
    /** What it was trained to label and does not label here, `tokens` of a model of names; or null. */
    this.unusedHead = unusedHead;
    /** What stands for a masked word in a text; null without one. */
    this.maskToken = maskToken;
    /** Whether each sign of a token stands for one byte of UTF-8, as in GPT-2: `Ġcaf`, `Ã©`. */
    this.isByteLevel = isByteLevel;
  }

  /**
   * Runs a text. Passes of one model run one after the other; abort the ones nobody waits for.
   * @param {string} text
   * @param {AttendOptions & {signal?: AbortSignal}} [options]
   * @returns {Promise<Result>}
   */
  async attend(text, {signal, pair, specialTokens, interventions, ...others} = {}) {
    refuseOptions('attend', others, 'pair, specialTokens, interventions and signal');
    const attended = await this.#line.call(
      (host, call) => host.attend(call, this.#id, text, {pair, specialTokens, interventions}),
      signal,
    );
    return new Result(this.#line, this.#id, attended, {text, pair});
  }

  /**
   * Several texts as one batch; longer ones than the model has positions for are cut.
   * @param {string[]} texts
   * @param {BatchOptions} [options]
   * @returns {Promise<TokenBatch>}
   */
  async tokenize(texts, {padding, specialTokens, ...others} = {}) {
    refuseOptions('tokenize', others, 'padding and specialTokens');
    return this.#line.call((host) => host.tokenize(this.#id, texts, {padding, specialTokens}));
  }

  /**
   * @param {ArrayLike<number>} ids
   * @returns {Promise<string>} Their text, special tokens included.
   */
  decode(ids) {
    return this.#line.call((host) => host.decode(this.#id, ids));
  }

  /**
   * What the word embeddings hold for token ids, before positions, token types and layer norm.
   * @param {TensorLike} ids Of any shape.
   * @returns {Promise<Tensor>} `[...ids, hiddenSize]`
   */
  embeddings(ids) {
    return this.#line.call((host) => host.embeddings(this.#id, ids));
  }

  /**
   * Runs a batch. Tokens of the padding have hidden states too, which mean nothing.
   * @param {TokenBatch} batch As `tokenize` gives it.
   * @param {{index?: number, signal?: AbortSignal}} [options] Index 0 is after the embeddings, `i`
   *   after layer `i - 1`; the last unless given.
   * @returns {Promise<Tensor>} `[texts, tokens, hiddenSize]`
   */
  async hiddenStates(batch, {index, signal, ...others} = {}) {
    refuseOptions('hiddenStates', others, 'index and signal');
    return this.#line.call((host, call) => host.hiddenStates(call, this.#id, batch, index), signal);
  }

  /**
   * What the model made of a text before it had learned anything: embeddings, encoder and perhaps a
   * classifier of its shape with random weights, as `engine.lab` has them, in one call.
   * @param {string} text
   * @param {UntrainedOptions & {signal?: AbortSignal}} options
   * @returns {Promise<Untrained>}
   */
  async untrained(text, {seed, layers, labels, specialTokens, signal, ...others}) {
    refuseOptions('untrained', others, 'seed, layers, labels, specialTokens and signal');
    const options = {seed, layers, labels, specialTokens};
    return this.#line.call((host, call) => host.untrained(call, this.#id, text, options), signal);
  }

  /** The model's modules with the shapes of their weights. */
  tree() {
    return modelTree(this.config, this.predictionHeads);
  }

  /**
   * Switches off each head in turn, all else being as in the result, and tells what that does to one
   * prediction. Runs beside other passes; abort it when nobody waits for it.
   * @param {string | Result} of A text to attend to, or a result of this model.
   * @param {object} [options]
   * @param {Target} [options.target] The first `[MASK]` and what is expected there, unless given.
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] In heads.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<HeadEffects>}
   */
  async headEffects(of, {target, onProgress, signal, ...others} = {}) {
    refuseOptions('headEffects', others, 'target, onProgress and signal');
    const result = typeof of === 'string' ? await this.attend(of, {signal}) : of;
    const report = onProgress ? proxy(onProgress) : null;
    return this.#line.call(
      (host, call) => host.headEffects(call, this.#id, Result.passOf(result), target, report),
      signal,
    );
  }

  /**
   * Keeps the quantized model in this browser, for a visit without the network.
   * @returns {Promise<KeptModel>} Rejected with the code `storage-full` where there is no room.
   */
  keep() {
    return this.#line.call((host) => host.keep(this.#id, this.source));
  }

  /**
   * What every head does on average over many sentences, and which heads do the same. Runs beside
   * other passes.
   * @param {object} [options]
   * @param {string[]} [options.sentences] Two hundred everyday ones unless given.
   * @param {boolean} [options.similar] Whether to measure how alike the heads are; true unless given.
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] In sentences.
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<HeadGuide>}
   */
  async headGuide({sentences, similar, onProgress, signal, ...others} = {}) {
    refuseOptions('headGuide', others, 'sentences, similar, onProgress and signal');
    const texts = sentences ?? (await import('./everyday-sentences.js')).everydaySentences;
    const options = {sentences: texts, similar};
    const report = onProgress ? proxy(onProgress) : null;
    return this.#line.call((host, call) => host.headGuide(call, this.#id, options, report), signal);
  }

  dispose() {
    // Nothing waits for it, and after `engine.dispose()` there is nothing left to free.
    this.#line.call((host) => host.dispose(this.#id)).catch(() => {});
  }
}
