/**
 * Chooses the token that a decoder writes next, by the settings that transformers has, in its order: the penalty on
 * what is written already, what a file forbids, the temperature, then the likeliest tokens that are left to draw from.
 * Source: `RepetitionPenaltyLogitsProcessor`, `TemperatureLogitsWarper`, `TopKLogitsWarper` and `TopPLogitsWarper` of
 * transformers. A token that is left out has a logit of -Infinity.
 */

import {fieldsOf, number, optional, wholeNumber} from '../reading.js';
import {indexOfLargest} from './softmax-top.js';

/**
 * @typedef {object} Sampling
 * @property {number} [temperature] What logits are divided by before a token is drawn, to 100. The default 0 takes the
 *   likeliest token each time.
 * @property {number} [topK] Only so many of the likeliest tokens are drawn from; the default 0: all of them.
 * @property {number} [topP] Only the likeliest tokens are drawn from that together have this probability, and the one
 *   with which they reach it; the default 1: all of them (Holtzman et al. 2020, https://arxiv.org/abs/1904.09751).
 * @property {number} [repetitionPenalty] The logits of tokens that the text has already are divided by it, or multiplied
 *   if they are negative; from 0.01 to 100, the default 1 changes nothing (Keskar et al. 2019,
 *   https://arxiv.org/abs/1909.05858).
 * @property {number} [seed] What the draws begin with, below 2^32; the default is 0.
 */

/** @typedef {Required<Sampling>} CheckedSampling */

const readSampling = fieldsOf({
  temperature: optional(number(0, 100), 0),
  topK: optional(wholeNumber(0, 2 ** 31), 0),
  topP: optional(number(0, 1), 1),
  repetitionPenalty: optional(number(0.01, 100), 1),
  seed: optional(wholeNumber(0, 2 ** 32 - 1), 0),
});

/**
 * @param {Sampling} options
 * @returns {CheckedSampling}
 */
export const checkedSampling = (options) =>
  readSampling(options, {code: 'bad-option', path: 'generate'});

/**
 * Makes tokens less likely that the text has already, however often.
 * @param {Float32Array} logits Changed in place.
 * @param {readonly number[]} written
 * @param {number} penalty
 */
export function penalizeRepetition(logits, written, penalty) {
  if (penalty === 1) return;
  for (const id of new Set(written)) logits[id] *= logits[id] < 0 ? penalty : 1 / penalty;
}

/**
 * @param {Float32Array} logits The logits of tokens that cannot be drawn become -Infinity.
 * @param {Sampling} sampling
 * @returns {Float64Array} The probability of each token, in which those that cannot be drawn have 0. At temperature 0
 *   only the likeliest token has any, the first of several.
 */
export function drawProbabilities(logits, {temperature = 0, topK = 0, topP = 1}) {
  const probabilities = new Float64Array(logits.length);
  const likeliest = indexOfLargest(logits);
  if (temperature === 0) {
    probabilities[likeliest] = 1;
    return probabilities;
  }
  const top = logits[likeliest];
  for (const [id, logit] of logits.entries())
    probabilities[id] = Math.exp((logit - top) / temperature);
  if (topK > 0 && topK < logits.length) {
    const [least] = probabilities.toSorted().subarray(-topK);
    for (const [id, share] of probabilities.entries()) if (share < least) probabilities[id] = 0;
  }
  if (topP < 1) leaveNucleus(probabilities, topP);
  const sum = sumOf(probabilities);
  return probabilities.map((share) => share / sum);
}

/**
 * Leaves the likeliest tokens that together have a share of at least `topP` of the sum, and no more than it takes.
 * @param {Float64Array} weights
 * @param {number} topP
 */
function leaveNucleus(weights, topP) {
  const drawable = [...weights.keys()].filter((id) => weights[id] > 0);
  drawable.sort((a, b) => weights[b] - weights[a]);
  const enough = topP * sumOf(weights);
  let sum = weights[drawable[0]]; // One token is always left.
  for (const id of drawable.slice(1)) {
    if (sum >= enough) weights[id] = 0;
    else sum += weights[id];
  }
}

/** @param {Float64Array} values */
const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

/**
 * @param {Float32Array} logits
 * @param {Sampling} sampling
 * @param {() => number} random Draws from 0 to below 1.
 * @returns {number} The token.
 */
export function choose(logits, sampling, random) {
  if (!sampling.temperature) return indexOfLargest(logits);
  let left = random();
  const probabilities = drawProbabilities(logits, sampling);
  const drawn = probabilities.findIndex((probability) => (left -= probability) < 0);
  return drawn < 0 ? indexOfLargest(logits) : drawn; // Rounding may leave a rest.
}
