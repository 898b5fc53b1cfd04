/** The first steps of the lesson: a whole translation, the encoder, and the decoder's attention to its own text. */

import {html} from 'lit';
import {range} from '../../attention/range.js';
import {datesAddress} from '../../session/source-address.js';
import {formatNumber} from '../../views/parts/number-format.js';
import {date} from '../example-sentences.js';
import {scope} from '../parts/embedded-scope.js';
import {bars} from '../parts/guess-bars.js';
import {idTable} from '../parts/id-table.js';
import {withWord} from '../parts/replaced-word.js';
import {shapeLadder} from '../parts/shape-ladder.js';
import {toggle, tokenChoice} from '../parts/step-controls.js';
import {stepParts} from '../parts/step-parts.js';
import {vectorBlock, weightTable} from '../parts/vector-blocks.js';
import {lengthOf, rowOf} from '../parts/vectors.js';
import {step} from '../step.js';
import {
  decoderShapeOf,
  outcomeOf,
  placeControls,
  placeOf,
  probabilitiesOf,
  tensorsOfHead,
  unbatched,
  withoutHeads,
} from './dates-model.js';

/** @import {Choices, Tools} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */

/** A date that leaves something unsaid. */
const unsaid = 'in March';

export const inAndOut = step({
  model: datesAddress,
  sentences: [date],
  choices: {part: 'texts'},
  async compute({model, signal}, {sentences: [text]}) {
    const {hiddenSize} = model.shape;
    const translation = await model.translate(text, {signal});
    const {encoder, decoder, tokens, ids} = translation;
    const probabilities = await probabilitiesOf(model, translation);
    return {
      text,
      date: translation.text,
      source: encoder.tokens,
      sourceIds: encoder.ids,
      written: tokens,
      ids: {shape: [1, ids.length], data: Float32Array.from(ids)},
      probabilities,
      shapes: {
        ids: [1, encoder.ids.length],
        memory: [1, encoder.ids.length, hiddenSize],
        reads: [1, decoder.ids.length],
        states: [1, decoder.ids.length, hiddenSize],
        probabilities: probabilities.shape,
      },
    };
  },
  asked: {
    kind: 'word',
    find: async ({model, signal}) => (await model.translate(unsaid, {signal})).text,
  },
  widget: ({text, date: found, source, sourceIds, written, ids, shapes}, context) => html`
    <p class="finding">${context.labels.finding(text, found)}</p>
    ${stepParts(context, {
      texts: {
        label: context.labels.texts,
        content: html`${idTable(source, sourceIds, context.labels.reads(source.length))}
        ${idTable(written, ids.data, context.labels.writes(written.length))}`,
      },
      shapes: {
        label: context.labels.ladder,
        content: shapeLadder(context.labels.ladder, context.labels.steps(shapes)),
      },
    })}
  `,
  code: ({probabilities: {shape}}) => `
probabilities = saved("probabilities")     # [${shape.join(', ')}]: of every token, in every place
written = probabilities.argmax(dim=-1)     # greedy: the likeliest token, one after the other
print(probabilities.shape)
print(written)`,
  arrays: ({probabilities}) => ({probabilities}),
  results: ({ids}) => ({written: ids}),
});

