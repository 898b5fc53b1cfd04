/** @import {Lab} from '../../engine/lab/lab.js' */
/** @import {Tensor} from '../parts/tensor.js' */

/**
 * Runs attention the right way and in a common wrong way: softmax over the queries (`dim=1`), and scores divided by
 * the root of the whole width. Both have the same projections.
 *
 * @param {Lab} lab
 * @param {Parameters<Lab['multiHead']>[0]} options
 */
export async function twoWays(lab, options) {
  const [right, wrong] = await Promise.all([
    lab.multiHead(options),
    lab.multiHead({...options, scale: 'hidden', axis: 'queries'}),
  ]);
  const {data} = await lab.sums(wrong.attention.weights, {axis: 'keys'});
  return {right, wrong, rows: {least: Math.min(...data), most: Math.max(...data)}};
}

/**
 * The largest change of a number of each token's output.
 *
 * @param {Tensor} before  [1 or more, tokens, size], of which the first text counts
 * @param {Tensor} after
 */
export function changesOf({shape: [, tokens, size], data}, after) {
  return Array.from({length: tokens}, (_, token) => {
    let most = 0;
    for (let at = token * size; at < (token + 1) * size; at++)
      most = Math.max(most, Math.abs(data[at] - after.data[at]));
    return most;
  });
}
