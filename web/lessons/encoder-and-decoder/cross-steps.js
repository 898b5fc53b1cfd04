/** The steps about cross attention: queries of the text that is written, keys and values of the text that is read. */

import {html} from 'lit';
import {largestAt} from '../../attention/head-arithmetic.js';
import {datesAddress} from '../../session/source-address.js';
import {date} from '../example-sentences.js';
import {scope} from '../parts/embedded-scope.js';
import {guessBars} from '../parts/guess-bars.js';
import {shapeLadder} from '../parts/shape-ladder.js';
import {segments, tokenChoice} from '../parts/step-controls.js';
import {stepParts} from '../parts/step-parts.js';
import {headVectors, sideBySide, vectorBlock, weightTable} from '../parts/vector-blocks.js';
import {rowOf} from '../parts/vectors.js';
import {step} from '../step.js';
import {
  crossChoices,
  crossNames,
  decoderShapeOf,
  headsOf,
  outcomeOf,
  placeControls,
  placeOf,
  tensorsOfHead,
  unbatched,
  withoutHeads,
} from './dates-model.js';

/** @import {Choices, StepContext, Input, Tools} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */
/** @import {Place} from './dates-model.js' */

/**
 * Translates the text, and reads the head and the written token that are chosen.
 *
 * @param {Tools} tools
 * @param {Input} input
 */
async function crossHead({model, signal}, {sentences: [text], choices}) {
  const shape = decoderShapeOf(model);
  const translation = await model.translate(text, {signal});
  const {encoder, tokens} = translation;
  return {
    ...{translation, shape, source: encoder.tokens, written: tokens, date: translation.text},
    place: placeOf(shape, choices, crossNames),
    asking: Math.min(Number(choices.asking), tokens.length - 1),
  };
}

/**
 * Returns one row of a table as a table.
 *
 * @param {Tensor} tensor  [rows, columns]
 * @param {number} row
 */
const onlyRow = (tensor, row) => ({shape: [1, tensor.shape[1]], data: rowOf(tensor, row)});

export const lookingAcross = step({
  model: datesAddress,
  sentences: [date],
  choices: {crossLayer: 1, crossHead: 0, part: 'picture'},
  async compute(tools, input) {
    const {translation, ...chosen} = await crossHead(tools, input);
    const {shape, source, written, place} = chosen;
    const [each, without] = await Promise.all([
      translation.decoder.pull(
        headsOf(shape).map((of) => ({kind: /** @type {const} */ ('crossAttention'), ...of})),
      ),
      withoutHeads(tools, input.sentences[0], 'cross'),
    ]);
    const size = [written.length, source.length];
    const all = new Float32Array(each.length * each[0].length);
    each.forEach((matrix, i) => all.set(matrix, i * matrix.length));
    const weights = {shape: size, data: each[place.layer * shape.heads + place.head]};
    const most = written.map((_, row) => largestAt(rowOf(weights, row)));
    return {
      ...chosen,
      weights,
      without,
      all: {shape: [shape.layers, shape.heads, ...size], data: all},
      most: {shape: [most.length], data: Float32Array.from(most)},
    };
  },
  asked: {kind: 'choice', find: (_, __, {date: found, without}) => outcomeOf(found, without)},
  widget: ({shape, source, written, place, weights, most}, context) => html`
    <div class="controls">${placeControls(context, shape, place, crossNames)}</div>
    <p class="finding sum-of-parts">
      ${context.labels.most}
      ${written.map(
        (token, row) =>
          html`${row ? ' · ' : ''}<span class="part"
              ><bdi>${token}</bdi> → <bdi>${source[most.data[row]]}</bdi></span
            >`,
      )}
    </p>
    ${stepParts(context, {
      picture: {
        label: context.labels.picture,
        content: scope(context, {
          view: 'head',
          filter: 'cross',
          layer: place.layer,
          heads: [place.head],
        }),
      },
      weights: {
        label: context.labels.weights,
        content: weightTable(context.labels.weights, weights, context.labels.axes, written, {
          keys: source,
          digits: 2,
        }),
      },
    })}
  `,
  code: ({all: {shape}, place}) => `
weights = saved("weights")                    # [${shape.join(', ')}]: layers, heads, written, read
print(weights.sum(dim=-1))                    # every row sums to 1, over the text that is read
most = weights[${place.layer}, ${place.head}].argmax(dim=-1)          # where each written token looks most
print(most)`,
  arrays: ({all}) => ({weights: all}),
  results: ({most}) => ({most}),
});

