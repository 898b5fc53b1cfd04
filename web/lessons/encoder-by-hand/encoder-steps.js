/** Steps about the whole encoder: positions, all layers, and what its output is used for. */

import {html, nothing} from 'lit';
import {vectorBlock} from '../parts/vector-blocks.js';
import {reroll, segments, toggle} from '../parts/step-controls.js';
import {onePart, stepParts} from '../parts/step-parts.js';
import {lengthOf, meanLength, rowOf} from '../parts/vectors.js';
import {range} from '../../attention/range.js';
import {scope} from '../parts/embedded-scope.js';
import {arrow, banana} from '../example-sentences.js';
import {step} from '../step.js';
import {embedded} from './embedded-sentence.js';
import {likeness, sameWord} from './word-likeness.js';
import {shuffled} from './shuffled-order.js';

/** @import {Classified} from '../../engine/host/untrained-model.js' */

export const positions = step({
  sentences: [arrow],
  choices: {seed: 0, order: 1},
  bertBase: {},
  async compute(tools, input) {
    const {lab, x, ids, tokens, seed, heads, hiddenSize} = await embedded(tools, input);
    const count = tokens.length;
    const order = shuffled(count, Number(input.choices.order));
    // The tokens in the order of the text, then shuffled.
    const data = new Float32Array(2 * x.data.length);
    data.set(x.data);
    order.forEach((from, to) => data.set(rowOf(x, from), (count + to) * hiddenSize));
    const both = {shape: [2, count, hiddenSize], data};
    const changes = async (/** @type {'none' | 'learned'} */ kind) => {
      const options = {layers: 1, heads, seed, positions: kind};
      const {hiddenStates} = await lab.encoder({input: both, ...options});
      return order.map((from, to) => {
        const before = rowOf(hiddenStates[1], from);
        const after = rowOf(hiddenStates[1], count + to);
        return lengthOf(after.map((value, i) => value - before[i]));
      });
    };
    const [without, learned] = await Promise.all([changes('none'), changes('learned')]);
    return {
      ids,
      tokens,
      heads,
      hiddenSize,
      order,
      changes: {
        shape: [count, 2],
        data: Float32Array.from(order.flatMap((_, i) => [without[i], learned[i]])),
      },
    };
  },
  widget: ({tokens, order, changes}, context) => html`
    <div class="controls">
      ${reroll(context, context.labels.shuffle, 'order')} ${reroll(context, context.labels.reroll)}
    </div>
    <p class="finding"><bdi>${order.map((from) => tokens[from]).join(' ')}</bdi></p>
    <tensor-block
      label=${context.labels.changes}
      numbers
      digits="3"
      .tensor=${changes}
      .axes=${context.labels.axes}
      .rows=${order.map((from) => tokens[from])}
      .columns=${context.labels.columns}
    ></tensor-block>
  `,
  asked: {
    kind: 'choice',
    async find({lab, model}, {choices}, {hiddenSize, heads}) {
      const seed = Number(choices.seed);
      const options = {layers: 1, heads, seed, positions: /** @type {const} */ ('none')};
      const outputs = await Promise.all(
        ['dog bites man', 'man bites dog'].map(async (text) => {
          const {ids, tokens} = await model.tokenize([text], {specialTokens: false});
          const input = await lab.embedding(ids, hiddenSize, seed);
          const {hiddenStates} = await lab.encoder({input, ...options});
          return {tokens: tokens[0], state: hiddenStates[1]};
        }),
      );
      const [one, other] = outputs;
      const changes = one.tokens.map((token, i) => {
        const after = rowOf(other.state, other.tokens.indexOf(token));
        return lengthOf(rowOf(one.state, i).map((value, j) => value - after[j]));
      });
      return Math.max(...changes) < 1e-3 ? 'same' : 'other';
    },
  },
  code: ({ids, order, hiddenSize, heads}, {seed}) => `
x = embedding([${ids}], ${hiddenSize}, seed=${seed})
order = [${order}]                                    # the tokens, shuffled
table = normal(x.size(1), ${hiddenSize}, seed=part(${seed}, 0))

def encoder(x, table):
    return encoder_layer(norm(x + table, eps=1e-12), ${heads}, part(${seed}, 1))

changes = torch.stack([
    (encoder(x[:, order], table) - encoder(x, table)[:, order]).norm(dim=-1)[0]
    for table in (torch.zeros_like(table), table)     # without positions, with them
], dim=-1)
print(changes)`,
  results: ({changes}) => ({changes}),
});

