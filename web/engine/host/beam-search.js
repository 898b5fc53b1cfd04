/**
 * Searches for a likely continuation of a text: of all that go on from the best ones so far, it keeps the best.
 * Source: `GenerationMixin._beam_search` of transformers, whose choices it makes.
 */

import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {fieldsOf, flag, number, optional, wholeNumber} from '../reading.js';
import {indicesOfLargest, logProbabilities} from './softmax-top.js';

/** @import {KeptText} from './kept-text.js' */

/**
 * @typedef {object} BeamOptions
 * @property {number} [beams] How many continuations are kept at each token, to 64. The default 1 keeps the one that is
 *   chosen token by token.
 * @property {number} [lengthPenalty] The power of its length that the score of a whole continuation is divided by, from
 *   -10 to 10; the default is 1. More lets longer ones win.
 * @property {boolean} [earlyStopping] Whether to stop as soon as so many continuations have ended as are kept. The
 *   default goes on while one that is being written may still beat one of them.
 */

/**
 * @typedef {object} BeamStep A token that was kept.
 * @property {number} id
 * @property {number} parent The index of the step before it; -1 at the beginning.
 * @property {number} score The natural logarithm of the probability of all that was added, as the penalty on what is
 *   repeated has it.
 */

/**
 * @typedef {object} Beam
 * @property {number} last The index of its last step.
 * @property {number} score Its steps' score divided by a power of its length.
 */

/** @typedef {{text: KeptText, ids: number[], last: number, score: number}} Running */
/** @typedef {{parent: Running, id: number, score: number}} Candidate */

const readBeams = fieldsOf({
  beams: optional(wholeNumber(1, 64), 1),
  lengthPenalty: optional(number(-10, 10), 1),
  earlyStopping: optional(flag, false),
});

/**
 * @param {BeamOptions} options
 * @returns {Required<BeamOptions>}
 */
export const checkedBeams = (options) => readBeams(options, {code: 'bad-option', path: 'generate'});

/** The texts of a search may take so many bytes together. */
const MOST_MEMORY = 2 ** 30;

/**
 * @param {number} beams
 * @param {number} tokens How many each text has.
 * @param {{layers: number, heads: number, headSize?: number, hiddenSize: number}} config
 */
export function requireMemory(beams, tokens, {layers, heads, headSize, hiddenSize}) {
  const width = headSize ? heads * headSize : hiddenSize;
  const each = 2 * layers * tokens * width * Float32Array.BYTES_PER_ELEMENT;
  const most = Math.floor(MOST_MEMORY / each);
  if (beams <= most) return;
  const expected =
    most > 1
      ? `at most ${most} beams of ${tokens} tokens, found ${beams}`
      : `beams of at most ${Math.floor((MOST_MEMORY / beams / each) * tokens)} tokens, found ${tokens}`;
  const message = `generate: expected ${expected}: the keys and values of each take ${each} bytes, and there is room for ${MOST_MEMORY}`;
  throw new BertscopeError('out-of-memory', message);
}

export class BeamSearch {
  /** @type {BeamStep[]} */
  steps = [];
  /** The best that are whole, best first. @type {Beam[]} */
  finished = [];
  #total;
  #end;
  #options;
  #change;
  /** Those that are being written, best first. @type {Running[]} */
  #running;
  /** @type {Set<KeptText>} */
  #texts;

  /**
   * @param {KeptText} text The search releases it, with those that it makes of it.
   * @param {number} total How many tokens are added at most.
   * @param {number | undefined} end The token that ends a text.
   * @param {Required<BeamOptions>} options
   * @param {(values: Float32Array, added: readonly number[]) => void} change Changes the log-probabilities of the next
   *   token in place, after the tokens that were added.
   */
  constructor(text, total, end, options, change) {
    this.#total = total;
    this.#end = end;
    this.#options = options;
    this.#change = change;
    this.#running = [{text, ids: [], last: -1, score: 0}];
    this.#texts = new Set([text]);
  }

