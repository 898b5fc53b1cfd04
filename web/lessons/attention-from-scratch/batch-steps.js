/** Steps about the input: a batch, its vectors, and the average of the past. */

import {html} from 'lit';
import {pairTable, vectorBlock, weightTable} from '../parts/vector-blocks.js';
import {onePart, stepParts} from '../parts/step-parts.js';
import {idTable} from '../parts/id-table.js';
import {range} from '../../attention/range.js';
import {cosine, rowOf} from '../parts/vectors.js';
import {chasing} from '../example-sentences.js';
import {step} from '../step.js';
import {batchOf, both} from './batch.js';

export const batch = step({
  sentences: both,
  choices: {part: 'ids'},
  bertBase: {},
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
  widget: ({tokens, ids, mask, length}, context) =>
    stepParts(context, {
      ids: {
        label: context.labels.ids,
        content: tokens.map((names, i) => idTable(names, ids[i], context.labels.text(i))),
      },
      mask: {
        label: context.labels.mask,
        content: html`<tensor-block
          label=${context.labels.mask}
          kind="weights"
          numbers
          .digits=${0}
          .tensor=${mask}
          .axes=${context.labels.axes}
          .rows=${context.labels.rows}
          .columns=${range(length).map(String)}
        ></tensor-block>`,
      },
    }),
  asked: {
    kind: 'choice',
    async find({model, signal}, {sentences}, {ids}) {
      const batch = await model.tokenize(sentences, {padding: true});
      const together = await model.hiddenStates(batch, {signal});
      const [length, size] = together.shape.slice(1);
      const {data: keep} = batch.attentionMask;
      const kept = sentences.map((_, text) =>
        Number(keep.slice(text * length, (text + 1) * length).reduce((a, b) => a + b, 0)),
      );
      const shorter = kept.indexOf(Math.min(...kept));
      if (kept[shorter] === ids[0].length) return null;
      const alone = await model.hiddenStates(
        await model.tokenize([sentences[shorter]], {padding: true}),
        {signal},
      );
      const padded = together.data.subarray(shorter * length * size);
      const largest = alone.data.reduce(
        (most, value, i) => Math.max(most, Math.abs(value - padded[i])),
        0,
      );
      return largest > 1e-3 ? 'yes' : 'no';
    },
  },
  code: (_, __, sentences) => `
sentences = ${JSON.stringify(sentences)}
batch = tokenizer(sentences, padding=True, return_tensors="pt")
print(batch.input_ids.shape)       # [sentences, tokens]
print(batch.attention_mask)        # 1 for a token, 0 for padding`,
});

export const hiddenStates = step({
  sentences: both,
  bertBase: {},
  async compute(tools, input) {
    const {x, tokens} = await batchOf(tools, input);
    return {x, tokens};
  },
  widget: ({x, tokens}, {labels}) => onePart(vectorBlock('x', x, labels.axes, tokens)),
  asked: {
    kind: 'choice',
    find(_, __, {x, tokens}) {
      const [first, second] = /** @type {string[][]} */ (tokens);
      const a = first.findIndex((token) => /^\p{L}{3}/u.test(token) && second.includes(token));
      if (a < 0) return null;
      const b = first.length + second.indexOf(first[a]);
      return cosine(rowOf(x, a), rowOf(x, b)) > 0.9999 ? 'same' : 'other';
    },
  },
  code: (_, __, sentences) => `
batch = tokenizer(${JSON.stringify(sentences)}, padding=True, return_tensors="pt")
x = model(**batch).last_hidden_state
B, T, C = x.shape           # batch, tokens, hidden
print(x)`,
});

export const causalAverage = step({
  sentences: [chasing],
  choices: {part: 'weights'},
  bertBase: {},
  async compute({lab, model, signal}, {sentences: [text]}) {
    const tokenized = await model.tokenize([text]);
    const x = await model.hiddenStates(tokenized, {signal});
    const average = await lab.causalAverage(x);
    return {tokens: tokenized.tokens[0], x, ...average};
  },
  widget: ({tokens, masked, weights, output}, context) => {
    const {labels} = context;
    return stepParts(context, {
      masked: {
        label: labels.masked,
        content: pairTable(labels.masked, masked, labels.axes, tokens, {digits: 0}),
      },
      weights: {
        label: labels.weights,
        content: weightTable(labels.weights, weights, labels.axes, tokens, {digits: 2}),
      },
      output: {
        label: labels.output,
        content: vectorBlock(labels.output, output, labels.outputAxes, tokens),
      },
    });
  },
  asked: {
    kind: 'choice',
    async find({lab}, _, {x, output}) {
      const [, tokens, size] = x.shape;
      // Another last token: the last vector, turned round.
      const data = x.data.map((/** @type {number} */ value, /** @type {number} */ i) =>
        i < (tokens - 1) * size ? value : -value,
      );
      const changed = await lab.causalAverage({shape: x.shape, data});
      const moved = range(tokens).filter((token) =>
        rowOf(output, token).some((value, i) => value !== rowOf(changed.output, token)[i]),
      );
      if (!moved.length) return 'none';
      return moved.length === 1 && moved[0] === tokens - 1 ? 'last' : 'all';
    },
  },
  code: `
x = saved("x")              # [1, tokens, hidden]
T = x.size(1)
allowed = torch.ones(T, T).tril()
weights = torch.zeros(T, T).masked_fill(allowed == 0, float("-inf")).softmax(dim=-1)
average = weights @ x       # [T, T] @ [B, T, C] -> [B, T, C]
print(weights)`,
  arrays: ({x}) => ({x}),
  results: ({weights, output}) => ({weights, average: output}),
});
