/** The workers that help with the passes of one model. */

import {here, project, putParts, query} from './helper.js';

/** @import {Bridge, Remote} from '../bridge.js' */
/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {Helper, HelpingModel, Part, Rows} from './helper.js' */
/** @import {Changes} from '../interventions.js' */
/** @import {ModelConfig, WasmModel} from '../wasm-module.d.ts' */

/** @typedef {Omit<PassInput, 'id'> & {changes: Changes & {patches?: unknown}}} SharedPass */

/**
 * A worker must have so much to do in a layer that its help pays: rows, since fewer take nearly as
 * long to read the weights; and multiply-adds, since the fastest chips do so many while rows are
 * exchanged.
 */
const LEAST = {rows: 10, multiplyAdds: 30e6};

export class Helpers {
  least = LEAST;
  /** @type {Remote<HelpingModel>[]} */
  #models = [];
  /** Settles when the last pass in the queue has ended: helpers run one pass at a time. */
  #busy = Promise.resolve();
  #disposed = false;

  /**
   * Gives a worker the weights, tensor by tensor. It helps as soon as it has all of them.
   * @param {Encoder} encoder
   * @param {Bridge<Helper>} bridge
   */
  async add(encoder, bridge) {
    const tensors = encoder.tensors();
    const model = await bridge.host.receive(encoder.config, encoder.basis);
    try {
      for (const [index, tensor] of tensors.entries()) {
        if (this.#disposed) return model.dispose();
        await model.append(tensor, encoder.tensorBytes(index));
      }
      await model.finish();
    } catch (error) {
      model.dispose(); // perhaps the memory is full
      throw error;
    }
    if (this.#disposed) model.dispose();
    else this.#models.push(model);
  }

  /**
   * Tells how many workers would run a pass, the engine's own included.
   * @param {ModelConfig} config
   * @param {SharedPass} pass
   */
  workersFor({hiddenSize, intermediateSize, isGated}, {ids, lengths, changes}) {
    const perRow = hiddenSize * (4 * hiddenSize + (isGated ? 3 : 2) * intermediateSize);
    if (lengths.length > 1 || changes.causal || changes.patches) return 1;
    const rows = Math.max(this.least.rows, this.least.multiplyAdds / perRow);
    return Math.max(1, Math.min(this.#models.length + 1, Math.floor(ids.length / rows)));
  }

  /**
   * Runs a pass in `wasm`, which then has all rows of the trace.
   * @param {WasmModel} wasm
   * @param {ModelConfig} config
   * @param {SharedPass} pass
   * @param {() => void} start Starts the pass in `wasm`, or throws.
   * @param {AbortSignal} [signal]
   * @returns {Promise<{threads: number, milliseconds: number}>} How many workers have run it, 0 if a helper
   *   has failed: then it must be run again; and how long they took, without the time in the queue.
   */
  run(wasm, config, pass, start, signal) {
    const done = this.#busy.then(async () => {
      const begin = performance.now();
      const threads = await this.#run(wasm, config, pass, start, signal);
      return {threads, milliseconds: performance.now() - begin};
    });
    this.#busy = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  dispose() {
    this.#disposed = true;
    for (const model of this.#models.splice(0)) model.dispose();
  }

  /**
   * @param {WasmModel} wasm
   * @param {ModelConfig} config
   * @param {SharedPass} pass
   * @param {() => void} start
   * @param {AbortSignal} [signal]
   */
  async #run(wasm, config, pass, start, signal) {
    signal?.throwIfAborted();
    const [own, ...shares] = partsOf(pass.ids.length, this.workersFor(config, pass));
    const models = this.#models.slice(0, shares.length);
    if (models.length === 0) return 0; // the helpers were lost while the pass waited
    let isStarted = false;
    /** @param {(model: Remote<HelpingModel>, index: number) => Promise<Part | undefined>} call */
    const askAll = (call) =>
      arrived(
        models.map((model, i) =>
          call(model, i).catch(() => {
            // A pass that cannot start here does not start there either.
            if (isStarted) this.#lose(model);
            return null;
          }),
        ),
      );
    let projected = askAll((model, i) => model.begin(copyOf(pass), shares[i]));
    start();
    isStarted = true;
    /** @type {Promise<Part[] | null>[]} By layer: what comes from the helpers when it is done. */
    const finished = [];
    /** @type {Part[]} Those that are used again. */
    let spares = [];
    const putFinished = async (/** @type {number} */ layer) => {
      const parts = await finished[layer];
      if (!parts) return false;
      putParts(wasm, true, layer, parts);
      spares = parts;
      return true;
    };
    /** @type {Part[] | null} */
    let theirs = [];
    for (let layer = 0; layer < config.layers; layer++) {
      const ours = project(wasm, layer, own, theirs[0]);
      const before = projected;
      const goOn = (/** @type {Part[]} */ parts) => {
        /** @type {Promise<Part | undefined | null>[]} */
        const coming = [];
        const free = spares;
        spares = [];
        const done = askAll((model, i) => {
          const others = [ours, ...parts.filter((_, from) => from !== i)];
          const given = others.map(models.length > 1 ? copyOf : itself);
          /** @type {(part: Part | undefined | null) => void} */
          let onProgress = () => {};
          coming.push(new Promise((resolve) => void (onProgress = resolve)));
          const asked = model.next(layer, given, {spare: free[i], onProgress});
          asked.then(
            () => onProgress(undefined),
            () => onProgress(null),
          );
          return asked;
        });
        finished.push(done);
        projected = arrived(coming);
      };
      // A single helper needs only our rows, so it gets them at once.
      if (models.length === 1) goOn([]);
      // While theirs are on their way, there is time for what nobody waits for.
      query(wasm, own);
      if (layer > 1 && !(await putFinished(layer - 2))) return 0;
      theirs = await before;
      signal?.throwIfAborted();
      if (!theirs) return 0;
      if (models.length > 1) goOn(theirs);
      putParts(wasm, false, layer, theirs);
      here(() => wasm.finishRows(own.first, own.count));
    }
    for (let layer = Math.max(0, config.layers - 2); layer < config.layers; layer++) {
      if (!(await putFinished(layer))) return 0;
    }
    return models.length + 1;
  }

  /** @param {Remote<HelpingModel>} model */
  #lose(model) {
    this.#models = this.#models.filter((each) => each !== model);
    model.dispose();
  }
}

/**
 * @param {Promise<Part | undefined | null>[]} parts
 * @returns {Promise<Part[] | null>} Those that there are; null if a helper has failed.
 */
async function arrived(parts) {
  const all = await Promise.all(parts);
  return all.includes(null) ? null : all.filter((part) => part !== undefined && part !== null);
}

/** Calls to helpers move the arrays that they are given. @template T @param {T} of */
const copyOf = (of) => structuredClone(of);

/** @template T @param {T} of */
const itself = (of) => of;

/**
 * @param {number} rows
 * @param {number} parts
 * @returns {Rows[]} Nearly equally many in each part.
 */
function partsOf(rows, parts) {
  return Array.from({length: parts}, (_, part) => {
    const first = Math.floor((part * rows) / parts);
    return {first, count: Math.floor(((part + 1) * rows) / parts) - first};
  });
}
