import {createEngine} from '../engine/index.js';
import {pageModels} from './model-cache.js';
import {readSource} from './model-address.js';

export {defaultModel} from './default-model.js';

/** @typedef {Awaited<ReturnType<typeof createEngine>>} Engine */
/** @typedef {Awaited<ReturnType<Engine['load']>>} Model */
/** @typedef {{loaded: number, total: number}} Progress */

/** @type {Promise<Engine> | undefined} */
let engine;

/** @type {Engine | undefined} The same, once it has started. */
let started;

/** @typedef {Parameters<Engine['load']>[0]} ModelSource */
/** @typedef {NonNullable<Parameters<Engine['load']>[1]>} LoadOptions */

/**
 * One engine for the page, however many elements it has; a new one after a crash.
 *
 * @param {string} preload  the model that the first of them needs
 */
function sharedEngine(preload) {
  // Only an address can download while the engine starts.
  const address = readSource(preload).isNamed ? undefined : preload;
  if (started?.hasEnded) {
    engine = started = undefined;
    pageModels.empty();
  }
  engine ??= createEngine({preload: address}).then(
    (running) => (started = running),
    (error) => {
      engine = undefined;
      throw error;
    },
  );
  return engine;
}

/**
 * One copy of each model for the page.
 *
 * @param {string} url
 * @param {object} options
 * @param {object} options.user  has this model until it asks for another or releases it
 * @param {(progress: Progress) => void} options.onProgress
 * @param {AbortSignal} options.signal  aborted when the user no longer waits
 * @returns {Promise<{engine: Engine, model: Model, bytes: number}>}
 */
export async function sharedModel(url, {user, onProgress, signal}) {
  const running = await sharedEngine(url);
  signal.throwIfAborted();
  const entry = pageModels.get(url) ?? begin(running, url);
  pageModels.use(user, entry);
  const listener = (/** @type {Progress} */ progress) => signal.aborted || onProgress(progress);
  entry.listeners.add(listener);
  try {
    return {engine: running, model: await entry.loading, bytes: entry.progress.total};
  } finally {
    entry.listeners.delete(listener);
  }
}

/** @param {Engine} running @param {string} url */
function begin(running, url) {
  /** @type {Set<(progress: Progress) => unknown>} */
  const listeners = new Set();
  const entry = {
    progress: {loaded: 0, total: 0},
    listeners,
    loading: running.load(url, {
      onProgress(progress) {
        entry.progress = progress;
        for (const listener of listeners) listener(progress);
      },
    }),
  };
  pageModels.put(url, entry);
  return entry;
}

/**
 * A model that the reader chose. Those of the page stay as they are when it fails; an element whose
 * `src` is then set to `model.source` has it at once.
 *
 * @param {ModelSource} source
 * @param {Omit<LoadOptions, 'onProgress'> & {onProgress: (progress: Progress & {tensor: string}) => void}} options
 * @returns {Promise<Model>}
 */
export async function loadModel(source, options) {
  const running = await sharedEngine('');
  const progress = {loaded: 0, total: 0};
  const onProgress = (/** @type {any} */ told) => {
    Object.assign(progress, told);
    options.onProgress(told);
  };
  const model = await running.load(source, {...options, onProgress});
  const loading = Promise.resolve(model);
  pageModels.put(model.source, {loading, model, progress, listeners: new Set()});
  return model;
}

/** The engine, for what is kept in the browser. */
export function keptModels() {
  return sharedEngine('');
}
