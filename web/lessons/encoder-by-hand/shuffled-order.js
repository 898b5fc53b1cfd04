import {range} from '../../attention/range.js';

/**
 * The indices 0 to count - 1 in another order, the same for a seed in every browser; never the order
 * they have, where there is another.
 *
 * @param {number} count
 * @param {number} seed
 */
export function shuffled(count, seed) {
  const order = range(count);
  // Numerical Recipes' linear congruential generator, which is good enough for a demonstration.
  let state = seed >>> 0;
  for (let i = count - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (i + 1));
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order.every((from, to) => from === to) ? order.reverse() : order;
}
