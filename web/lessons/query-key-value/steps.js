import {html} from 'lit';
import {pairTable, vectorBlock} from '../parts/vector-blocks.js';
import {onePart, stepParts} from '../parts/step-parts.js';
import {reroll, segments, toggle} from '../parts/step-controls.js';
import {cosine, rowOf} from '../parts/vectors.js';
import {scope} from '../parts/embedded-scope.js';
import {aircraft} from '../example-sentences.js';
import {step} from '../step.js';
import {diagonal, weightedAverage} from './average-steps.js';
import {configuration} from './configuration-step.js';
import {sourceChoices, sourceControls, vectorsOf} from './vector-source.js';

/** @import {Tensor} from '../parts/tensor.js' */

const neuronView = step({
  sentences: [aircraft],
  choices: {special: false, detail: false},
  bertBase: {special: true},
  async compute({model}, {sentences: [text]}) {
    const {tokens} = await model.tokenize([text], {specialTokens: false});
    return {tokens: tokens[0], headDim: model.shape.headDim, hiddenSize: model.shape.hiddenSize};
  },
  widget: (_, context) => html`
    <div class="controls">
      ${toggle(context, 'special', context.labels.special)}
      ${toggle(context, 'detail', context.labels.detail)}
    </div>
    ${onePart(
      scope(context, {
        view: 'neuron',
        layer: 0,
        heads: [0],
        noSpecialTokens: !context.choices.special,
        isDetailed: Boolean(context.choices.detail),
        // The question is about the first token of the text.
        query: context.choices.special ? 1 : 0,
      }),
    )}
  `,
  asked: {
    kind: 'choice',
    async find({lab, ...tools}, {sentences: [text], choices}) {
      const {query, key, value} = await vectorsOf({lab, ...tools}, text, {
        ...choices,
        source: 'head',
      });
      const [divided, plain] = await Promise.all(
        /** @type {const} */ (['head', 'none']).map(async (scale) => {
          const {weights} = await lab.attention({query, key, value, scale});
          return Math.max(...rowOf(weights, 0));
        }),
      );
      if (Math.abs(plain - divided) < 0.001) return 'same';
      return plain > divided ? 'larger' : 'smaller';
    },
  },
  code: (_, {special}, [text]) => `
ids = tokenizer(${JSON.stringify(text)}, return_tensors="pt",
                add_special_tokens=${special ? 'True' : 'False'}).input_ids
x = model.embeddings(ids)                      # [1, tokens, hidden]
self = model.encoder.layer[0].attention.self
size = model.config.hidden_size // model.config.num_attention_heads
q, k, v = (layer(x)[0, :, :size] for layer in (self.query, self.key, self.value))     # head 0
weights = (q @ k.T / size ** 0.5).softmax(dim=-1)
output = weights @ v                           # [tokens, size]
print(weights)`,
});

const embeddings = step({
  sentences: [aircraft],
  choices: {seed: 0, part: 'random'},
  bertBase: {},
  async compute({lab, model}, {sentences: [text], choices}) {
    const {ids, tokens} = await model.tokenize([text], {specialTokens: false});
    const {hiddenSize} = model.shape;
    const [random, own] = await Promise.all([
      lab.embedding(ids, hiddenSize, Number(choices.seed)),
      model.embeddings(ids),
    ]);
    return {
      ids: [...ids.data],
      tokens: tokens[0],
      vocabulary: model.config.vocabulary,
      hiddenSize,
      random,
      own,
      alike: {random: mostAlike(tokens[0], random), own: mostAlike(tokens[0], own)},
    };
  },
  widget: ({tokens, random, own, alike}, context) => html`
    <div class="controls">${reroll(context, context.labels.reroll)}</div>
    ${stepParts(context, {
      random: {
        label: context.labels.random,
        content: html`
          ${vectorBlock(context.labels.random, random, context.labels.axes, tokens)}
          <p class="finding">${context.labels.alike(alike.random)}</p>
        `,
      },
      own: {
        label: context.labels.own,
        content: html`
          ${vectorBlock(context.labels.own, own, context.labels.axes, tokens)}
          <p class="finding">${context.labels.alike(alike.own)}</p>
        `,
      },
    })}
  `,
  asked: {
    kind: 'choice',
    async find({lab}, {choices}, {ids, tokens, hiddenSize, alike}) {
      const again = await lab.embedding(
        {shape: [1, ids.length], data: ids},
        hiddenSize,
        Number(choices.seed) + 1,
      );
      const {a, b} = mostAlike(tokens, again);
      return a === alike.random.a && b === alike.random.b ? 'same' : 'other';
    },
  },
  code: ({ids, hiddenSize}, {seed}) => `
ids = [${ids}]
fresh = embedding(ids, ${hiddenSize}, seed=${seed})     # random: N(0, 1); [1, tokens, hidden]
directions = F.normalize(fresh[0], dim=-1)
print(directions @ directions.T)         # the cosine of each pair`,
  results: ({random}) => ({fresh: random}),
});