export const stepByStep = step({
  model: datesAddress,
  sentences: [date],
  choices: {...crossChoices, part: 'shapes'},
  async compute(tools, input) {
    const {translation, ...chosen} = await crossHead(tools, input);
    const {source, written, place} = chosen;
    const {query, key, value} = await tensorsOfHead(translation.decoder, place, {
      query: {kind: 'crossQueries', rows: written.length},
      key: {kind: 'crossKeys', rows: source.length},
      value: {kind: 'crossValues', rows: source.length},
    });
    const {scores, weights, output} = await tools.lab.attention({query, key, value});
    return {...chosen, query, key, value, scores, weights, output};
  },
  asked: {
    kind: 'number',
    find: (_, __, {shape, source, written}) =>
      shape.layers * shape.heads * written.length * source.length,
  },
  widget: (data, context) => {
    const {labels} = context;
    const {shape, source, written, place, asking, query, key, value, output} = data;
    const [scores, weights] = [data.scores, data.weights].map((each) =>
      onlyRow(unbatched(each), asking),
    );
    return html`
      <div class="controls">
        ${placeControls(context, shape, place, crossNames)}
        ${tokenChoice(context, 'asking', labels.asking, written, asking)}
      </div>
      ${stepParts(context, {
        shapes: {
          label: labels.ladder,
          content: shapeLadder(labels.ladder, labels.steps(shapesOf(data))),
        },
        vectors: {
          label: 'Q, K, V',
          content: headVectors(
            {query, key, value},
            {axes: labels.writtenAxes, tokens: written},
            {axes: labels.readAxes, tokens: source},
          ),
        },
        weights: {
          label: labels.row,
          content: html`<tensor-block
              label=${labels.scores}
              numbers
              digits="2"
              .tensor=${scores}
              .axes=${labels.axes}
              .rows=${[written[asking]]}
              .columns=${source}
            ></tensor-block>
            ${weightTable(labels.weights, weights, labels.axes, [written[asking]], {
              keys: source,
              digits: 2,
            })}`,
        },
        output: {
          label: labels.output,
          content: vectorBlock(labels.output, output, labels.writtenAxes, written),
        },
      })}
    `;
  },
  code: ({query, key, scores}) => `
q = saved("q")                                # [${query.shape.join(', ')}]: what the decoder has written asks
k, v = saved("k"), saved("v")                 # [${key.shape.join(', ')}]: what the encoder has read answers
scores = q @ k.transpose(-1, -2) / ${key.shape[2]} ** 0.5
weights = scores.softmax(dim=-1)              # [${scores.shape.join(', ')}], over the text that is read; no mask
output = weights @ v                          # [${query.shape.join(', ')}]
print(weights)
print(output)`,
  arrays: ({query, key, value}) => ({q: query, k: key, v: value}),
  results: ({weights, output}) => ({weights, output}),
});

/**
 * Lists the shapes of all heads of a layer together.
 *
 * @param {{shape: {heads: number, headDim: number, hiddenSize: number}, source: string[], written: string[]}} data
 */
function shapesOf({shape: {heads, headDim, hiddenSize}, source, written}) {
  const [rows, columns] = [written.length, source.length];
  return {
    states: [1, rows, hiddenSize],
    memory: [1, columns, hiddenSize],
    query: [1, heads, rows, headDim],
    key: [1, heads, columns, headDim],
    weights: [1, heads, rows, columns],
    output: [1, heads, rows, headDim],
    combined: [1, rows, hiddenSize],
  };
}

/** The number of guesses that are shown. */
const shownGuesses = 4;

/**
 * Lists the heads in which an edge is cut.
 *
 * @param {{layers: number, heads: number}} shape
 * @param {Place} place
 * @param {unknown} where  in this head, in its layer, or everywhere
 * @returns {Place[]}
 */
