/** Steps about the parts of a layer: heads, feed-forward, layer norms and skip connections. */

import {html} from 'lit';
import {headVectors, sideBySide, vectorBlock, weightTable} from '../parts/vector-blocks.js';
import {reroll, segments} from '../parts/step-controls.js';
import {onePart, stepParts} from '../parts/step-parts.js';
import {meanLength, rowOf} from '../parts/vectors.js';
import {lineChart} from '../parts/line-chart.js';
import {range} from '../../attention/range.js';
import {arrow} from '../example-sentences.js';
import {step} from '../step.js';
import {embedded} from './embedded-sentence.js';

/** @import {Tensor} from '../parts/tensor.js' */

/** A depth at which it clearly matters where the layer norm is. */
const deepLayers = 24;

/** Narrow vectors for that depth, since wide ones would be slow. */
const deepWidth = 64;

export const attentionHead = step({
  sentences: [arrow],
  choices: {seed: 0, part: 'weights'},
  bertBase: {},
  async compute(tools, input) {
    const {lab, x, ids, tokens, seed, hiddenSize, headDim} = await embedded(tools, input);
    const [query, key, value] = await Promise.all(
      [0, 1, 2].map(async (part) =>
        lab.project(x, await lab.linear(hiddenSize, headDim, 10 * seed + part)),
      ),
    );
    const attention = await lab.attention({query, key, value});
    return {ids, tokens, x, query, key, value, ...attention, hiddenSize, headDim};
  },
  asked: {
    kind: 'number',
    // The biases are easily forgotten, and few.
    margin: 0.02,
    async find({lab}, {choices}, {hiddenSize, headDim}) {
      const layers = await Promise.all(
        [0, 1, 2].map((part) => lab.linear(hiddenSize, headDim, 10 * Number(choices.seed) + part)),
      );
      return layers.reduce((sum, {weight, bias}) => sum + weight.data.length + bias.data.length, 0);
    },
  },
  widget: ({tokens, query, key, value, weights, output}, context) => html`
    <div class="controls">${reroll(context, context.labels.reroll)}</div>
    ${stepParts(context, {
      vectors: {
        label: 'q, k, v',
        content: headVectors({query, key, value}, {axes: context.labels.axes, tokens}),
      },
      weights: {
        label: context.labels.weights,
        content: weightTable(context.labels.weights, weights, context.labels.weightAxes, tokens),
      },
      output: {
        label: context.labels.output,
        content: vectorBlock(context.labels.output, output, context.labels.axes, tokens),
      },
    })}
  `,
  code: ({ids, hiddenSize, headDim}, {seed}) => `
class AttentionHead(nn.Module):
    def __init__(self, hidden, size, seed):
        super().__init__()
        self.query, self.key, self.value = (linear(hidden, size, seed + i) for i in range(3))

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        self.weights = (q @ k.transpose(1, 2) / q.size(-1) ** 0.5).softmax(dim=-1)
        return self.weights @ v

x = embedding([${ids}], ${hiddenSize}, seed=${seed})
head = AttentionHead(${hiddenSize}, ${headDim}, seed=${10 * Number(seed)})
output = head(x)
print(head.weights)`,
  results: ({output}) => ({output}),
});

