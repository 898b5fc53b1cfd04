/**
 * Measures which heads of a decoder copy: on random tokens that come twice, no meaning says where to look, so a head
 * that still finds the place of the same token before has learned to look for repetition.
 */

import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {randomNumbers} from '../random-numbers.js';
import {fieldsOf, optional, wholeNumber} from '../reading.js';
import {checkedIds} from './checked-ids.js';

/** @import {Encoder} from './encoder.js' */

/**
 * @typedef {object} CopyingOptions
 * @property {ArrayLike<number>} [ids] Tokens that are repeated, instead of random ones.
 * @property {number} [tokens] How many random ones are repeated; the default is 50, or what the model has positions for.
 * @property {number} [seed] What the random tokens are drawn from, below 2^32; the default is 0.
 */

/**
 * @typedef {object} CopyingHeads Each `[layers * heads]`: the share of its attention that a token gives, on average, to
 *   one place, over the tokens that have such a place: all but the first, or those of the second half. The head detector
 *   of TransformerLens sums the same weights and divides by the number of all tokens, so that its greatest score for
 *   induction is 1/2.
 * @property {number} layers
 * @property {number} heads
 * @property {number[]} ids The tokens, both times.
 * @property {Float32Array} previous To the token before it.
 * @property {Float32Array} duplicate To the same token, in the first half.
 * @property {Float32Array} induction To the token after that one, which comes next if the text goes on as before
 *   (Olsson et al. 2022, https://arxiv.org/abs/2209.11895).
 */

const USUAL_TOKENS = 50;

/** @type {readonly ['previous', 'duplicate', 'induction']} */
export const COPYING = Object.freeze(['previous', 'duplicate', 'induction']);

/**
 * @param {Encoder} encoder
 * @param {object} model
 * @param {string} model.name
 * @param {{layers: number, heads: number, positions: number}} model.shape
 * @param {{isCausal?: boolean, vocabulary: number}} model.config
 * @param {(id: number) => boolean} isDrawn Whether a token of the vocabulary can stand in a random text.
 * @param {CopyingOptions & {signal?: AbortSignal}} options
 * @returns {Promise<CopyingHeads>}
 */
export async function copyingHeads(encoder, {name, shape, config}, isDrawn, options) {
  if (!config.isCausal) {
    const message = `${name}: expected a decoder, whose tokens look back, found a model whose tokens see the whole text`;
    throw new BertscopeError('not-available', message);
  }
  const most = Math.floor(shape.positions / 2);
  const half = options.ids
    ? [...checkedIds(options.ids)]
    : randomIds(options, config.vocabulary, most, isDrawn);
  if (half.length < 2 || half.length > most) {
    const message = `the tokens to repeat: expected 2 to ${most}, found ${half.length}`;
    throw new BertscopeError('bad-option', message);
  }
  const ids = [...half, ...half];
  const batch = {
    ids: Int32Array.from(ids),
    tokenTypes: new Int32Array(ids.length),
    lengths: Int32Array.of(ids.length),
  };
  const count = shape.layers * shape.heads;
  const [previous, duplicate, induction] = COPYING.map(() => new Float32Array(count));
  await encoder.work(async ({run, read}) => {
    await run(batch);
    for (let at = 0; at < count; at++) {
      await yieldIfDue(options.signal);
      const weights = read('attention', [Math.floor(at / shape.heads), at % shape.heads]);
      const share = (/** @type {number} */ first, /** @type {number} */ back) => {
        let sum = 0;
        for (let query = first; query < ids.length; query++)
          sum += weights[query * ids.length + query - back];
        return sum / (ids.length - first);
      };
      previous[at] = share(1, 1);
      duplicate[at] = share(half.length, half.length);
      induction[at] = share(half.length, half.length - 1);
    }
  }, options.signal);
  return {layers: shape.layers, heads: shape.heads, ids, previous, duplicate, induction};
}

/**
 * @param {CopyingOptions} options
 * @param {number} vocabulary
 * @param {number} most
 * @param {(id: number) => boolean} isDrawn
 * @returns {number[]} All different as far as the vocabulary goes, so that each has one place before.
 */
function randomIds(options, vocabulary, most, isDrawn) {
  const left = Array.from({length: vocabulary}, (_, id) => id).filter(isDrawn);
  const greatest = Math.min(most, left.length);
  const {tokens, seed} = fieldsOf({
    tokens: optional(wholeNumber(2, greatest), Math.min(USUAL_TOKENS, greatest)),
    seed: optional(wholeNumber(0, 2 ** 32 - 1), 0),
  })(options, {code: 'bad-option', path: 'copyingHeads'});
  const random = randomNumbers(seed);
  return Array.from({length: tokens}, () => left.splice(Math.floor(random() * left.length), 1)[0]);
}
