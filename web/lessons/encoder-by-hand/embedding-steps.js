/** Steps from text to vectors, and attention without anything learned. */

import {html} from 'lit';
import {pairTable, weightTable} from '../parts/vector-blocks.js';
import {reroll, segments, toggle} from '../parts/step-controls.js';
import {idTable} from '../parts/id-table.js';
import {range} from '../../attention/range.js';
import {arrow} from '../example-sentences.js';
import {step} from '../step.js';
import {embedded} from './embedded-sentence.js';

export const tokenIds = step({
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

export const lookup = step({
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

export const nearIdentity = step({
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
    ${pairTable(desk.labels.scores, scores, desk.labels.axes, tokens)}
    ${weightTable(desk.labels.weights, weights, desk.labels.axes, tokens)}
  `,
  code: `
query = key = value = x
scores = query @ key.transpose(1, 2) / query.size(-1) ** 0.5
weights = scores.softmax(dim=-1)
weights.sum(dim=-1)     # 1 for every query`,
});

export const causalMask = step({
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
    ${pairTable(desk.labels.scores, masked, desk.labels.axes, tokens)}
    ${weightTable(desk.labels.weights, weights, desk.labels.axes, tokens)}
  `,
  code: `
allowed = torch.ones(5, 5).tril()
scores = scores.masked_fill(allowed == 0, float("-inf"))
weights = scores.softmax(dim=-1)     # e to the power of -inf is 0`,
});
