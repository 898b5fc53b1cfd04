/** A loaded model in the thread that runs it: a tokenizer and an encoder. */

import {isShape, lengthsOf, tokenizeBatch} from '../text/token-batch.js';
import {poolsSentences, unusedHeadOf} from '../files/model-config.js';
import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {checkedIds} from './checked-ids.js';
import {Encoders} from './encoders.js';
import {collectHeads} from './head-guide.js';
import {changesNothing, fitToText, parseInterventions} from '../interventions.js';
import {quote} from '../json.js';
import {lazily} from '../lazy-part.js';
import {measureOf} from './measured-weights.js';
import {stepsToAll} from './pass-steps.js';
import {Predictions} from './predictions.js';
import {quantizedFileOf} from './quantized-file.js';
import {Targets} from './targets.js';
import {classifyTokens} from '../text/token-classes.js';
import {cosine, rowsOf} from './vectors.js';
import {Writing} from './writing.js';

/** @import {BatchOptions, TokenBatch} from '../text/token-batch.js' */
/** @import {Encoder, PassInput, Quantity} from './encoder.js' */
/** @import {DeletionOptions} from './deletion-curve.js' */
/** @import {Explanation, ExplainTarget} from './explanations.js' */
/** @import {Target} from './head-effects.js' */
/** @import {HeadGuide} from './head-guide.js' */
/** @import {LinkedWords, WordLinkOptions} from './word-links.js' */
/** @import {PatchOptions} from './patch-map.js' */
/** @import {Changes, Dropped, Interventions} from '../interventions.js' */
/** @import {Tensor} from '../lab/lab.js' */
/** @import {MatrixRef, Measure} from '../measures.js' */
/** @import {Method} from '../methods.js' */
/** @import {Encoding, Tokenizer} from '../text/tokenizer.js' */
/** @import {WasmHeads, WasmModule} from '../wasm-module.d.ts' */

const analyses = () => lazily(() => import('./analyses.js'));

