import {html} from 'lit';
import {reroll, toggle, wordField} from '../parts/step-controls.js';
import {stepParts} from '../parts/step-parts.js';
import {step} from '../step.js';
import {both} from './batch.js';
import {bothOutputs, bothWeights, headCounts} from './pictures.js';
import {changesOf, twoWays} from './two-ways.js';

export const maskedMultiHead = step({
  sentences: both,
  choices: {seed: 0, heads: 8, last: '?', read: false, part: 'changes'},
  bertBase: {heads: 8, read: true},
  async compute({lab, model, signal}, {sentences, choices}) {
    const heads = Number(choices.heads);
    const seed = Number(choices.seed);
    // What the model has read whole, with special tokens; nothing but the future is masked, and no layer mixes the heads.
    const isRead = Boolean(choices.read);
    const batch = await model.tokenize(sentences, {padding: true, specialTokens: isRead});
    const {ids, tokens, attentionMask} = batch;
    const keep = {shape: attentionMask.shape, data: Float32Array.from(attentionMask.data)};
    const length = keep.data.subarray(0, ids.shape[1]).reduce((sum, each) => sum + each, 0);
    const plain = await model.tokenize(sentences.slice(0, 1), {specialTokens: false});
    // Special tokens may come after the last token of the text.
    const lastAt = ids.data.lastIndexOf(plain.ids.data[plain.ids.data.length - 1], length - 1);
    const changedIds = ids.data.slice();
    if (String(choices.last).trim()) {
      const other = await model.tokenize([String(choices.last)], {specialTokens: false});
      changedIds[lastAt] = other.ids.data[0];
    }
    const ways = isRead ? {output: false} : {keep};
    const run = async (/** @type {typeof batch} */ of) => {
      // The embeddings' output knows a token and its position only, so another last token changes nothing before it.
      const x = await model.hiddenStates(of, isRead ? {signal} : {index: 0, signal});
      const inputs = {query: x, key: x, value: x};
      return {x, ...(await twoWays(lab, {...inputs, heads, seed, causal: true, ...ways}))};
    };
    const [given, changed] = await Promise.all([
      run(batch),
      run({...batch, ids: {shape: ids.shape, data: changedIds}}),
    ]);
    const outputOf = (/** @type {typeof given.right} */ {output, combined}) => output ?? combined;
    const [right, wrong] = /** @type {const} */ (['right', 'wrong']).map((way) =>
      changesOf(outputOf(given[way]), outputOf(changed[way])).slice(0, length),
    );
    return {
      tokens,
      x: given.x,
      changed: changed.x,
      keepMask: keep,
      heads,
      isRead,
      length,
      lastToken: tokens[0][lastAt],
      hiddenSize: model.shape.hiddenSize,
      weights: given.right.attention.weights,
      wrongWeights: given.wrong.attention.weights,
      output: outputOf(given.right),
      wrongOutput: outputOf(given.wrong),
      changes: {
        shape: [length, 2],
        data: Float32Array.from(right.flatMap((change, i) => [change, wrong[i]])),
      },
      before: Math.max(0, ...right.slice(0, lastAt)),
      last: right[lastAt],
      leak: Math.max(0, ...wrong.slice(0, lastAt)),
    };
  },
  widget: (data, context) => {
    const {labels} = context;
    const {tokens, length, lastToken, hiddenSize, changes, before, last, leak} = data;
    const change = data.isRead ? labels.changeRead : labels.change;
    return html`
      <div class="controls">
        ${wordField(context, 'last', labels.last(lastToken))} ${headCounts(context, hiddenSize)}
        ${toggle(context, 'read', labels.read)} ${reroll(context, labels.reroll)}
      </div>
      <p class="finding">${change(before, last, leak)}</p>
      ${stepParts(context, {
        changes: {
          label: labels.changes,
          content: html`<tensor-block
            label=${labels.changes}
            numbers
            .digits=${4}
            .tensor=${changes}
            .axes=${labels.changeAxes}
            .rows=${tokens[0].slice(0, length)}
            .columns=${labels.changeColumns}
          ></tensor-block>`,
        },
        weights: {
          label: labels.weights,
          content: bothWeights(context, data.weights, data.wrongWeights, tokens),
        },
        output: {
          label: labels.output,
          content: bothOutputs(context, data.output, data.wrongOutput, tokens),
        },
      })}
    `;
  },
  code: ({heads, length, isRead}, {seed}) =>
    isRead
      ? `
x = saved("x")                                 # [B, T, C]: last_hidden_state, with [CLS], [SEP] and [PAD]
T = x.size(1)
q, k, v = (split_heads(layer(x), ${heads}) for layer in layers(x.size(-1), seed=${seed})[:3])
scores = q @ k.transpose(-1, -2) / q.size(-1) ** 0.5
scores = scores.masked_fill(torch.ones(T, T).tril() == 0, float("-inf"))   # the future alone
output = combine_heads(scores.softmax(dim=-1) @ v)                         # [B, T, C]: not mixed yet
print(output)`
      : `
keep = saved("keep")         # 1 for a token, 0 for padding
changes = []
for wrong in (False, True):
    before, after = (multi_head(x, x, x, ${heads}, ${seed}, causal=True, keep=keep, wrong=wrong)[0]
                     for x in (saved("x"), saved("changed")))
    changes.append((after - before).abs().amax(dim=-1)[0])
changes = torch.stack(changes, dim=-1)[:${length}]    # [tokens, 2]: only the right way keeps what is before
print(changes)`,
  arrays: ({x, changed, keepMask, isRead}) => ({x, ...(isRead ? {} : {changed, keep: keepMask})}),
  results: ({changes, output, isRead}) => ({...(isRead ? {output} : {changes})}),
});
