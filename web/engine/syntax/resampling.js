/**
 * Intervals without keeping any sentence: in each of many imagined files a sentence occurs as often
 * as a Poisson variable of mean 1 says, which is what the bootstrap's draws with replacement amount
 * to (Chamandy et al. 2012, "Estimating Uncertainty for Massive Data Streams").
 */

import {randomNumbers} from '../random-numbers.js';

/** How often the sentence occurs in each imagined file. */
export class Resampling {
  #random;

  /** @param {number} draws @param {number} seed */
  constructor(draws, seed) {
    this.#random = randomNumbers(seed);
    /** Each sentence has an array of its own; this is that of the latest. */
    this.times = new Uint8Array(draws);
  }

  next() {
    this.times = Uint8Array.from(this.times, () => this.#poisson());
  }

  /** Knuth's way, for a mean of 1. */
  #poisson() {
    let times = -1;
    for (let product = 1; product > Math.exp(-1); product *= this.#random()) times++;
    return times;
  }
}

/** The same places in another order. @param {number} count @param {() => number} random */
export function shuffled(count, random) {
  const order = Array.from({length: count}, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/**
 * @param {number[]} values
 * @returns {[low: number, high: number]} What 95 % of them lie between.
 */
export function middle95(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return [at(0.025), at(0.975)];
}
