import {html, nothing} from 'lit';
import {pairTable, vectorBlock} from '../parts/vector-blocks.js';
import {formatNumber} from '../../views/parts/number-format.js';
import {reroll, segments, tokenChoice, toggle} from '../parts/step-controls.js';
import {cosine, lengthOf, rowOf} from '../parts/vectors.js';
import {scope} from '../parts/embedded-scope.js';
import {aircraft} from '../example-sentences.js';
import {step} from '../step.js';
import {sourceChoices, vectorsOf} from './vector-source.js';

/** @import {Desk} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */

const neuronView = step({
  sentences: [aircraft],
  async compute({model}, {sentences: [text]}) {
    const {tokens} = await model.tokenize([text], {specialTokens: false});
    return {tokens: tokens[0], headDim: model.shape.headDim, hiddenSize: model.shape.hiddenSize};
  },
  widget: (_, desk) => scope(desk, {view: 'neuron', layer: 0, heads: [0], noSpecialTokens: true}),
  code: `
ids = tokenizer(text, return_tensors="pt", add_special_tokens=False).input_ids
x = bert.embeddings(ids)                       # [1, tokens, hidden]
self = bert.encoder.layer[0].attention.self
q = self.query(x)[0, :, :head_dim]             # head 0 has the first columns
k = self.key(x)[0, :, :head_dim]
v = self.value(x)[0, :, :head_dim]
weights = (q @ k.T / head_dim**0.5).softmax(dim=-1)
output = weights @ v                           # [tokens, head_dim]`,
});

const embeddings = step({
  sentences: [aircraft],
  choices: {seed: 0},
  async compute({lab, model}, {sentences: [text], choices}) {
    const {ids, tokens} = await model.tokenize([text], {specialTokens: false});
    const {hiddenSize} = model.shape;
    const [random, own] = await Promise.all([
      lab.embedding(ids, hiddenSize, Number(choices.seed)),
      model.embeddings(ids),
    ]);
    return {
      tokens: tokens[0],
      vocabulary: model.config.vocabulary,
      hiddenSize,
      random,
      own,
      alike: {random: mostAlike(tokens[0], random), own: mostAlike(tokens[0], own)},
    };
  },
  widget: ({tokens, random, own, alike}, desk) => html`
    ${vectorBlock(desk.labels.random, random, desk.labels.axes, tokens)}
    <p class="finding">${desk.labels.alike(alike.random)} ${reroll(desk, desk.labels.reroll)}</p>
    ${vectorBlock(desk.labels.own, own, desk.labels.axes, tokens)}
    <p class="finding">${desk.labels.alike(alike.own)}</p>
  `,
  code: `
fresh = nn.Embedding(config.vocab_size, config.hidden_size)   # random: N(0, 1)
fresh(ids).shape                                              # [1, tokens, hidden]
trained = bert.embeddings.word_embeddings(ids)                # the same shape, learned`,
});

const scores = step({
  sentences: [aircraft],
  choices: {...sourceChoices, scaled: true},
  async compute(tools, {sentences: [text], choices}) {
    const vectors = await vectorsOf(tools, text, choices);
    const {lab} = tools;
    const scale = choices.scaled ? 'head' : 'none';
    const [scores, lengths] = await Promise.all([
      lab.scores(vectors.query, vectors.key, {scale}),
      lab.norms(vectors.query),
    ]);
    const size = vectors.query.shape[2];
    return {...vectors, scores, size, length: lengths.data[0], source: choices.source};
  },
  widget: ({tokens, scores, size}, desk) => html`
    ${sourceControls(desk)}
    <div class="controls">${toggle(desk, 'scaled', desk.labels.scaled(size))}</div>
    ${pairTable(desk.labels.scores, scores, desk.labels.axes, tokens, {digits: 1})}
  `,
  code: `
query = key = value = embedding                         # [1, tokens, hidden]
scores = query @ key.transpose(1, 2) / hidden ** 0.5    # [1, tokens, tokens]`,
});

const softmaxAxis = step({
  sentences: [aircraft],
  choices: {...sourceChoices, source: 'head', axis: 'queries'},
  async compute(tools, {sentences: [text], choices}) {
    const {lab} = tools;
    const vectors = await vectorsOf(tools, text, choices);
    const axis = choices.axis === 'keys' ? 'keys' : 'queries';
    const {query, key, value} = vectors;
    const {weights} = await lab.attention({query, key, value, axis});
    const [rows, columns] = await Promise.all([
      lab.sums(weights, {axis: 'keys'}),
      lab.sums(weights, {axis: 'queries'}),
    ]);
    return {
      tokens: vectors.tokens,
      weights,
      rows: spread(rows.data),
      columns: spread(columns.data),
    };
  },
  widget: ({tokens, weights, rows, columns}, desk) => html`
    ${sourceControls(desk)} ${segments(desk, 'axis', desk.labels.axis, desk.labels.axisChoices)}
    <p class="finding">${desk.labels.sums(rows, columns)}</p>
    ${pairTable(desk.labels.weights, weights, desk.labels.axes, tokens, {
      kind: 'weights',
      sums: {rows: true, columns: true},
    })}
  `,
  code: `
wrong = scores.softmax(dim=1)     # [batch, queries, keys]: 1 is the axis of the queries
wrong.sum(dim=-1)                 # what a query gives away: anything
right = scores.softmax(dim=-1)
right.sum(dim=-1)                 # 1 for every query`,
});

