import {chasing, hiding} from '../example-sentences.js';

/** @import {Input, Tools} from '../step.js' */

export const both = [chasing, hiding];

/** @param {ArrayLike<number>} numbers */
export const mean = (numbers) => Array.from(numbers).reduce((a, b) => a + b, 0) / numbers.length;

/**
 * Both sentences in one batch, and what the model makes of them: the input of everything here.
 *
 * @param {Tools} tools
 * @param {Input} input
 */
export async function batchOf({lab, model, signal}, {sentences, choices}) {
  const batch = await model.tokenize(sentences, {padding: true});
  const x = await model.hiddenStates(batch, {signal});
  const {shape, data} = batch.attentionMask;
  const keep = {shape, data: Float32Array.from(data)};
  const {hiddenSize, layers} = model.shape;
  const seed = Number(choices.seed ?? 0);
  return {...batch, x, keep, lab, seed, hiddenSize, layers};
}
