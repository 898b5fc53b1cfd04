import {html} from 'lit';
import {headVectors, pairTable, vectorBlock, weightTable} from '../parts/vector-blocks.js';
import {reroll, segments, toggle} from '../parts/step-controls.js';
import {idTable} from '../parts/id-table.js';
import {range} from '../../attention/range.js';
import {chasing, hiding} from '../example-sentences.js';
import {step} from '../step.js';

/** @import {Desk, Input, Tools} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */

const both = [chasing, hiding];

/** @param {ArrayLike<number>} numbers */
const mean = (numbers) => Array.from(numbers).reduce((a, b) => a + b, 0) / numbers.length;

/**
 * Both sentences in one batch, and what the model makes of them: the input of everything here.
 *
 * @param {Tools} tools
 * @param {Input} input
 */
async function batchOf({lab, model, signal}, {sentences, choices}) {
  const batch = await model.tokenize(sentences, {padding: true});
  const x = await model.hiddenStates(batch, {signal});
  const {shape, data} = batch.attentionMask;
  const keep = {shape, data: Float32Array.from(data)};
  const {hiddenSize, layers} = model.shape;
  const seed = Number(choices.seed ?? 0);
  return {...batch, x, keep, lab, seed, hiddenSize, layers};
}

/**
 * How many heads there may be: as many as share the hidden size evenly.
 *
 * @param {Desk} desk
 * @param {number} hiddenSize
 */
function headCounts(desk, hiddenSize) {
  const counts = [1, 2, 4, 8, 16].filter((count) => hiddenSize % count === 0);
  return segments(desk, 'heads', desk.labels.heads, counts);
}

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

const batch = step({
  sentences: both,
  async compute({model}, {sentences}) {
    const {ids, tokens, attentionMask} = await model.tokenize(sentences, {padding: true});
    const [texts, length] = ids.shape;
    return {
      tokens,
      texts,
      length,
      ids: range(texts).map((text) => ids.data.slice(text * length, (text + 1) * length)),
      mask: {shape: attentionMask.shape, data: Float32Array.from(attentionMask.data)},
    };
  },
  widget: ({tokens, ids, mask, length}, {labels}) => html`
    ${tokens.map((names, i) => idTable(names, ids[i], labels.text(i)))}
    <tensor-block
      label=${labels.mask}
      kind="weights"
      numbers
      .digits=${0}
      .tensor=${mask}
      .axes=${labels.axes}
      .rows=${labels.rows}
      .columns=${range(length).map(String)}
    ></tensor-block>
  `,
  code: `
sentences = ["The police is chasing a criminal on the run.",
             "The criminal is hiding in the police van."]
batch = tokenizer(sentences, padding=True, return_tensors="pt")
batch.input_ids.shape       # [2, 12] with bert-base
batch.attention_mask        # 1 for a token, 0 for padding`,
});

const hiddenStates = step({
  sentences: both,
  async compute(tools, input) {
    const {x, tokens} = await batchOf(tools, input);
    return {x, tokens};
  },
  widget: ({x, tokens}, {labels}) =>
    html`<tensor-block label="x" .tensor=${x} .axes=${labels.axes} .rows=${tokens}></tensor-block>`,
  code: `
with torch.no_grad():
    x = model(**batch).last_hidden_state
B, T, C = x.shape           # batch, tokens, hidden: 2, 12, 768 with bert-base`,
});

const causalAverage = step({
  sentences: [chasing],
  async compute({lab, model, signal}, {sentences: [text]}) {
    const tokenized = await model.tokenize([text]);
    const x = await model.hiddenStates(tokenized, {signal});
    const average = await lab.causalAverage(x);
    return {tokens: tokenized.tokens[0], ...average};
  },
  widget: ({tokens, masked, weights, output}, {labels}) => html`
    ${pairTable(labels.masked, masked, labels.axes, tokens, {digits: 0})}
    ${weightTable(labels.weights, weights, labels.axes, tokens, {digits: 2})}
    ${vectorBlock(labels.output, output, labels.outputAxes, tokens)}
  `,
  code: `
allowed = torch.ones(T, T).tril()
weights = torch.zeros(T, T).masked_fill(allowed == 0, float("-inf")).softmax(dim=-1)
average = weights @ x       # [T, T] @ [B, T, C] -> [B, T, C]`,
});

