import {html} from 'lit';
import {vectorBlock} from '../parts/vector-blocks.js';
import {reroll, segments} from '../parts/step-controls.js';
import {stepParts} from '../parts/step-parts.js';
import {persistence} from '../example-sentences.js';
import {step} from '../step.js';
import {movingBlocks} from './moving-blocks.js';

/** @import {StepContext, Input, Tools} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */
/** @import {Blocks, Way} from './moving-blocks.js' */

/** A tensor so small that the eye can follow every number. */
const small = {heads: 4, size: 2};

/**
 * Computes a small tensor of the sentence, and where its numbers go.
 *
 * @param {Tools} tools
 * @param {Input} input
 */
async function smallBlocks({lab, model}, {sentences: [text], choices}) {
  const {heads, size} = small;
  const {ids, tokens} = await model.tokenize([text], {specialTokens: false});
  const x = await lab.embedding(ids, heads * size, Number(choices.seed));
  const places = {shape: x.shape, data: Float32Array.from(x.data, (_, i) => i)};
  const [split, order] = await Promise.all([
    lab.splitHeads(x, heads),
    lab.splitHeads(places, heads),
  ]);
  const combined = await lab.combineHeads(split);
  return {
    ids: [...ids.data],
    x,
    split,
    combined,
    blocks: {tokens: tokens[0], heads, size, data: x.data, order: order.data},
    difference: Math.max(...x.data.map((value, i) => Math.abs(value - combined.data[i]))),
  };
}

/**
 * @param {StepContext} context
 * @param {Blocks} blocks
 * @param {string} label
 * @param {Tensor} tensor
 */
const movingAndTensor = (context, blocks, label, tensor) =>
  stepParts(context, {
    moving: {
      label: context.labels.moving,
      content: movingBlocks(blocks, /** @type {Way} */ (context.choices.way), {
        dark: context.dark,
        head: context.labels.head,
      }),
    },
    tensor: {label, content: vectorBlock(label, tensor, context.labels.axes, blocks.tokens)},
  });

export const splitting = step({
  sentences: [persistence],
  choices: {seed: 0, way: 'together', part: 'moving'},
  compute: smallBlocks,
  widget: ({x, split, blocks}, context) => html`
    <div class="controls">
      ${segments(context, 'way', context.labels.way, context.labels.ways)}
      ${reroll(context, context.labels.reroll)}
    </div>
    <p class="finding">
      ${context.labels.shapes[String(context.choices.way)](x.shape, split.shape)}
    </p>
    ${movingAndTensor(context, blocks, context.labels.split, split)}
  `,
  asked: {
    kind: 'choice',
    // A renamed tensor has its numbers in the order of `x`.
    find: (_, __, {x, split}) =>
      split.data.every(
        (/** @type {number} */ value, /** @type {number} */ i) => value === x.data[i],
      )
        ? 'yes'
        : 'no',
  },
  code: ({ids, x, blocks: {heads, size}}, {seed}) => `
def split(x, heads):
    batch, tokens, width = x.shape
    x = x.view(batch, tokens, heads, width // heads)
    return x.transpose(1, 2)             # [batch, heads, tokens, d_k]

x = embedding([${ids}], ${heads * size}, seed=${seed})
right = split(x, ${heads})
wrong = x.view(1, ${heads}, ${x.shape[1]}, ${size})     # the same shape, and wrong
print(right)
print(wrong)`,
  results: ({x, split}) => ({x, right: split}),
});

export const combine = step({
  sentences: [persistence],
  choices: {seed: 0, way: 'split', part: 'moving'},
  compute: smallBlocks,
  widget: ({split, combined, blocks, difference}, context) => html`
    <div class="controls">
      ${segments(context, 'way', context.labels.way, context.labels.ways)}
      ${reroll(context, context.labels.reroll)}
    </div>
    <p class="finding">${context.labels.difference(split.shape, combined.shape, difference)}</p>
    ${movingAndTensor(context, blocks, context.labels.combined, combined)}
  `,
  asked: {
    kind: 'choice',
    async find({lab}, _, {x}) {
      const {data} = await lab.splitHeads(x, 1);
      return data.every((value, i) => value === x.data[i]) ? 'right' : 'wrong';
    },
  },
  code: ({ids, blocks: {heads, size}}, {seed}) => `
def combine(x):
    batch, heads, tokens, size = x.shape
    x = x.transpose(1, 2).contiguous()   # put the numbers of a token next to each other
    return x.view(batch, tokens, heads * size)

x = embedding([${ids}], ${heads * size}, seed=${seed})
combined = combine(split_heads(x, ${heads}))
print((combined - x).abs().max())`,
  results: ({combined}) => ({combined}),
});