const diagonal = step({
  sentences: [aircraft],
  choices: {seed: 0},
  async compute(tools, {sentences: [text], choices}) {
    const {lab} = tools;
    const sources = /** @type {const} */ (['random', 'model', 'head']);
    const columns = await Promise.all(
      sources.map(async (source) => {
        const {tokens, query, key, value} = await vectorsOf(tools, text, {...choices, source});
        const {data} = (await lab.attention({query, key, value})).weights;
        return {
          tokens,
          own: Float32Array.from(tokens, (_, i) => data[i * tokens.length + i]),
          length: lengthOf(rowOf(query, 0)),
        };
      }),
    );
    const [{tokens}] = columns;
    const data = Float32Array.from(
      {length: tokens.length * 3},
      (_, i) => columns[i % 3].own[Math.floor(i / 3)],
    );
    return {
      tokens,
      own: {shape: [tokens.length, 3], data},
      length: columns.map(({length}) => length),
      hiddenSize: tools.model.shape.hiddenSize,
    };
  },
  widget: ({tokens, own}, desk) => html`
    <div class="controls">${reroll(desk, desk.labels.reroll)}</div>
    <tensor-block
      label=${desk.labels.own}
      kind="weights"
      numbers
      digits="3"
      .tensor=${own}
      .axes=${desk.labels.axes}
      .rows=${tokens}
      .columns=${desk.labels.columns}
    ></tensor-block>
  `,
  code: `
for i, token in enumerate(tokens):
    print(token, weights[0, i, i].item())`,
});

const weightedAverage = step({
  sentences: [aircraft],
  choices: {...sourceChoices, source: 'head', query: 0},
  async compute(tools, {sentences: [text], choices}) {
    const {lab} = tools;
    const {tokens, query, key, value} = await vectorsOf(tools, text, choices);
    const {weights, output} = await lab.attention({query, key, value});
    const at = Math.min(Number(choices.query), tokens.length - 1);
    const shares = Array.from(rowOf(weights, at), (weight, index) => ({weight, key: index}));
    const strongest = shares.sort((a, b) => b.weight - a.weight).slice(0, 4);
    return {tokens, weights, value, output, at, strongest};
  },
  widget: ({tokens, weights, value, output, at, strongest}, desk) => html`
    ${sourceControls(desk)} ${tokenChoice(desk, 'query', desk.labels.query, tokens, at)}
    <p class="sum-of-parts" aria-label=${desk.labels.sum}>
      <b>${desk.labels.output} <bdi>${tokens[at]}</bdi></b> =
      ${strongest.map(
        ({weight, key}, i) =>
          html`${i ? ' + ' : nothing}<span class="part"
              ><b>${formatNumber(weight)}</b> ×
              <span class="of-value">v</span>(<bdi>${tokens[key]}</bdi>)</span
            >`,
      )}${tokens.length > strongest.length ? html` + …` : nothing}
    </p>
    <tensor-block
      label=${desk.labels.weights}
      kind="weights"
      .tensor=${rowTensor(weights, at)}
      .axes=${desk.labels.weightAxes}
      .rows=${[tokens[at]]}
      .columns=${tokens}
    ></tensor-block>
    <tensor-block
      label=${desk.labels.value}
      kind="value"
      .tensor=${value}
      .axes=${desk.labels.axes}
      .rows=${tokens}
    ></tensor-block>
    ${vectorBlock(desk.labels.outputs, output, desk.labels.axes, tokens)}
  `,
  code: `
output = weights @ value     # [1, tokens, tokens] @ [1, tokens, size] -> [1, tokens, size]
output[0, i]                 # = sum over j of weights[0, i, j] * value[0, j]`,
});

export const steps = {
  'neuron-view': neuronView,
  embeddings,
  scores,
  'softmax-axis': softmaxAxis,
  diagonal,
  'weighted-average': weightedAverage,
};

/** @param {Desk} desk */
function sourceControls(desk) {
  return html`<div class="controls">
    ${segments(desk, 'source', desk.labels.source, desk.labels.sources)}
    ${desk.choices.source === 'random' ? reroll(desk, desk.labels.reroll) : nothing}
  </div>`;
}

/** @param {Tensor} tensor  [1, rows, columns] @param {number} row */
function rowTensor(tensor, row) {
  return {shape: [1, 1, tensor.shape[2]], data: rowOf(tensor, row)};
}

/**
 * The two different tokens whose vectors are most similar.
 *
 * @param {string[]} tokens
 * @param {Tensor} embedding
 */
function mostAlike(tokens, embedding) {
  let best = {a: '', b: '', cosine: -1};
  for (let i = 0; i < tokens.length; i++) {
    for (let j = 0; j < i; j++) {
      if (tokens[i] === tokens[j]) continue;
      const found = cosine(rowOf(embedding, i), rowOf(embedding, j));
      if (found > best.cosine) best = {a: tokens[j], b: tokens[i], cosine: found};
    }
  }
  return best;
}

/** @param {Float32Array} numbers */
const spread = (numbers) => ({least: Math.min(...numbers), most: Math.max(...numbers)});
