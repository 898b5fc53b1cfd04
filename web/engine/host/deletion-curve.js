/**
 * Tests an explanation on its own text: tokens are masked in the order in which the explanation
 * names them, and the answer is watched (DeYoung et al. 2020, "ERASER", section 4,
 * https://arxiv.org/abs/1911.03429).
 */

import {BertscopeError} from '../errors.js';
import {quote} from '../json.js';
import {isList} from './checked-ids.js';
import {copiesAtOnce, withMasks} from './masked-copies.js';
import {outputOf} from './outputs.js';
import {logSoftmax, softmaxTop} from './softmax-top.js';
import {cosine} from './vectors.js';
import {randomNumbers} from '../random-numbers.js';
import {fieldsOf, optional, wholeNumber} from '../reading.js';

/** @import {Encoder, Job, PassInput} from './encoder.js' */
/** @import {ExplainTarget} from './explanations.js' */
/** @import {Target} from './head-effects.js' */
/** @import {Targets} from './targets.js' */

/**
 * @typedef {object} Deletion What is left of the answer: the probability of the word or class, or
 *   the cosine of the angle to the sentence vector of the whole text.
 * @property {Float32Array} without `[counts]`: when the first tokens of the order are masked.
 * @property {Float32Array} only `[counts]`: when all but the first are masked.
 * @property {number} comprehensiveness The mean of how far `without` falls: great if the tokens that
 *   come first are those that the answer needs.
 * @property {number} sufficiency The mean of how far `only` is below the whole: small if they alone
 *   suffice for the answer. Both are the means of DeYoung et al. over `counts`, with tokens masked
 *   in place of removed, which would move the others.
 */

/**
 * @typedef {object} DeletionCurve
 * @property {number[]} order The tokens that can be masked, the one that contributes most first.
 *   Neither special tokens nor the token that the answer is about are among them.
 * @property {number[]} counts From none to all of them: every number, or 21 of a long text.
 * @property {Deletion} deletion In this order.
 * @property {Deletion} random The mean over random orders; null if 0 of them were asked for.
 */

const MOST_STEPS = 20;

/**
 * @typedef {object} DeletionOptions
 * @property {ExplainTarget} [target] The answer that was explained; the default is `mask`.
 * @property {number} [randomOrders] How many orders are drawn, 1000 at most; each counts with its
 *   reverse. The default is 5. With 0 there is no random curve: it is the same for all
 *   explanations of one answer, and need not be measured for each.
 * @property {number} [seed] What the random orders are drawn from, below 2^32; the default is 0.
 * @property {AbortSignal} [signal]
 * @property {(progress: {done: number, total: number}) => void} [onProgress] Counts masked copies of
 *   the text.
 */

const readOrders = fieldsOf({
  randomOrders: optional(wholeNumber(0, 1000), 5),
  seed: optional(wholeNumber(0, 2 ** 32 - 1), 0),
});

/**
 * @param {Targets} targets
 * @param {Encoder} encoder
 * @param {PassInput} pass
 * @param {ArrayLike<number>} contributions One for each token.
 * @param {DeletionOptions} [options]
 * @returns {Promise<DeletionCurve>}
 */
export function deletionCurve(targets, encoder, pass, contributions, options = {}) {
  const {randomOrders, seed} = readOrders(options, {code: 'bad-option', path: 'deletionCurve'});
  const tokens = pass.ids.length;
  const isFit = isList(contributions) && contributions.length === tokens;
  if (!isFit || !Array.from(contributions).every(Number.isFinite)) {
    const given = isList(contributions) ? Array.from(contributions) : contributions;
    const message = `deletionCurve: expected a number for each of ${tokens} tokens, found ${quote(given)}`;
    throw new BertscopeError('bad-option', message);
  }
  const place = targets.explainTarget(pass, options.target);
  const order = targets
    .maskable(pass, place)
    .sort((a, b) => contributions[b] - contributions[a] || a - b);
  const orders = {order, random: shuffles(order, randomOrders, seed)};
  const maskId = targets.requireMask();
  return curvesOf(encoder, targets.passOf(pass, place), place, orders, {...options, maskId});
}

