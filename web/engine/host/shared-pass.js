/** One pass whose rows several workers run. */

import {here, project, putParts, query} from './helper.js';

/** @import {Remote} from '../bridge.js' */
/** @import {HelpingModel, Part, Rows} from './helper.js' */
/** @import {WasmModel} from '../wasm-module.d.ts' */

/** @typedef {Part | undefined | null} Arrival Nothing, or null from a helper that has failed. */

/**
 * In each layer the workers exchange the keys and values of their rows. What else a helper has made of its rows is put
 * into the trace two layers later, because nobody waits for it.
 */
export class SharedPass {
  #wasm;
  #layers;
  #own;
  #models;
  #lose;
  /** By layer: what comes from the helpers when it is done. @type {Promise<Part[] | null>[]} */
  #finished = [];
  /** Those that are used again. @type {Part[]} */
  #spares = [];
  /** The keys and values of the helpers' rows in the next layer. @type {Promise<Part[] | null>} */
  #projected = Promise.resolve([]);

  /**
   * @param {WasmModel} wasm
   * @param {number} layers
   * @param {Rows} own The rows that `wasm` runs.
   * @param {Remote<HelpingModel>[]} models Those of the helpers.
   * @param {(model: Remote<HelpingModel>) => void} lose Gets each that fails.
   */
  constructor(wasm, layers, own, models, lose) {
    this.#wasm = wasm;
    this.#layers = layers;
    this.#own = own;
    this.#models = models;
    this.#lose = lose;
  }

  /**
   * @param {(model: Remote<HelpingModel>, index: number) => Promise<Part>} begin Starts the pass in a helper.
   * @param {() => void} start Starts it in `wasm`, or throws.
   */
  begin(begin, start) {
    let isStarted = false;
    this.#projected = arrived(
      this.#models.map((model, i) =>
        begin(model, i).catch(() => {
          // A pass that cannot start here does not start there either.
          if (isStarted) this.#lose(model);
          return null;
        }),
      ),
    );
    start();
    isStarted = true;
  }

  /** @param {AbortSignal} [signal] @returns {Promise<boolean>} Whether no helper has failed. */
  async run(signal) {
    /** @type {Part[]} */
    let theirs = [];
    for (let layer = 0; layer < this.#layers; layer++) {
      const ours = project(this.#wasm, layer, this.#own, theirs[0]);
      const coming = this.#projected;
      // A single helper needs only our rows, so it gets them at once.
      const isSingle = this.#models.length === 1;
      if (isSingle) this.#goOn(layer, ours, []);
      // While theirs are on their way, there is time for what nobody waits for.
      query(this.#wasm, this.#own);
      if (layer > 1 && !(await this.#putFinished(layer - 2))) return false;
      const parts = await coming;
      signal?.throwIfAborted();
      if (!parts) return false;
      theirs = parts;
      if (!isSingle) this.#goOn(layer, ours, theirs);
      putParts(this.#wasm, false, layer, theirs);
      here(() => this.#wasm.finishRows(this.#own.first, this.#own.count));
    }
    for (let layer = Math.max(0, this.#layers - 2); layer < this.#layers; layer++) {
      if (!(await this.#putFinished(layer))) return false;
    }
    return true;
  }

  /**
   * Gives each helper the keys and values of all rows that it lacks.
   * @param {number} layer
   * @param {Part} ours
   * @param {Part[]} theirs By helper.
   */
  #goOn(layer, ours, theirs) {
    const spares = this.#spares.splice(0);
    const answers = this.#models.map((model, i) => {
      const others = [ours, ...theirs.filter((_, from) => from !== i)];
      const given = this.#models.length > 1 ? structuredClone(others) : others; // calls move arrays
      return this.#next(model, layer, given, spares[i]);
    });
    this.#finished.push(arrived(answers.map(({finished}) => finished)));
    this.#projected = arrived(answers.map(({projected}) => projected));
  }

  /**
   * @param {Remote<HelpingModel>} model
   * @param {number} layer
   * @param {Part[]} others
   * @param {Part} [spare]
   */
  #next(model, layer, others, spare) {
    /** @type {(part: Arrival) => void} */
    let onProgress = () => {};
    /** @type {Promise<Arrival>} */
    const projected = new Promise((resolve) => void (onProgress = resolve));
    /** @type {Promise<Arrival>} */
    const finished = model.next(layer, others, {spare, onProgress}).catch(() => {
      this.#lose(model);
      return null;
    });
    // The last layer is followed by none, and a helper that has failed tells nothing more.
    void finished.then((part) => onProgress(part === null ? null : undefined));
    return {projected, finished};
  }

  /** @param {number} layer */
  async #putFinished(layer) {
    const parts = await this.#finished[layer];
    if (!parts) return false;
    putParts(this.#wasm, true, layer, parts);
    this.#spares = parts;
    return true;
  }
}

/**
 * @param {Promise<Arrival>[]} parts
 * @returns {Promise<Part[] | null>} Those that there are; null if a helper has failed.
 */
async function arrived(parts) {
  const all = await Promise.all(parts);
  return all.includes(null) ? null : all.filter((part) => part !== undefined && part !== null);
}
