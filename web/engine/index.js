/** The engine as pages use it: models run in a worker, results are pulled from there. */

import {proxy} from 'comlink';
import {BertscopeError} from './errors.js';
import {Lab} from './lab/lab.js';
import {refuseOptions} from './options.js';
import {placeOf} from './client/sendable-source.js';
import {Model} from './client/remote-model.js';
import {Result} from './client/remote-result.js';
import {WorkerLine} from './client/worker-line.js';

/** @import {Progress} from './host/encoder.js' */
/** @import {KeptModel} from './files/model-store.js' */
/** @import {Kernel} from './host/runtime.js' */

/** @typedef {import('./client/sendable-source.js').ModelSource} ModelSource */

export {headsLike} from './host/head-guide.js';
export {measures} from './host/measures.js';
export {BertscopeError, Model, Result};

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
    this.lab = new Lab((operation, options, signal) =>
      line.call((host, call) => host.lab(call, operation, options), signal),
    );
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
