import {createEngine} from '../engine/index.js';

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

/** The page's memory holds as many: the one shown, one compared with, and one more. */
const MAX_MODELS = 3;

/** In the order of their last use. @type {Map<string, {model: Promise<Model>, progress: Progress, listeners: Set<(progress: Progress) => void>}>} */
const models = new Map();

/**
 * One engine for the page, however many elements it has; a new one after a crash.
 *
 * @param {string} preload  the model that the first of them needs
 */
function sharedEngine(preload) {
  // Only an address can download while the engine starts.
  const address = isAddress(preload) ? preload : undefined;
  if (started?.hasEnded) {
    engine = started = undefined;
    models.clear();
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
 * One copy of each model for the page. A failed load is forgotten, so it can be tried again.
 *
 * @param {string} url
 * @param {(progress: Progress) => void} onProgress
 * @returns {Promise<{engine: Engine, model: Model, bytes: number}>}
 */
export async function sharedModel(url, onProgress) {
  const running = await sharedEngine(url);
  let entry = models.get(url);
  if (!entry) {
    const listeners = new Set();
    const begun = {
      progress: {loaded: 0, total: 0},
      listeners,
      model: running.load(url, {
        onProgress(/** @type {Progress} */ progress) {
          begun.progress = progress;
          for (const listener of listeners) listener(progress);
        },
      }),
    };
    begun.model.catch(() => models.get(url) === begun && models.delete(url));
    models.set(url, begun);
    entry = begun;
  }
  models.delete(url);
  models.set(url, entry);
  entry.listeners.add(onProgress);
  try {
    return {engine: running, model: await entry.model, bytes: entry.progress.total};
  } finally {
    entry.listeners.delete(onProgress);
  }
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
  models.set(model.source, {model: Promise.resolve(model), progress, listeners: new Set()});
  const [oldest] = models.keys();
  if (models.size > MAX_MODELS) {
    models.get(oldest)?.model.then((old) => old.dispose());
    models.delete(oldest);
  }
  return model;
}

/** The engine, for what is kept in the browser. */
export function keptModels() {
  return sharedEngine('');
}

/** @param {string} source */
function isAddress(source) {
  return source !== '' && !/^(hub|kept):/.test(source);
}
