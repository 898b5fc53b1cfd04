import {html, nothing} from 'lit';
import {reroll, segments} from '../parts/step-controls.js';

/** @import {Choices, StepContext, Tools} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */

/**
 * The source of queries, keys and values: one embedding for all three, random or the model's own, or the
 * three projections of a trained head.
 *
 * @typedef {'random' | 'model' | 'head'} Source
 *
 * @typedef {object} Vectors
 * @property {string[]} tokens
 * @property {Tensor} query  [1, tokens, size]
 * @property {Tensor} key
 * @property {Tensor} value
 */

export const sourceChoices = {source: 'random', seed: 0};

/**
 * @param {Tools} tools
 * @param {string} text
 * @param {Choices} choices
 * @returns {Promise<Vectors>}
 */
export async function vectorsOf(tools, text, {source, seed}) {
  const {lab, model, signal} = tools;
  if (source === 'head') {
    const result = await model.attend(text, {specialTokens: false, signal});
    const shape = [1, result.tokens.length, model.shape.headDim];
    const [query, key, value] = await Promise.all([
      result.queries(0, 0),
      result.keys(0, 0),
      result.values(0, 0),
    ]);
    return {
      tokens: result.tokens,
      query: {shape, data: query},
      key: {shape, data: key},
      value: {shape, data: value},
    };
  }
  const {
    ids,
    tokens: [tokens],
  } = await model.tokenize([text], {specialTokens: false});
  const embedding =
    source === 'model'
      ? await model.embeddings(ids)
      : await lab.embedding(ids, model.shape.hiddenSize, Number(seed));
  return {tokens, query: embedding, key: embedding, value: embedding};
}

/** @param {StepContext} context */
export function sourceControls(context) {
  return html`<div class="controls">
    ${segments(context, 'source', context.labels.source, context.labels.sources)}
    ${context.choices.source === 'random' ? reroll(context, context.labels.reroll) : nothing}
  </div>`;
}
