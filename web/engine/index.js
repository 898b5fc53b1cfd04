/** The engine as pages use it. Models run in a worker, and results are fetched from there. */

import {Bridge} from './bridge.js';
import {BertscopeError} from './errors.js';
import {Lab} from './lab/lab.js';
import {quote} from './json.js';
import {checked} from './options.js';
import {inTime} from './silence.js';
import {locationOf} from './client/sendable-source.js';
import {Model} from './client/remote-model.js';
import {Result} from './client/remote-result.js';
import {startHelpers} from './client/start-helpers.js';
import {startWorker} from './client/start-worker.js';
import {Translation} from './client/translation.js';

/** @import {Progress} from './host/load-encoders.js' */
/** @import {KeptModel} from './files/model-store.js' */
/** @import {Kernel} from './host/runtime.js' */
/** @import {Host} from './host/worker.js' */

/** @typedef {import('./client/sendable-source.js').ModelSource} ModelSource */

export {headsLike} from './client/similar-heads.js';
export {measures} from './measures.js';
export {methods} from './methods.js';
export {BertscopeError, Model, Result, Translation};

/**
 * @param {object} [options]
 * @param {Kernel} [options.kernel]
 * @param {string | URL} [options.preload] The address of the model that will be loaded first: it
 *   downloads while the engine starts.
 * @param {number} [options.threads] How many workers run the longer texts of encoders; the default
 *   is 1. Each has a copy of the model.
 * @returns {Promise<Engine>}
 */
export async function createEngine(options = {}) {
  const known = 'kernel, preload and threads';
  const {kernel = 'auto', preload, threads = 1} = checked('createEngine', options, known);
  if (!Number.isInteger(threads) || threads < 1 || threads > MOST_THREADS) {
    const message = `createEngine: expected a whole number from 1 to ${MOST_THREADS} as threads, found ${quote(threads)}`;
    throw new BertscopeError('bad-option', message);
  }
  const address = preload && new Request(preload).url;
  /** @type {Bridge<Host>[]} */
  let helpers = [];
  const ended = new BertscopeError(
    'disposed',
    'expected an engine in use, found one that has ended',
  );
  const endHelpers = () => helpers.forEach((helper) => helper.end(ended));
  /** @type {Bridge<Host>} */
  const bridge = new Bridge(startWorker(), {onEnd: endHelpers});
  try {
    const started = await inTime(bridge.host.start(kernel, address), tooSlow, START_MILLISECONDS);
    // The helpers start after the engine, so they find its files in the browser's cache.
    if (threads > 1) helpers = startHelpers(bridge, threads - 1, kernel);
    return new Engine(bridge, started.kernel);
  } catch (error) {
    bridge.end(new BertscopeError('disposed', 'expected an engine, found one that did not start'));
    throw error;
  }
}

/**
 * If an engine has not started after this time, a server does not answer its request for one of its
 * files.
 */
const START_MILLISECONDS = 25_000;
/** Each worker has its own memory, so their number is limited. */
const MOST_THREADS = 64;

/** @param {string} found */
const tooSlow = (found) =>
  new BertscopeError('engine-unavailable', `expected the engine to start, found ${found}`);

/** A worker that loads and runs models. */
export class Engine {
  #bridge;

  /**
   * @param {Bridge<Host>} bridge
   * @param {string} kernel
   */
  constructor(bridge, kernel) {
    this.#bridge = bridge;
    /** The name of the int8 kernel that runs. */
    this.kernel = kernel;
    /** Builds attention from scratch, for lessons. */
    this.lab = new Lab((operation, options, signal) =>
      bridge.host.lab(operation, options, {signal}),
    );
  }

  /**
   * @param {ModelSource} source `hub:owner/name`, perhaps with `@revision` behind it, or of another
   *   hub `hub:https://mirror.example/owner/name`; the address of its page there; the address or the
   *   file of a quantized model; the files of a Hugging Face folder, or a zip archive of them; or the
   *   `source` of a kept model. A kept model is opened without asking the network.
   * @param {object} [options]
   * @param {(progress: Progress) => void} [options.onProgress]
   * @param {AbortSignal} [options.signal]
   * @param {string} [options.endpoint] The address of the hub; the default is
   *   https://huggingface.co.
   * @param {string} [options.token] An access token for models of the hub that need a login. It is
   *   not stored. With an `endpoint`, it is sent to that hub alone, whichever hub the source names.
   * @returns {Promise<Model>}
   */
  async load(source, options = {}) {
    const known = 'onProgress, signal, endpoint and token';
    const {endpoint, token, ...how} = checked('load', options, known);
    const place = locationOf(source, {endpoint, token});
    const remote = await this.#bridge.host.load(place, how);
    return new Model(remote, place.source);
  }

  /**
   * The models that `model.keep()` has kept in this browser.
   * @returns {Promise<{models: KeptModel[], isLasting: boolean}>} The latest first. `isLasting` is
   *   false if the page may not store anything: then they are gone when it is closed.
   */
  kept() {
    return this.#bridge.host.listKept();
  }

  /** @param {string} source The `source` of a kept model. */
  removeKept(source) {
    return this.#bridge.host.removeKept(source);
  }

  /**
   * @param {string} source The `source` of a kept model.
   * @returns {Promise<Blob | undefined>} Its quantized file; undefined if it is not kept any more.
   */
  keptFile(source) {
    return this.#bridge.host.keptFile(source);
  }

  /**
   * Ends the engine if it does not answer within this time. It cannot answer while one step of a
   * computation runs, and a model's own files may make a step endless.
   * @param {number} milliseconds
   */
  endIfStuck(milliseconds) {
    return this.#bridge.endIfStuck(milliseconds);
  }

  /**
   * Whether the engine was disposed of, has crashed or was stuck and ended. Then every call to it and its models
   * rejects.
   */
  get hasEnded() {
    return this.#bridge.hasEnded;
  }

  /** Ends the worker, all its models and every call that is still running. */
  dispose() {
    this.#bridge.end(new BertscopeError('disposed', 'expected an engine, found it disposed of'));
  }
}
