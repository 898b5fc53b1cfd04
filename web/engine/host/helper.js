/** A worker that helps the engine's: it has the same models, and runs some rows of their passes. */

import {BertscopeError} from '../errors.js';
import {attempt} from './attempt.js';

/** @import {PassInput} from './encoder.js' */
/** @import {Runtime} from './runtime.js' */
/** @import {Changes} from '../interventions.js' */
/** @import {Basis, Failure, ModelConfig, TensorInfo, WasmModel} from '../wasm-module.d.ts' */

/** @typedef {{first: number, count: number}} Rows Some rows of one text. */

/** @typedef {Rows & {layer: number, values: Float32Array}} SharedRows What `take` gives of these rows. */

export class Helper {
  #runtime;

  /** @param {Runtime} runtime */
  constructor(runtime) {
    this.#runtime = runtime;
  }

  /** @param {ModelConfig} config @param {Basis} basis The basis of the int8 weights, which are to follow. */
  receive(config, basis) {
    return new HelpingModel(this.#runtime.emptyModel(), config, basis);
  }
}

/**
 * A model whose passes are run here for some of their rows. A pass that was given up needs no end: the next one takes its
 * place.
 */
export class HelpingModel {
  #wasm;
  #config;
  /** @type {Rows} */
  #own = {first: 0, count: 0};

  /** @param {WasmModel} wasm @param {ModelConfig} config @param {Basis} basis */
  constructor(wasm, config, basis) {
    this.#wasm = wasm;
    this.#config = config;
    try {
      here(() => wasm.begin(config, 'int8', basis));
    } catch (error) {
      wasm.delete();
      throw error;
    }
  }

  /** @param {TensorInfo} tensor @param {Uint8Array} bytes */
  append({name, dtype, shape}, bytes) {
    here(() => this.#wasm.beginTensor(name, dtype, shape));
    here(() => this.#wasm.append(bytes));
    here(() => this.#wasm.endTensor());
  }

  finish() {
    here(() => this.#wasm.finish());
  }

  /**
   * @param {Omit<PassInput, 'id'> & {changes: Changes}} pass
   * @param {Rows} own Those that are to be run here.
   * @returns {SharedRows} Their keys and values in the first layer.
   */
  begin({ids, tokenTypes, lengths, changes}, own) {
    this.#own = own;
    here(() => this.#wasm.start(ids, tokenTypes, lengths, changes));
    const projected = project(this.#wasm, 0, own);
    query(this.#wasm, own);
    return projected;
  }

  /**
   * @param {number} layer
   * @param {SharedRows[]} others The keys and values of all other rows.
   * @param {object} options
   * @param {SharedRows} [options.spare]
   * @param {(projected: SharedRows) => void} options.onProgress Gets the keys and values of the next layer,
   *   if there is one, before what nobody waits for.
   * @returns {SharedRows} All else that the layer has made of the rows.
   */
  next(layer, others, {spare, onProgress}) {
    const done = this.#wasm.layersDone();
    if (layer !== done) {
      // A layer needs the rows of the other workers from every layer before it.
      const message = `a shared pass: expected layer ${done} to be next, found ${layer}`;
      throw new BertscopeError('bad-index', message);
    }
    putSharedRows(this.#wasm, false, others);
    here(() => this.#wasm.finishRows(this.#own.first, this.#own.count));
    if (layer + 1 < this.#config.layers) {
      onProgress(project(this.#wasm, layer + 1, this.#own, others[0]));
      query(this.#wasm, this.#own);
    }
    return take(this.#wasm, true, layer, this.#own, spare);
  }

  dispose() {
    this.#wasm.delete();
  }
}

/**
 * @param {WasmModel} wasm
 * @param {number} layer
 * @param {Rows} rows
 * @param {SharedRows} [spare]
 * @returns {SharedRows} Their keys and values.
 */
export function project(wasm, layer, rows, spare) {
  here(() => wasm.projectRows(rows.first, rows.count));
  return take(wasm, false, layer, rows, spare);
}

/** @param {WasmModel} wasm @param {Rows} rows */
export function query(wasm, {first, count}) {
  here(() => wasm.queryRows(first, count));
}

/**
 * @param {WasmModel} wasm
 * @param {boolean} isFinished
 * @param {number} layer
 * @param {Rows} rows
 * @param {SharedRows} [spare] Its array is used again if it fits, because fresh memory is slow.
 * @returns {SharedRows}
 */
function take(wasm, isFinished, layer, {first, count}, spare) {
  const into = spare?.count === count ? spare.values : null;
  const values = here(() => wasm.moveRows(true, isFinished, layer, first, count, into));
  return {first, count, layer, values};
}

/**
 * Puts rows of other workers into the trace.
 * @param {WasmModel} wasm
 * @param {boolean} isFinished
 * @param {SharedRows[]} shared
 */
export function putSharedRows(wasm, isFinished, shared) {
  for (const {first, count, layer, values} of shared) {
    here(() => wasm.moveRows(false, isFinished, layer, first, count, values));
  }
}

/** @template T @param {() => T | Failure} action */
export const here = (action) => attempt('a shared pass', action);
