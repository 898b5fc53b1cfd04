/** The engine as pages use it: models run in a worker, results are pulled from there. */

import {proxy} from 'comlink';
import {BertscopeError} from './errors.js';
import {Lab} from './lab.js';
import {modelTree} from './model-tree.js';
import {WorkerLine} from './worker-line.js';

/** @import {BatchOptions, TokenBatch} from './batch.js' */
/** @import {Pass, Progress, Quantity} from './encoder.js' */
/** @import {HeadEffects, Target} from './head-effects.js' */
/** @import {HeadGuide} from './head-guide.js' */
/** @import {Measure} from './measures.js' */
/** @import {AttendOptions, Attended, Shape} from './model.js' */
/** @import {Candidate, Class, Prediction, Surprise} from './predictions.js' */
/** @import {Tensor, TensorLike} from './lab.js' */
/** @import {Kernel} from './runtime.js' */
/** @import {ModelConfig, PredictionHeads} from './wasm-module.d.ts' */
/** @import {KeptModel} from './model-store.js' */
/** @import {PlacedFile} from './sources.js' */
/** @import {Place} from './worker.js' */

export {headsLike} from './head-guide.js';
export {measures} from './measures.js';
export {BertscopeError};

/**
 * @param {object} [options]
 * @param {Kernel} [options.kernel]
 * @param {string | URL} [options.preload] The address of the model that will be loaded first: it
 *   downloads while the engine starts.
 * @returns {Promise<Engine>}
 */
export async function createEngine({kernel = 'auto', preload, ...others} = {}) {
  refuseOptions('createEngine', others, 'kernel and preload');
  const line = new WorkerLine();
  const address = preload && new Request(preload).url;
  try {
    const started = await line.call((host) => host.start(kernel, address));
    return new Engine(line, started.kernel);
  } catch (error) {
    line.close();
    throw error;
  }
}

/** A worker with the encoder in it, and the models that it has loaded. */
export class Engine {
  #line;

  /**
   * @param {WorkerLine} line
   * @param {string} kernel
   */
  constructor(line, kernel) {
    this.#line = line;
    /** The int8 kernel that runs. */
    this.kernel = kernel;
    /** Attention from scratch, for lessons. */
    this.lab = new Lab((operation, options) => line.call((host) => host.lab(operation, options)));
  }

  /**
   * @param {ModelSource} source `hub:owner/name`, perhaps with `@revision`; the address or the file
   *   of a quantized model; the files of a Hugging Face folder, or a zip archive of them; or the
   *   `source` of a kept model. What is kept is opened without asking the network.
   * @param {object} [options]
   * @param {(progress: Progress) => void} [options.onProgress]
   * @param {AbortSignal} [options.signal]
   * @param {string} [options.endpoint] Of the hub; https://huggingface.co unless given.
   * @param {string} [options.token] For models of the hub that need a login; stored nowhere.
   * @returns {Promise<Model>}
   */
  async load(source, {onProgress, signal, endpoint, token, ...others} = {}) {
    refuseOptions('load', others, 'onProgress, signal, endpoint and token');
    const place = placeOf(source, {endpoint, token});
    const report = onProgress ? proxy(onProgress) : null;
    const loaded = await this.#line.call((host, call) => host.load(call, place, report), signal);
    return new Model(this.#line, loaded);
  }

  /**
   * The models that `model.keep()` has kept in this browser.
   * @returns {Promise<{models: KeptModel[], isLasting: boolean}>} The latest first; not lasting where
   *   the page may store nothing, and they go when it is closed.
   */
  kept() {
    return this.#line.call((host) => host.listKept());
  }

  /** @param {string} source Of a kept model. */
  removeKept(source) {
    return this.#line.call((host) => host.removeKept(source));
  }

  /**
   * @param {string} source Of a kept model.
   * @returns {Promise<Blob | undefined>} Its quantized file.
   */
  keptFile(source) {
    return this.#line.call((host) => host.keptFile(source));
  }

  /** Whether it was disposed of or has crashed: nothing can be asked of it, or of its models, any more. */
  get hasEnded() {
    return this.#line.hasEnded;
  }

  /** Ends the worker, and with it every model and every call that is still running. */
  dispose() {
    this.#line.close();
  }
}

/**
 * @typedef {string | URL | File | Iterable<File | PlacedFile>} ModelSource
 */

/**
 * @typedef {object} Loaded
 * @property {string} source Under which it is kept.
 * @property {number} id
 * @property {string} name
 * @property {ModelConfig} config
 * @property {Shape} shape
 * @property {string[]} notes
 * @property {PredictionHeads} predictionHeads
 * @property {string | null} maskToken
 */

/** A model that is loaded: runs texts, and tells what it is made of. */
export class Model {
  #line;
  #id;

  /**
   * @param {WorkerLine} line
   * @param {Loaded} loaded
   */
  constructor(line, {id, source, name, config, shape, notes, predictionHeads, maskToken}) {
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
    /** What stands for a masked word in a text; null without one. */
    this.maskToken = maskToken;
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
    return new Result(this.#line, this.#id, attended);
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
   */
  constructor(line, model, attended) {
    const {pass, ids, tokens, tokenTypeIds, sentences, specialTokens} = attended;
    const {words, truncated, dropped, milliseconds} = attended;
    this.#line = line;
    this.#model = model;
    this.#pass = pass;
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
   * What a query's row is made of, by one of several measures.
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

/**
 * A misspelt option would be without effect.
 * @param {string} what
 * @param {object} others
 * @param {string} known
 */
function refuseOptions(what, others, known) {
  for (const name of Object.keys(others)) {
    const message = `${what}: expected the options ${known}, found ${name}`;
    throw new BertscopeError('bad-option', message);
  }
}

/**
 * @param {ModelSource} source
 * @param {{endpoint?: string, token?: string}} hub
 * @returns {Place}
 */
function placeOf(source, {endpoint, token}) {
  if (typeof source === 'string' || source instanceof URL) {
    const address = String(source);
    if (address.startsWith('hub:')) return {source: address, endpoint, token};
    if (address.startsWith('kept:')) return {source: address};
    try {
      const {url} = new Request(address); // absolute, as the page's base address has it
      return {source: url, url};
    } catch {
      const message = `expected the address of a model, found ${address}`;
      throw new BertscopeError('bad-source', message);
    }
  }
  const items = source instanceof File ? [source] : [...source];
  // A copy in the worker would not know its folder.
  const files = items.map((item) =>
    item instanceof File ? {path: item.webkitRelativePath || item.name, file: item} : item,
  );
  const [first] = files;
  const folder = first?.path.includes('/') ? first.path.split('/')[0] : undefined;
  return {files, folder};
}
