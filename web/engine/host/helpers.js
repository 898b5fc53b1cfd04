/** The workers that help with the passes of one model. */

import {SharedPass} from './shared-pass.js';

/** @import {Bridge, Remote} from '../bridge.js' */
/** @import {Encoder, PassInput} from './encoder.js' */
/** @import {Helper, HelpingModel, Rows} from './helper.js' */
/** @import {Changes} from '../interventions.js' */
/** @import {ModelConfig, WasmModel} from '../wasm-module.d.ts' */

/** @typedef {Omit<PassInput, 'id'> & {changes: Changes & {patches?: unknown}}} SharedInput */

/**
 * Help saves time only if a worker gets at least this much work in a layer. With fewer rows, it
 * would take nearly as long to read the weights. With fewer multiply-adds, the fastest chips would
 * do them while the workers exchange rows.
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
   * @param {SharedInput} pass
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
   * @param {SharedInput} pass
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
   * @param {SharedInput} pass
   * @param {() => void} start
   * @param {AbortSignal} [signal]
   */
  async #run(wasm, config, pass, start, signal) {
    signal?.throwIfAborted();
    const tokens = pass.ids.length;
    const [own, ...shares] = sharesOf(tokens, this.workersFor(config, pass));
    const team = shares.map((rows, i) => ({rows, model: this.#models[i]}));
    if (team.length === 0) return 0; // the helpers were lost while the pass waited
    const lose = (/** @type {Remote<HelpingModel>} */ model) => this.#lose(model);
    const shared = new SharedPass(wasm, {...config, tokens}, own, team, lose);
    shared.begin(({model, rows}) => model.begin(structuredClone(pass), rows), start); // calls move arrays
    return (await shared.run(signal)) ? team.length + 1 : 0;
  }

  /** @param {Remote<HelpingModel>} model */
  #lose(model) {
    this.#models = this.#models.filter((each) => each !== model);
    model.dispose();
  }
}

/**
 * @param {number} rows
 * @param {number} workers
 * @returns {Rows[]} Nearly equally many for each worker.
 */
function sharesOf(rows, workers) {
  return Array.from({length: workers}, (_, worker) => {
    const first = Math.floor((worker * rows) / workers);
    return {first, count: Math.floor(((worker + 1) * rows) / workers) - first};
  });
}