export const encoder = step({
  sentences: [arrow],
  choices: {seed: 0, after: 1},
  bertBase: {after: 12},
  async compute({model, signal}, {sentences: [text], choices}) {
    const {layers, heads, hiddenSize} = model.shape;
    const {ids} = await model.tokenize([text], {specialTokens: false});
    const after = Math.min(Number(choices.after), layers);
    const [post, pre] = await Promise.all(
      /** @type {const} */ (['post', 'pre']).map((norm) =>
        model.untrained(text, {
          specialTokens: false,
          seed: Number(choices.seed),
          layers: Math.max(1, after), // later ones leave the earlier ones as they are
          norm,
          signal,
        }),
      ),
    );
    const [state, preState] = [post.hiddenStates[after], pre.hiddenStates[after]];
    return {
      ids: [...ids.data],
      tokens: post.tokens,
      heads,
      hiddenSize,
      layers,
      after,
      state,
      preState,
      lengths: {post: meanLength(state), pre: meanLength(preState)},
    };
  },
  widget: ({tokens, layers, after, state, preState, lengths}, context) => html`
    <div class="controls">
      ${segments({...context, choices: {after}}, 'after', context.labels.after, range(layers + 1))}
      ${reroll(context, context.labels.reroll)}
    </div>
    <p class="finding">${context.labels.lengths(lengths)}</p>
    ${onePart(html`
      ${vectorBlock(context.labels.state(after), state, context.labels.axes, tokens)}
      ${vectorBlock(context.labels.preState(after), preState, context.labels.axes, tokens)}
    `)}
  `,
  code: ({ids, after, heads, hiddenSize}, {seed}) => `
class Encoder(nn.Module):
    def __init__(self, width, heads, layers, seed, pre=False):
        super().__init__()
        self.heads, self.layers, self.seed, self.pre = heads, layers, seed, pre

    def forward(self, ids):
        x = embedding(ids, ${hiddenSize}, self.seed)
        x = norm(x + normal(len(ids), x.size(-1), seed=part(self.seed, 0)), eps=1e-12)
        for layer in range(self.layers):
            x = encoder_layer(x, self.heads, part(self.seed, layer + 1), self.pre)
        return x                                 # [1, tokens, hidden], as it came in

state = Encoder(${hiddenSize}, ${heads}, ${after}, seed=${seed})([${ids}])
pre_state = Encoder(${hiddenSize}, ${heads}, ${after}, seed=${seed}, pre=True)([${ids}])     # norms before each part
print(state)
print(pre_state)`,
  results: ({state, preState}) => ({state, pre_state: preState}),
});

export const classifier = step({
  sentences: [arrow],
  choices: {seed: 0, special: true, part: 'labels'},
  bertBase: {special: false},
  async compute({model, signal}, {sentences: [text], choices}) {
    const {tokens, hiddenStates, classified} = await model.untrained(text, {
      specialTokens: Boolean(choices.special),
      seed: Number(choices.seed),
      labels: 3,
      signal,
    });
    const {logits, probabilities} = /** @type {Classified} */ (classified);
    return {first: tokens[0], logits, probabilities, state: hiddenStates.at(-1) ?? null, tokens};
  },
  asked: {
    kind: 'choice',
    options: ({tokens}) => [...new Set(/** @type {string[]} */ (tokens))].slice(0, 12),
    async find({model}, {sentences: [text]}) {
      const {tokens} = await model.tokenize([text], {specialTokens: false});
      return tokens[0][0] ?? null;
    },
  },
  widget: ({first, logits, probabilities, state, tokens}, context) => html`
    <div class="controls">
      ${toggle(context, 'special', context.labels.special)}
      ${reroll(context, context.labels.reroll)}
    </div>
    <p class="finding">${context.labels.first(first)}</p>
    ${stepParts(context, {
      state: {
        label: context.labels.state,
        content: vectorBlock(context.labels.state, state, context.labels.axes, tokens),
      },
      labels: {
        label: context.labels.logits,
        content: html`
          <tensor-block
            label=${context.labels.logits}
            numbers
            digits="3"
            .tensor=${logits}
            .axes=${context.labels.labelAxes}
            .rows=${[first]}
            .columns=${context.labels.names}
          ></tensor-block>
          <tensor-block
            label=${context.labels.probabilities}
            kind="weights"
            numbers
            digits="3"
            .tensor=${probabilities}
            .axes=${context.labels.labelAxes}
            .rows=${[first]}
            .columns=${context.labels.names}
            .sums=${{rows: true}}
          ></tensor-block>
        `,
      },
    })}
  `,
  code: (_, {seed}) => `
state = saved("state")                                     # the last hidden state
classifier = linear(state.size(-1), 3, seed=${Number(seed) + 1})
logits = classifier(state[:, 0])                           # the first token only: [1, 3]
shares = logits.softmax(dim=-1)
print(logits, shares)`,
  arrays: ({state}) => ({state}),
  results: ({logits, probabilities}) => ({logits, shares: probabilities}),
});

