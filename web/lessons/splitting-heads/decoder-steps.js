import {html} from 'lit';
import {headVectors, sideBySide, vectorBlock, weightTable} from '../parts/vector-blocks.js';
import {reroll} from '../parts/step-controls.js';
import {stepParts} from '../parts/step-parts.js';
import {arrow, time} from '../example-sentences.js';
import {step} from '../step.js';

/** @import {Input, Tools} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */

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

export const sides = step({
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

export const decoderLayer = step({
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
