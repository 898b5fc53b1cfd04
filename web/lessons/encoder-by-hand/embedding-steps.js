/** Steps from text to vectors, and attention without anything learned. */

import {html} from 'lit';
import {pairTable, vectorBlock, weightTable} from '../parts/vector-blocks.js';
import {reroll, segments, toggle} from '../parts/step-controls.js';
import {onePart, stepParts} from '../parts/step-parts.js';
import {idTable} from '../parts/id-table.js';
import {rowOf} from '../parts/vectors.js';
import {range} from '../../attention/range.js';
import {arrow} from '../example-sentences.js';
import {step} from '../step.js';
import {embedded} from './embedded-sentence.js';

/** @import {StepContext} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */

export const tokenIds = step({
  sentences: [arrow],
  bertBase: {},
  async compute({model}, {sentences: [text]}) {
    const {ids, tokens} = await model.tokenize([text], {specialTokens: false});
    return {ids: [...ids.data], tokens: tokens[0], vocabulary: model.config.vocabulary};
  },
  widget: ({ids, tokens}, {labels}) => idTable(tokens, ids, labels.caption(tokens.length)),
  code: (_, __, [text]) => `
ids = tokenizer(${JSON.stringify(text)}, return_tensors="pt", add_special_tokens=False).input_ids
print(ids)     # “time flies like an arrow”: [[2051, 10029, 2066, 2019, 8612]]`,
});

/**
 * @param {StepContext} context
 * @param {Tensor} scores
 * @param {Tensor} weights
 * @param {string[]} tokens
 * @param {boolean} [scientific]
 */
const scoresAndWeights = (context, scores, weights, tokens, scientific) =>
  stepParts(context, {
    scores: {
      label: context.labels.scores,
      content: pairTable(context.labels.scores, scores, context.labels.axes, tokens),
    },
    weights: {
      label: context.labels.weights,
      content: weightTable(context.labels.weights, weights, context.labels.axes, tokens, {
        scientific,
      }),
    },
  });

export const lookup = step({
  sentences: [arrow],
  choices: {seed: 0},
  bertBase: {},
  async compute(tools, input) {
    const {ids, tokens, x, hiddenSize} = await embedded(tools, input);
    return {ids, tokens, x, hiddenSize, vocabulary: tools.model.config.vocabulary};
  },
  widget: ({ids, tokens, x, vocabulary, hiddenSize}, context) => html`
    <p class="shapes">${context.labels.table(vocabulary, hiddenSize)}</p>
    <div class="controls">${reroll(context, context.labels.reroll)}</div>
    ${onePart(
      vectorBlock(
        context.labels.rows,
        x,
        context.labels.axes,
        tokens.map((token, i) => `${ids[i]} ${token}`),
      ),
    )}
  `,
  asked: {
    kind: 'choice',
    async find({lab}, {choices}, {ids, hiddenSize}) {
      const twice = {shape: [1, ids.length + 1], data: [...ids, ids[0]]};
      const x = await lab.embedding(twice, hiddenSize, Number(choices.seed));
      const [first, last] = [rowOf(x, 0), rowOf(x, ids.length)];
      const changed = first.filter((value, i) => value !== last[i]).length;
      if (changed === 0) return 'none';
      return changed < hiddenSize ? 'some' : 'all';
    },
  },
  code: ({ids, hiddenSize}, {seed}) => `
ids = [${ids}]
x = embedding(ids, ${hiddenSize}, seed=${seed})     # [1, tokens, hidden]
print(x)`,
  results: ({x}) => ({x}),
});

export const nearIdentity = step({
  sentences: [arrow],
  choices: {seed: 0, size: 256, powers: false, part: 'weights'},
  bertBase: {size: 768, powers: true},
  async compute({lab, model}, {sentences: [text], choices}) {
    const {ids, tokens} = await model.tokenize([text], {specialTokens: false});
    const x = await lab.embedding(ids, Number(choices.size), Number(choices.seed));
    const {scores, weights} = await lab.attention({query: x, key: x, value: x});
    const count = tokens[0].length;
    const own = range(count).map((i) => weights.data[i * count + i]);
    return {
      ids: [...ids.data],
      tokens: tokens[0],
      scores,
      weights,
      size: Number(choices.size),
      least: Math.min(...own),
    };
  },
  widget: ({tokens, scores, weights}, context) => html`
    <div class="controls">
      ${segments(context, 'size', context.labels.size, [4, 16, 64, 256, 768])}
      ${toggle(context, 'powers', context.labels.powers)} ${reroll(context, context.labels.reroll)}
    </div>
    ${scoresAndWeights(context, scores, weights, tokens, Boolean(context.choices.powers))}
  `,
  asked: {
    kind: 'choice',
    async find({lab}, {choices}, {ids}) {
      const x = await lab.embedding({shape: [1, ids.length], data: ids}, 768, Number(choices.seed));
      const {data} = await lab.scores(x, x, {scale: 'head'});
      const zeros = data[0] / Math.LN10;
      if (zeros < 4.5) return 'thousand';
      return zeros < 9 ? 'million' : 'trillion';
    },
  },
  code: ({ids, size}, {seed}) => `
x = embedding([${ids}], ${size}, seed=${seed})
query = key = value = x
scores = query @ key.transpose(1, 2) / query.size(-1) ** 0.5
weights = scores.softmax(dim=-1)
torch.set_printoptions(sci_mode=True)
print(weights)
print(weights.sum(dim=-1))     # 1 for every query`,
  results: ({scores, weights}) => ({scores, weights}),
});

export const causalMask = step({
  sentences: [arrow],
  choices: {seed: 0, causal: true, part: 'weights'},
  bertBase: {},
  async compute(tools, input) {
    const {lab, x, ids, tokens, hiddenSize} = await embedded(tools, input);
    const causal = Boolean(input.choices.causal);
    const {masked, weights} = await lab.attention({
      query: x,
      key: x,
      value: x,
      causal,
    });
    return {ids, tokens, hiddenSize, causal, masked, weights};
  },
  widget: ({tokens, masked, weights}, context) => html`
    <div class="controls">
      ${toggle(context, 'causal', context.labels.causal)} ${reroll(context, context.labels.reroll)}
    </div>
    ${scoresAndWeights(context, masked, weights, tokens)}
  `,
  code: ({ids, hiddenSize, tokens}, {seed}) => `
x = embedding([${ids}], ${hiddenSize}, seed=${seed})
scores = x @ x.transpose(1, 2) / ${hiddenSize} ** 0.5
allowed = torch.ones(${tokens.length}, ${tokens.length}).tril()
masked = scores.masked_fill(allowed == 0, float("-inf"))
weights = masked.softmax(dim=-1)     # e to the power of -inf is 0
print(masked)
print(weights)`,
  results: ({masked, weights, causal}) =>
    /** @type {Record<string, Tensor>} */ (causal ? {masked, weights} : {}),
});
