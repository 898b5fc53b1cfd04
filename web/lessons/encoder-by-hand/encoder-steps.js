/** Steps about the whole encoder: positions, all layers, and what its output is used for. */

import {html, nothing} from 'lit';
import {vectorBlock} from '../parts/vector-blocks.js';
import {reroll, segments, toggle} from '../parts/step-controls.js';
import {lengthOf, rowOf} from '../parts/vectors.js';
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
  async compute(tools, input) {
    const {lab, x, tokens, seed, heads, hiddenSize} = await embedded(tools, input);
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
      tokens,
      order,
      changes: {
        shape: [count, 2],
        data: Float32Array.from(order.flatMap((_, i) => [without[i], learned[i]])),
      },
    };
  },
  widget: ({tokens, order, changes}, desk) => html`
    <div class="controls">
      ${reroll(desk, desk.labels.shuffle, 'order')} ${reroll(desk, desk.labels.reroll)}
    </div>
    <p class="finding"><bdi>${order.map((from) => tokens[from]).join(' ')}</bdi></p>
    <tensor-block
      label=${desk.labels.changes}
      numbers
      digits="3"
      .tensor=${changes}
      .axes=${desk.labels.axes}
      .rows=${order.map((from) => tokens[from])}
      .columns=${desk.labels.columns}
    ></tensor-block>
  `,
  code: `
positions = nn.Embedding(config.max_position_embeddings, config.hidden_size)
x = token_embedding(ids) + positions(torch.arange(ids.size(1)))
x = nn.LayerNorm(config.hidden_size)(x)

mixed = torch.randperm(ids.size(1))
encoder(x)[:, mixed] - encoder(x[:, mixed])    # 0 where no positions were added`,
});

export const encoder = step({
  sentences: [arrow],
  choices: {seed: 0, after: 1},
  async compute({model, signal}, {sentences: [text], choices}) {
    const {layers} = model.shape;
    const after = Math.min(Number(choices.after), layers);
    const {tokens, hiddenStates} = await model.untrained(text, {
      specialTokens: false,
      seed: Number(choices.seed),
      layers: Math.max(1, after), // later ones leave the earlier ones as they are
      signal,
    });
    return {tokens, layers, after, state: hiddenStates[after]};
  },
  widget: ({tokens, layers, after, state}, desk) => html`
    <div class="controls">
      ${segments({...desk, choices: {after}}, 'after', desk.labels.after, range(layers + 1))}
      ${reroll(desk, desk.labels.reroll)}
    </div>
    ${vectorBlock(desk.labels.state(after), state, desk.labels.axes, tokens)}
  `,
  code: `
class Encoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)     # token + position, layer norm
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.num_hidden_layers))

    def forward(self, ids):
        x = self.embeddings(ids)
        for layer in self.layers:
            x = layer(x)
        return x                                 # [1, 5, hidden], as it came in`,
});

export const classifier = step({
  sentences: [arrow],
  choices: {seed: 0, special: true},
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
  widget: ({first, logits, probabilities, state, tokens}, desk) => html`
    <div class="controls">
      ${toggle(desk, 'special', desk.labels.special)} ${reroll(desk, desk.labels.reroll)}
    </div>
    ${vectorBlock(desk.labels.state, state, desk.labels.axes, tokens)}
    <p class="finding">${desk.labels.first(first)}</p>
    <tensor-block
      label=${desk.labels.logits}
      numbers
      digits="3"
      .tensor=${logits}
      .axes=${desk.labels.labelAxes}
      .rows=${[first]}
      .columns=${desk.labels.names}
    ></tensor-block>
    <tensor-block
      label=${desk.labels.probabilities}
      kind="weights"
      numbers
      digits="3"
      .tensor=${probabilities}
      .axes=${desk.labels.labelAxes}
      .rows=${[first]}
      .columns=${desk.labels.names}
      .sums=${{rows: true}}
    ></tensor-block>
  `,
  code: `
class Classifier(nn.Module):
    def __init__(self, config, labels=3):
        super().__init__()
        self.encoder = Encoder(config)
        self.classifier = nn.Linear(config.hidden_size, labels)

    def forward(self, ids):
        return self.classifier(self.encoder(ids)[:, 0])    # [CLS] only: [1, 3]`,
});

export const pair = step({
  sentences: [arrow, banana],
  choices: {layer: 3, head: 3},
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
  widget: ({tokens, start, word, byLayer, layers, heads, layer, head}, desk) => html`
    <div class="controls">
      ${segments({...desk, choices: {layer}}, 'layer', desk.labels.layer, range(layers))}
      ${segments({...desk, choices: {head}}, 'head', desk.labels.head, range(heads))}
    </div>
    <p class="finding">${desk.labels.start(start, tokens[start] ?? '')}</p>
    ${scope(desk, {view: 'head', layer, heads: [head]})}
    ${
      word
        ? html`<tensor-block
            label=${desk.labels.cosines}
            numbers
            digits="3"
            .tensor=${{
              shape: [byLayer.length, 2],
              data: Float32Array.from(byLayer.flatMap(({same, different}) => [same, different])),
            }}
            .axes=${desk.labels.cosineAxes}
            .rows=${byLayer.map((_, index) => desk.labels.state(index))}
            .columns=${[desk.labels.same(word), desk.labels.different]}
          ></tensor-block>`
        : nothing
    }
  `,
  code: `
inputs = tokenizer("time flies like an arrow", "fruit flies like a banana", return_tensors="pt")
sentence_b_start = (inputs.token_type_ids == 0).sum(dim=1)
outputs = model(**inputs, output_attentions=True, output_hidden_states=True)
head_view(outputs.attentions, tokens, sentence_b_start, heads=[3])
for state in outputs.hidden_states:      # after the embeddings, and after each layer
    print(F.cosine_similarity(state[0, tokens.index("flies")], state[0, second], dim=0))`,
});
