/** @import {Entry, ModelShelf} from './model-cache.js' */

/** @typedef {Awaited<ReturnType<typeof import('../engine/index.js').createEngine>>} Engine */
/** @typedef {Awaited<ReturnType<Engine['load']>>} Model */
/** @typedef {Parameters<Engine['load']>[0]} ModelSource */
/** @typedef {NonNullable<Parameters<Engine['load']>[1]>} LoadOptions */
/** @typedef {{loaded: number, total: number}} Progress */
/** @typedef {Entry<Model> & {progress: Progress, listeners: Set<(progress: Progress) => unknown>}} SharedModel */

/** An engine without users waits this long for the next one, such as an element that is added again. */
const LINGER_MS = 10_000;

/**
 * One engine for all users of a page, and on it one copy of each model. It starts with the first user,
 * and ends when the last one has left. After a crash the next user starts another.
 */
export class SharedEngine {
  #create;
  #models;
  /** @type {{starting: Promise<Engine>, engine?: Engine} | undefined} */
  #current;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #ending;

  /**
   * @param {(url: string) => Promise<Engine>} create  gets the model that the first user needs
   * @param {ModelShelf<Model, SharedModel>} models  knows the users, too
   */
  constructor(create, models) {
    this.#create = create;
    this.#models = models;
    models.onUse = (isUsed) => {
      clearTimeout(this.#ending);
      if (!isUsed) this.#ending = setTimeout(() => this.#end(), LINGER_MS);
    };
  }

  /**
   * @param {string} url
   * @param {object} options
   * @param {object} options.user  has this model until it asks for another or is released
   * @param {(progress: Progress) => void} options.onProgress
   * @param {AbortSignal} options.signal  aborted when the user no longer waits
   * @returns {Promise<{engine: Engine, model: Model, bytes: number}>}
   */
  async model(url, {user, onProgress, signal}) {
    this.#models.join(user);
    const engine = await this.#start(url);
    signal.throwIfAborted();
    const entry = this.#models.get(url) ?? this.#begin(engine, url);
    this.#models.use(user, entry);
    const listener = (/** @type {Progress} */ progress) => signal.aborted || onProgress(progress);
    entry.listeners.add(listener);
    try {
      return {engine, model: await entry.loading, bytes: entry.progress.total};
    } finally {
      entry.listeners.delete(listener);
    }
  }

  /**
   * Loads a model anew, in place of the one with the same source. Its users keep that one.
   *
   * @param {ModelSource} source
   * @param {LoadOptions} options
   */
  load(source, options) {
    return this.use(async (engine) => {
      const progress = {loaded: 0, total: 0};
      const onProgress = (/** @type {any} */ told) => {
        Object.assign(progress, told);
        options.onProgress?.(told);
      };
      const model = await engine.load(source, {...options, onProgress});
      const loading = Promise.resolve(model);
      this.#models.put(model.source, {loading, model, progress, listeners: new Set()});
      return model;
    });
  }

  /**
   * @template T
   * @param {(engine: Engine) => Promise<T>} action  the engine has a user while it runs
   */
  async use(action) {
    const user = {};
    this.#models.join(user);
    try {
      return await action(await this.#start(''));
    } finally {
      this.#models.release(user);
    }
  }

  /** @param {string} url */
  #start(url) {
    if (this.#current?.engine?.hasEnded) this.#forget();
    if (!this.#current) {
      /** @type {{starting: Promise<Engine>, engine?: Engine}} */
      const current = {starting: this.#create(url)};
      this.#current = current;
      current.starting.then(
        (engine) => (current.engine = engine),
        () => {
          if (this.#current === current) this.#current = undefined;
        },
      );
    }
    return this.#current.starting;
  }

  /** @param {Engine} engine @param {string} url */
  #begin(engine, url) {
    /** @type {SharedModel['listeners']} */
    const listeners = new Set();
    const entry = {
      progress: {loaded: 0, total: 0},
      listeners,
      loading: engine.load(url, {
        onProgress(progress) {
          entry.progress = progress;
          for (const listener of listeners) listener(progress);
        },
      }),
    };
    this.#models.put(url, entry);
    return entry;
  }

  #end() {
    this.#current?.starting.then(
      (engine) => engine.dispose(),
      () => {},
    );
    this.#forget();
  }

  #forget() {
    this.#current = undefined;
    this.#models.empty();
  }
}