/**
 * @param {Encoder} encoder
 * @param {Omit<PassInput, 'id'>} pass
 * @param {Target | 'vector'} place By default its word is the likeliest.
 * @param {{order: number[], random: number[][]}} orders
 * @param {Pick<DeletionOptions, 'signal' | 'onProgress'> & {maskId: number}} options
 * @returns {Promise<DeletionCurve>}
 */
function curvesOf(encoder, pass, place, {order, random}, {maskId, signal, onProgress}) {
  const orders = [order, ...random.flatMap((each) => [each, each.toReversed()])];
  const steps = Math.min(order.length, MOST_STEPS);
  const counts = Array.from({length: steps + 1}, (_, step) =>
    Math.round((step * order.length) / Math.max(steps, 1)),
  );
  /** @type {Map<string, number[]>} Each set of tokens to mask. */
  const sets = new Map();
  for (const each of orders) {
    for (const count of counts) {
      for (const masked of [each.slice(0, count), each.slice(count)]) {
        sets.set(keyOf(masked), masked);
      }
    }
  }
  return encoder.work(async ({run, read}) => {
    await run(pass);
    const answer = answerReader(read, encoder, place);
    /** @type {Map<string, number>} */
    const answers = new Map();
    const wanted = [...sets];
    const atOnce = copiesAtOnce(pass.ids.length);
    for (let from = 0; from < wanted.length; from += atOnce) {
      const some = wanted.slice(from, from + atOnce);
      const masked = some.map(([, tokens]) => tokens);
      await run(withMasks(pass, masked, maskId));
      some.forEach(([key], sequence) => answers.set(key, answer(sequence)));
      onProgress?.({done: answers.size, total: wanted.length});
    }
    const [deletion, ...others] = orders.map((each) => {
      const after = (/** @type {number[]} */ masked) => Number(answers.get(keyOf(masked)));
      return {
        without: counts.map((count) => after(each.slice(0, count))),
        only: counts.map((count) => after(each.slice(count))),
      };
    });
    const mean = () => ({
      without: meanCurve(others.map(({without}) => without)),
      only: meanCurve(others.map(({only}) => only)),
    });
    const drawn = others.length > 0 ? measured(mean()) : null;
    const curve = {order, counts, deletion: measured(deletion)};
    // `random` is null only for callers who asked for no random orders, so its type does not
    // mention null.
    return {...curve, random: /** @type {Deletion} */ (drawn)};
  }, signal);
}

/**
 * @param {Job['read']} read
 * @param {Encoder} encoder
 * @param {Target | 'vector'} target
 * @returns {(sequence: number) => number} Reads the answer. The latest pass, which is that of the
 *   whole text, says which word or vector it is about.
 */
function answerReader(read, {config}, target) {
  const whole = outputOf(read, config, target);
  const output = (/** @type {number} */ sequence) => outputOf(read, config, target, sequence);
  if (target === 'vector') return (sequence) => cosine(output(sequence), whole);
  const index = 'label' in target ? target.label : (target.id ?? softmaxTop(whole, 1)[0].index);
  return (sequence) => Math.exp(logSoftmax(output(sequence), index));
}

/** @param {number[]} tokens */
const keyOf = (tokens) => tokens.toSorted((a, b) => a - b).join();

/** @param {{without: number[], only: number[]}} curves @returns {Deletion} */
function measured({without, only}) {
  const [whole] = without;
  const fall = (/** @type {number[]} */ curve) =>
    curve.reduce((sum, value) => sum + whole - value, 0) / curve.length;
  return {
    without: Float32Array.from(without),
    only: Float32Array.from(only),
    comprehensiveness: fall(without),
    sufficiency: fall(only),
  };
}

/** @param {number[][]} curves */
const meanCurve = (curves) =>
  curves[0].map((_, k) => curves.reduce((sum, curve) => sum + curve[k], 0) / curves.length);

/**
 * @param {number[]} tokens
 * @param {number} count
 * @param {number} seed
 * @returns {number[][]} Orders that are equally likely (Fisher and Yates).
 */
function shuffles(tokens, count, seed) {
  const random = randomNumbers(seed);
  return Array.from({length: count}, () => {
    const order = [...tokens];
    for (let last = order.length - 1; last > 0; last--) {
      const at = Math.floor(random() * (last + 1));
      [order[last], order[at]] = [order[at], order[last]];
    }
    return order;
  });
}
