/** Steps about the parts of a layer: heads, feed-forward, layer norms and skip connections. */

import {html} from 'lit';
import {headVectors, vectorBlock, weightTable} from '../parts/vector-blocks.js';
import {reroll, segments} from '../parts/step-controls.js';
import {lengthOf, rowOf} from '../parts/vectors.js';
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

/** The mean length of the vectors of all tokens. @param {Tensor} tensor  [1, tokens, size] */
const meanLength = (tensor) =>
  range(tensor.shape[1]).reduce((sum, i) => sum + lengthOf(rowOf(tensor, i)), 0) / tensor.shape[1];

export const attentionHead = step({
  sentences: [arrow],
  choices: {seed: 0},
  async compute(tools, input) {
    const {lab, x, tokens, seed, hiddenSize, headDim} = await embedded(tools, input);
    const [query, key, value] = await Promise.all(
      [0, 1, 2].map(async (part) =>
        lab.project(x, await lab.linear(hiddenSize, headDim, 10 * seed + part)),
      ),
    );
    const attention = await lab.attention({query, key, value});
    return {tokens, x, query, key, value, ...attention, hiddenSize, headDim};
  },
  widget: ({tokens, query, key, value, weights, output}, desk) => html`
    <div class="controls">${reroll(desk, desk.labels.reroll)}</div>
    ${headVectors({query, key, value}, {axes: desk.labels.axes, tokens})}
    ${weightTable(desk.labels.weights, weights, desk.labels.weightAxes, tokens)}
    ${vectorBlock(desk.labels.output, output, desk.labels.axes, tokens)}
  `,
  code: `
class AttentionHead(nn.Module):
    def __init__(self, hidden, head_dim):
        super().__init__()
        self.query = nn.Linear(hidden, head_dim)
        self.key = nn.Linear(hidden, head_dim)
        self.value = nn.Linear(hidden, head_dim)

    def forward(self, x):
        return F.scaled_dot_product_attention(self.query(x), self.key(x), self.value(x))`,
});

export const multiHead = step({
  sentences: [arrow],
  choices: {seed: 0, head: 0},
  async compute(tools, input) {
    const {lab, x, tokens, seed, heads} = await embedded(tools, input);
    const result = await lab.multiHead({query: x, key: x, value: x, heads, seed});
    const {attention, combined, output} = result;
    return {tokens, heads, each: attention.output, weights: attention.weights, combined, output};
  },
  widget: ({tokens, each, weights, combined, output}, desk) => html`
    <div class="controls">${reroll(desk, desk.labels.reroll)}</div>
    <tensor-block
      label=${desk.labels.weights}
      kind="weights"
      .tensor=${weights}
      .axes=${desk.labels.weightAxes}
      .rows=${tokens}
      .columns=${tokens}
    ></tensor-block>
    ${vectorBlock(desk.labels.each, each, desk.labels.headAxes, tokens)}
    ${vectorBlock(desk.labels.combined, combined, desk.labels.axes, tokens)}
    ${vectorBlock(desk.labels.output, output, desk.labels.axes, tokens)}
  `,
  code: `
class MultiHeadAttention(nn.Module):
    def __init__(self, hidden, heads):
        super().__init__()
        self.heads = nn.ModuleList(AttentionHead(hidden, hidden // heads) for _ in range(heads))
        self.output = nn.Linear(hidden, hidden)

    def forward(self, x):
        return self.output(torch.cat([head(x) for head in self.heads], dim=-1))`,
});

export const feedForward = step({
  sentences: [arrow],
  choices: {seed: 0},
  async compute(tools, input) {
    const {lab, x, tokens, seed, hiddenSize} = await embedded(tools, input);
    const [{expanded, activated, output}, alone, curve] = await Promise.all([
      lab.feedForward(x, {seed}),
      lab.feedForward({shape: [1, 1, hiddenSize], data: rowOf(x, 0)}, {seed}),
      lab.gelu({shape: [61], data: range(61).map((i) => i / 10 - 3)}),
    ]);
    const difference = rowOf(output, 0).map((value, i) => value - alone.output.data[i]);
    return {
      tokens,
      expanded,
      activated,
      output,
      hiddenSize,
      curve: [...curve.data],
      difference: Math.max(...difference.map(Math.abs)),
    };
  },
  widget: ({tokens, expanded, activated, output, curve}, desk) => html`
    <div class="controls">${reroll(desk, desk.labels.reroll)}</div>
    ${vectorBlock(desk.labels.expanded, expanded, desk.labels.axes, tokens)}
    ${vectorBlock(desk.labels.activated, activated, desk.labels.axes, tokens)}
    ${vectorBlock(desk.labels.output, output, desk.labels.axes, tokens)}
    ${lineChart({
      label: desk.labels.gelu,
      x: {label: 'x', from: -3, to: 3},
      y: {label: 'GELU(x)'},
      lines: [{name: 'GELU', values: curve, chosen: true}],
    })}
  `,
  code: `
class FeedForward(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.expand = nn.Linear(hidden, 4 * hidden)
        self.contract = nn.Linear(4 * hidden, hidden)

    def forward(self, x):
        return self.contract(F.gelu(self.expand(x)))`,
});

export const layerNorm = step({
  sentences: [arrow],
  choices: {seed: 0, norm: 'pre'},
  async compute(tools, input) {
    const {lab, x, seed} = await embedded(tools, input, {hiddenSize: deepWidth});
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
  widget: ({norm, lengths, skip}, desk) => html`
    <div class="controls">
      ${segments(desk, 'norm', desk.labels.norm, desk.labels.norms)}
      ${reroll(desk, desk.labels.reroll)}
    </div>
    <p class="finding">${desk.labels.skip(skip)}</p>
    ${lineChart({
      label: desk.labels.chart,
      x: {label: desk.labels.depth, from: 0, to: deepLayers},
      y: {label: desk.labels.length, from: 0},
      lines: /** @type {const} */ (['pre', 'post']).map((name) => ({
        name: desk.labels.norms[name],
        values: lengths[name],
        chosen: name === norm,
      })),
    })}
  `,
  code: `
def pre(x):                                   # the sum itself is never normalized
    x = x + attention(norm_1(x))
    return x + feed_forward(norm_2(x))

def post(x):                                  # as in BERT
    x = norm_1(x + attention(x))
    return norm_2(x + feed_forward(x))`,
});
