import {html} from 'lit';
import {vectorBlock} from '../parts/vector-blocks.js';
import {shapeLadder} from '../parts/shape-ladder.js';
import {reroll, segments} from '../parts/step-controls.js';
import {stepParts} from '../parts/step-parts.js';
import {step} from '../step.js';

/** @import {Choices, Tools} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */

/**
 * Attends with as many queries, keys and heads as are chosen.
 *
 * @param {Tools} tools
 * @param {Choices} choices
 */
async function crossed({lab}, choices) {
  const [queries, keys, heads] = [choices.queries, choices.keys, choices.heads].map((value) =>
    Math.max(1, Math.min(16, Number(value))),
  );
  const seed = 10 * Number(choices.seed);
  const [query, key, other] = await Promise.all([
    lab.normal([4, queries, 256], seed),
    lab.normal([4, keys, 256], seed + 1),
    lab.normal([4, keys, 256], seed + 3),
  ]);
  const value = choices.values === 'keys' ? key : other;
  const result = await lab.multiHead({query, key, value, heads, seed: seed + 2});
  return {heads, query, key, result};
}

export const crossAttention = step({
  sentences: [],
  choices: {seed: 0, queries: 5, keys: 7, heads: 8, values: 'own', part: 'shapes'},
  asked: {
    kind: 'choice',
    async find(tools, {choices}, {output}) {
      const decisive = [];
      for (const name of ['queries', 'keys', 'heads']) {
        // Half or twice as many, so that heads still share the width evenly.
        const other = Number(choices[name]) > 8 ? 8 : 2 * Number(choices[name]);
        const {result} = await crossed(tools, {...choices, [name]: other});
        if (String(result.output?.shape) !== String(output.shape)) decisive.push(name);
      }
      return decisive;
    },
  },
  async compute(tools, {choices}) {
    const {heads, query, key, result} = await crossed(tools, choices);
    return {
      heads,
      query: query.shape,
      key: key.shape,
      queryHeads: result.queryHeads.shape,
      keyHeads: result.keyHeads.shape,
      weights: result.attention.weights,
      combined: result.combined,
      output: /** @type {Tensor} */ (result.output),
    };
  },
  widget: ({query, key, queryHeads, keyHeads, weights, combined, output}, context) => html`
    <div class="controls">
      ${segments(context, 'queries', context.labels.queries, [1, 3, 5, 8])}
      ${segments(context, 'keys', context.labels.keys, [3, 5, 7, 12])}
      ${segments(context, 'heads', context.labels.heads, [1, 2, 4, 8, 16])}
      ${segments(context, 'values', context.labels.values, context.labels.valueChoices)}
      ${reroll(context, context.labels.reroll)}
    </div>
    ${stepParts(context, {
      shapes: {
        label: context.labels.ladder,
        content: shapeLadder(
          context.labels.ladder,
          context.labels.steps({
            query,
            key,
            queryHeads,
            keyHeads,
            weights: weights.shape,
            output: output.shape,
          }),
        ),
      },
      weights: {
        label: context.labels.weights,
        content: html`<tensor-block
          label=${context.labels.weights}
          kind="weights"
          .tensor=${weights}
          .axes=${context.labels.weightAxes}
        ></tensor-block>`,
      },
      output: {
        label: context.labels.outputs,
        content: html`
          ${vectorBlock(context.labels.combined, combined, context.labels.axes, [])}
          ${vectorBlock(context.labels.output, output, context.labels.axes, [])}
        `,
      },
    })}
  `,
  code: ({query, key, heads}, {seed, values}) => `
query = normal(${query}, seed=${10 * Number(seed)})
key = normal(${key}, seed=${10 * Number(seed) + 1})
value = ${values === 'keys' ? 'key' : `normal(${key}, seed=${10 * Number(seed) + 3})`}
output, weights = multi_head(query, key, value, ${heads}, seed=${10 * Number(seed) + 2})
print(output.shape, weights.shape)
print(output)`,
  results: ({weights, output}) => ({weights, output}),
});