const cutPlaces = (shape, place, where) =>
  headsOf(shape).filter(
    ({layer, head}) =>
      where === 'all' || (layer === place.layer && (where === 'layer' || head === place.head)),
  );

/**
 * Translates a text while a token may not look at another.
 *
 * @param {Tools} tools
 * @param {string} text
 * @param {Place[]} places
 * @param {{query: number, key: number}} edge
 */
const translateCut = ({model, signal}, text, places, edge) =>
  model.translate(text, {
    signal,
    interventions: {
      edges: places.map((place) => ({
        ...place,
        ...edge,
        weight: 0,
        renormalise: true,
        part: /** @type {const} */ ('cross'),
      })),
    },
  });

export const cutEdge = step({
  model: datesAddress,
  sentences: [date],
  choices: {...crossChoices, to: 'most', where: 'layer'},
  async compute(tools, input) {
    const {translation, ...chosen} = await crossHead(tools, input);
    const {shape, source, place, asking} = chosen;
    const [text] = input.sentences;
    const weightsOf = async (
      /** @type {typeof translation} */ {decoder},
      /** @type {Place} */ of,
    ) => {
      const [data] = await decoder.pull([{kind: 'crossAttention', ...of}]);
      return {shape: [data.length / source.length, source.length], data};
    };
    const most = largestAt(rowOf(await weightsOf(translation, place), asking));
    const to = Number(input.choices.to);
    const key = source[to] === undefined ? most : to;
    const places = cutPlaces(shape, place, input.choices.where);
    const changed = await translateCut(tools, text, places, {query: asking, key});
    // Below the first cut the decoder computes as before, so there the row has its old weights without that one.
    const first = {...place, layer: places[0].layer};
    const [before, after] = await Promise.all([
      weightsOf(translation, first),
      weightsOf(changed, first),
    ]);
    const guessesOf = async (/** @type {typeof translation} */ {decoder}) =>
      (await decoder.predictions(shownGuesses, {places: [asking]}))[0].top;
    const [guesses, left] = await Promise.all([guessesOf(translation), guessesOf(changed)]);
    return {...chosen, first, key, before, after, guesses, left, changed: changed.text};
  },
  asked: {
    kind: 'choice',
    async find(tools, {sentences: [text]}, {written, place, asking, key}) {
      const changed = await translateCut(tools, text, [place], {query: asking, key});
      return changed.tokens[asking] === written[asking] ? 'yes' : 'no';
    },
  },
  widget: (data, context) => {
    const {labels} = context;
    const {shape, source, written, place, asking, key, first} = data;
    const rows = {
      shape: [2, source.length],
      data: Float32Array.from([...rowOf(data.before, asking), ...rowOf(data.after, asking)]),
    };
    return html`
      <div class="controls">
        ${placeControls(context, shape, place, crossNames)}
        ${tokenChoice(context, 'asking', labels.asking, written, asking)}
        ${tokenChoice(context, 'to', labels.to, source, key)}
        ${segments(context, 'where', labels.where, labels.places)}
      </div>
      <p class="finding">
        ${labels.finding(written[asking], source[key], data.date, data.changed)}
      </p>
      ${stepParts(context, {
        guesses: {
          label: labels.guesses,
          content: sideBySide(
            guessBars(labels.before, data.guesses),
            guessBars(labels.after, data.left),
          ),
        },
        weights: {
          label: labels.weights(first),
          content: weightTable(labels.weights(first), rows, labels.axes, labels.rows, {
            keys: source,
            digits: 2,
          }),
        },
      })}
    `;
  },
  code: ({asking, key}) => `
weights = saved("weights")                    # of the first head in which the edge is cut
row = weights[${asking}].clone()
row[${key}] = 0                                    # from written token ${asking} to read token ${key}
row = row / row.sum()                         # the others share what it had
print(row)`,
  arrays: ({before}) => ({weights: before}),
  results: ({after, asking}) => ({row: {shape: [after.shape[1]], data: rowOf(after, asking)}}),
});
