/**
 * How often each of several predictors is right, in the file and in the imagined files of a
 * resampling.
 */

import {middle95} from './resampling.js';

/**
 * @typedef {object} Share
 * @property {number} right
 * @property {number} share The part of the links that are right.
 */

const NO_DRAWS = new Uint8Array(0);
/**
 * An interval needs so many sentences. Resampling stays between the least and the greatest share that a
 * sentence has. The median of all such sentences is between these of n with a probability of
 * 1 - 2 / 2 ** n, which is 95 % or more from six on.
 */
const LEAST_SENTENCES = 6;

export class ShareCounts {
  /** `[predictors, draws]` */
  #drawn;
  #drawnLinks;
  /** How many sentences have such a link. */
  #sentences = 0;
  /** The `times` of the latest of them. @type {Uint8Array | null} */
  #latest = null;

  /** @param {number} predictors @param {number} draws */
  constructor(predictors, draws) {
    this.links = 0;
    this.right = new Int32Array(predictors);
    this.#drawnLinks = new Int32Array(draws);
    this.#drawn = new Int32Array(predictors * draws);
  }

  /**
   * Counts one link.
   * @param {ArrayLike<number>} rightOnes The predictors that are right, each once.
   * @param {Uint8Array} [times] How often its sentence occurs in each imagined file. It tells the
   *   links of one sentence from those of the next.
   */
  add(rightOnes, times = NO_DRAWS) {
    const draws = times.length;
    this.links++;
    if (times !== this.#latest) this.#sentences++;
    this.#latest = times;
    for (let draw = 0; draw < draws; draw++) this.#drawnLinks[draw] += times[draw];
    for (let i = 0; i < rightOnes.length; i++) {
      const predictor = rightOnes[i];
      this.right[predictor]++;
      const row = predictor * draws;
      for (let draw = 0; draw < draws; draw++) this.#drawn[row + draw] += times[draw];
    }
  }

  /** @param {number} predictor @returns {Share} */
  of(predictor) {
    const right = this.right[predictor];
    return {right, share: this.links ? right / this.links : 0};
  }

  /**
   * @param {number} begin
   * @param {number} end
   * @returns {number} The predictor of [begin, end) that is right most often; the first of several.
   */
  best(begin, end) {
    let best = begin;
    for (let at = begin; at < end; at++) if (this.right[at] > this.right[best]) best = at;
    return best;
  }

  /**
   * @param {number} predictor
   * @returns {[low: number, high: number]} NaN where too few sentences have such a link. Where it is
   *   right in all of them, or in none, resampling would show no doubt; the interval of a sentence's
   *   being so is that of Clopper and Pearson (1934).
   */
  interval(predictor) {
    if (this.#sentences < LEAST_SENTENCES) return [NaN, NaN];
    const least = 0.025 ** (1 / this.#sentences);
    if (this.right[predictor] === this.links) return [least, 1];
    if (this.right[predictor] === 0) return [0, 1 - least];
    const row = predictor * this.#drawnLinks.length;
    const shares = Array.from(this.#drawnLinks, (links, draw) => this.#drawn[row + draw] / links);
    return middle95(shares);
  }
}
