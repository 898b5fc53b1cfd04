/** Steps about what the weights are used for. */

import {html, nothing} from 'lit';
import {sideBySide, vectorBlock} from '../parts/vector-blocks.js';
import {formatNumber} from '../../views/parts/number-format.js';
import {reroll, tokenChoice} from '../parts/step-controls.js';
import {stepParts} from '../parts/step-parts.js';
import {lengthOf, rowOf} from '../parts/vectors.js';
import {aircraft} from '../example-sentences.js';
import {step} from '../step.js';
import {sourceChoices, sourceControls, vectorsOf} from './vector-source.js';

/** @import {StepContext} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */

export const diagonal = step({
  sentences: [aircraft],
  choices: {seed: 0},
  bertBase: {},
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
    const {ids} = await tools.model.tokenize([text], {specialTokens: false});
    const data = Float32Array.from(
      {length: tokens.length * 3},
      (_, i) => columns[i % 3].own[Math.floor(i / 3)],
    );
    return {
      ids: [...ids.data],
      random: {shape: [tokens.length], data: columns[0].own},
      tokens,
      own: {shape: [tokens.length, 3], data},
      length: columns.map(({length}) => length),
      hiddenSize: tools.model.shape.hiddenSize,
    };
  },
  widget: ({tokens, own}, context) => html`
    <div class="controls">${reroll(context, context.labels.reroll)}</div>
    <tensor-block
      label=${context.labels.own}
      kind="weights"
      numbers
      digits="3"
      .tensor=${own}
      .axes=${context.labels.axes}
      .rows=${tokens}
      .columns=${context.labels.columns}
    ></tensor-block>
  `,
  code: ({tokens, hiddenSize, ids}, {seed}) => `
x = embedding([${ids}], ${hiddenSize}, seed=${seed})
weights = (x @ x.transpose(1, 2) / ${hiddenSize} ** 0.5).softmax(dim=-1)
own = weights[0].diagonal()       # what each of ${tokens.length} tokens gives to itself
print(own)`,
  results: ({random}) => ({own: random}),
});

export const weightedAverage = step({
  sentences: [aircraft],
  choices: {...sourceChoices, source: 'head', query: 0, part: 'weights'},
  bertBase: {},
  async compute(tools, {sentences: [text], choices}) {
    const {lab} = tools;
    const {tokens, query, key, value} = await vectorsOf(tools, text, choices);
    const [{weights, output}, wrong] = await Promise.all([
      lab.attention({query, key, value}),
      lab.attention({query, key, value, axis: 'queries'}),
    ]);
    const at = Math.min(Number(choices.query), tokens.length - 1);
    const shares = Array.from(rowOf(weights, at), (weight, index) => ({weight, key: index}));
    const strongest = shares.sort((a, b) => b.weight - a.weight).slice(0, 4);
    return {
      tokens,
      query,
      key,
      size: query.shape[2],
      weights,
      value,
      output,
      at,
      strongest,
      wrongWeights: wrong.weights,
      wrongOutput: wrong.output,
      wrongSum: rowOf(wrong.weights, at).reduce((sum, weight) => sum + weight, 0),
    };
  },
  widget: ({tokens, weights, value, output, at, strongest, ...wrong}, context) => html`
    ${sourceControls(context)} ${tokenChoice(context, 'query', context.labels.query, tokens, at)}
    <p class="sum-of-parts" aria-label=${context.labels.sum}>
      <b>${context.labels.output} <bdi>${tokens[at]}</bdi></b> =
      ${strongest.map(
        ({weight, key}, i) =>
          html`${i ? ' + ' : nothing}<span class="part"
              ><b>${formatNumber(weight)}</b> ×
              <span class="of-value">v</span>(<bdi>${tokens[key]}</bdi>)</span
            >`,
      )}${tokens.length > strongest.length ? html` + …` : nothing}
    </p>
    <p class="finding">${context.labels.wrongSum(wrong.wrongSum)}</p>
    ${stepParts(context, {
      weights: {
        label: context.labels.weights,
        content: sideBySide(
          weightsOf(context, context.labels.weights, weights, tokens, at),
          weightsOf(context, context.labels.wrongWeights, wrong.wrongWeights, tokens, at),
        ),
      },
      value: {
        label: context.labels.value,
        content: html`<tensor-block
          label=${context.labels.value}
          kind="value"
          .tensor=${value}
          .axes=${context.labels.axes}
          .rows=${tokens}
        ></tensor-block>`,
      },
      outputs: {
        label: context.labels.outputs,
        content: sideBySide(
          vectorBlock(context.labels.outputs, output, context.labels.axes, tokens),
          vectorBlock(context.labels.wrongOutputs, wrong.wrongOutput, context.labels.axes, tokens),
        ),
      },
    })}
  `,
  code: ({at, size}) => `
scores = saved("query") @ saved("key").transpose(1, 2) / ${size} ** 0.5
value = saved("value")
weights, wrong_weights = scores.softmax(dim=-1), scores.softmax(dim=1)
output = weights @ value          # [1, tokens, tokens] @ [1, tokens, size] -> [1, tokens, size]
wrong_output = wrong_weights @ value
print(output[0, ${at}])
print(wrong_weights[0, ${at}].sum())`,
  arrays: ({query, key, value}) => ({query, key, value}),
  results: ({output, wrongOutput}) => ({output, wrong_output: wrongOutput}),
});

/**
 * The weights of one query.
 *
 * @param {StepContext} context
 * @param {string} label
 * @param {Tensor} weights  [1, queries, keys]
 * @param {string[]} tokens
 * @param {number} at  the query
 */
function weightsOf({labels}, label, weights, tokens, at) {
  return html`<tensor-block
    label=${label}
    kind="weights"
    .tensor=${{shape: [1, 1, weights.shape[2]], data: rowOf(weights, at)}}
    .axes=${labels.weightAxes}
    .rows=${[tokens[at]]}
    .columns=${tokens}
  ></tensor-block>`;
}
