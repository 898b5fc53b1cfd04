/** Steps about attention with random layers, the right way beside a common wrong one. */

import {html} from 'lit';
import {headVectors, vectorBlock} from '../parts/vector-blocks.js';
import {reroll, toggle} from '../parts/step-controls.js';
import {stepParts} from '../parts/step-parts.js';
import {step} from '../step.js';
import {batchOf, both, mean} from './batch.js';
import {bothOutputs, bothWeights, headCounts} from './pictures.js';
import {twoWays} from './two-ways.js';

/** @import {Tensor} from '../parts/tensor.js' */

/**
 * How much of the attention of the real tokens goes to padding.
 *
 * @param {Tensor} weights  [batch, heads, tokens, tokens]
 * @param {Tensor} keep  [batch, tokens]
 */
function shareOfPadding({shape: [batch, heads, tokens], data}, {data: keep}) {
  /** @type {number[]} */
  const shares = [];
  for (let row = 0; row < batch * heads * tokens; row++) {
    const text = Math.floor(row / heads / tokens);
    const isPadded = keep.subarray(text * tokens, (text + 1) * tokens).includes(0);
    if (!isPadded || !keep[text * tokens + (row % tokens)]) continue;
    let share = 0;
    for (let j = 0; j < tokens; j++) if (!keep[text * tokens + j]) share += data[row * tokens + j];
    shares.push(share);
  }
  return shares.length ? mean(shares) : 0;
}

export const selfAttention = step({
  sentences: both,
  choices: {seed: 0, causal: false, keep: false, part: 'weights'},
  bertBase: {},
  async compute(tools, input) {
    const {lab, x, keep, tokens, seed} = await batchOf(tools, input);
    const {causal, keep: isKept} = input.choices;
    const masking = {causal: Boolean(causal), keep: isKept ? keep : null};
    const inputs = {query: x, key: x, value: x};
    const options = {...inputs, heads: 1, seed, output: false, ...masking};
    const {right, wrong, rows} = await twoWays(lab, options);
    const ofOneHead = (/** @type {Tensor} */ {shape: [texts, , ...rest], data}) => ({
      shape: [texts, ...rest],
      data,
    });
    return {
      tokens,
      x,
      seed,
      causal: masking.causal,
      keepMask: keep,
      query: right.query,
      key: right.key,
      value: right.value,
      weights: ofOneHead(right.attention.weights),
      wrongWeights: ofOneHead(wrong.attention.weights),
      output: right.combined,
      wrongOutput: wrong.combined,
      rows,
      padding: shareOfPadding(right.attention.weights, keep),
      isPadded: keep.data.includes(0),
    };
  },
  asked: {
    kind: 'choice',
    async find({lab}, _, {x, seed, causal, keepMask, isPadded}) {
      if (!isPadded) return null;
      const inputs = {query: x, key: x, value: x};
      const {attention} = await lab.multiHead({...inputs, heads: 1, seed, output: false, causal});
      return shareOfPadding(attention.weights, keepMask) > 0 ? 'padding' : 'words';
    },
  },
  widget: (data, context) => {
    const {labels} = context;
    const {tokens, padding, isPadded, rows} = data;
    return html`
      <div class="controls">
        ${toggle(context, 'causal', labels.causal)} ${toggle(context, 'keep', labels.keep)}
        ${reroll(context, labels.reroll)}
      </div>
      <p class="finding">${labels.padding(padding, isPadded)} ${labels.ways(rows)}</p>
      ${stepParts(context, {
        vectors: {label: 'q, k, v', content: headVectors(data, {axes: labels.axes})},
        weights: {
          label: labels.weights,
          content: bothWeights(context, data.weights, data.wrongWeights, tokens),
        },
        output: {
          label: labels.output,
          content: bothOutputs(context, data.output, data.wrongOutput, tokens),
        },
      })}
    `;
  },
  code: (_, {seed, causal, keep}) => `
x, keep = saved("x"), saved("keep")                # [B, T, C], [B, T]
B, T, C = x.shape
query, key, value = (layer(x) for layer in layers(C, seed=${seed})[:3])
scores = query @ key.transpose(1, 2) / C ** 0.5${
    causal
      ? '\nscores = scores.masked_fill(torch.ones(T, T).tril() == 0, float("-inf"))  # a decoder'
      : ''
  }${
    keep
      ? '\nscores = scores.masked_fill(keep[:, None, :] == 0, float("-inf"))         # padding'
      : ''
  }
weights = scores.softmax(dim=-1)                   # over the keys; dim=1 is a common mistake
wrong_weights = scores.softmax(dim=1).nan_to_num()
output = weights @ value                           # [B, T, C]
print(weights)`,
  arrays: ({x, keepMask}) => ({x, keep: keepMask}),
  results: ({query, weights, wrongWeights, output}) => ({
    query,
    weights,
    wrong_weights: wrongWeights,
    output,
  }),
});