export const pair = step({
  sentences: [arrow, banana],
  choices: {layer: 3, head: 3, part: 'picture'},
  bertBase: {layer: 0, head: 8},
  async compute({model, signal}, {sentences: [text, pair], choices}) {
    const result = await model.attend(text, {pair: pair.trim() ? pair : undefined, signal});
    const {tokens, sentences} = result;
    const {layers, heads, hiddenSize} = model.shape;
    const places = sameWord(tokens, sentences);
    const byLayer = await Promise.all(
      range(places ? layers + 1 : 0).map(async (index) => {
        const data = await result.hiddenStates(index);
        const state = {shape: [1, tokens.length, hiddenSize], data};
        return likeness(state, tokens, /** @type {[number, number]} */ (places));
      }),
    );
    return {
      tokens,
      word: places && tokens[places[0]],
      byLayer,
      start: sentences.filter((sentence) => sentence === 0).length,
      layers,
      heads,
      layer: Math.min(Number(choices.layer), layers - 1),
      head: Math.min(Number(choices.head), heads - 1),
    };
  },
  asked: {
    kind: 'choice',
    find(_, __, {byLayer}) {
      if (!byLayer.length) return null;
      return byLayer.every((/** @type {{same: number}} */ {same}) => same > 0.9999) ? 'yes' : 'no';
    },
  },
  widget: ({tokens, start, word, byLayer, layers, heads, layer, head}, context) => html`
    <div class="controls">
      ${segments({...context, choices: {layer}}, 'layer', context.labels.layer, range(layers))}
      ${segments({...context, choices: {head}}, 'head', context.labels.head, range(heads))}
    </div>
    <p class="finding">${context.labels.start(start, tokens[start] ?? '')}</p>
    ${stepParts(context, {
      picture: {
        label: context.labels.picture,
        content: scope(context, {view: 'head', layer, heads: [head]}),
      },
      cosines: {
        label: context.labels.cosines,
        content: word
          ? html`<tensor-block
              label=${context.labels.cosines}
              numbers
              digits="3"
              .tensor=${{
                shape: [byLayer.length, 2],
                data: Float32Array.from(byLayer.flatMap(({same, different}) => [same, different])),
              }}
              .axes=${context.labels.cosineAxes}
              .rows=${byLayer.map((_, index) => context.labels.state(index))}
              .columns=${[context.labels.same(word), context.labels.different]}
            ></tensor-block>`
          : nothing,
      },
    })}
  `,
  code: ({layer, head}, __, [text, pair]) => `
inputs = tokenizer(${JSON.stringify(text)}, ${JSON.stringify(pair)}, return_tensors="pt")
tokens = tokenizer.convert_ids_to_tokens(inputs.input_ids[0])
print((inputs.token_type_ids == 0).sum(dim=1))     # where the second sentence begins
outputs = model(**inputs, output_attentions=True, output_hidden_states=True)
print(outputs.attentions[${layer}][0, ${head}])
same = [i for i, token in enumerate(tokens) if tokens.count(token) == 2 and token != "[SEP]"]
for state in outputs.hidden_states:                # after the embeddings, and after each layer
    print(F.cosine_similarity(state[0, same[0]], state[0, same[-1]], dim=0))`,
});