/**
 * @typedef {object} ModelShape
 * @property {number} layers
 * @property {number} heads
 * @property {number} headDim
 * @property {number} hiddenSize
 * @property {number} positions The greatest number of tokens of a text.
 */

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
  #module;
  #encoders;
  #targets;
  /**
   * @param {Encoder} encoder
   * @param {Tokenizer} tokenizer
   * @param {Record<string, string>} files The texts beside the weights, by file name.
   * @param {string} name
   * @param {Pick<WasmModule, 'ContinuedText' | 'Explanation' | 'Flow' | 'Heads'>} module
   */
  constructor(encoder, tokenizer, files, name, module) {
    const configText = files['config.json'];
    const {'modules.json': modules, 'generation_config.json': generation} = files;
    const {'target_tokenizer.json': target} = files;
    this.encoder = encoder;
    this.#encoders = new Encoders(encoder);
    this.#tokenizer = tokenizer;
    this.#module = module;
    this.name = name;
    this.config = encoder.config;
    this.notes = encoder.notes;
    this.predictionHeads = encoder.heads;
    /** The head that the model was trained with and that is not run here; null if there is none. */
    this.unusedHead = unusedHeadOf(configText, name);
    /** Whether it was trained to give one vector per sentence. */
    this.givesSentenceVectors = poolsSentences(modules);
    // A quantized file contains what is known of its model.
    this.#files = {
      'config.json': configText,
      ...(this.givesSentenceVectors && {'modules.json': modules}),
      ...(generation !== undefined && {'generation_config.json': generation}),
      ...(target !== undefined && {'target_tokenizer.json': target}),
      ...tokenizer.files,
    };
    /** The token that stands for a masked word in a text; null if the vocabulary has none. */
    this.maskToken = tokenizer.maskId === undefined ? null : tokenizer.special.mask;
    this.isByteLevel = tokenizer.isByteLevel;
    const {layers, heads, hiddenSize, positions} = encoder.config;
    /** @type {ModelShape} */
    this.shape = {layers, heads, headDim: hiddenSize / heads, hiddenSize, positions};
    const targets = new Targets(name, encoder, tokenizer, configText);
    this.#targets = targets;
    const predict = new Predictions(name, encoder, tokenizer, targets, this.pull.bind(this));
    this.predict = predict;
    this.predictions = predict.ofPlaces.bind(predict);
    this.logitLens = predict.atEveryLayer.bind(predict);
    this.probabilities = predict.probabilities.bind(predict);
    this.classes = predict.classes.bind(predict);
    const writing = new Writing(name, tokenizer, module, this.#encoders.ask.bind(this.#encoders));
    this.writing = writing;
    this.generate = writing.generate.bind(writing);
    this.translate = writing.translate.bind(writing);
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
   * @param {PassInput} pass
   * @param {{similar?: boolean}} [options]
   */
  headStatistics(pass, options) {
    const classes = this.#classesOf(pass);
    const add = (/** @type {WasmHeads} */ heads) =>
      this.#encoders.ask(pass, (encoder) => encoder.addTo(pass, heads, classes));
    return collectHeads(this.#module, this.shape, add, options);
  }

  /**
   * @param {object} options
   * @param {string[]} options.sentences
   * @param {boolean} [options.similar]
   * @param {AbortSignal} [options.signal]
   * @param {(progress: {done: number, total: number}) => void} [options.onProgress] Counts
   *   sentences.
   * @returns {Promise<HeadGuide>} The means over all sentences.
   */
  async headGuide({sentences, similar = true, signal, onProgress}) {
    if (!Array.isArray(sentences)) {
      const message = `expected a list of sentences, found ${quote(sentences)}`;
      throw new BertscopeError('bad-option', message);
    }
    const probe = this.#encoders.probe;
    const add = async (/** @type {WasmHeads} */ heads) => {
      for (const [index, sentence] of sentences.entries()) {
        const {pass} = await probe.run(this.#batchOf(sentence).batch, signal);
        await probe.addTo(pass, heads, this.#classesOf(pass));
        onProgress?.({done: index + 1, total: sentences.length});
      }
    };
    return collectHeads(this.#module, this.shape, add, {similar});
  }

  /**
   * @param {string} text
   * @param {WordLinkOptions & {signal?: AbortSignal}} options
   * @returns {Promise<LinkedWords>}
   */
  async wordLinks(text, {signal, ...options}) {
    const {checkWords, linkWords} = await analyses();
    checkWords(text, options);
    const {encoding, batch} = this.#batchOf(text);
    const probe = this.#encoders.probe;
    const {pass} = await probe.run(batch, signal);
    return linkWords(probe, pass, encoding, options);
  }

  /**
   * @param {PassInput} pass
   * @param {Measure} measure
   * @param {number} layer
   * @param {number} [head]
   * @param {{signal?: AbortSignal, onProgress?: (progress: {done: number, total: number}) => void}}
   *   [options]
   */
  async measure(pass, measure, layer, head, options) {
    return this.#encoders.ask(pass, (encoder) =>
      measureOf(this.#module, encoder, pass, measure, layer, head, options),
    );
  }

  /**
   * @param {PassInput} pass
   * @param {Method} [method]
   * @param {ExplainTarget} [target]
   * @param {{signal?: AbortSignal, onProgress?: (progress: {done: number, total: number}) => void}}
   *   [options]
   * @returns {Promise<Explanation>}
   */
  async explain(pass, method = 'alti', target, options) {
    const {checkMethod, explanationOf} = await analyses();
    checkMethod(method);
    const chosen = this.#targets.explainTarget(pass, target);
    /** @param {Encoder} encoder @param {PassInput} read */
    const explain = async (encoder, read) => {
      const {id, ...explained} = await explanationOf(this.#module, encoder, read, method, chosen, {
        ...options,
        baseline: this.#targets.baselineOf(read, method),
      });
      return {...explained, target: this.#targets.named(chosen, id), tokens: this.#tokensOf(read)};
    };
    if (chosen === 'vector' || !('masked' in chosen && chosen.masked)) {
      return this.#encoders.ask(pass, (encoder) => explain(encoder, pass));
    }
    const probe = this.#encoders.probe;
    const masked = await probe.run(this.#targets.passOf(pass, chosen), options?.signal);
    return explain(probe, masked.pass);
  }

  /** @param {PassInput} pass */
  #tokensOf({ids}) {
    return Array.from(ids, (id) => this.#tokenizer.token(id));
  }

  /** @param {PassInput} pass */
  #classesOf(pass) {
    return classifyTokens(this.#tokensOf(pass), this.#tokenizer);
  }

  /**
   * @param {PassInput} pass
   * @param {Target | undefined} target
   * @param {{signal?: AbortSignal, onProgress?: (progress: {done: number, total: number}) => void}}
   *   [options]
   */
  async headEffects(pass, target, options) {
    const {headEffects} = await analyses();
    const chosen = this.#targets.target(pass, target);
    return headEffects(this.#encoders.probe, this.#targets.passOf(pass, chosen), chosen, options);
  }

  /**
   * @param {PassInput} pass
   * @param {PassInput} before It has as many tokens.
   * @returns {Promise<Float32Array>} `[(layers + 1) * tokens]`: the cosine of the angle between a
   *   token's hidden states in both passes.
   */
  async similarity(pass, before) {
    const {requireSameLength} = await analyses();
    requireSameLength(this.name, pass, before);
    const {layers, hiddenSize} = this.shape;
    /** Reads one pass before the other, since each may have to be run again. @param {PassInput} each */
    const statesOf = async (each) => {
      const states = [];
      for (let index = 0; index <= layers; index++) {
        states.push(...rowsOf(await this.pull(each, 'hiddenStates', [index]), hiddenSize));
      }
      return states;
    };
    const [earlier, later] = [await statesOf(before), await statesOf(pass)];
    return Float32Array.from(later, (state, at) => cosine(earlier[at], state));
  }

  /**
   * @param {PassInput} pass
   * @param {PassInput} from
   * @param {PatchOptions} [options]
   */
  async patch(pass, from, options) {
    const {patch, requireSameLength} = await analyses();
    requireSameLength(this.name, pass, from);
    return patch(this.#targets, this.#encoders.probe, pass, from, options);
  }

  /**
   * @param {PassInput} pass
   * @param {ArrayLike<number>} contributions
   * @param {DeletionOptions} [options]
   */
  async deletionCurve(pass, contributions, options) {
    const {deletionCurve} = await analyses();
    return deletionCurve(this.#targets, this.#encoders.probe, pass, contributions, options);
  }

  /**
   * @param {PassInput} a
   * @param {PassInput} b
   * @param {{signal?: AbortSignal}} [options]
   */
  async sentenceSimilarity(a, b, {signal} = {}) {
    if (this.config.isCausal) {
      const message = `${this.name}: expected a model whose tokens see the whole text, found one whose tokens see only those before them: their mean is no sentence vector`;
      throw new BertscopeError('not-available', message);
    }
    const {layers, hiddenSize} = this.shape;
    const states = [];
    for (const pass of [a, b]) states.push(await this.pull(pass, 'hiddenStates', [layers]));
    const {similarityGrid} = await analyses();
    return similarityGrid(states[0], states[1], hiddenSize, signal);
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

const kinds = [
  'attention',
  'crossAttention',
  'queries',
  'keys',
  'values',
  'crossQueries',
  'crossKeys',
  'crossValues',
];

/** @param {unknown} refs */
function checkRefs(refs) {
  if (!Array.isArray(refs)) {
    const message = `matrices: expected a list, found ${quote(refs)}`;
    throw new BertscopeError('bad-option', message);
  }
  const wrong = refs.find((ref) => !kinds.includes(ref?.kind));
  if (wrong === undefined && !refs.includes(undefined)) return;
  const message = `matrices: expected a kind of ${kinds.join(', ')}, found ${quote(wrong)}`;
  throw new BertscopeError('bad-option', message);
}
