/** A loaded model in the thread that runs it: a tokenizer and an encoder. */

import {isShape, lengthsOf, tokenizeBatch} from '../text/token-batch.js';
import {poolsSentences} from '../files/model-config.js';
import {unusedHeadOf} from '../files/trained-task.js';
import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {checkedIds} from './checked-ids.js';
import {Encoders} from './encoders.js';
import {changesNothing, fitToText, parseInterventions} from '../interventions.js';
import {quote} from '../json.js';
import {checkRefs} from './matrix-refs.js';
import {PassAnalyses} from './pass-analyses.js';
import {stepsToAll} from './pass-steps.js';
import {Predictions} from './predictions.js';
import {quantizedFileOf} from './quantized-file.js';
import {Targets} from './targets.js';
import {Writing} from './writing.js';
import {shapeOf} from './model-shape.js';

/** @import {BatchOptions, TokenBatch} from '../text/token-batch.js' */
/** @import {ModelShape} from './model-shape.js' */
/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {Quantity} from './held-trace.js' */
/** @import {Changes, Dropped, Interventions} from '../interventions.js' */
/** @import {Tensor} from '../lab/lab-types.js' */
/** @import {MatrixRef} from '../measures.js' */
/** @import {Encoding, Tokenizer} from '../text/tokenizer.js' */
/** @import {WasmModule} from '../wasm-module.d.ts' */

/**
 * @typedef {object} AttendOptions
 * @property {string} [pair] A second sentence.
 * @property {boolean} [specialTokens] Whether to put `[CLS]` and `[SEP]`, or what the model has in
 *   their place, around the text; the default is true.
 * @property {readonly number[]} [ids] The tokens of a single text, without special ones around it, where its tokenizer
 *   would divide it otherwise: a text that the model has written. They have to spell the text.
 * @property {Interventions} [interventions] What the model is to do differently.
 * @property {readonly MatrixRef[]} [matrices] Matrices that come with the answer, in one message. The
 *   pass is run only as far as they need, and further when more is asked of it.
 */

/**
 * @typedef {Encoding & {pass: PassInput, milliseconds: number, threads: number, dropped: Dropped[], matrices: Float32Array[]}} Attended
 *   `dropped` lists the interventions that do not fit the text.
 */

