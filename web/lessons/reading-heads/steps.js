import {html} from 'lit';
import {pairTable} from '../parts/vector-blocks.js';
import {segments} from '../parts/step-controls.js';
import {onePart} from '../parts/step-parts.js';
import {idTable} from '../parts/id-table.js';
import {range} from '../../attention/range.js';
import {friend} from '../example-sentences.js';
import {step} from '../step.js';
import {directObjects, ownHeads, previousToken} from './measured-heads.js';
import {structure} from './model-structure.js';

const ids = step({
  sentences: [friend],
  bertBase: {},
  async compute({model}, {sentences: [text]}) {
    const {ids, tokens} = await model.tokenize([text]);
    return {ids: [...ids.data], tokens: tokens[0], decoded: await model.decode(ids.data)};
  },
  widget: ({ids, tokens, decoded}, {labels}) => html`
    ${idTable(tokens, ids, labels.caption(tokens.length))}
    <p class="finding">${labels.decoded} <bdi>${decoded}</bdi></p>
  `,
  asked: {
    kind: 'number',
    async find({model}) {
      const {tokens} = await model.tokenize(['unbelievably'], {specialTokens: false});
      return tokens[0].length;
    },
  },
  code: (_, __, [text]) => `
ids = tokenizer(${JSON.stringify(text)}, return_tensors="pt").input_ids
print(ids, ids.shape)                  # [1, tokens]
print(tokenizer.decode(ids[0]))`,
});

const attentionShape = step({
  sentences: [friend],
  choices: {layer: 0},
  bertBase: {layer: 11},
  async compute({model, signal}, {sentences: [text], choices}) {
    const {layers, heads} = model.shape;
    const layer = Math.min(Number(choices.layer), layers - 1);
    const result = await model.attend(text, {signal});
    const size = result.tokens.length;
    const data = await result.layerAttention(layer);
    return {layers, layer, tokens: result.tokens, attention: {shape: [1, heads, size, size], data}};
  },
  widget: ({layers, layer, tokens, attention}, context) => html`
    <p class="shapes">${context.labels.whole(layers, attention.shape)}</p>
    ${segments({...context, choices: {layer}}, 'layer', context.labels.layer, range(layers))}
    ${onePart(
      html`<tensor-block
        label=${context.labels.attention(layer)}
        kind="weights"
        .tensor=${attention}
        .axes=${context.labels.axes}
        .rows=${tokens}
        .columns=${tokens}
      ></tensor-block>`,
    )}
  `,
  asked: {
    kind: 'choice',
    async find({model}, {sentences: [text]}, {tokens}) {
      const {tokens: twice} = await model.tokenize([`${text} ${text}`]);
      const times = (twice[0].length / tokens.length) ** 2;
      // `[CLS]` and `[SEP]` do not double, so it is a little less than a power of two.
      return String(2 ** Math.round(Math.log2(times)));
    },
  },
  code: ({layer}, __, [text]) => `
ids = tokenizer(${JSON.stringify(text)}, return_tensors="pt").input_ids
attentions = model(ids, output_attentions=True).attentions
print(len(attentions))                 # one tensor per layer
print(attentions[${layer}].shape)             # [batch, heads, queries, keys]
print(attentions[${layer}])`,
});

const meanTable = step({
  sentences: [friend],
  bertBase: {},
  async compute({model, signal}, {sentences: [text]}) {
    const {layers, heads} = model.shape;
    const result = await model.attend(text, {signal});
    const size = result.tokens.length;
    const weights = await result.layerAttention(layers - 1);
    const data = new Float32Array(size * size);
    weights.forEach((weight, i) => (data[i % data.length] += weight / heads));
    const sums = result.tokens.map((token, key) => ({
      token,
      sum: data.reduce((sum, weight, i) => (i % size === key ? sum + weight : sum), 0),
    }));
    return {
      heads,
      layer: layers - 1,
      tokens: result.tokens,
      mean: {shape: [size, size], data},
      most: sums.sort((a, b) => b.sum - a.sum).slice(0, 3),
    };
  },
  asked: {
    kind: 'word',
    find: (_, __, {most}) => most.map((/** @type {{token: string}} */ {token}) => token),
  },
  widget: ({tokens, mean, layer}, {labels}) =>
    pairTable(labels.mean(layer), mean, labels.axes, tokens, {
      kind: 'weights',
      digits: 3,
      sums: {rows: true, columns: true},
    }),
  code: (_, __, [text]) => `
ids = tokenizer(${JSON.stringify(text)}, return_tensors="pt").input_ids
tokens = tokenizer.convert_ids_to_tokens(ids[0])
last = model(ids, output_attentions=True).attentions[-1].mean(dim=1)[0]     # [queries, keys]
table = last.round(decimals=3)
for token, row in zip(tokens, table):
    print(f"{token:>12}", *(f"{weight:.3f}" for weight in row))
print(last.sum(dim=1))      # of each row: 1
print(last.sum(dim=0))      # of each column: anything`,
});

export const steps = {
  structure,
  ids,
  'attention-shape': attentionShape,
  'mean-table': meanTable,
  'previous-token': previousToken,
  'direct-objects': directObjects,
  'own-heads': ownHeads,
};
