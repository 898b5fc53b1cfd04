import {html} from 'lit';
import {reroll, wordField} from '../parts/step-controls.js';
import {stepParts} from '../parts/step-parts.js';
import {step} from '../step.js';
import {both} from './batch.js';
import {bothOutputs, bothWeights, headCounts} from './pictures.js';
import {changesOf, twoWays} from './two-ways.js';

/** @import {Tensor} from '../parts/tensor.js' */

export const maskedMultiHead = step({
  sentences: both,
  choices: {seed: 0, heads: 8, last: '?', part: 'changes'},
  bertBase: {heads: 8},
  async compute({lab, model, signal}, {sentences, choices}) {
    const heads = Number(choices.heads);
    const seed = Number(choices.seed);
    const batch = await model.tokenize(sentences, {padding: true, specialTokens: false});
    const {ids, tokens, attentionMask} = batch;
    const keep = {shape: attentionMask.shape, data: Float32Array.from(attentionMask.data)};
    const length = keep.data.subarray(0, ids.shape[1]).reduce((sum, each) => sum + each, 0);
    const changedIds = ids.data.slice();
    if (String(choices.last).trim()) {
      const other = await model.tokenize([String(choices.last)], {specialTokens: false});
      changedIds[length - 1] = other.ids.data[0];
    }
    // The embeddings' output knows a token and its position only, so another last token changes nothing before it.
    const run = async (/** @type {typeof batch} */ of) => {
      const x = await model.hiddenStates(of, {index: 0, signal});
      return {
        x,
        ...(await twoWays(lab, {query: x, key: x, value: x, heads, seed, keep, causal: true})),
      };
    };
    const [given, changed] = await Promise.all([
      run(batch),
      run({...batch, ids: {shape: ids.shape, data: changedIds}}),
    ]);
    const [right, wrong] = /** @type {const} */ (['right', 'wrong']).map((way) =>
      changesOf(
        /** @type {Tensor} */ (given[way].output),
        /** @type {Tensor} */ (changed[way].output),
      ).slice(0, length),
    );
    return {
      tokens,
      x: given.x,
      changed: changed.x,
      keepMask: keep,
      heads,
      length,
      hiddenSize: model.shape.hiddenSize,
      weights: given.right.attention.weights,
      wrongWeights: given.wrong.attention.weights,
      output: /** @type {Tensor} */ (given.right.output),
      wrongOutput: /** @type {Tensor} */ (given.wrong.output),
      changes: {
        shape: [length, 2],
        data: Float32Array.from(right.flatMap((change, i) => [change, wrong[i]])),
      },
      before: Math.max(0, ...right.slice(0, -1)),
      last: right.at(-1) ?? 0,
      leak: Math.max(0, ...wrong.slice(0, -1)),
    };
  },
  widget: (data, desk) => {
    const {labels} = desk;
    const {tokens, length, hiddenSize, changes, before, last, leak} = data;
    return html`
      <div class="controls">
        ${wordField(desk, 'last', labels.last(tokens[0][length - 1]))}
        ${headCounts(desk, hiddenSize)} ${reroll(desk, labels.reroll)}
      </div>
      <p class="finding">${labels.change(before, last, leak)}</p>
      ${stepParts(desk, {
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
          content: bothWeights(desk, data.weights, data.wrongWeights, tokens),
        },
        output: {
          label: labels.output,
          content: bothOutputs(desk, data.output, data.wrongOutput, tokens),
        },
      })}
    `;
  },
  code: ({heads, length}, {seed}) => `
keep = saved("keep")         # 1 for a token, 0 for padding
changes = []
for wrong in (False, True):
    before, after = (multi_head(x, x, x, ${heads}, ${seed}, causal=True, keep=keep, wrong=wrong)[0]
                     for x in (saved("x"), saved("changed")))
    changes.append((after - before).abs().amax(dim=-1)[0])
changes = torch.stack(changes, dim=-1)[:${length}]    # [tokens, 2]: only the right way keeps what is before
print(changes)`,
  arrays: ({x, changed, keepMask}) => ({x, changed, keep: keepMask}),
  results: ({changes}) => ({changes}),
});
