import {defaultModel} from '../session/default-model.js';
import {pageAddresses} from '../session/page-access.js';
import {pageEngine} from '../session/shared-models.js';
import {sourceOf} from '../session/source-address.js';
import {frameText} from './lesson-text.js';
import {readableModel} from './readable-model.js';

/** @import {Found, Input, Measured, Step, Tools} from './step.js' */

/**
 * What a step computed, and from what.
 *
 * @typedef {object} Computed
 * @property {unknown} data
 * @property {Tools} tools
 * @property {Input} input
 * @property {string} model
 * @property {string} src
 */

/** The code of the failure of a step whose model guesses no words. */
export const needsWords = 'needs-words';

/** Runs the step that is shown. A newer run aborts an older one. */
export class StepRun {
  /** The latest result; null before the first of a step. @type {Computed | null} */
  computed = null;
  milliseconds = 0;
  /** Whether the model is loaded; if so, a failure is the step's. */
  isLoaded = false;
  loading = {loaded: 0, total: 0};
  /** How much of a long computation is done, in percent; null unless one is under way. @type {number | null} */
  done = null;
  /** Whether the reader has stopped it. */
  isHalted = false;
  /** @type {Error | null} */
  failure = null;
  #work = new AbortController();
  #user;
  #onChange;

  /** @param {object} user  of the model @param {() => void} onChange */
  constructor(user, onChange) {
    this.#user = user;
    this.#onChange = onChange;
  }

  /**
   * Computes what a step shows from the reader's input.
   *
   * @param {Step} step
   * @param {string} key  names the step in measurements
   * @param {Input} input
   * @param {string} chosen  the reader's model as an address has it
   */
  async start(step, key, input, chosen) {
    const model = step.model ?? chosen;
    this.stop();
    this.isHalted = false;
    const {signal} = (this.#work = new AbortController());
    if (model !== this.computed?.model) this.isLoaded = false;
    try {
      const onProgress = (/** @type {{loaded: number, total: number}} */ progress) => {
        this.loading = progress;
        this.#onChange();
      };
      const src = addressOf(model);
      const loaded = await pageEngine.model(src, {user: this.#user, onProgress, signal});
      if (signal.aborted) return;
      this.isLoaded = true;
      if (step.guesses && !loaded.model.predictionHeads.maskedLm) {
        throw Object.assign(new Error(frameText.needsWords), {code: needsWords});
      }
      const start = performance.now();
      const {lab} = loaded.engine;
      const onDone = (/** @type {number} */ share) => {
        const percent = Math.floor(100 * share);
        if (signal.aborted || percent === this.done) return;
        this.done = percent;
        this.#onChange();
      };
      const readable = readableModel(loaded.model);
      const tools = {lab: lab.until(signal), model: readable, signal, onProgress: onDone};
      const data = await step.compute(tools, input);
      if (signal.aborted) return;
      this.done = null;
      this.computed = {data, tools, input, model, src};
      this.milliseconds = measured(start, key);
      this.failure = null;
      this.#onChange();
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
  }

  /**
   * Whether what is shown has failed, or is of another model than it should be.
   *
   * @param {Step} step
   * @param {string} chosen  the reader's model as an address has it
   */
  isStale(step, chosen) {
    return this.failure !== null || (step.model ?? chosen) !== this.computed?.model;
  }

  /**
   * Lets the engine answer the question of the step.
   *
   * @param {Step} step
   * @returns {Promise<Measured | {found: Found | null, facts?: undefined} | undefined>}  undefined if it was aborted,
   *   failed or could not begin yet
   */
  async find({asked}) {
    if (!this.computed) return undefined;
    const {data, tools, input} = this.computed;
    try {
      const answer = asked && data ? await asked.find(tools, input, data) : null;
      if (tools.signal.aborted) return undefined;
      const isMeasured = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
      return isMeasured ? answer : {found: answer};
    } catch (error) {
      if (!tools.signal.aborted) this.fail(error);
      return undefined;
    }
  }

  stop() {
    this.#work.abort();
    this.done = null;
  }

  /** Stops what takes long, since the reader does not want to wait for it. */
  halt() {
    this.stop();
    this.isHalted = true;
    this.#onChange();
  }

  /** @param {unknown} error */
  fail(error) {
    this.done = null;
    this.failure = error instanceof Error ? error : new Error(String(error));
    this.#onChange();
  }
}

/** Names the source to load for a model of an address. @param {string} model */
const addressOf = (model) => sourceOf(model || defaultModel, pageAddresses).url;

/**
 * Marks the time that a step took in the browser's performance timeline, for tests and measurements.
 *
 * @param {number} start
 * @param {string} step
 */
function measured(start, step) {
  performance.clearMeasures('bertscope:step');
  return performance.measure('bertscope:step', {start, detail: step}).duration;
}
