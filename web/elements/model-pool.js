import {createEngine} from '../engine/index.js';

export {defaultModel} from './default-model.js';

/** @typedef {Awaited<ReturnType<typeof createEngine>>} Engine */
/** @typedef {Awaited<ReturnType<Engine['load']>>} Model */
/** @typedef {{loaded: number, total: number}} Progress */

/** @type {Promise<Engine> | undefined} */
let engine;

/** @type {Map<string, {model: Promise<Model>, progress: Progress, listeners: Set<(progress: Progress) => void>}>} */
const models = new Map();

/**
 * One engine for the page, however many elements it has.
 *
 * @param {string} preload  the model that the first of them needs
 */
function sharedEngine(preload) {
  engine ??= createEngine({preload}).catch((error) => {
    engine = undefined;
    throw error;
  });
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
    const started = {
      progress: {loaded: 0, total: 0},
      listeners,
      model: running.load(url, {
        onProgress(/** @type {Progress} */ progress) {
          started.progress = progress;
          for (const listener of listeners) listener(progress);
        },
      }),
    };
    started.model.catch(() => models.delete(url));
    models.set(url, started);
    entry = started;
  }
  entry.listeners.add(onProgress);
  try {
    return {engine: running, model: await entry.model, bytes: entry.progress.total};
  } finally {
    entry.listeners.delete(onProgress);
  }
}