  /** The tokens of the best that is being written, or of the best of all if none is. */
  get best() {
    return this.#running[0]?.ids ?? this.idsOf(this.finished[0]);
  }

  /** @param {Beam} beam @returns {number[]} With the token that ended it. */
  idsOf({last}) {
    const ids = [];
    for (let at = last; at >= 0; at = this.steps[at].parent) ids.push(this.steps[at].id);
    return ids.reverse();
  }

  /**
   * Adds a token to each text. Others get the processor between two texts.
   * @param {AbortSignal} [signal]
   * @returns {Promise<boolean>} Whether there is more to do.
   */
  async step(signal) {
    const {beams} = this.#options;
    const length = this.#running[0].ids.length + 1;
    const isEnd = (/** @type {Candidate} */ {id}) => length === this.#total || id === this.#end;
    /** @type {Candidate[]} */
    const candidates = [];
    for (const running of this.#running) {
      await yieldIfDue(signal);
      candidates.push(...this.#candidatesOf(running));
    }
    candidates.sort((a, b) => b.score - a.score);
    const likeliest = candidates.slice(0, 2 * beams);
    this.#finish(likeliest.slice(0, beams).filter(isEnd), length);
    await this.#goOn(likeliest.filter((candidate) => !isEnd(candidate)).slice(0, beams), signal);
    if (!this.#running.length && !this.finished.length) {
      const message =
        'generate: expected a token that may follow, found that the rules of the files forbid every one';
      throw new BertscopeError('bad-config', message);
    }
    return this.#running.length > 0 && this.#canImprove(length);
  }

  release() {
    for (const text of this.#texts) text.release();
    this.#texts.clear();
  }

  /** @param {Running} running @returns {Candidate[]} */
  #candidatesOf(running) {
    const values = logProbabilities(running.text.next());
    this.#change(values, running.ids);
    return indicesOfLargest(values, 2 * this.#options.beams).map((id) => ({
      parent: running,
      id,
      score: running.score + values[id],
    }));
  }

  /** @param {Candidate[]} whole @param {number} length */
  #finish(whole, length) {
    const divisor = length ** this.#options.lengthPenalty;
    for (const candidate of whole)
      this.finished.push({last: this.#record(candidate), score: candidate.score / divisor});
    this.finished.sort((a, b) => b.score - a.score);
    this.finished.splice(this.#options.beams);
  }

  /** @param {Candidate[]} kept @param {AbortSignal} [signal] */
  async #goOn(kept, signal) {
    // A text that nothing goes on from makes room before others are copied.
    const goneOn = new Set(kept.map(({parent}) => parent.text));
    for (const text of this.#texts) if (!goneOn.has(text)) this.#release(text);
    this.#running = kept.map((candidate, index) => {
      const {parent, id, score} = candidate;
      const isUsedAgain = kept.slice(index + 1).some((later) => later.parent === parent);
      const text = isUsedAgain ? parent.text.fork() : parent.text;
      this.#texts.add(text);
      return {text, ids: [...parent.ids, id], last: this.#record(candidate), score};
    });
    for (const [index, {text}] of this.#running.entries()) {
      await yieldIfDue(signal);
      text.append(kept[index].id);
    }
  }

  /** @param {KeptText} text */
  #release(text) {
    this.#texts.delete(text);
    text.release();
  }

  /** @param {Candidate} candidate @returns {number} The index of its step. */
  #record({parent, id, score}) {
    return this.steps.push({id, parent: parent.last, score}) - 1;
  }

  /** Whether the best that is being written may become better than the worst that is whole. @param {number} length */
  #canImprove(length) {
    const {beams, lengthPenalty, earlyStopping} = this.#options;
    if (this.finished.length < beams) return true;
    const worst = this.finished[beams - 1].score;
    return !earlyStopping && this.#running[0].score / length ** lengthPenalty > worst;
  }
}
