/** The engine's thread: one runtime, its models, and the calls that can be aborted. */

import {expose, transfer, transferHandlers} from 'comlink';
import createModule from '#wasm/bertscope.js';
import {BertscopeError} from '../errors.js';
import {nextTask} from '../event-loop.js';
import {openHub, parseHubAddress} from '../files/hub.js';
import {ModelStore} from '../files/model-store.js';
import {openFiles, openUrl} from '../files/model-sources.js';
import {Runtime} from './runtime.js';
import {untrained} from '../lab/untrained-model.js';

/** @import {BatchOptions, TokenBatch} from '../text/token-batch.js' */
/** @import {Pass, Progress, Quantity} from './encoder.js' */
/** @import {KeptModel} from '../files/model-store.js' */
/** @import {Source} from '../files/model-sources.js' */
/** @import {Target} from './head-effects.js' */
/** @import {Measure} from './measures.js' */
/** @import {AttendOptions, Model} from './model.js' */
/** @import {Place} from '../client/sendable-source.js' */
/** @import {Kernel} from './runtime.js' */
/** @import {UntrainedOptions} from '../lab/untrained-model.js' */
/** @import {LabOperation} from '../wasm-module.d.ts' */

const RELAXED = new URL('../../../build/wasm/bertscope-relaxed.wasm', import.meta.url);

class Host {
  /** @type {Runtime | undefined} */
  #runtime;
  /** @type {Map<number, Model>} By the call that loaded each. */
  #models = new Map();
  /** @type {Promise<ModelStore> | undefined} */
  #store;
  /** @type {Map<number, AbortController>} */
  #calls = new Map();

  /** @type {{url: string, isKept: Promise<boolean>, response: Promise<Response>} | undefined} */
  #preloading;