const selfAttention = step({
  sentences: both,
  choices: {seed: 0, causal: false, keep: false},
  async compute(tools, input) {
    const {lab, x, keep, tokens, seed} = await batchOf(tools, input);
    const {causal, keep: isKept} = input.choices;
    const masking = {causal: Boolean(causal), keep: isKept ? keep : null};
    const result = await lab.multiHead({
      query: x,
      key: x,
      value: x,
      heads: 1,
      seed,
      output: false,
      ...masking,
    });
    const {weights, output} = result.attention;
    return {
      tokens,
      query: result.query,
      key: result.key,
      value: result.value,
      weights,
      output: result.combined,
      shapes: {scores: weights.shape, output: output.shape},
      padding: shareOfPadding(weights, keep),
      isPadded: keep.data.includes(0),
    };
  },
  widget: ({tokens, query, key, value, weights, output, padding, isPadded}, desk) => html`
    <div class="controls">
      ${toggle(desk, 'causal', desk.labels.causal)} ${toggle(desk, 'keep', desk.labels.keep)}
      ${reroll(desk, desk.labels.reroll)}
    </div>
    ${headVectors({query, key, value}, {axes: desk.labels.axes})}
    <tensor-block
      label=${desk.labels.weights}
      kind="weights"
      .tensor=${{shape: [weights.shape[0], ...weights.shape.slice(2)], data: weights.data}}
      .axes=${desk.labels.weightAxes}
      .rows=${tokens}
    ></tensor-block>
    <p class="finding">${desk.labels.padding(padding, isPadded)}</p>
    ${vectorBlock(desk.labels.output, output, desk.labels.axes, tokens)}
  `,
  code: `
query, key, value = (nn.Linear(C, C)(x) for _ in range(3))
scores = query @ key.transpose(1, 2) / C ** 0.5
if decoder:
    scores = scores.masked_fill(torch.ones(T, T).tril() == 0, float("-inf"))
scores = scores.masked_fill(batch.attention_mask[:, None, :] == 0, float("-inf"))
output = scores.softmax(dim=-1) @ value      # [B, T, C]`,
});

const multiHead = step({
  sentences: both,
  choices: {seed: 0, heads: 8, output: true},
  async compute(tools, input) {
    const {lab, x, keep, tokens, seed, hiddenSize} = await batchOf(tools, input);
    const heads = Number(input.choices.heads);
    const output = Boolean(input.choices.output);
    const result = await lab.multiHead({query: x, key: x, value: x, heads, seed, keep, output});
    return {
      tokens,
      heads,
      hiddenSize,
      each: result.attention.output,
      combined: result.combined,
      output: result.output,
    };
  },
  widget: ({tokens, heads, hiddenSize, each, combined, output}, desk) => html`
    <div class="controls">
      ${headCounts(desk, hiddenSize)} ${toggle(desk, 'output', desk.labels.withOutput)}
      ${reroll(desk, desk.labels.reroll)}
    </div>
    <p class="finding">${desk.labels.shapes(heads, each.shape, combined.shape)}</p>
    <tensor-block
      label=${desk.labels.each}
      .tensor=${each}
      .axes=${desk.labels.headAxes}
    ></tensor-block>
    ${vectorBlock(desk.labels.combined, combined, desk.labels.axes, tokens)}
    ${output ? vectorBlock(desk.labels.output, output, desk.labels.axes, tokens) : html``}
  `,
  code: `
size = C // heads                                     # 768 // 8 = 96
outputs = [attention(x, nn.Linear(C, size), nn.Linear(C, size), nn.Linear(C, size))
           for _ in range(heads)]                     # each [B, T, size]
together = torch.cat(outputs, dim=-1)                 # [B, T, C]
output = nn.Linear(C, C)(together)                    # the layer that mixes the heads`,
});

