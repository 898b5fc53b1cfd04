/** The engine's thread: one runtime, its models, and the models that are kept in this browser. */

import createModule from '#wasm/bertscope.js';
import {BertscopeError} from '../errors.js';
import {openHub} from '../files/hub.js';
import {parseHubAddress} from '../hub-address.js';
import {lazily} from '../lazy-part.js';
import {ModelStore} from '../files/model-store.js';
import {openFiles, openUrl} from '../files/model-sources.js';
import {serve} from '../serve.js';
import {inTime} from '../silence.js';
import {Runtime} from './runtime.js';

/** @import {Progress} from './load-encoders.js' */
/** @import {KeptModel} from '../files/model-store.js' */
/** @import {ModelLocation, Source} from '../files/model-sources.js' */
/** @import {Kernel} from './runtime.js' */
/** @import {UntrainedOptions} from './untrained-model.js' */
/** @import {LabOperation} from '../wasm-module.d.ts' */

const RELAXED = new URL('../../../build/wasm/bertscope-relaxed.wasm', import.meta.url);

/** The engine does not wait longer for this plug-in, which only makes it faster. */
const RELAXED_MILLISECONDS = 5000;

/** What the page can ask the worker for. */
export class Host {
  /** @type {Runtime | undefined} */
  #runtime;
  /** @type {Promise<ModelStore> | undefined} */
  #store;
  /** @type {{url: string, isKept: Promise<boolean>, response: Promise<Response>} | undefined} */
  #preloading;

  /**
   * Starts the engine. This must succeed before anything else is called.
   * @param {Kernel} kernel
   * @param {string} [preload]
   */
  async start(kernel, preload) {
    if (preload) {
      const isKept = this.#kept
        .then((store) => store.has(preload))
        .catch(unlessOwn(preload, false));
      const response = isKept.then((kept) => (kept ? Response.error() : fetch(preload)));
      response.catch(() => {}); // the load that takes it reports the error
      this.#preloading = {url: preload, isKept, response};
    }
    const relaxedBinary = kernel === 'simd128' ? undefined : fetchBytes(RELAXED);
    this.#runtime = await Runtime.create(createModule, {kernel, relaxedBinary});
    return {kernel: this.#runtime.kernel};
  }

  /**
   * Makes this worker help another.
   * @param {Kernel} kernel
   * @param {MessagePort} port
   */
  async help(kernel, port) {
    const [{Helper}] = await Promise.all([import('./threads.js'), this.start(kernel)]);
    serve(new Helper(/** @type {Runtime} */ (this.#runtime)), port);
    port.start();
  }

  /**
   * @param {MessagePort} losses Gets the index of each helper that is given up.
   * @param {MessagePort[]} ports Each to a worker that helps this one.
   */
  useHelpers(losses, ...ports) {
    // Helpers only make things faster, so their absence is no error.
    /** @type {Runtime} */ (this.#runtime).team = import('./threads.js').then(
      ({Team}) => new Team(losses, ports),
      () => undefined,
    );
  }

  /** @param {number} index The index of a helper that has ended. */
  async loseHelper(index) {
    (await this.#runtime?.team)?.lose(index);
  }

  /**
   * @param {ModelLocation} location
   * @param {{onProgress?: (progress: Progress) => void, signal?: AbortSignal}} options
   */
  async load(location, options) {
    try {
      return await this.#load(location, options);
    } catch (error) {
      throw withoutToken(error, location.token);
    }
  }

  /** @param {Parameters<Host['load']>} of */
  async #load(...[location, options]) {
    const runtime = /** @type {Runtime} */ (this.#runtime);
    const source = await this.#open(location, options.signal);
    const model = await runtime.load(source, options);
    // What a reader may ask for later is fetched now, since the network may be gone then.
    for (const part of [import('./analyses.js'), import('./untrained-model.js')]) {
      part.catch(() => {}); // whoever asks for it is told
    }
    return Object.assign(model, {
      /** @param {string} name Under which the quantized model is kept in this browser. */
      keep: async (name) => {
        const {commit} = source;
        return (await this.#kept).put(name, model.name, model.quantizedFile(), commit);
      },
      /**
       * @param {string} text
       * @param {UntrainedOptions & {signal?: AbortSignal}} how
       */
      async untrained(text, how) {
        const {untrained} = await lazily(() => import('./untrained-model.js'));
        return untrained(runtime, model, text, how);
      },
    });
  }

  /**
   * @param {LabOperation} operation
   * @param {object} options
   * @param {{signal?: AbortSignal}} _signal Ends a call that has not begun.
   */
  lab(operation, options, _signal) {
    return /** @type {Runtime} */ (this.#runtime).lab(operation, options);
  }

  /** @returns {Promise<{models: KeptModel[], isLasting: boolean}>} */
  async listKept() {
    const store = await this.#kept;
    return {models: await store.list(), isLasting: store.isLasting};
  }

  /** @param {string} source */
  async removeKept(source) {
    return (await this.#kept).remove(source);
  }

  /** @param {string} source */
  async keptFile(source) {
    return (await this.#kept).file(source);
  }

  get #kept() {
    return (this.#store ??= ModelStore.open().catch((error) => {
      this.#store = undefined;
      throw error;
    }));
  }

  /**
   * A kept model comes first, since it needs no network.
   * @param {ModelLocation} location
   * @param {AbortSignal} [signal]
   * @returns {Promise<Source>}
   */
  async #open({source = '', url, files, folder, token}, signal) {
    if (files) return openFiles(files, folder);
    const preloaded = this.#takePreloaded(url);
    if (url && preloaded && !(await preloaded.isKept)) {
      return openUrl(url, {signal, started: preloaded.response});
    }
    const kept = await this.#kept
      .then((store) => store.open(source))
      .catch(unlessOwn(url, undefined));
    if (kept) return kept;
    if (url) return openUrl(url, {signal});
    if (source.startsWith('hub:')) {
      return openHub(parseHubAddress(source), {signal, token});
    }
    const message = `expected a model that is kept in this browser, found none called ${source}`;
    throw new BertscopeError('not-kept', message);
  }

  /** @param {string} [url] */
  #takePreloaded(url) {
    if (!url || this.#preloading?.url !== url) return undefined;
    const preloaded = this.#preloading;
    this.#preloading = undefined; // a body can be read once
    return preloaded;
  }
}

/**
 * A server may answer with the token, and errors quote what a server answers.
 * @param {unknown} error
 * @param {string} [token]
 */
function withoutToken(error, token) {
  if (token && error instanceof BertscopeError) {
    error.message = error.message.replaceAll(token, '…');
  }
  return error;
}

/**
 * What to do when the storage fails. Models of the page's own host are then fetched. Others are not: the reader may not
 * have approved their host, because a kept model needs no approval.
 * @template T
 * @param {string | undefined} url
 * @param {T} otherwise
 * @returns {(error: unknown) => T}
 */
const unlessOwn = (url, otherwise) => (error) => {
  if (!url || new URL(url).origin !== self.origin) throw error;
  return otherwise;
};

/**
 * The plug-in only makes things faster, so its absence is no error.
 * @param {URL} url
 */
async function fetchBytes(url) {
  const download = fetch(url).then((response) =>
    response.ok ? response.arrayBuffer() : undefined,
  );
  return inTime(download, (found) => new Error(found), RELAXED_MILLISECONDS).catch(() => undefined);
}

serve(new Host(), /** @type {any} */ (globalThis));
