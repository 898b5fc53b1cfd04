import {html} from 'lit';
import {headVectors, vectorBlock, weightTable} from '../parts/vector-blocks.js';
import {reroll, segments} from '../parts/step-controls.js';
import {arrow, persistence, time} from '../example-sentences.js';
import {step} from '../step.js';
import {movingBlocks} from './moving-blocks.js';

/** @import {Input, Tools} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */
/** @import {Way} from './moving-blocks.js' */

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
    x,
    split,
    combined,
    blocks: {tokens: tokens[0], heads, size, data: x.data, order: order.data},
    difference: Math.max(...x.data.map((value, i) => Math.abs(value - combined.data[i]))),
  };
}

const splitting = step({
  sentences: [persistence],
  choices: {seed: 0, way: 'together'},
  compute: smallBlocks,
  widget: ({x, split, blocks}, desk) => html`
    <div class="controls">
      ${segments(desk, 'way', desk.labels.way, desk.labels.ways)}
      ${reroll(desk, desk.labels.reroll)}
    </div>
    <p class="finding">${desk.labels.shapes[String(desk.choices.way)](x.shape, split.shape)}</p>
    ${movingBlocks(blocks, /** @type {Way} */ (desk.choices.way), {
      dark: desk.dark,
      head: desk.labels.head,
    })}
    ${vectorBlock(desk.labels.split, split, desk.labels.axes, blocks.tokens)}
  `,
  code: `
def split_heads(x, heads):
    batch, tokens, width = x.shape
    x = x.view(batch, tokens, heads, width // heads)
    return x.transpose(1, 2)             # [batch, heads, tokens, d_k]

x.view(batch, heads, tokens, width // heads)     # the same shape, and wrong`,
});

const combine = step({
  sentences: [persistence],
  choices: {seed: 0, way: 'split'},
  compute: smallBlocks,
  widget: ({split, combined, blocks, difference}, desk) => html`
    <div class="controls">
      ${segments(desk, 'way', desk.labels.way, desk.labels.ways)}
      ${reroll(desk, desk.labels.reroll)}
    </div>
    <p class="finding">${desk.labels.difference(split.shape, combined.shape, difference)}</p>
    ${movingBlocks(blocks, /** @type {Way} */ (desk.choices.way), {
      dark: desk.dark,
      head: desk.labels.head,
    })}
    ${vectorBlock(desk.labels.combined, combined, desk.labels.axes, blocks.tokens)}
  `,
  code: `
def combine_heads(x):
    batch, heads, tokens, size = x.shape
    x = x.transpose(1, 2).contiguous()   # put the numbers of a token next to each other
    return x.view(batch, tokens, heads * size)`,
});