export class LoadedModel {
  #tokenizer;
  #files;
  #encoders;
  /**
   * @param {Encoder} encoder
   * @param {Tokenizer} tokenizer
   * @param {Record<string, string>} files The texts beside the weights, by file name.
   * @param {string} name
   * @param {Pick<WasmModule, 'ContinuedText' | 'Explanation' | 'Flow' | 'Heads'>} module
   */
  constructor(encoder, tokenizer, files, name, module) {
    const {'config.json': configText, 'modules.json': modules} = files;
    this.encoder = encoder;
    this.#encoders = new Encoders(encoder);
    this.#tokenizer = tokenizer;
    this.name = name;
    this.config = encoder.config;
    this.notes = encoder.notes;
    this.predictionHeads = encoder.heads;
    /** The head that the model was trained with and that is not run here; null if there is none. */
    this.unusedHead = unusedHeadOf(configText, name);
    /** Whether it was trained to give one vector per sentence. */
    this.givesSentenceVectors = poolsSentences(modules);
    this.#files = filesOf(files, tokenizer, this.givesSentenceVectors);
    /** The token that stands for a masked word in a text; null if the vocabulary has none. */
    this.maskToken = tokenizer.maskId === undefined ? null : tokenizer.special.mask;
    this.isByteLevel = tokenizer.isByteLevel;
    this.shape = shapeOf(encoder.config);
    const targets = new Targets(name, encoder, tokenizer, configText);
    const predict = new Predictions(name, encoder, tokenizer, targets, this.pull.bind(this));
    this.predict = predict;
    this.predictions = predict.ofPlaces.bind(predict);
    this.logitLens = predict.atEveryLayer.bind(predict);
    this.probabilities = predict.probabilities.bind(predict);
    this.classes = predict.classes.bind(predict);
    this.tokenClasses = predict.tokenClasses.bind(predict);
    this.namedSpans = predict.namedSpans.bind(predict);
    const batchOf = (/** @type {string} */ text) => this.#batchOf(text);
    const analyses = new PassAnalyses(this, module, this.#encoders, targets, tokenizer, batchOf);
    this.measure = analyses.measure.bind(analyses);
    this.headStatistics = analyses.headStatistics.bind(analyses);
    this.strongestLinks = analyses.strongestLinks.bind(analyses);
    this.tokenLinks = analyses.tokenLinks.bind(analyses);
    this.headGuide = analyses.headGuide.bind(analyses);
    this.wordLinks = analyses.wordLinks.bind(analyses);
    this.copyingHeads = analyses.copyingHeads.bind(analyses);
    this.explain = analyses.explain.bind(analyses);
    this.explainWritten = analyses.explainWritten.bind(analyses);
    this.baselineOfWritten = analyses.baselineOfWritten.bind(analyses);
    this.logitAttribution = analyses.logitAttribution.bind(analyses);
    this.headEffects = analyses.headEffects.bind(analyses);
    this.patch = analyses.patch.bind(analyses);
    this.deletionCurve = analyses.deletionCurve.bind(analyses);
    this.similarity = analyses.similarity.bind(analyses);
    this.sentenceSimilarity = analyses.sentenceSimilarity.bind(analyses);
    /** Calls a function with the encoder that holds a pass. */
    this.ask = this.#encoders.ask.bind(this.#encoders);
    const writing = new Writing(name, tokenizer, module, this.ask);
    this.writing = writing;
    this.generate = writing.generate.bind(writing);
    this.translate = writing.translate.bind(writing);
    this.explainTranslation = writing.explainTranslation.bind(writing);
    this.ofDecoder = writing.ofDecoder.bind(writing);
  }

  /** Writes what this model, as the encoder of an encoder-decoder, has read; undefined of other models. */
  get translator() {
    return this.writing.translator;
  }

  /** Goes to the page with the model's handle. */
  get description() {
    const {name, config, shape, notes, predictionHeads, unusedHead} = this;
    const {givesSentenceVectors, maskToken, isByteLevel} = this;
    const trained = {predictionHeads, unusedHead, givesSentenceVectors};
    /** @type {ModelShape | null} */
    const decoderShape = this.translator?.decoder.shape ?? null;
    return {name, config, shape, notes, ...trained, maskToken, isByteLevel, decoderShape};
  }

  /**
   * @param {string} text It is cut off after as many tokens as the model has positions for.
   * @param {AttendOptions & {signal?: AbortSignal}} [options]
   * @returns {Promise<Attended>}
   */
  async attend(text, {interventions, matrices = [], signal, ...options} = {}) {
    checkRefs(matrices);
    const wanted = parseInterventions(interventions, this.shape);
    const steps = matrices.length > 0 ? stepsToAll(matrices, this.shape.layers) : undefined;
    const attended = await this.attendWith(wanted, text, {...options, signal, steps});
    return {...attended, matrices: await this.matrices(attended.pass, matrices, {signal})};
  }

  /**
   * @param {Changes} wanted
   * @param {string} text
   * @param {{pair?: string, specialTokens?: boolean, ids?: readonly number[], signal?: AbortSignal, steps?: number}} options
   *   `steps`: as `Encoder.run` takes them.
   * @returns {Promise<Attended>}
   */
  async attendWith(wanted, text, {signal, steps, ...options}) {
    const {encoding, batch} = this.#batchOf(text, options);
    const {changes, dropped} = fitToText(wanted, encoding.ids.length, this.config.isCausal);
    const run = await this.run({...batch, changes}, signal, steps);
    return {...encoding, ...run, dropped, matrices: []};
  }

  /**
   * @param {Omit<PassInput, 'id'> & {changes: Changes}} batch
   * @param {AbortSignal} [signal]
   * @param {number} [steps]
   */
  run({changes, ...batch}, signal, steps) {
    /** @type {Omit<PassInput, 'id'>} */
    const changed = changesNothing(changes) ? batch : {...batch, changes};
    return this.#encoders.of(changed).run(changed, signal, steps);
  }

  /**
   * @param {string} text
   * @param {{pair?: string, specialTokens?: boolean, ids?: readonly number[]}} [options]
   */
  #batchOf(text, {ids: given, ...options} = {}) {
    const maxTokens = this.shape.positions;
    const ids = given && checkedIds(given);
    const encoding = this.#tokenizer.encode(text, {...options, ids, maxTokens});
    if (encoding.ids.length === 0) {
      throw new BertscopeError('empty-text', 'expected a text of at least one token, found none');
    }
    const tokenTypeIds = this.#knownTypes(encoding.tokenTypeIds);
    /** @type {Omit<PassInput, 'id'>} */
    const batch = {
      ids: Int32Array.from(encoding.ids),
      tokenTypes: Int32Array.from(tokenTypeIds),
      lengths: Int32Array.of(encoding.ids.length),
    };
    return {encoding: {...encoding, tokenTypeIds}, batch};
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
   * @returns {Promise<Tensor>} `[...ids, width]`: the word embedding of each id. The width is the
   *   hidden size, or the embedding size in a model that projects embeddings to the hidden size.
   */
  async embeddings(ids) {
    const {shape, data} = ids ?? {};
    const checked = checkedIds(data);
    if (!isShape(shape) || shape.reduce((a, b) => a * b, 1) !== checked.length) {
      const message = `expected a shape for ${checked.length} token ids, found ${quote(shape)}`;
      throw new BertscopeError('bad-batch', message);
    }
    const values = await this.encoder.wordEmbeddings(checked);
    const width = this.config.embeddingSize || this.shape.hiddenSize;
    return {shape: [...shape, width], data: values};
  }

  /**
   * @param {TokenBatch} batch
   * @param {{index?: number, signal?: AbortSignal}} [options] Index 0 is the embeddings' output and
   *   index `i` that of layer `i - 1`; the default is the last layer's.
   * @returns {Promise<Tensor>} `[texts, tokens, hiddenSize]`
   */
  async hiddenStates(batch, {index = this.shape.layers, signal} = {}) {
    const lengths = lengthsOf(batch ?? {});
    const {ids, tokenTypeIds} = batch;
    const {pass} = await this.encoder.run(
      {ids: ids.data, tokenTypes: this.#knownTypes(tokenTypeIds.data), lengths},
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
   * A model without token types gets zeros, whatever its tokenizer says.
   * @template {number[] | Int32Array} T
   * @param {T} types
   * @returns {T}
   */
  #knownTypes(types) {
    return this.config.tokenTypes > 1 ? types : /** @type {T} */ (types.map(() => 0));
  }

  /**
   * @param {PassInput} pass
   * @param {Quantity} quantity
   * @param {number[]} indices
   */
  async pull(pass, quantity, indices) {
    return this.#encoders.ask(pass, (encoder) => encoder.pull(pass, quantity, indices));
  }

  /**
   * Several matrices in one answer.
   * @param {PassInput} pass
   * @param {readonly MatrixRef[]} wanted
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<Float32Array[]>} In the order of `wanted`.
   */
  async matrices(pass, wanted, {signal} = {}) {
    checkRefs(wanted);
    const pulled = [];
    for (const {kind, measure = 'weight', layer, head} of wanted) {
      await yieldIfDue(signal);
      const matrix =
        kind === 'attention'
          ? this.measure(pass, measure, layer, head, {signal})
          : this.pull(pass, kind, [layer, head]);
      pulled.push(await matrix);
    }
    return pulled;
  }

  /**
   * @param {PassInput} pass
   * @param {number} layer
   * @returns {Promise<Float32Array>} `[heads * tokens * tokens]`
   */
  async layerAttention(pass, layer) {
    const heads = Array.from({length: this.shape.heads}, (_, head) => head);
    const each = await Promise.all(
      heads.map((head) => this.pull(pass, 'attention', [layer, head])),
    );
    const whole = new Float32Array(heads.length * each[0].length);
    each.forEach((weights, head) => whole.set(weights, head * weights.length));
    return whole;
  }

  /**
   * Masks each token in turn and measures how unexpected it is.
   * @param {PassInput} pass
   * @param {{topK?: number, signal?: AbortSignal, onProgress?: (progress: {done: number, total:
   *   number}) => void}} [options]
   */
  surprise(pass, options) {
    return this.predict.surprise(this.#encoders.probe, pass, options);
  }

  /** The parts of the quantized file, in their order. The weights must be int8. */
  quantizedFile() {
    return quantizedFileOf(this.encoder, this.translator?.decoder.encoder, this.#files);
  }

  dispose() {
    this.#encoders.dispose();
    this.translator?.decoder.dispose();
  }
}

/**
 * A quantized file contains what is known of its model.
 * @param {Record<string, string>} files The texts beside the weights.
 * @param {Tokenizer} tokenizer
 * @param {boolean} givesSentenceVectors
 */
function filesOf(files, tokenizer, givesSentenceVectors) {
  const {'modules.json': modules, 'generation_config.json': generation} = files;
  const {'target_tokenizer.json': target} = files;
  return {
    'config.json': files['config.json'],
    ...(givesSentenceVectors && {'modules.json': modules}),
    ...(generation !== undefined && {'generation_config.json': generation}),
    ...(target !== undefined && {'target_tokenizer.json': target}),
    ...tokenizer.files,
  };
}