  /**
   * @param {Kernel} kernel
   * @param {string} [preload]
   */
  async start(kernel, preload) {
    if (preload) {
      const isKept = this.#kept.then((store) => store.has(preload));
      const response = isKept.then((kept) => (kept ? Response.error() : fetch(preload)));
      response.catch(() => {}); // told by the load that takes it
      this.#preloading = {url: preload, isKept, response};
    }
    const relaxedBinary = kernel === 'simd128' ? undefined : fetchBytes(RELAXED);
    this.#runtime = await Runtime.create(createModule, {kernel, relaxedBinary});
    return {kernel: this.#runtime.kernel};
  }

  /**
   * @param {number} call
   * @param {Place} place
   * @param {((progress: Progress) => unknown) | null} onProgress
   */
  load(call, place, onProgress) {
    return this.#abortable(call, async (signal) => {
      const source = await this.#open(place, signal);
      /** @type {unknown} */
      let reported;
      const model = await /** @type {Runtime} */ (this.#runtime).load(source, {
        onProgress: onProgress ? (progress) => (reported = onProgress(progress)) : undefined,
        signal,
      });
      try {
        await reported; // so that the caller hears of the last byte before it has the model
        signal.throwIfAborted();
      } catch (error) {
        model.dispose();
        throw error;
      }
      this.#models.set(call, model);
      const {name, config, shape, notes, predictionHeads, unusedHead} = model;
      const {maskToken, isByteLevel} = model;
      const kept = place.source ?? `kept:${name}`;
      const tokens = {maskToken, isByteLevel};
      const heads = {predictionHeads, unusedHead};
      return {id: call, source: kept, name, config, shape, notes, ...heads, ...tokens};
    });
  }

  /**
   * @param {number} call
   * @param {number} id
   * @param {string} text
   * @param {AttendOptions} options
   */
  attend(call, id, text, options) {
    return this.#abortable(call, (signal) => this.#model(id).attend(text, options, signal));
  }

  /**
   * @param {number} id
   * @param {Pass} pass
   * @param {Quantity} quantity
   * @param {number[]} indices
   */
  async pull(id, pass, quantity, indices) {
    const values = await this.#model(id).pull(pass, quantity, indices);
    return transfer(values, [values.buffer]);
  }

  /**
   * @param {number} id
   * @param {Pass} pass
   * @param {number} layer
   */
  async layerAttention(id, pass, layer) {
    const values = await this.#model(id).layerAttention(pass, layer);
    return transfer(values, [values.buffer]);
  }

  /**
   * @param {number} id
   * @param {Pass} pass
   * @param {number} [topK]
   */
  predictions(id, pass, topK) {
    return this.#model(id).predictions(pass, topK);
  }

  /**
   * @param {number} id
   * @param {Pass} pass
   * @param {number} token
   * @param {number} [topK]
   */
  logitLens(id, pass, token, topK) {
    return this.#model(id).predict.atEveryLayer(pass, token, topK);
  }

  /**
   * @param {number} id
   * @param {Pass} pass
   * @param {number} token
   * @param {number[]} ids
   */
  probabilities(id, pass, token, ids) {
    return this.#model(id).predict.probabilities(pass, token, ids);
  }

  /**
   * @param {number} id
   * @param {Pass} pass
   */
  classes(id, pass) {
    return this.#model(id).predict.classes(pass);
  }

  /**
   * @param {number} call
   * @param {number} id
   * @param {Pass} pass
   * @param {number | undefined} topK
   * @param {((progress: {done: number, total: number}) => unknown) | null} onProgress
   */
  surprise(call, id, pass, topK, onProgress) {
    return this.#abortable(call, (signal) =>
      this.#model(id).surprise(pass, {topK, signal, onProgress: onProgress ?? undefined}),
    );
  }

  /**
   * @param {number} id
   * @param {Pass} pass
   * @param {Pass} before
   */
  similarity(id, pass, before) {
    return this.#model(id).similarity(pass, before);
  }

  /**
   * @param {number} id
   * @param {Pass} pass
   * @param {{similar?: boolean}} options
   */
  headStatistics(id, pass, options) {
    return this.#model(id).headStatistics(pass, options);
  }

  /**
   * @param {number} call
   * @param {number} id
   * @param {{sentences: string[], similar?: boolean}} options
   * @param {((progress: {done: number, total: number}) => unknown) | null} onProgress
   */
  headGuide(call, id, options, onProgress) {
    return this.#abortable(call, (signal) =>
      this.#model(id).headGuide({...options, signal, onProgress: onProgress ?? undefined}),
    );
  }

  /**
   * @param {number} call
   * @param {number} id
   * @param {Pass} pass
   * @param {Measure} measure
   * @param {number} layer
   * @param {number | undefined} head
   * @param {((progress: {done: number, total: number}) => unknown) | null} onProgress
   */
  measure(call, id, pass, measure, layer, head, onProgress) {
    const options = {onProgress: onProgress ?? undefined};
    return this.#abortable(call, async (signal) => {
      const model = this.#model(id);
      const values = await model.measure(pass, measure, layer, head, {...options, signal});
      return transfer(values, [values.buffer]);
    });
  }

  /**
   * @param {number} id
   * @param {string[]} texts
   * @param {BatchOptions} options
   */
  tokenize(id, texts, options) {
    return this.#model(id).tokenize(texts, options);
  }

  /** @param {number} id @param {ArrayLike<number>} ids */
  decode(id, ids) {
    return this.#model(id).decode(ids);
  }

  /** @param {number} id @param {{shape: number[], data: ArrayLike<number>}} ids */
  async embeddings(id, ids) {
    const tensor = await this.#model(id).embeddings(ids);
    return transfer(tensor, [tensor.data.buffer]);
  }

  /**
   * @param {number} call
   * @param {number} id
   * @param {TokenBatch} batch
   * @param {number} [index]
   */
  hiddenStates(call, id, batch, index) {
    return this.#abortable(call, async (signal) => {
      const tensor = await this.#model(id).hiddenStates(batch, index, signal);
      return transfer(tensor, [tensor.data.buffer]);
    });
  }

  /**
   * @param {number} call
   * @param {LabOperation} operation
   * @param {object} options
   */
  lab(call, operation, options) {
    return this.#inTurn(call, (runtime) => runtime.lab(operation, options));
  }

  /**
   * @param {number} call
   * @param {number} id
   * @param {string} text
   * @param {UntrainedOptions} options
   */
  untrained(call, id, text, options) {
    return this.#inTurn(call, (runtime, signal) =>
      untrained(runtime, this.#model(id), text, options, signal),
    );
  }

  /**
   * @param {number} call
   * @param {number} id
   * @param {Pass} pass
   * @param {Target | undefined} target
   * @param {((progress: {done: number, total: number}) => unknown) | null} onProgress
   */
  headEffects(call, id, pass, target, onProgress) {
    return this.#abortable(call, (signal) =>
      this.#model(id).headEffects(pass, target, {signal, onProgress: onProgress ?? undefined}),
    );
  }

  /** What is kept comes first: it needs no network. */
  get #kept() {
    return (this.#store ??= ModelStore.open());
  }

  /**
   * @param {Place} place
   * @param {AbortSignal} signal
   * @returns {Promise<Source>}
   */
  async #open({source = '', url, files, folder, endpoint, token}, signal) {
    if (files) return openFiles(files, folder);
    const preloaded = this.#takePreloaded(url);
    if (url && preloaded && !(await preloaded.isKept)) {
      return openUrl(url, {signal, started: preloaded.response});
    }
    const kept = await (await this.#kept).open(source);
    if (kept) return kept;
    if (url) return openUrl(url, {signal});
    if (source.startsWith('hub:')) {
      return openHub(parseHubAddress(source), {signal, endpoint, token});
    }
    const message = `expected a model that is kept in this browser, found none called ${source}`;
    throw new BertscopeError('not-kept', message);
  }

  /** @returns {Promise<{models: KeptModel[], isLasting: boolean}>} */
  async listKept() {
    const store = await this.#kept;
    return {models: await store.list(), isLasting: store.isLasting};
  }

  /** @param {number} id @param {string} source */
  async keep(id, source) {
    const model = this.#model(id);
    return (await this.#kept).put(source, model.name, model.quantizedFile());
  }

  /** @param {string} source */
  async removeKept(source) {
    return (await this.#kept).remove(source);
  }

  /** @param {string} source */
  async keptFile(source) {
    return (await this.#kept).file(source);
  }

  /** @param {string} [url] */
  #takePreloaded(url) {
    if (!url || this.#preloading?.url !== url) return undefined;
    const preloaded = this.#preloading;
    this.#preloading = undefined; // a body can be read once
    return preloaded;
  }

  /** @param {number} id */
  dispose(id) {
    this.#models.get(id)?.dispose();
    this.#models.delete(id);
  }

  /** @param {number} call Its model goes too: a caller that aborts gets none, even of a load that has ended. */
  abort(call) {
    this.#calls.get(call)?.abort();
    this.dispose(call);
  }

  /**
   * @template T
   * @param {number} call
   * @param {(signal: AbortSignal) => Promise<T>} action
   */
  async #abortable(call, action) {
    const controller = new AbortController();
    this.#calls.set(call, controller);
    try {
      return await action(controller.signal);
    } finally {
      this.#calls.delete(call);
    }
  }

  /**
   * Of several that wait, an abort that came behind them is heard before they begin.
   * @template {object} T
   * @param {number} call
   * @param {(runtime: Runtime, signal: AbortSignal) => T | Promise<T>} action Its result moves to the
   *   page.
   */
  #inTurn(call, action) {
    return this.#abortable(call, async (signal) => {
      await nextTask();
      signal.throwIfAborted();
      const result = await action(/** @type {Runtime} */ (this.#runtime), signal);
      return transfer(result, buffersOf(result));
    });
  }

  /** @param {number} id */
  #model(id) {
    const model = this.#models.get(id);
    if (!model) throw new BertscopeError('disposed', 'expected a model, found it disposed of');
    return model;
  }
}

/**
 * The plug-in only makes things faster, so its absence is no error.
 * @param {URL} url
 */
async function fetchBytes(url) {
  const response = await fetch(url).catch(() => undefined);
  return response?.ok ? response.arrayBuffer() : undefined;
}

/**
 * @param {object} value Of plain objects, lists and typed arrays, each array with its own memory.
 * @returns {Transferable[]}
 */
function buffersOf(value) {
  if (ArrayBuffer.isView(value)) return [value.buffer];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(buffersOf);
}

/** @typedef {Host} EngineHost */

/** Comlink sends an error's name, message and stack; the code must cross as well. */
const plain = /** @type {import('comlink').TransferHandler<any, any>} */ (
  transferHandlers.get('throw')
);
transferHandlers.set('throw', {
  ...plain,
  serialize(/** @type {any} */ thrown) {
    const [wire, transfers] = plain.serialize(thrown);
    if (wire.isError) wire.value.code = thrown.value.code;
    return [wire, transfers];
  },
});

expose(new Host());