export const encoderStep = step({
  model: datesAddress,
  sentences: [date],
  choices: {layer: 0, head: 0, part: 'picture'},
  async compute({model, signal}, {sentences: [text], choices}) {
    const place = placeOf(model.shape, choices);
    const result = await model.attend(text, {signal});
    const {tokens} = result;
    const rows = tokens.length;
    const tensors = await tensorsOfHead(result, place, {
      query: {kind: 'queries', rows},
      key: {kind: 'keys', rows},
      weights: {kind: 'attention', rows},
    });
    const data = await result.hiddenStates(model.shape.layers);
    return {
      ...{tokens, place, shape: model.shape, ...tensors},
      memory: {shape: [1, rows, model.shape.hiddenSize], data},
    };
  },
  asked: {
    kind: 'choice',
    async find({model, signal}, {sentences: [text]}, {memory}) {
      const result = await model.attend(text, {signal});
      const last = result.words.findLastIndex((word) => word !== null);
      if (last < 0 || result.words[last] === result.words[0]) return null;
      const other = ['May', 'June'].map((word) => withWord(result, last, word));
      const changed = await model.attend(other.find((each) => each !== text) ?? text, {signal});
      const states = await changed.hiddenStates(model.shape.layers);
      return rowOf(memory, 0).every((number, i) => number === states[i]) ? 'no' : 'yes';
    },
  },
  widget: ({tokens, place, shape, weights, memory}, context) => html`
    <div class="controls">${placeControls(context, shape, place)}</div>
    ${stepParts(context, {
      picture: {
        label: context.labels.picture,
        content: scope(context, {
          view: 'head',
          filter: 'encoder',
          layer: place.layer,
          heads: [place.head],
        }),
      },
      weights: {
        label: context.labels.weights,
        content: weightTable(
          context.labels.weights,
          unbatched(weights),
          context.labels.axes,
          tokens,
          {
            digits: 2,
          },
        ),
      },
      memory: {
        label: context.labels.memory,
        content: vectorBlock(context.labels.memory, memory, context.labels.memoryAxes, tokens),
      },
    })}
  `,
  code: ({query: {shape}}) => `
q, k = saved("q"), saved("k")                       # [${shape.join(', ')}], of the same text
scores = q @ k.transpose(-1, -2) / ${shape[2]} ** 0.5
weights = scores.softmax(dim=-1)                    # no mask: every token sees all others
print(weights)`,
  arrays: ({query, key}) => ({q: query, k: key}),
  results: ({weights}) => ({weights}),
});

/**
 * Returns the queries, keys and values of a head of the decoder for its own text.
 *
 * @param {Tools} tools
 * @param {string} text
 * @param {Choices} choices
 */
async function ownHead({model, signal}, text, choices) {
  const shape = decoderShapeOf(model);
  const place = placeOf(shape, choices);
  const translation = await model.translate(text, {signal});
  const rows = translation.decoder.tokens.length;
  const tensors = await tensorsOfHead(translation.decoder, place, {
    query: {kind: 'queries', rows},
    key: {kind: 'keys', rows},
    value: {kind: 'values', rows},
    weights: {kind: 'attention', rows},
  });
  return {translation, shape, place, reads: translation.decoder.tokens, ...tensors};
}

export const ownAttention = step({
  model: datesAddress,
  sentences: [date],
  choices: {layer: 0, head: 1, part: 'weights'},
  async compute(tools, {sentences: [text], choices}) {
    const {translation, ...head} = await ownHead(tools, text, choices);
    const {query, key, value} = head;
    const [{output}, without] = await Promise.all([
      tools.lab.attention({query, key, value, causal: true}),
      withoutHeads(tools, text, 'decoder'),
    ]);
    return {...head, output, written: translation.tokens, date: translation.text, without};
  },
  asked: {kind: 'choice', find: (_, __, {date: found, without}) => outcomeOf(found, without)},
  widget: ({shape, place, reads, written, weights, output}, context) => html`
    <div class="controls">${placeControls(context, shape, place)}</div>
    ${stepParts(context, {
      weights: {
        label: context.labels.weights,
        content: weightTable(
          context.labels.weights,
          unbatched(weights),
          context.labels.axes,
          reads.map((token, i) => `${token} → ${written[i]}`),
          {keys: reads, digits: 2},
        ),
      },
      output: {
        label: context.labels.output,
        content: vectorBlock(context.labels.output, output, context.labels.outputAxes, reads),
      },
    })}
  `,
  code: ({query: {shape}}) => `
q, k, v = saved("q"), saved("k"), saved("v")        # [${shape.join(', ')}], of what it has written
scores = q @ k.transpose(-1, -2) / ${shape[2]} ** 0.5
mask = torch.tril(torch.ones(${shape[1]}, ${shape[1]}))
weights = scores.masked_fill(mask == 0, float("-inf")).softmax(dim=-1)
output = weights @ v                                # [${shape.join(', ')}]
print(weights)
print(output)`,
  arrays: ({query, key, value}) => ({q: query, k: key, v: value}),
  results: ({weights, output}) => ({weights, output}),
});

