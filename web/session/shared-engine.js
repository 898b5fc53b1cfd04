/** @import {Entry, ModelCache} from './model-cache.js' */

/** @typedef {Awaited<ReturnType<typeof import('../engine/index.js').createEngine>>} Engine */
/** @typedef {Awaited<ReturnType<Engine['load']>>} Model */
/** @typedef {Parameters<Engine['load']>[0]} ModelSource */
/** @typedef {NonNullable<Parameters<Engine['load']>[1]>} LoadOptions */
/** @typedef {{loaded: number, total: number}} Progress */
/** @typedef {(onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<ModelSource>} BringModel */
/**
 * @typedef {object} ModelUse
 * @property {object} user  keeps this model until it asks for another one or is released
 * @property {(progress: Progress) => void} onProgress
 * @property {AbortSignal} signal  aborted when the user no longer waits
 */
/** @typedef {Entry<Model> & {progress: Progress, listeners: Set<(progress: any) => unknown>, stop: () => void}} SharedModel */

/** An engine without users waits this long, in ms, because an element may be added again. */
const LINGER_MS = 10_000;
/** Whoever asks for a model, or leaves one that is loading, waits this long for a busy engine, in ms. */
const BUSY_MS = 1500;

/**
 * One engine for all users of a page, with one copy of each model. It starts with the first user and ends after the
 * last one has left. After a crash, the next user starts another engine.
 */
export class SharedEngine {
  #create;
  #models;
  #mayLoad;
  /** Brings the models that the page has itself, by their addresses. @type {Map<string, BringModel>} */
  #given = new Map();
  /** @type {{starting: Promise<Engine>, engine?: Engine} | undefined} */
  #current;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #ending;

  /**
   * @param {(url: string) => Promise<Engine>} create  starts an engine; `url` is the model that the first user needs
   * @param {ModelCache<Model, SharedModel>} models  stores the models and counts the users
   * @param {(url: string) => Promise<void>} [mayLoad]  rejects if a model may not be fetched
   */
  constructor(create, models, mayLoad = async () => {}) {
    this.#create = create;
    this.#models = models;
    this.#mayLoad = mayLoad;
    models.onUse = (isUsed) => {
      clearTimeout(this.#ending);
      if (!isUsed) this.#ending = setTimeout(() => this.#end(), LINGER_MS);
    };
  }

  /** Lets a page bring a model itself, as a notebook does from Python. @param {`given:${string}`} address @param {BringModel} bring */
  give(address, bring) {
    this.#given.set(address, bring);
  }

  /**
   * @param {string} url
   * @param {ModelUse} use
   * @returns {Promise<{engine: Engine, model: Model, bytes: number}>}
   */
  async model(url, {user, onProgress, signal}) {
    await this.#current?.engine?.endIfStuck(BUSY_MS);
    if (!this.#models.get(url)) await this.#mayLoad(url);
    signal.throwIfAborted();
    const engine = await this.#start(url, user);
    signal.throwIfAborted();
    const known = this.#models.get(url);
    const entry = known ?? this.#begin(engine, url);
    if (!known) this.#models.put(url, entry);
    this.#models.use(user, entry);
    const listener = (/** @type {Progress} */ progress) => signal.aborted || onProgress(progress);
    entry.listeners.add(listener);
    const leave = () => {
      entry.listeners.delete(listener);
      if (!signal.aborted || entry.listeners.size > 0) return;
      // Nobody waits for this load any more. Who asks again gets another.
      entry.address = null;
      entry.stop();
    };
    signal.addEventListener('abort', leave);
    try {
      return {engine, model: await entry.loading, bytes: entry.progress.total};
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }

  /**
   * Loads a model that the reader chose. If it fails, the models of the page stay as they are. Afterwards, a user
   * that asks for `model.source` gets it at once.
   *
   * @param {ModelSource} source
   * @param {LoadOptions} options
   */
  load(source, options) {
    return this.use(async (engine) => {
      const entry = this.#begin(engine, source, options);
      try {
        const model = await entry.loading;
        this.#models.put(model.source, entry);
        return model;
      } catch (error) {
        // A model that was given up may have made the engine's work endless.
        if (options.signal?.aborted) await engine.endIfStuck(BUSY_MS);
        throw error;
      }
    });
  }

  /**
   * @template T
   * @param {(engine: Engine) => Promise<T>} action  counts as a user of the engine while it runs
   */
  async use(action) {
    const user = {};
    await this.#current?.engine?.endIfStuck(BUSY_MS);
    try {
      return await action(await this.#start('', user));
    } finally {
      this.#models.release(user);
    }
  }

  /** @param {string} url @param {object} user */
  #start(url, user) {
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
    this.#models.join(user);
    return this.#current.starting;
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

  /**
   * @param {Engine} engine
   * @param {ModelSource} source
   * @param {LoadOptions} [options]
   * @returns {SharedModel}
   */
  #begin(engine, source, {onProgress, signal, ...others} = {}) {
    const listeners = new Set(onProgress && [onProgress]);
    const own = new AbortController();
    const entry = {progress: {loaded: 0, total: 0}, listeners, stop: () => own.abort()};
    const tell = (/** @type {any} */ progress) => {
      entry.progress = progress;
      for (const listener of listeners) listener(progress);
    };
    const load = (/** @type {ModelSource} */ from) =>
      engine.load(from, {...others, signal: signal ?? own.signal, onProgress: tell});
    const bring = typeof source === 'string' ? this.#given.get(source) : undefined;
    const loading = bring ? bring(tell, own.signal).then(load) : load(source);
    return Object.assign(entry, {loading});
  }
}
