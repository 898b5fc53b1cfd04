import {html, nothing} from 'lit';
import {vectorBlock, weightTable} from '../blocks.js';
import {lineChart} from '../line-chart.js';
import {reroll, segments, toggle} from '../controls.js';
import {lengthOf, rowOf} from '../embedding.js';
import {idTable} from '../id-table.js';
import {scope} from '../scope.js';
import {arrow, banana} from '../sentences.js';
import {step} from '../step.js';
import {likeness, sameWord} from './same-word.js';
import {shuffled} from './shuffled.js';

/** @import {Input, Tools} from '../step.js' */
/** @import {Tensor} from '../tensor.js' */

/** A depth at which the two places of the layer norm have gone far apart. */
const deepLayers = 24;

/** Narrow vectors there, or 48 layers would keep the reader waiting. */
const deepWidth = 64;

const range = (/** @type {number} */ length) => Array.from({length}, (_, i) => i);

/** Of the vectors of all tokens. @param {Tensor} tensor  [1, tokens, size] */
const meanLength = (tensor) =>
  range(tensor.shape[1]).reduce((sum, i) => sum + lengthOf(rowOf(tensor, i)), 0) / tensor.shape[1];

/**
 * The tokens of the sentence, and a fresh embedding of them.
 *
 * @param {Tools} tools
 * @param {Input} input
 * @param {{specialTokens?: boolean, hiddenSize?: number}} [options]
 */
async function embedded({lab, model}, {sentences: [text], choices}, options = {}) {
  const {specialTokens = false, hiddenSize = model.shape.hiddenSize} = options;
  const {ids, tokens} = await model.tokenize([text], {specialTokens});
  const seed = Number(choices.seed ?? 0);
  const x = await lab.embedding(ids, hiddenSize, seed);
  return {
    ids: [...ids.data],
    tokens: tokens[0],
    x,
    seed,
    lab,
    ...model.shape,
    hiddenSize,
  };
}

const ids = step({
  sentences: [arrow],
  async compute({model}, {sentences: [text]}) {
    const {ids, tokens} = await model.tokenize([text], {specialTokens: false});
    return {ids: [...ids.data], tokens: tokens[0], vocabulary: model.config.vocabulary};
  },
  widget: ({ids, tokens}, {labels}) => idTable(tokens, ids, labels.caption(tokens.length)),
  code: `
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
ids = tokenizer("time flies like an arrow", return_tensors="pt",
                add_special_tokens=False).input_ids
ids     # bert-base: tensor([[2051, 10029, 2066, 2019, 8612]])`,
});

const lookup = step({
  sentences: [arrow],
  choices: {seed: 0},
  async compute(tools, input) {
    const {ids, tokens, x, hiddenSize} = await embedded(tools, input);
    return {ids, tokens, x, hiddenSize, vocabulary: tools.model.config.vocabulary};
  },
  widget: ({ids, tokens, x, vocabulary, hiddenSize}, desk) => html`
    <p class="shapes">${desk.labels.table(vocabulary, hiddenSize)}</p>
    <tensor-block
      label=${desk.labels.rows}
      .tensor=${x}
      .axes=${desk.labels.axes}
      .rows=${tokens.map((token, i) => `${ids[i]} ${token}`)}
    ></tensor-block>
    <div class="controls">${reroll(desk, desk.labels.reroll)}</div>
  `,
  code: `
token_embedding = nn.Embedding(config.vocab_size, config.hidden_size)
x = token_embedding(ids)     # [1, 5, hidden]`,
});

const nearIdentity = step({
  sentences: [arrow],
  choices: {seed: 0, size: 256},
  async compute({lab, model}, {sentences: [text], choices}) {
    const {ids, tokens} = await model.tokenize([text], {specialTokens: false});
    const x = await lab.embedding(ids, Number(choices.size), Number(choices.seed));
    const {scores, weights} = await lab.attention({query: x, key: x, value: x});
    const count = tokens[0].length;
    const own = range(count).map((i) => weights.data[i * count + i]);
    return {
      tokens: tokens[0],
      scores,
      weights,
      size: Number(choices.size),
      least: Math.min(...own),
    };
  },
  widget: ({tokens, scores, weights}, desk) => html`
    <div class="controls">
      ${segments(desk, 'size', desk.labels.size, [4, 16, 64, 256, 768])}
      ${reroll(desk, desk.labels.reroll)}
    </div>
    <tensor-block
      label=${desk.labels.scores}
      numbers
      .tensor=${scores}
      .axes=${desk.labels.axes}
      .rows=${tokens}
      .columns=${tokens}
    ></tensor-block>
    ${weightTable(desk.labels.weights, weights, desk.labels.axes, tokens)}
  `,
  code: `
query = key = value = x
scores = query @ key.transpose(1, 2) / query.size(-1) ** 0.5
weights = scores.softmax(dim=-1)
weights.sum(dim=-1)     # 1 for every query`,
});

