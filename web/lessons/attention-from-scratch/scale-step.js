import {html} from 'lit';
import {reroll, segments} from '../parts/step-controls.js';
import {range} from '../../attention/range.js';
import {chasing} from '../example-sentences.js';
import {step} from '../step.js';
import {mean} from './batch.js';

/** @import {Tensor} from '../parts/tensor.js' */
/** @import {Input, Tools} from '../step.js' */

/**
 * Measures the entropy of every head, with the right divisor and the wrong one.
 *
 * @param {Tools} tools
 * @param {Input} input
 */
async function divided({lab, model, signal}, {sentences: [text], choices}) {
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
    query,
    key,
    heads,
    headDim,
    hiddenSize: model.shape.hiddenSize,
    entropy: {
      shape: [heads, 2],
      data: Float32Array.from(range(heads).flatMap((h) => entropies.map((each) => each[h]))),
    },
    means: entropies.map(mean),
  };
}

/** How many more tokens a query spreads over with the wrong divisor. @param {{means: number[]}} data */
const blur = ({means: [right, wrong]}) => Math.exp(wrong) - Math.exp(right);

export const scale = step({
  sentences: [chasing],
  choices: {source: 'trained', seed: 0},
  bertBase: {},
  compute: divided,
  asked: {
    kind: 'choice',
    async find(tools, input) {
      const [trained, random] = await Promise.all(
        ['trained', 'random'].map(async (source) =>
          blur(await divided(tools, {...input, choices: {...input.choices, source}})),
        ),
      );
      if (random < trained / 2) return 'less';
      return random > 2 * trained ? 'more' : 'same';
    },
  },
  widget: ({tokens, heads, headDim, hiddenSize, entropy, means}, context) => html`
    <div class="controls">
      ${segments(context, 'source', context.labels.source, context.labels.sources)}
      ${context.choices.source === 'random' ? reroll(context, context.labels.reroll) : html``}
    </div>
    <p class="finding">${context.labels.means(means, tokens)}</p>
    <tensor-block
      label=${context.labels.entropy}
      numbers
      .digits=${3}
      .tensor=${entropy}
      .axes=${context.labels.axes}
      .rows=${range(heads).map(context.labels.head)}
      .columns=${[`÷ √${headDim}`, `÷ √${hiddenSize}`]}
    ></tensor-block>
  `,
  code: ({headDim, hiddenSize}) => `
q, k = saved("q"), saved("k")                         # [1, heads, tokens, size]
products = q @ k.transpose(-1, -2)
entropy = torch.stack([-(w * w.log()).sum(dim=-1).mean(dim=-1)[0] for w in (
    (products / ${headDim} ** 0.5).softmax(dim=-1),          # right: the size of a head
    (products / ${hiddenSize} ** 0.5).softmax(dim=-1),         # the whole width
)], dim=-1)                                           # [heads, 2], in nats
print(entropy)`,
  arrays: ({query, key}) => ({q: query, k: key}),
  results: ({entropy}) => ({entropy}),
});