export const multiHead = step({
  sentences: [arrow],
  choices: {seed: 0, part: 'weights'},
  bertBase: {},
  async compute(tools, input) {
    const {lab, x, ids, tokens, seed, heads, hiddenSize} = await embedded(tools, input);
    const result = await lab.multiHead({query: x, key: x, value: x, heads, seed});
    const {attention, combined, output} = result;
    const {output: each, weights} = attention;
    return {ids, tokens, hiddenSize, heads, each, weights, combined, output};
  },
  asked: {
    kind: 'choice',
    find(_, __, {weights}) {
      const [, heads, tokens] = weights.shape;
      const strongest = range(heads).map((head) => {
        const row = weights.data.subarray(head * tokens ** 2, head * tokens ** 2 + tokens);
        return row.indexOf(Math.max(...row));
      });
      return new Set(strongest).size === 1 ? 'yes' : 'no';
    },
  },
  widget: ({tokens, each, weights, combined, output}, context) => html`
    <div class="controls">${reroll(context, context.labels.reroll)}</div>
    ${stepParts(context, {
      weights: {
        label: context.labels.weights,
        content: html`<tensor-block
          label=${context.labels.weights}
          kind="weights"
          .tensor=${weights}
          .axes=${context.labels.weightAxes}
          .rows=${tokens}
          .columns=${tokens}
        ></tensor-block>`,
      },
      each: {
        label: context.labels.each,
        content: vectorBlock(context.labels.each, each, context.labels.headAxes, tokens),
      },
      joined: {
        label: context.labels.joined,
        content: html`
          ${vectorBlock(context.labels.combined, combined, context.labels.axes, tokens)}
          ${vectorBlock(context.labels.output, output, context.labels.axes, tokens)}
        `,
      },
    })}
  `,
  code: ({ids, hiddenSize, heads}, {seed}) => `
x = embedding([${ids}], ${hiddenSize}, seed=${seed})
q_layer, k_layer, v_layer, o_layer = layers(${hiddenSize}, seed=${seed})
q, k, v = (split_heads(layer(x), ${heads}) for layer in (q_layer, k_layer, v_layer))
weights = (q @ k.transpose(-1, -2) / q.size(-1) ** 0.5).softmax(dim=-1)
together = combine_heads(weights @ v)     # the heads side by side
output = o_layer(together)                # the layer that joins them
print(weights)
print(output)`,
  results: ({weights, combined, output}) => ({weights, together: combined, output}),
});

/** The shares of numbers that dropout can empty in this step: that of BERT in training, and a larger one. */
const dropoutShares = [0.1, 0.5];

export const feedForward = step({
  sentences: [arrow],
  choices: {seed: 0, dropout: '0.1', draw: 0, part: 'wide'},
  bertBase: {},
  async compute(tools, input) {
    const {lab, x, ids, tokens, seed, hiddenSize} = await embedded(tools, input);
    const [{expanded, activated, output}, alone, curve] = await Promise.all([
      lab.feedForward(x, {seed}),
      lab.feedForward({shape: [1, 1, hiddenSize], data: rowOf(x, 0)}, {seed}),
      lab.gelu({shape: [61], data: range(61).map((i) => i / 10 - 3)}),
    ]);
    const difference = rowOf(output, 0).map((value, i) => value - alone.output.data[i]);
    const probability = Number(input.choices.dropout) === 0.5 ? 0.5 : 0.1;
    const trained = await lab.dropout(output, {probability, seed: Number(input.choices.draw)});
    return {
      ids,
      tokens,
      expanded,
      activated,
      output,
      trained,
      probability,
      empty: trained.data.filter((value) => value === 0).length,
      hiddenSize,
      curve: [...curve.data],
      difference: Math.max(...difference.map(Math.abs)),
    };
  },
  asked: {
    kind: 'choice',
    async find({lab}, _, {expanded}) {
      const negative = expanded.data.filter((/** @type {number} */ value) => value < 0);
      const {data} = await lab.gelu({shape: [negative.length], data: negative});
      if (data.every((value) => value === 0)) return 'zero';
      return data.every((value) => value <= 0 && value > -0.2) ? 'fade' : 'stay';
    },
  },
  widget: (
    {tokens, expanded, activated, output, trained, probability, empty, curve},
    context,
  ) => html`
    <div class="controls">${reroll(context, context.labels.reroll)}</div>
    ${stepParts(context, {
      wide: {
        label: context.labels.expanded,
        content: html`
          ${vectorBlock(context.labels.expanded, expanded, context.labels.axes, tokens)}
          ${vectorBlock(context.labels.activated, activated, context.labels.axes, tokens)}
        `,
      },
      output: {
        label: context.labels.output,
        content: html`
          <div class="controls">
            ${segments(context, 'dropout', context.labels.dropout, dropoutShares.map(String))}
            ${reroll(context, context.labels.draw, 'draw')}
          </div>
          ${sideBySide(
            vectorBlock(context.labels.output, output, context.labels.axes, tokens),
            vectorBlock(context.labels.trained, trained, context.labels.axes, tokens),
          )}
          <p class="finding">${context.labels.dropped(empty, output.data.length, probability)}</p>
        `,
      },
      gelu: {
        label: context.labels.gelu,
        content: lineChart({
          label: context.labels.gelu,
          x: {label: 'x', from: -3, to: 3},
          y: {label: 'GELU(x)'},
          lines: [{name: 'GELU', values: curve, chosen: true}],
        }),
      },
    })}
  `,
  code: ({ids, hiddenSize, probability}, {seed, draw}) => `
class FeedForward(nn.Module):
    def __init__(self, hidden, seed):
        super().__init__()
        self.expand = linear(hidden, 4 * hidden, part(seed, 0))
        self.contract = linear(4 * hidden, hidden, part(seed, 1))

    def forward(self, x):
        return self.contract(F.gelu(self.expand(x)))

x = embedding([${ids}], ${hiddenSize}, seed=${seed})
output = FeedForward(${hiddenSize}, seed=${seed})(x)
# nn.Dropout(${probability}) draws anew each time; this draw is the page's.
kept = torch.from_numpy(uniform(output.numel(), seed=${draw}) >= ${probability}).reshape(output.shape)
trained = output * kept / (1 - ${probability})
print(output)
print(trained)`,
  results: ({output, trained}) => ({output, trained}),
});