/**
 * Measures how far each vector of the decoder moves if it reads another token in one place.
 *
 * @param {Tools} tools
 * @param {string} text
 * @param {Awaited<ReturnType<typeof ownHead>>['translation']} translation
 * @param {number} at  the place where it was written
 */
async function movedBy({model, signal}, text, {ids, tokens, decoder}, at) {
  const {layers, hiddenSize} = model.shape;
  const other = ids.find((id) => id !== ids[at]) ?? ids[at];
  const written = ids.with(at, other);
  const changed = await model.translate(text, {written, tokens: 0, signal});
  const [before, after] = await Promise.all(
    [decoder, changed.decoder].map((pass) => pass.hiddenStates(layers)),
  );
  const shape = [1, tokens.length, hiddenSize];
  const moved = {shape, data: after.map((number, i) => number - before[i])};
  return {
    other: tokens[ids.indexOf(other)],
    lengths: tokens.map((_, token) => lengthOf(rowOf(moved, token))),
  };
}

/** Counts the rows of two tables that are the same. @param {Tensor} a @param {Tensor} b  [1, rows, columns] */
const sameRows = (a, b) => {
  const [left, right] = [a, b].map(unbatched);
  return range(left.shape[0]).filter((row) => {
    const other = rowOf(right, row);
    return rowOf(left, row).every((number, i) => Math.abs(number - other[i]) < 1e-6);
  }).length;
};

export const causalMask = step({
  model: datesAddress,
  sentences: [date],
  choices: {layer: 0, head: 1, mask: true, changed: 5, part: 'scores'},
  async compute(tools, {sentences: [text], choices}) {
    const {translation, value, ...head} = await ownHead(tools, text, choices);
    const {masked, weights} = await tools.lab.attention({
      ...{query: head.query, key: head.key, value},
      causal: Boolean(choices.mask),
    });
    // The first token that is read is always the same.
    const changed = Math.min(Number(choices.changed), head.reads.length - 2);
    const moved = await movedBy(tools, text, translation, changed);
    return {...head, value, masked, weights, changed, moved};
  },
  asked: {
    kind: 'number',
    async find({lab}, _, {query, key, value}) {
      const [free, masked] = await Promise.all(
        [false, true].map((causal) => lab.attention({query, key, value, causal})),
      );
      return sameRows(free.weights, masked.weights);
    },
  },
  widget: ({shape, place, reads, masked, weights, changed, moved}, context) => {
    const {labels} = context;
    const longest = Math.max(...moved.lengths) || 1;
    const rows = reads.map((name, i) => ({
      ...{name, number: formatNumber(moved.lengths[i], 2), share: moved.lengths[i] / longest},
    }));
    return html`
      <div class="controls">
        ${placeControls(context, shape, place)} ${toggle(context, 'mask', labels.mask)}
      </div>
      ${stepParts(context, {
        scores: {
          label: labels.scores,
          content: html`<tensor-block
            label=${labels.scores}
            numbers
            digits="1"
            .tensor=${unbatched(masked)}
            .axes=${labels.axes}
            .rows=${reads}
            .columns=${reads}
          ></tensor-block>`,
        },
        weights: {
          label: labels.weights,
          content: weightTable(labels.weights, unbatched(weights), labels.axes, reads, {digits: 2}),
        },
        moved: {
          label: labels.moved,
          content: html`${tokenChoice(context, 'changed', labels.changed, reads.slice(1), changed)}
          ${bars(labels.bars(reads[changed + 1], moved.other), rows)}`,
        },
      })}
    `;
  },
  code: ({query: {shape}}, {mask}) => `
q, k = saved("q"), saved("k")                       # [${shape.join(', ')}], of what it has written
scores = q @ k.transpose(-1, -2) / ${shape[2]} ** 0.5
mask = torch.${mask ? `tril(torch.ones(${shape[1]}, ${shape[1]}))` : `ones(${shape[1]}, ${shape[1]})`}.unsqueeze(0)
masked = scores.masked_fill(mask == 0, -float("inf"))
weights = masked.softmax(dim=-1)                    # e^-inf = 0
print(masked)
print(weights)`,
  arrays: ({query, key}) => ({q: query, k: key}),
  results: ({masked, weights}) => ({masked, weights}),
});
