/** One model in the wasm module: runs texts and hands out their traces. */

import {ActionQueue} from './action-queue.js';
import {attempt} from './attempt.js';
import {checkIndices} from './checked-indices.js';
import {BertscopeError} from '../errors.js';
import {areFinite} from './finite.js';
import {HeldTrace} from './held-trace.js';
import {attendedSteps, stepsTo} from './pass-steps.js';

/** @import {Quantity} from './held-trace.js' */
/** @import {Helpers} from './helpers.js' */
/** @import {Changes} from '../interventions.js' */
/** @import {AnyMethod} from './explanations.js' */
/** @import {AskOfPass} from './writing.js' */
/** @import {Failure, ModelConfig, TokenClasses, WasmAnswer, WasmContinuedText, WasmExplanation, WasmFlow, WasmHeads, WasmModel, WordLinks} from '../wasm-module.d.ts' */

/**
 * @typedef {object} PassInput What was run. It suffices to run it again.
 * @property {number} id
 * @property {Int32Array} ids `[sequences * tokens]`
 * @property {Int32Array} tokenTypes `[sequences * tokens]`
 * @property {Int32Array} lengths `[sequences]`: tokens of each without padding.
 * @property {Float32Array} [source] What a decoder looks into: the last hidden states of an encoder,
 *   `[its tokens * hiddenSize]`.
 * @property {Changes} [changes] What the model does differently.
 */

/**
 * @typedef {object} Job
 * @property {(batch: Omit<PassInput, 'id'>) => Promise<unknown>} run
 * @property {(quantity: Quantity, indices: number[], sequence?: number) => Float32Array} read Reads
 *   the latest pass.
 * @property {() => void} keep Keeps the latest pass for the patches of later ones, until the job
 *   ends.
 */

/** How many passes there were in all encoders, so that no two passes have the same id. */
let passes = 0;

export class Encoder {
  #wasm;
  #name;
  #trace;
  /** The id of the pass that was asked for last, except those that failed. */
  #latest = 0;
  /** The id of the pass that was run last, as far as was asked. */
  #done = 0;
  /** A model does one thing at a time. */
  #queue = new ActionQueue();
  /** Settles when the weights are freed; undefined while the model is in use. @type {Promise<void> | undefined} */
  #ended;

  /**
   * @param {WasmModel} wasm With all its weights.
   * @param {ModelConfig} config
   * @param {string} name For messages.
   * @param {Helpers} [helpers]
   */
  constructor(wasm, config, name, helpers) {
    this.#wasm = wasm;
    this.#name = name;
    this.config = config;
    this.heads = wasm.predictionHeads();
    this.notes = wasm.notes();
    this.#trace = new HeldTrace(wasm, config, name, helpers);
  }

  /** All encoders with the same weights share these helpers. */
  get helpers() {
    return this.#trace.helpers;
  }

  set helpers(helpers) {
    this.#trace.helpers = helpers;
  }