/** @param {readonly number[]} values @returns {Tensor} */
const vectorOf = (values) => ({shape: [values.length], data: Float32Array.from(values)});

export const layerNorm = step({
  sentences: [arrow],
  choices: {seed: 0, norm: 'pre'},
  async compute(tools, input) {
    const {lab, x, ids, seed} = await embedded(tools, input, {hiddenSize: deepWidth});
    const heads = 4;
    const lengths = async (/** @type {'pre' | 'post'} */ norm) => {
      const {norms} = await lab.encoder({input: x, layers: deepLayers, heads, seed, norm});
      return norms.map(({data}) => data.reduce((sum, length) => sum + length, 0) / data.length);
    };
    const norm = input.choices.norm === 'post' ? 'post' : 'pre';
    const [layer, pre, post] = await Promise.all([
      lab.encoderLayer({input: x, heads, seed, norm}),
      lengths('pre'),
      lengths('post'),
    ]);
    return {
      ids,
      norm,
      depth: deepLayers,
      width: deepWidth,
      lengths: {pre, post},
      skip: {
        input: meanLength(x),
        attention: meanLength(/** @type {Tensor} */ (layer.attention.output)),
        sum: meanLength(layer.attentionSum),
        output: meanLength(layer.output),
      },
    };
  },
  widget: ({norm, lengths, skip}, context) => html`
    <div class="controls">
      ${segments(context, 'norm', context.labels.norm, context.labels.norms)}
      ${reroll(context, context.labels.reroll)}
    </div>
    <p class="finding">${context.labels.skip(skip)}</p>
    ${onePart(
      lineChart({
        label: context.labels.chart,
        x: {label: context.labels.depth, from: 0, to: deepLayers},
        y: {label: context.labels.length, from: 0},
        lines: /** @type {const} */ (['pre', 'post']).map((name) => ({
          name: context.labels.norms[name],
          values: lengths[name],
          chosen: name === norm,
        })),
      }),
    )}
  `,
  code: ({ids, width, depth}, {seed}) => `
def pre(x, attention, feed_forward):          # the sum itself is never normalized
    x = x + attention(norm(x))
    return x + feed_forward(norm(x))

def post(x, attention, feed_forward):         # as in BERT
    x = norm(x + attention(x))
    return norm(x + feed_forward(x))

lengths = {}
for name, before in (("pre", True), ("post", False)):
    x = embedding([${ids}], ${width}, seed=${seed})
    x = norm(x + normal(x.size(1), ${width}, seed=part(${seed}, 0)), eps=1e-12)     # positions
    lengths[name] = [x.norm(dim=-1).mean().item()]
    for layer in range(${depth}):
        x = encoder_layer(x, 4, part(${seed}, layer + 1), pre=before)
        lengths[name].append(x.norm(dim=-1).mean().item())
pre_lengths, post_lengths = torch.tensor(lengths["pre"]), torch.tensor(lengths["post"])
print(pre_lengths)
print(post_lengths)`,
  results: ({lengths}) => ({
    pre_lengths: vectorOf(lengths.pre),
    post_lengths: vectorOf(lengths.post),
  }),
});
