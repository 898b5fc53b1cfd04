/** One pass whose rows several workers run. */

import {inTime} from '../silence.js';
import {here, project, putSharedRows, query} from './helper.js';

/** @import {Remote} from '../bridge.js' */
/** @import {HelpingModel, Rows, SharedRows} from './helper.js' */
/** @import {WasmModel} from '../wasm-module.d.ts' */

/** @typedef {{model: Remote<HelpingModel>, rows: Rows}} Share The rows of a pass that a helper runs. */

/** A worker that runs one layer for so long is ended as one that is stuck. */
const SILENCE_MILLISECONDS = 25_000;

/**
 * In each layer the workers exchange the keys and values of their rows. What else a helper has made of its rows is put
 * into the trace two layers later, because nobody waits for it.
 */
export class SharedPass {
  #wasm;
  #sizes;
  #own;
  #shares;
  #lose;
  #isStarted = false;
  /** For each layer, the rows that the helpers send when they have done it. @type {Promise<SharedRows[] | null>[]} */
  #finished = [];
  /** Arrays that are used again for later rows. @type {SharedRows[]} */
  #spares = [];
  /** The keys and values of the helpers' rows in the next layer. @type {Promise<SharedRows[] | null>} */
  #projected = Promise.resolve([]);

  /**
   * @param {WasmModel} wasm
   * @param {{layers: number, heads: number, headSize?: number, hiddenSize: number, tokens: number}} sizes
   * @param {Rows} own The rows that `wasm` runs.
   * @param {Share[]} shares All others.
   * @param {(model: Remote<HelpingModel>) => void} lose Gets each that fails.
   */
  constructor(wasm, sizes, own, shares, lose) {
    this.#wasm = wasm;
    this.#sizes = sizes;
    this.#own = own;
    this.#shares = shares;
    this.#lose = lose;
  }

  /**
   * @param {(share: Share) => Promise<SharedRows>} begin Starts the pass in a helper.
   * @param {() => void} start Starts it in `wasm`, or throws.
   */
  begin(begin, start) {
    this.#projected = arrived(
      this.#shares.map((share) => this.#checked(begin(share), share, 0, false)),
    );
    start();
    this.#isStarted = true;
  }

  /** @param {AbortSignal} [signal] @returns {Promise<boolean>} Whether no helper has failed. */
  async run(signal) {
    /** @type {SharedRows[]} */
    let theirs = [];
    const {layers} = this.#sizes;
    for (let layer = 0; layer < layers; layer++) {
      const ours = project(this.#wasm, layer, this.#own, theirs[0]);
      const coming = this.#projected;
      // A single helper needs only our rows, so it gets them at once.
      const isSingle = this.#shares.length === 1;
      if (isSingle) this.#goOn(layer, ours, []);
      // While the rows of the helpers arrive, this worker does the work that nobody waits for.
      query(this.#wasm, this.#own);
      if (layer > 1 && !(await this.#putFinished(layer - 2))) return false;
      const arrivals = await coming;
      signal?.throwIfAborted();
      if (!arrivals) return false;
      theirs = arrivals;
      if (!isSingle) this.#goOn(layer, ours, theirs);
      putSharedRows(this.#wasm, false, theirs);
      here(() => this.#wasm.finishRows(this.#own.first, this.#own.count));
    }
    for (let layer = Math.max(0, layers - 2); layer < layers; layer++) {
      if (!(await this.#putFinished(layer))) return false;
    }
    return true;
  }

  /**
   * Gives each helper the keys and values of all rows that it lacks.
   * @param {number} layer
   * @param {SharedRows} ours
   * @param {SharedRows[]} theirs By helper.
   */
  #goOn(layer, ours, theirs) {
    const spares = this.#spares.splice(0);
    const answers = this.#shares.map((share, i) => {
      const others = [ours, ...theirs.filter((_, from) => from !== i)];
      const given = this.#shares.length > 1 ? structuredClone(others) : others; // calls move arrays
      return this.#next(share, layer, given, spares[i]);
    });
    this.#finished.push(arrived(answers.map(({finished}) => finished)));
    this.#projected = arrived(answers.map(({projected}) => projected));
  }

  /**
   * @param {Share} share
   * @param {number} layer
   * @param {SharedRows[]} others
   * @param {SharedRows} [spare]
   */
  #next(share, layer, others, spare) {
    /** @type {(rows?: SharedRows) => void} */
    let onProgress = () => {};
    /** @type {Promise<SharedRows | undefined>} */
    const progress = new Promise((resolve) => void (onProgress = resolve));
    const answer = share.model.next(layer, others, {spare, onProgress});
    const finished = this.#checked(answer, share, layer, true);
    // After its answer, a helper sends no more progress.
    void finished.then(() => onProgress());
    const isLast = layer + 1 === this.#sizes.layers; // nobody waits for what would come next
    const next = isLast ? progress : this.#checked(progress, share, layer + 1, false);
    return {projected: next.then((rows) => rows ?? null), finished};
  }

  /**
   * @param {Promise<SharedRows | undefined>} answer
   * @param {Share} share
   * @param {number} layer
   * @param {boolean} isFinished Whether the answer is all that a layer has made of the rows, or keys and values.
   * @returns {Promise<SharedRows | null>} Null if the helper has failed. A helper whose files are of another version
   *   may answer with anything.
   */
  async #checked(answer, {model, rows}, layer, isFinished) {
    const {heads, hiddenSize, tokens, headSize} = this.#sizes;
    const width = headSize ? heads * headSize : hiddenSize;
    const ofRow = width + (isFinished ? hiddenSize + heads * tokens : width);
    try {
      const reply = await inTime(answer, (silence) => new Error(silence), SILENCE_MILLISECONDS);
      const isOurs =
        reply?.first === rows.first &&
        reply.count === rows.count &&
        reply.layer === layer &&
        reply.values instanceof Float32Array &&
        reply.values.length === rows.count * ofRow;
      if (isOurs) return reply;
    } catch {
      // A helper that fails is given up like one with a wrong answer.
    }
    // If the pass could not start in this worker, the helper is not to blame.
    if (this.#isStarted) this.#lose(model);
    return null;
  }

  /** @param {number} layer */
  async #putFinished(layer) {
    const rows = await this.#finished[layer];
    if (!rows) return false;
    putSharedRows(this.#wasm, true, rows);
    this.#spares = rows;
    return true;
  }
}

/**
 * @param {Promise<SharedRows | null>[]} answers
 * @returns {Promise<SharedRows[] | null>} Null if a helper has failed.
 */
async function arrived(answers) {
  const all = await Promise.all(answers);
  return all.every((each) => each !== null) ? all : null;
}