const crossAttention = step({
  sentences: [],
  choices: {seed: 0, queries: 5, keys: 7, heads: 8},
  async compute({lab}, {choices}) {
    const [queries, keys, heads] = [choices.queries, choices.keys, choices.heads].map((value) =>
      Math.max(1, Math.min(16, Number(value))),
    );
    const seed = 10 * Number(choices.seed);
    const [query, key] = await Promise.all([
      lab.normal([4, queries, 256], seed),
      lab.normal([4, keys, 256], seed + 1),
    ]);
    const result = await lab.multiHead({query, key, value: key, heads, seed: seed + 2});
    return {
      query: query.shape,
      key: key.shape,
      queryHeads: result.queryHeads.shape,
      keyHeads: result.keyHeads.shape,
      weights: result.attention.weights,
      output: /** @type {Tensor} */ (result.output),
    };
  },
  widget: ({query, key, queryHeads, keyHeads, weights, output}, desk) => html`
    <div class="controls">
      ${segments(desk, 'queries', desk.labels.queries, [1, 3, 5, 8])}
      ${segments(desk, 'keys', desk.labels.keys, [3, 5, 7, 12])}
      ${segments(desk, 'heads', desk.labels.heads, [1, 2, 4, 8, 16])}
      ${reroll(desk, desk.labels.reroll)}
    </div>
    <table class="facts">
      <caption>
        ${desk.labels.ladder}
      </caption>
      <tbody>
        ${desk.labels
          .steps({query, key, queryHeads, keyHeads, weights: weights.shape, output: output.shape})
          .map(
            (/** @type {[string, number[], string]} */ [name, shape, hue]) =>
              html`<tr>
                <th scope="row" class=${hue}>${name}</th>
                <td class="shape">[${shape.join(', ')}]</td>
              </tr>`,
          )}
      </tbody>
    </table>
    <tensor-block
      label=${desk.labels.weights}
      kind="weights"
      .tensor=${weights}
      .axes=${desk.labels.weightAxes}
    ></tensor-block>
    <tensor-block
      label=${desk.labels.output}
      .tensor=${output}
      .axes=${desk.labels.axes}
    ></tensor-block>
  `,
  code: `
query = torch.randn(4, 5, 256)
key = value = torch.randn(4, 7, 256)
attention = nn.MultiheadAttention(embed_dim=256, num_heads=8, batch_first=True)
output, weights = attention(query, key, value, average_attn_weights=False)
output.shape, weights.shape      # [4, 5, 256], [4, 8, 5, 7]`,
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
    return {tokens: tokens[0], x: await lab.embedding(ids, 64, seed)};
  };
  const [from, to] = await Promise.all([embed(source), embed(target)]);
  const layer = await lab.encoderDecoder({source: from.x, target: to.x, heads: 4, seed});
  return {source: from.tokens, target: to.tokens, ...layer};
}

/** @param {Tensor} weights  [1, heads, queries, keys] */
function headZero({shape: [, , queries, keys], data}) {
  return {shape: [queries, keys], data: data.slice(0, queries * keys)};
}

const sides = step({
  sentences: [arrow, time],
  choices: {seed: 0},
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
  widget: ({source, target, weights, query, key, value}, desk) => html`
    <div class="controls">${reroll(desk, desk.labels.reroll)}</div>
    ${headVectors(
      {query, key, value},
      {axes: desk.labels.targetAxes, tokens: target},
      {axes: desk.labels.sourceAxes, tokens: source},
    )}
    ${weightTable(desk.labels.weights, weights, desk.labels.weightAxes, target, {keys: source, digits: 2})}
  `,
  code: `
q = query_layer(decoder_state)       # what the new text looks for
k = key_layer(encoder_output)        # what the original has to offer
v = value_layer(encoder_output)
weights = (q @ k.transpose(-1, -2) / size ** 0.5).softmax(dim=-1)    # [targets, sources]`,
});

const decoderLayer = step({
  sentences: [arrow, time],
  choices: {seed: 0},
  async compute(tools, input) {
    const {source, target, encoder, decoder} = await translated(tools, input);
    return {
      source,
      target,
      own: headZero(decoder.selfAttention.attention.weights),
      cross: headZero(decoder.crossAttention.attention.weights),
      memory: encoder.output,
      output: decoder.output,
    };
  },
  widget: ({source, target, own, cross, memory, output}, desk) => html`
    <div class="controls">${reroll(desk, desk.labels.reroll)}</div>
    ${vectorBlock(desk.labels.memory, memory, desk.labels.sourceAxes, source)}
    ${weightTable(desk.labels.own, own, desk.labels.ownAxes, target, {digits: 2})}
    ${weightTable(desk.labels.cross, cross, desk.labels.weightAxes, target, {keys: source, digits: 2})}
    ${vectorBlock(desk.labels.output, output, desk.labels.targetAxes, target)}
  `,
  code: `
memory = encoder_layer(source)
x = norm_1(target + self_attention(target, target, target, causal=True))
x = norm_2(x + cross_attention(query=x, key=memory, value=memory))
output = norm_3(x + feed_forward(x))      # [1, targets, hidden]`,
});

export const steps = {
  split: splitting,
  combine,
  'cross-attention': crossAttention,
  sides,
  'decoder-layer': decoderLayer,
};
