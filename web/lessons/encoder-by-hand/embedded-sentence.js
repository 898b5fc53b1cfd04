/** @import {Input, Tools} from '../step.js' */

/**
 * The tokens of the sentence, and a fresh embedding of them.
 *
 * @param {Tools} tools
 * @param {Input} input
 * @param {{hiddenSize?: number}} [options]  the model's own unless given
 */
export async function embedded({lab, model}, {sentences: [text], choices}, options = {}) {
  const {hiddenSize = model.shape.hiddenSize} = options;
  const {ids, tokens} = await model.tokenize([text], {specialTokens: false});
  const seed = Number(choices.seed ?? 0);
  const x = await lab.embedding(ids, hiddenSize, seed);
  return {
    ids: [...ids.data],
    tokens: tokens[0],
    x,
    seed,
    lab,
    ...model.shape,
    hiddenSize,
  };
}