  /**
   * Makes another encoder with the same weights and its own trace. What runs there leaves the pass
   * of this one in memory.
   */
  sibling() {
    const wasm = this.#ended ? null : attempt(this.#name, () => this.#wasm.sibling());
    if (!wasm) throw this.#disposedError();
    return new Encoder(wasm, this.config, this.#name, this.helpers);
  }

  /** Tells whether no pass after this one has run or is to run. @param {PassInput} pass */
  isLatest(pass) {
    return this.#latest === pass.id;
  }

  /**
   * Running the latest batch again costs only the layers from the first change on.
   * @param {Omit<PassInput, 'id'>} batch
   * @param {AbortSignal} [signal]
   * @param {number} [steps] How far it is run; the default is to its end.
   * @returns {Promise<{pass: PassInput, milliseconds: number, threads: number}>} The time in the
   *   engine, without the time in the queue; and how many workers ran the pass.
   */
  run(batch, signal, steps) {
    const pass = {...batch, id: ++passes};
    this.#latest = pass.id;
    return this.#exclusively(async () => {
      try {
        const computed = await this.#trace.compute(pass, signal, steps);
        this.#done = pass.id;
        return {pass, ...computed};
      } catch (error) {
        if (this.isLatest(pass)) this.#latest = this.#done;
        throw error;
      }
    });
  }

  /**
   * The wasm memory holds the trace of one pass. An older pass is computed again when it is asked
   * for, so every result stays valid and none has to be freed.
   * @param {PassInput} pass
   * @param {Quantity} quantity
   * @param {number[]} indices
   * @param {number} [sequence]
   * @returns {Promise<Float32Array>}
   */
  pull(pass, quantity, indices, sequence = 0) {
    return this.#exclusively(async () => {
      checkIndices(quantity, indices);
      await this.#trace.hold(pass, stepsTo(quantity, indices, this.config.layers));
      const values = this.#trace.read(quantity, sequence, indices);
      if (areFinite(values)) return values;
      await this.#trace.hold(pass);
      return this.#trace.refuseWeights(quantity, sequence);
    });
  }

  /**
   * Does work of many passes. Everything else that is asked of this encoder waits until its end.
   * @template T
   * @param {(job: Job) => Promise<T>} work
   * @param {AbortSignal} [signal]
   * @returns {Promise<T>}
   */
  work(work, signal) {
    return this.#exclusively(async () => {
      try {
        return await work({
          run: (batch) => this.#trace.compute({...batch, id: ++passes}, signal),
          read: (quantity, indices, sequence = 0) => {
            const values = this.#trace.read(quantity, sequence, indices);
            if (!areFinite(values)) this.#trace.refuseWeights(quantity, sequence);
            return values;
          },
          keep: () => void attempt(this.#name, () => this.#wasm.keep(0)),
        });
      } finally {
        this.#trace.drop();
        attempt(this.#name, () => this.#wasm.forget());
      }
    });
  }

  /**
   * Adds the attention of every head in a pass to the sums of `heads`.
   * @param {PassInput} pass
   * @param {WasmHeads} heads
   * @param {TokenClasses} classes
   * @param {AbortSignal} [signal]
   */
  addTo(pass, heads, classes, signal) {
    return this.#exclusively(async () => {
      await this.#trace.hold(pass, undefined, signal);
      attempt(this.#name, () => this.#wasm.addTo(heads, 0, classes));
      const last = this.#trace.read('hiddenStates', 0, [this.config.layers]);
      if (!areFinite(last)) this.#trace.refuseWeights('attention', 0);
    });
  }

  /**
   * @param {PassInput} pass
   * @param {Int32Array} words
   * @param {Int32Array} isMention
   * @returns {Promise<WordLinks>}
   */
  wordLinks(pass, words, isMention) {
    return this.#exclusively(async () => {
      await this.#trace.hold(pass, attendedSteps(this.config.layers));
      const links = attempt(this.#name, () => this.#wasm.wordLinks(0, words, isMention));
      if (areFinite(links.mean)) return links;
      await this.#trace.hold(pass);
      return this.#trace.refuseWeights('attention', 0);
    });
  }

  /**
   * @param {Int32Array} ids
   * @returns {Promise<Float32Array>} `[ids * width]`, before positions, token types and layer norm
   *   are applied.
   */
  wordEmbeddings(ids) {
    return this.#alone(() => this.#wasm.wordEmbeddings(ids));
  }

  /**
   * @param {PassInput} pass
   * @param {WasmFlow} flow Gets the layers up to and including `layer`.
   * @param {number} layer
   */
  async beginFlow(pass, flow, layer) {
    checkIndices('flow', [layer]);
    const steps = stepsTo('flow', [layer], this.config.layers);
    return this.#begin(pass, () => this.#wasm.beginFlow(flow, 0, layer), steps);
  }

  /**
   * @param {PassInput} pass
   * @param {WasmExplanation} explanation Afterwards it needs neither the pass nor this encoder.
   * @param {AnyMethod} method
   * @param {WasmAnswer} answer
   * @param {Int32Array} baseline The ids from which integrated gradients begin.
   * @param {{ask: AskOfPass, pass: PassInput}} [source] What this encoder, a decoder, looks into. Only the begin is asked
   *   of the encoder that holds it, so that what fails for want of memory later is not begun again.
   */
  beginExplanation(pass, explanation, method, answer, baseline, source) {
    const begin = (/** @type {WasmModel | null} */ read) =>
      this.#begin(pass, () =>
        this.#wasm.beginExplanation(explanation, 0, method, answer, baseline, read),
      );
    return source
      ? source.ask(source.pass, (encoder) => encoder.#lend(source.pass, begin))
      : begin(null);
  }

  /**
   * @param {PassInput} pass
   * @param {WasmContinuedText} text Afterwards it needs neither the pass nor this encoder.
   * @param {number} capacity The most tokens of the text in all.
   * @returns {Promise<() => never>} Refuses weights that give other numbers than finite ones.
   */
  async beginText(pass, text, capacity) {
    await this.#begin(pass, () => this.#wasm.beginText(text, 0, capacity));
    return () => this.#trace.refuseWeights('wordLogits', 0);
  }

  /** The basis of the int8 weights. */
  get basis() {
    return this.#wasm.basis();
  }

  /** The names, types and shapes of the weights in a quantized file. */
  tensors() {
    return attempt(this.#name, () => this.#wasm.tensors());
  }

  /** @param {number} index Counts the tensors in the order of `tensors()`. */
  tensorBytes(index) {
    return attempt(this.#name, () => this.#wasm.tensorBytes(index));
  }

  /** Frees the weights after what is queued has ended. */
  dispose() {
    this.#ended ??= this.#queue.add(() => this.#wasm.delete());
    return this.#ended;
  }

  /** @param {() => Float32Array | Failure} call @returns {Promise<Float32Array>} */
  #alone(call) {
    return this.#exclusively(async () => attempt(this.#name, call));
  }

  /**
   * Holds a pass while another model works with it.
   * @template T
   * @param {PassInput} pass
   * @param {(wasm: WasmModel) => Promise<T>} work
   */
  #lend(pass, work) {
    return this.#exclusively(async () => {
      await this.#trace.hold(pass);
      return work(this.#wasm);
    });
  }

  /**
   * Hands a pass to the wasm module, which takes what it needs of it.
   * @param {PassInput} pass
   * @param {() => Failure | null} begin
   * @param {number} [steps] How far the pass is needed; the default is to its end.
   */
  #begin(pass, begin, steps) {
    return this.#exclusively(async () => {
      await this.#trace.hold(pass, steps);
      attempt(this.#name, begin);
    });
  }

  #disposedError() {
    const message = `${this.#name}: expected a model, found it disposed of`;
    return new BertscopeError('disposed', message);
  }

  /**
   * @template T
   * @param {() => Promise<T>} action
   * @returns {Promise<T>}
   */
  #exclusively(action) {
    return this.#ended ? Promise.reject(this.#disposedError()) : this.#queue.add(action);
  }
}