const attentionHead = step({
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
    <div class="three">
      ${[
        {kind: 'query', tensor: query},
        {kind: 'key', tensor: key},
        {kind: 'value', tensor: value},
      ].map(
        ({kind, tensor}) =>
          html`<tensor-block
            label=${kind[0]}
            kind=${kind}
            .tensor=${tensor}
            .axes=${desk.labels.axes}
            .rows=${tokens}
          ></tensor-block>`,
      )}
    </div>
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

const multiHead = step({
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

const feedForward = step({
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

const layerNorm = step({
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

const positions = step({
  sentences: [arrow],
  choices: {seed: 0, order: 1},
  async compute(tools, input) {
    const {lab, x, tokens, seed, heads, hiddenSize} = await embedded(tools, input);
    const count = tokens.length;
    const order = shuffled(count, Number(input.choices.order));
    // In the order of the text, and shuffled.
    const data = new Float32Array(2 * x.data.length);
    data.set(x.data);
    order.forEach((from, to) => data.set(rowOf(x, from), (count + to) * hiddenSize));
    const both = {shape: [2, count, hiddenSize], data};
    const changes = async (/** @type {'none' | 'learned'} */ positions) => {
      const options = {layers: 1, heads, seed, positions};
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

const encoder = step({
  sentences: [arrow],
  choices: {seed: 0, after: 1},
  async compute(tools, input) {
    const {lab, x, tokens, seed, heads, layers} = await embedded(tools, input);
    const after = Math.min(Number(input.choices.after), layers);
    // Later layers leave the earlier ones as they are.
    const {hiddenStates} = await lab.encoder({input: x, layers: Math.max(1, after), heads, seed});
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

const classifier = step({
  sentences: [arrow],
  choices: {seed: 0, special: true},
  async compute(tools, input) {
    const specialTokens = Boolean(input.choices.special);
    const {lab, x, tokens, seed, heads, layers} = await embedded(tools, input, {specialTokens});
    const {hiddenStates} = await lab.encoder({input: x, layers, heads, seed});
    const {logits, probabilities} = await lab.classifier({
      hiddenState: hiddenStates[layers],
      labels: 3,
      seed: seed + 1,
    });
    return {first: tokens[0], logits, probabilities, state: hiddenStates[layers], tokens};
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

const pair = step({
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

const causalMask = step({
  sentences: [arrow],
  choices: {seed: 0, causal: true},
  async compute(tools, input) {
    const {lab, x, tokens} = await embedded(tools, input);
    const {masked, weights} = await lab.attention({
      query: x,
      key: x,
      value: x,
      causal: Boolean(input.choices.causal),
    });
    return {tokens, masked, weights};
  },
  widget: ({tokens, masked, weights}, desk) => html`
    <div class="controls">
      ${toggle(desk, 'causal', desk.labels.causal)} ${reroll(desk, desk.labels.reroll)}
    </div>
    <tensor-block
      label=${desk.labels.scores}
      numbers
      .tensor=${masked}
      .axes=${desk.labels.axes}
      .rows=${tokens}
      .columns=${tokens}
    ></tensor-block>
    ${weightTable(desk.labels.weights, weights, desk.labels.axes, tokens)}
  `,
  code: `
allowed = torch.ones(5, 5).tril()
scores = scores.masked_fill(allowed == 0, float("-inf"))
weights = scores.softmax(dim=-1)     # e to the power of -inf is 0`,
});

export const steps = {
  ids,
  lookup,
  'near-identity': nearIdentity,
  'attention-head': attentionHead,
  'multi-head': multiHead,
  'feed-forward': feedForward,
  'layer-norm': layerNorm,
  positions,
  encoder,
  classifier,
  pair,
  'causal-mask': causalMask,
};