const scores = step({
  sentences: [aircraft],
  choices: {...sourceChoices, scaled: true},
  bertBase: {},
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
  widget: ({tokens, scores, size}, context) => html`
    ${sourceControls(context)}
    <div class="controls">${toggle(context, 'scaled', context.labels.scaled(size))}</div>
    ${pairTable(context.labels.scores, scores, context.labels.axes, tokens, {digits: 1})}
  `,
  asked: {
    kind: 'choice',
    async find(tools, {sentences: [text], choices}) {
      const {tokens, ...vectors} = await vectorsOf(tools, text, {...choices, source: 'random'});
      const {weights} = await tools.lab.attention({...vectors, scale: 'none'});
      const own = tokens.map((token, i) =>
        rowOf(weights, i).reduce((sum, weight, j) => (tokens[j] === token ? sum + weight : sum), 0),
      );
      const least = Math.min(...own);
      if (least > 0.99) return 'itself';
      return least > 2 / tokens.length ? 'between' : 'even';
    },
  },
  code: ({size}, {scaled}) => `
query, key = saved("query"), saved("key")             # [1, tokens, size]
scores = query @ key.transpose(1, 2)${scaled ? ` / ${size} ** 0.5` : ''}    # [1, tokens, tokens]
print(scores)`,
  arrays: ({query, key}) => ({query, key}),
  results: ({scores}) => ({scores}),
});

const softmaxAxis = step({
  sentences: [aircraft],
  choices: {...sourceChoices, source: 'head', axis: 'queries'},
  bertBase: {},
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
      ...vectors,
      size: query.shape[2],
      axis,
      weights,
      rows: spread(rows.data),
      columns: spread(columns.data),
    };
  },
  widget: ({tokens, weights, rows, columns}, context) => html`
    ${sourceControls(context)}
    ${segments(context, 'axis', context.labels.axis, context.labels.axisChoices)}
    <p class="finding">${context.labels.sums(rows, columns)}</p>
    ${pairTable(context.labels.weights, weights, context.labels.axes, tokens, {
      kind: 'weights',
      sums: {rows: true, columns: true},
    })}
  `,
  asked: {
    kind: 'choice',
    async find(tools, {sentences: [text], choices}) {
      const {query, key, value} = await vectorsOf(tools, text, {...choices, source: 'random'});
      const {weights} = await tools.lab.attention({query, key, value, axis: 'queries'});
      const {least, most} = spread((await tools.lab.sums(weights, {axis: 'keys'})).data);
      return least > 0.95 && most < 1.05 ? 'one' : 'any';
    },
  },
  code: ({size}) => `
scores = saved("query") @ saved("key").transpose(1, 2) / ${size} ** 0.5
wrong = scores.softmax(dim=1)     # [batch, queries, keys]: 1 is the axis of the queries
right = scores.softmax(dim=-1)
print(wrong.sum(dim=-1))          # what a query gives away: anything
print(right.sum(dim=-1))          # 1 for every query`,
  arrays: ({query, key}) => ({query, key}),
  results: ({weights, axis}) => ({[axis === 'keys' ? 'right' : 'wrong']: weights}),
});

export const steps = {
  'neuron-view': neuronView,
  configuration,
  embeddings,
  scores,
  'softmax-axis': softmaxAxis,
  diagonal,
  'weighted-average': weightedAverage,
};

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
      const similarity = cosine(rowOf(embedding, i), rowOf(embedding, j));
      if (similarity > best.cosine) best = {a: tokens[j], b: tokens[i], cosine: similarity};
    }
  }
  return best;
}

/** @param {Float32Array} numbers */
const spread = (numbers) => ({least: Math.min(...numbers), most: Math.max(...numbers)});
