import {attempt} from './attempt.js';
import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {firstNotFinite} from './first-not-finite.js';
import {NO_CHANGES} from '../interventions.js';
import {allSteps} from './pass-steps.js';

/** @import {PassInput} from './encoder.js' */
/** @import {Helpers} from './helpers.js' */
/** @import {MatrixRef} from '../measures.js' */
/** @import {Failure, ModelConfig, WasmModel} from '../wasm-module.d.ts' */

/**
 * What a pass can be asked for. `wasm-module.d.ts` says which indices each takes after the sequence,
 * and what shape it has.
 *
 * @typedef {MatrixRef['kind'] | 'hiddenStates' | 'wordLogits' | 'poolerOutput' | 'classifierLogits' | 'headNorms' | 'layerNorms' | 'rollout'} Quantity
 *   on one line, since TypeScript 7 writes the asterisk of a second one into its declarations
 */

/**
 * The trace in the memory of one wasm model. It is that of one pass, which goes on when more of it
 * is asked for. Only one of these methods may run at a time.
 */
export class HeldTrace {
  #wasm;
  #config;
  #name;
  /** The id of the pass whose trace this is; 0 if there is none. */
  #held = 0;
  /** How many steps this pass has run. `pass-steps.js` explains the steps. */
  #stepsDone = 0;
  /** @type {Omit<PassInput, 'id'> | undefined} The latest batch that was begun. */
  #begun;

  /**
   * @param {WasmModel} wasm With all its weights.
   * @param {ModelConfig} config
   * @param {string} name For messages.
   * @param {Helpers} [helpers]
   */
  constructor(wasm, config, name, helpers) {
    this.#wasm = wasm;
    this.#config = config;
    this.#name = name;
    this.helpers = helpers;
  }

  /** Forgets which pass is held, so that the next one is computed. */
  drop() {
    this.#held = 0;
  }

  /**
   * @param {PassInput} pass It is computed again if the wasm memory holds another.
   * @param {number} [steps]
   * @param {AbortSignal} [signal]
   */
  async hold(pass, steps, signal) {
    if (this.#held !== pass.id) await this.compute(pass, signal, steps);
    else await this.#advance((step) => void attempt(this.#name, step), signal, steps);
  }

  /**
   * Runs the pass that the wasm memory holds on, unless it has come so far.
   * @param {(step: () => Failure | null) => void} run
   * @param {AbortSignal} [signal]
   * @param {number} [steps]
   */
  async #advance(run, signal, steps = allSteps(this.#config.layers)) {
    while (this.#stepsDone < steps) {
      await yieldIfDue(signal);
      const layer = Math.floor(this.#stepsDone / 2);
      const step = steps === 2 * layer + 1 ? 'attendLayer' : 'runLayer';
      run(() => this.#wasm[step](layer));
      this.#stepsDone = step === 'attendLayer' ? steps : 2 * (layer + 1);
    }
  }

  /**
   * @param {PassInput} pass
   * @param {AbortSignal} [signal]
   * @param {number} [steps] A pass that several workers share is run to its end.
   * @returns {Promise<{milliseconds: number, threads: number}>}
   */
  async compute(pass, signal, steps) {
    const {id, ids, tokenTypes, lengths, source, changes = NO_CHANGES} = pass;
    signal?.throwIfAborted();
    if (this.#config.crossAttention && !source) {
      // The wasm still has the text that the pass before looked into, and would use it.
      const message = `${this.#name}: expected a pass with a text that the decoder looks into, found none`;
      throw new BertscopeError('not-available', message);
    }
    let milliseconds = 0;
    /** @param {() => Failure | null} step */
    const timed = (step) => {
      const begin = performance.now();
      attempt(this.#name, step);
      milliseconds += performance.now() - begin;
    };
    this.#held = 0;
    const begun = this.#begun;
    const again = begun && sameBatch(begun, {ids, tokenTypes, lengths, source});
    this.#begun = undefined;
    if (source && !again) timed(() => this.#wasm.lookInto(source));
    const start = () => timed(() => this.#wasm.start(ids, tokenTypes, lengths, changes));
    const shared = {ids, tokenTypes, lengths, changes};
    let threads = 1;
    if (again) {
      timed(() => this.#wasm.change(changes));
    } else if (!this.helpers || this.helpers.workersFor(this.#config, shared) === 1) {
      start();
    } else {
      const ran = await this.helpers.run(this.#wasm, this.#config, shared, start, signal);
      ({threads, milliseconds} = ran);
      if (threads === 0) {
        const next = await this.compute(pass, signal, steps);
        return {...next, milliseconds: milliseconds + next.milliseconds};
      }
    }
    // These are copies, because the arrays of the pass move to the page with the result.
    this.#begun = {
      ids: ids.slice(),
      tokenTypes: tokenTypes.slice(),
      lengths: lengths.slice(),
      source: source?.slice(),
    };
    this.#stepsDone = 2 * this.#wasm.layersDone();
    await this.#advance(timed, signal, steps);
    this.#held = id;
    return {milliseconds, threads};
  }

  /**
   * Copies a quantity of the pass that is held.
   * @param {Quantity} quantity
   * @param {number} sequence
   * @param {number[]} indices
   */
  read(quantity, sequence, indices) {
    const read = /** @type {(...indices: number[]) => Float32Array | Failure} */ (
      this.#wasm[quantity].bind(this.#wasm)
    );
    return /** @type {Float32Array} */ (attempt(this.#name, () => read(sequence, ...indices)));
  }

  /**
   * Weights are checked to be finite when they load, but their products need not be.
   * @param {Quantity} quantity The one that was read.
   * @param {number} sequence
   * @returns {never} Names the first place in the order of computing.
   */
  refuseWeights(quantity, sequence) {
    const where = firstNotFinite(
      (part, indices) => this.read(part, sequence, indices),
      this.#config,
    );
    const message = `${this.#name}: expected weights that give finite numbers, found others first in ${where || quantity}`;
    throw new BertscopeError('invalid-weights', message);
  }
}

/**
 * @param {Omit<PassInput, 'id'>} a
 * @param {Omit<PassInput, 'id'>} b
 */
function sameBatch(a, b) {
  return [
    [a.ids, b.ids],
    [a.tokenTypes, b.tokenTypes],
    [a.lengths, b.lengths],
    [a.source ?? [], b.source ?? []],
  ].every(([x, y]) => x.length === y.length && x.every((value, at) => value === y[at]));
}
