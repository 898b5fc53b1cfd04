import {html} from 'lit';
import {headVectors, sideBySide, vectorBlock, weightTable} from '../parts/vector-blocks.js';
import {shapeLadder} from '../parts/shape-ladder.js';
import {reroll, segments} from '../parts/step-controls.js';
import {stepParts} from '../parts/step-parts.js';
import {arrow, persistence, time} from '../example-sentences.js';
import {step} from '../step.js';
import {movingBlocks} from './moving-blocks.js';

/** @import {Choices, StepContext, Input, Tools} from '../step.js' */
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

const splitting = step({
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

const combine = step({
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

/**
 * Attends with as many queries, keys and heads as are chosen.
 *
 * @param {Tools} tools
 * @param {Choices} choices
 */
async function crossed({lab}, choices) {
  const [queries, keys, heads] = [choices.queries, choices.keys, choices.heads].map((value) =>
    Math.max(1, Math.min(16, Number(value))),
  );
  const seed = 10 * Number(choices.seed);
  const [query, key, other] = await Promise.all([
    lab.normal([4, queries, 256], seed),
    lab.normal([4, keys, 256], seed + 1),
    lab.normal([4, keys, 256], seed + 3),
  ]);
  const value = choices.values === 'keys' ? key : other;
  const result = await lab.multiHead({query, key, value, heads, seed: seed + 2});
  return {heads, query, key, result};
}

const crossAttention = step({
  sentences: [],
  choices: {seed: 0, queries: 5, keys: 7, heads: 8, values: 'own', part: 'shapes'},
  asked: {
    kind: 'choice',
    async find(tools, {choices}, {output}) {
      const decisive = [];
      for (const name of ['queries', 'keys', 'heads']) {
        // Half or twice as many, so that heads still share the width evenly.
        const other = Number(choices[name]) > 8 ? 8 : 2 * Number(choices[name]);
        const {result} = await crossed(tools, {...choices, [name]: other});
        if (String(result.output?.shape) !== String(output.shape)) decisive.push(name);
      }
      return decisive;
    },
  },
  async compute(tools, {choices}) {
    const {heads, query, key, result} = await crossed(tools, choices);
    return {
      heads,
      query: query.shape,
      key: key.shape,
      queryHeads: result.queryHeads.shape,
      keyHeads: result.keyHeads.shape,
      weights: result.attention.weights,
      combined: result.combined,
      output: /** @type {Tensor} */ (result.output),
    };
  },
  widget: ({query, key, queryHeads, keyHeads, weights, combined, output}, context) => html`
    <div class="controls">
      ${segments(context, 'queries', context.labels.queries, [1, 3, 5, 8])}
      ${segments(context, 'keys', context.labels.keys, [3, 5, 7, 12])}
      ${segments(context, 'heads', context.labels.heads, [1, 2, 4, 8, 16])}
      ${segments(context, 'values', context.labels.values, context.labels.valueChoices)}
      ${reroll(context, context.labels.reroll)}
    </div>
    ${stepParts(context, {
      shapes: {
        label: context.labels.ladder,
        content: shapeLadder(
          context.labels.ladder,
          context.labels.steps({
            query,
            key,
            queryHeads,
            keyHeads,
            weights: weights.shape,
            output: output.shape,
          }),
        ),
      },
      weights: {
        label: context.labels.weights,
        content: html`<tensor-block
          label=${context.labels.weights}
          kind="weights"
          .tensor=${weights}
          .axes=${context.labels.weightAxes}
        ></tensor-block>`,
      },
      output: {
        label: context.labels.outputs,
        content: html`
          ${vectorBlock(context.labels.combined, combined, context.labels.axes, [])}
          ${vectorBlock(context.labels.output, output, context.labels.axes, [])}
        `,
      },
    })}
  `,
  code: ({query, key, heads}, {seed, values}) => `
query = normal(${query}, seed=${10 * Number(seed)})
key = normal(${key}, seed=${10 * Number(seed) + 1})
value = ${values === 'keys' ? 'key' : `normal(${key}, seed=${10 * Number(seed) + 3})`}
output, weights = multi_head(query, key, value, ${heads}, seed=${10 * Number(seed) + 2})
print(output.shape, weights.shape)
print(output)`,
  results: ({weights, output}) => ({weights, output}),
});

/**
 * Embeds source and target, and runs one encoder-decoder layer on them.
 *
 * @param {Tools} tools
 * @param {Input} input
 */
async function translated({lab, model}, {sentences: [source, target], choices}) {
  const seed = Number(choices.seed);
  const embed = async (/** @type {string} */ text) => {
    const {ids, tokens} = await model.tokenize([text], {specialTokens: false});
    return {ids: [...ids.data], tokens: tokens[0], x: await lab.embedding(ids, 64, seed)};
  };
  const [from, to] = await Promise.all([embed(source), embed(target)]);
  const layer = await lab.encoderDecoder({source: from.x, target: to.x, heads: 4, seed});
  return {ids: [from.ids, to.ids], source: from.tokens, target: to.tokens, ...layer};
}

/** @param {Tensor} weights  [1, heads, queries, keys] */
function headZero({shape: [, , queries, keys], data}) {
  return {shape: [queries, keys], data: data.slice(0, queries * keys)};
}

const sides = step({
  sentences: [arrow, time],
  choices: {seed: 0, part: 'weights'},
  async compute(tools, input) {
    const {source, target, decoder} = await translated(tools, input);
    const {attention} = decoder.crossAttention;
    const weights = headZero(attention.weights);
    return {
      source,
      target,
      shape: attention.weights.shape,
      weights,
      query: decoder.crossAttention.query,
      key: decoder.crossAttention.key,
      value: decoder.crossAttention.value,
    };
  },
  asked: {
    kind: 'choice',
    async find(tools, input, {weights}) {
      const [source, written] = input.sentences;
      const {decoder} = await translated(tools, {
        ...input,
        sentences: [source, `${written} again`],
      });
      const [rows, columns] = decoder.crossAttention.attention.weights.shape
        .slice(2)
        .map((size, axis) => size > weights.shape[axis]);
      if (rows && columns) return 'both';
      if (!rows && !columns) return null;
      return rows ? 'rows' : 'columns';
    },
  },
  widget: ({source, target, weights, query, key, value}, context) => html`
    <div class="controls">${reroll(context, context.labels.reroll)}</div>
    ${stepParts(context, {
      vectors: {
        label: 'q, k, v',
        content: headVectors(
          {query, key, value},
          {axes: context.labels.targetAxes, tokens: target},
          {axes: context.labels.sourceAxes, tokens: source},
        ),
      },
      weights: {
        label: context.labels.weights,
        content: weightTable(context.labels.weights, weights, context.labels.weightAxes, target, {
          keys: source,
          digits: 2,
        }),
      },
    })}
  `,
  code: ({query, key}) => `
q, k, v = saved("q"), saved("k"), saved("v")     # q of the decoder, k and v of the encoder
size = ${query.shape[2]} // 4                                # of each of 4 heads
q, k = q[..., :size], k[..., :size]              # head 0
weights = (q @ k.transpose(-1, -2) / size ** 0.5).softmax(dim=-1)[0]
print(weights)                                   # [${query.shape[1]}, ${key.shape[1]}]: targets, sources`,
  arrays: ({query, key, value}) => ({q: query, k: key, v: value}),
  results: ({weights}) => ({weights}),
});

const decoderLayer = step({
  sentences: [arrow, time],
  choices: {seed: 0, part: 'weights'},
  async compute(tools, input) {
    const {ids, source, target, encoder, decoder} = await translated(tools, input);
    return {
      ids,
      source,
      target,
      own: headZero(decoder.selfAttention.attention.weights),
      cross: headZero(decoder.crossAttention.attention.weights),
      memory: encoder.output,
      output: decoder.output,
    };
  },
  asked: {
    kind: 'choice',
    async find(tools, input, {target, memory}) {
      const [source, written] = input.sentences;
      const longer = await translated(tools, {...input, sentences: [source, `${written} again`]});
      if (longer.target.length <= target.length) return null;
      const {data} = longer.encoder.output;
      return memory.data.every(
        (/** @type {number} */ value, /** @type {number} */ i) => value === data[i],
      )
        ? 'encoder'
        : null;
    },
  },
  widget: ({source, target, own, cross, memory, output}, context) => html`
    <div class="controls">${reroll(context, context.labels.reroll)}</div>
    ${stepParts(context, {
      memory: {
        label: context.labels.memory,
        content: vectorBlock(context.labels.memory, memory, context.labels.sourceAxes, source),
      },
      weights: {
        label: context.labels.weights,
        content: sideBySide(
          weightTable(context.labels.own, own, context.labels.ownAxes, target, {digits: 2}),
          weightTable(context.labels.cross, cross, context.labels.weightAxes, target, {
            keys: source,
            digits: 2,
          }),
        ),
      },
      output: {
        label: context.labels.output,
        content: vectorBlock(context.labels.output, output, context.labels.targetAxes, target),
      },
    })}
  `,
  code: ({ids}, {seed}) => `
source, target = embedding([${ids[0]}], 64, seed=${seed}), embedding([${ids[1]}], 64, seed=${seed})
memory = encoder_layer(source, 4, part(${seed}, 0))
decoder = part(${seed}, 1)
attended, own = multi_head(target, target, target, 4, part(decoder, 0), causal=True)
x = norm(target + attended)
crossed, cross = multi_head(x, memory, memory, 4, part(decoder, 1))
x = norm(x + crossed)
output = norm(x + feed_forward(x, part(decoder, 2)))      # [1, targets, hidden]
print(own[0, 0])
print(cross[0, 0])
print(output)`,
  results: ({memory, output}) => ({memory, output}),
});

export const steps = {
  split: splitting,
  combine,
  'cross-attention': crossAttention,
  sides,
  'decoder-layer': decoderLayer,
};