export const multiHead = step({
  sentences: both,
  asked: {
    kind: 'choice',
    async find({lab}, {choices}, {x, keepMask: keep, heads}) {
      // A layer makes the vectors of all heads at once, so their sizes are the sizes of its weights.
      const weightsOf = async (/** @type {number} */ count) => {
        const inputs = {query: x, key: x, value: x};
        const seed = Number(choices.seed);
        const {queryHeads} = await lab.multiHead({...inputs, heads: count, seed, keep});
        const [, made, , size] = queryHeads.shape;
        return 3 * made * size * x.shape[2];
      };
      const fewer = heads > 1 ? heads / 2 : heads;
      const [few, many] = [await weightsOf(fewer), await weightsOf(2 * fewer)];
      if (few === many) return 'same';
      return many > few ? 'more' : 'fewer';
    },
  },
  choices: {seed: 0, heads: 8, keep: true, output: true, part: 'outputs'},
  bertBase: {heads: 8},
  async compute(tools, input) {
    const {lab, x, keep, tokens, seed, hiddenSize} = await batchOf(tools, input);
    const heads = Number(input.choices.heads);
    const output = Boolean(input.choices.output);
    const inputs = {query: x, key: x, value: x};
    const isKept = Boolean(input.choices.keep);
    const options = {...inputs, heads, seed, keep: isKept ? keep : null, output};
    const {right, wrong, rows} = await twoWays(lab, options);
    return {
      tokens,
      x,
      keepMask: keep,
      padding: shareOfPadding(right.attention.weights, keep),
      isPadded: keep.data.includes(0),
      heads,
      hiddenSize,
      rows,
      each: right.attention.output,
      combined: right.combined,
      output: right.output,
      weights: right.attention.weights,
      wrongWeights: wrong.attention.weights,
      wrongCombined: wrong.combined,
    };
  },
  widget: (data, context) => {
    const {labels} = context;
    const {tokens, heads, hiddenSize, each, combined, output, rows} = data;
    return html`
      <div class="controls">
        ${headCounts(context, hiddenSize)} ${toggle(context, 'keep', labels.keep)}
        ${toggle(context, 'output', labels.withOutput)} ${reroll(context, labels.reroll)}
      </div>
      <p class="finding">
        ${labels.shapes(heads, each.shape, combined.shape)}
        ${labels.padding(data.padding, data.isPadded)}
      </p>
      ${stepParts(context, {
        each: {
          label: labels.each,
          content: html`<tensor-block
            label=${labels.each}
            .tensor=${each}
            .axes=${labels.headAxes}
          ></tensor-block>`,
        },
        outputs: {
          label: labels.outputs,
          content: html`
            ${vectorBlock(labels.combined, combined, labels.axes, tokens)}
            ${output ? vectorBlock(labels.output, output, labels.axes, tokens) : html``}
          `,
        },
        ways: {
          label: labels.twoWays,
          content: html`
            <p>${labels.ways(rows)}</p>
            ${bothWeights(context, data.weights, data.wrongWeights, [])}
            ${vectorBlock(labels.wrongOutput, data.wrongCombined, labels.axes, tokens)}
          `,
        },
      })}
    `;
  },
  code: ({heads}, {seed, keep}) => `
x${keep ? ', keep = saved("x"), saved("keep")                   # [B, T, C], [B, T]' : ' = saved("x")                                        # [B, T, C]'}
q_layer, k_layer, v_layer, o_layer = layers(x.size(-1), seed=${seed})
q, k, v = (split_heads(layer(x), ${heads}) for layer in (q_layer, k_layer, v_layer))
scores = q @ k.transpose(-1, -2) / q.size(-1) ** 0.5${
    keep ? '\nscores = scores.masked_fill(keep[:, None, None] == 0, float("-inf"))   # padding' : ''
  }
each = scores.softmax(dim=-1) @ v                     # [B, heads, T, size]
together = combine_heads(each)                        # [B, T, C]: not mixed yet
output = o_layer(together)                            # the layer that mixes the heads
print(each.shape, together.shape)
print(together)`,
  arrays: ({x, keepMask}) => ({x, keep: keepMask}),
  results: ({each, combined, output}) => ({each, together: combined, ...(output ? {output} : {})}),
});