const scale = step({
  sentences: [chasing],
  choices: {source: 'trained', seed: 0},
  async compute(tools, {sentences: [text], choices}) {
    const {lab, model, signal} = tools;
    const {heads, headDim} = model.shape;
    const result = await model.attend(text, {signal});
    const tokens = result.tokens.length;
    let query = /** @type {Tensor} */ ({
      shape: [1, heads, tokens, headDim],
      data: new Float32Array(),
    });
    let key = query;
    if (choices.source === 'trained') {
      const gather = async (/** @type {'queries' | 'keys'} */ kind) => {
        const data = new Float32Array(heads * tokens * headDim);
        const each = await Promise.all(range(heads).map((head) => result[kind](0, head)));
        each.forEach((vectors, head) => data.set(vectors, head * tokens * headDim));
        return {shape: [1, heads, tokens, headDim], data};
      };
      [query, key] = await Promise.all([gather('queries'), gather('keys')]);
    } else {
      const x = await model.hiddenStates(await model.tokenize([text]), {signal});
      const seed = Number(choices.seed);
      const projected = await lab.multiHead({query: x, key: x, value: x, heads, seed});
      [query, key] = [projected.queryHeads, projected.keyHeads];
    }
    const entropies = await Promise.all(
      /** @type {const} */ (['head', 'hidden']).map(async (by) => {
        const {data} = (await lab.attention({query, key, value: key, scale: by})).entropy;
        return range(heads).map((head) => mean(data.slice(head * tokens, (head + 1) * tokens)));
      }),
    );
    return {
      tokens,
      heads,
      headDim,
      hiddenSize: model.shape.hiddenSize,
      entropy: {
        shape: [heads, 2],
        data: Float32Array.from(range(heads).flatMap((h) => entropies.map((each) => each[h]))),
      },
      means: entropies.map(mean),
    };
  },
  widget: ({tokens, heads, headDim, hiddenSize, entropy, means}, desk) => html`
    <div class="controls">
      ${segments(desk, 'source', desk.labels.source, desk.labels.sources)}
      ${desk.choices.source === 'random' ? reroll(desk, desk.labels.reroll) : html``}
    </div>
    <p class="finding">${desk.labels.means(means, tokens)}</p>
    <tensor-block
      label=${desk.labels.entropy}
      numbers
      .digits=${3}
      .tensor=${entropy}
      .axes=${desk.labels.axes}
      .rows=${range(heads).map(desk.labels.head)}
      .columns=${[`÷ √${headDim}`, `÷ √${hiddenSize}`]}
    ></tensor-block>
  `,
  code: `
right = (q @ k.transpose(-1, -2) / head_size ** 0.5).softmax(dim=-1)
slip = (q @ k.transpose(-1, -2) / hidden ** 0.5).softmax(dim=-1)
entropy = -(right * right.log()).sum(dim=-1).mean()     # in nats`,
});

const maskedMultiHead = step({
  sentences: both,
  choices: {seed: 0, heads: 8},
  async compute(tools, input) {
    const {lab, x, keep, tokens, seed, hiddenSize} = await batchOf(tools, input);
    const heads = Number(input.choices.heads);
    const run = (/** @type {Tensor} */ states) =>
      lab.multiHead({query: states, key: states, value: states, heads, seed, keep, causal: true});
    // The same input, except that the last token of the first sentence is replaced.
    const length = tokens[0].length;
    const other = {shape: x.shape, data: x.data.slice()};
    other.data.subarray((length - 1) * hiddenSize, length * hiddenSize).fill(1);
    const [{attention, output}, changed] = await Promise.all([run(x), run(other)]);
    const change = (/** @type {number} */ token) =>
      Math.max(
        ...range(hiddenSize).map((f) => {
          const at = token * hiddenSize + f;
          return Math.abs((output?.data[at] ?? 0) - (changed.output?.data[at] ?? 0));
        }),
      );
    return {
      tokens,
      heads,
      hiddenSize,
      weights: attention.weights,
      output,
      before: Math.max(...range(length - 1).map(change)),
      last: change(length - 1),
    };
  },
  widget: ({tokens, hiddenSize, weights, output, before, last}, desk) => html`
    <div class="controls">${headCounts(desk, hiddenSize)} ${reroll(desk, desk.labels.reroll)}</div>
    <tensor-block
      label=${desk.labels.weights}
      kind="weights"
      .tensor=${weights}
      .axes=${desk.labels.weightAxes}
      .rows=${tokens}
    ></tensor-block>
    <p class="finding">${desk.labels.change(before, last)}</p>
    ${vectorBlock(desk.labels.output, output, desk.labels.axes, tokens)}
  `,
  code: `
scores = q @ k.transpose(-1, -2) / size ** 0.5          # [B, heads, T, T]
scores = scores.masked_fill(torch.ones(T, T).tril() == 0, float("-inf"))
heads = scores.softmax(dim=-1) @ v                      # [B, heads, T, size]
output = nn.Linear(C, C)(heads.transpose(1, 2).flatten(2))`,
});

export const steps = {
  batch,
  'hidden-states': hiddenStates,
  'causal-average': causalAverage,
  'self-attention': selfAttention,
  'multi-head': multiHead,
  scale,
  'masked-multi-head': maskedMultiHead,
};
