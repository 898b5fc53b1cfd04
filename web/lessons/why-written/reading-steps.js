/** The first steps of the lesson: a date is written, where heads look meanwhile, and what the token takes. */

import {html, nothing} from 'lit';
import {largestAt} from '../../attention/head-arithmetic.js';
import {range} from '../../attention/range.js';
import {datesAddress} from '../../session/source-address.js';
import {formatGuess, formatPercent} from '../../views/parts/number-format.js';
import {
  crossNames,
  decoderShapeOf,
  headsOf,
  placeControls,
  placeOf,
} from '../encoder-and-decoder/dates-model.js';
import {weekday} from '../example-sentences.js';
import {scope} from '../parts/embedded-scope.js';
import {bars, guessBars} from '../parts/guess-bars.js';
import {idTable} from '../parts/id-table.js';
import {tokenChoice} from '../parts/step-controls.js';
import {onePart, stepParts} from '../parts/step-parts.js';
import {sideBySide, weightTable} from '../parts/vector-blocks.js';
import {rowOf} from '../parts/vectors.js';
import {step} from '../step.js';
import {explanationsOf} from './written-tokens.js';

/** @import {Translation} from '../encoder-and-decoder/dates-model.js' */
/** @import {Tools, Input} from '../step.js' */

const shownGuesses = 4;

/** A text without any date. */
const dateless = 'hello';

export const oneByOne = step({
  model: datesAddress,
  sentences: [weekday],
  choices: {count: 0},
  async compute({model, signal}, {sentences: [text], choices}) {
    const {tokens, ids, decoder} = await model.translate(text, {signal});
    const guesses = (await decoder.predictions(shownGuesses)).map(({top}) => top);
    return {tokens, ids, guesses, count: Math.min(Number(choices.count), tokens.length)};
  },
  asked: {
    kind: 'word',
    find: async ({model, signal}) => (await model.translate(dateless, {signal})).text,
  },
  widget({tokens, ids, guesses, count}, {labels, choose}) {
    const [written, top] = [tokens.slice(0, count), guesses[count]];
    return html`
      <div class="controls">
        <button type="button" @click=${() => choose({count: top ? count + 1 : 0})}>
          ${top ? labels.write : labels.again}
        </button>
      </div>
      <p class="finding" aria-live="polite">
        ${top ? labels.next(written.join(''), top[0].token, formatGuess(top[0].probability)) : labels.ended(written.join(''))}
      </p>
      ${onePart(html`
        ${top ? guessBars(labels.guesses, top) : nothing}
        ${count ? idTable(written, ids, labels.written(count)) : nothing}
      `)}
    `;
  },
});

/**
 * Translates the text, and reads where each head of cross attention looks while each token is written.
 *
 * @param {Tools} tools
 * @param {Input} input
 */
async function readHeads({model, signal}, {sentences: [text], choices}) {
  const shape = decoderShapeOf(model);
  const translation = await model.translate(text, {signal});
  const {encoder, tokens: written} = translation;
  const heads = headsOf(shape);
  const size = [written.length, encoder.tokens.length];
  const matrices = await translation.decoder.pull(
    heads.map((place) => ({kind: /** @type {const} */ ('crossAttention'), ...place})),
  );
  return {
    ...{translation, shape, heads, written, source: encoder.tokens},
    looks: matrices.map((data) => ({shape: size, data})),
    place: placeOf(shape, choices, crossNames),
    asking: Math.min(Number(choices.asking), written.length - 1),
  };
}

/** The token that each head looks at most. @param {Awaited<ReturnType<typeof readHeads>>['looks']} looks @param {number} row */
const lookedAt = (looks, row) => looks.map((weights) => largestAt(rowOf(weights, row)));

/** The head and the written token that the steps about heads begin with. */
const headChoices = {crossLayer: 0, crossHead: 0, asking: 0};

export const eightHeads = step({
  model: datesAddress,
  sentences: [weekday],
  choices: {...headChoices, part: 'weights'},
  async compute(tools, input) {
    const {translation, ...read} = await readHeads(tools, input);
    const {looks, asking, source, heads} = read;
    const rows = looks.flatMap((weights) => [...rowOf(weights, asking)]);
    const agreed = read.written.filter((_, row) => new Set(lookedAt(looks, row)).size === 1);
    return {
      ...read,
      agreed,
      all: {shape: [heads.length, source.length], data: Float32Array.from(rows)},
    };
  },
  asked: {
    kind: 'choice',
    find(_, __, {agreed, written}) {
      const found = !agreed.length ? 'never' : 2 * agreed.length < written.length ? 'few' : 'many';
      return {found, facts: {agreed, all: written.length}};
    },
  },
  widget({shape, heads, source, written, place, asking, all}, context) {
    const {labels} = context;
    return html`
      <div class="controls">${tokenChoice(context, 'asking', labels.asking, written, asking)}</div>
      ${stepParts(context, {
        weights: {
          label: labels.weights,
          content: weightTable(
            labels.table(written[asking]),
            all,
            labels.axes,
            heads.map(({layer, head}) => `${layer}.${head}`),
            {keys: source, digits: 2},
          ),
        },
        picture: {
          label: labels.picture,
          content: html`<div class="controls">
              ${placeControls(context, shape, place, crossNames)}
            </div>
            ${scope(context, {
              ...{view: 'head', filter: 'cross', layer: place.layer, heads: [place.head]},
              query: asking,
            })}`,
        },
      })}
    `;
  },
});

export const taken = step({
  model: datesAddress,
  sentences: [weekday],
  choices: headChoices,
  async compute(tools, input) {
    const {translation, ...read} = await readHeads(tools, input);
    const explanations = await explanationsOf(translation, tools.signal);
    const {looks, written, heads, place, asking, shape} = read;
    const most = explanations.map(({source}) => largestAt(source.contributions));
    const agreeing = range(written.length)
      .map((row) => lookedAt(looks, row).filter((key) => key === most[row]).length)
      .reduce((sum, count) => sum + count, 0);
    const row = rowOf(looks[place.layer * shape.heads + place.head], asking);
    return {
      ...read,
      ...{row, key: largestAt(row), most: most[asking]},
      explanation: explanations[asking],
      agreement: {agreeing, all: written.length * heads.length},
    };
  },
  asked: {
    kind: 'choice',
    find(_, __, {agreement}) {
      const share = agreement.agreeing / agreement.all;
      return {found: share < 0.5 ? 'less' : share <= 0.75 ? 'some' : 'most', facts: agreement};
    },
  },
  widget({shape, source, written, place, asking, row, key, most, explanation}, context) {
    const {labels} = context;
    const {contributions} = explanation.source;
    const named = (/** @type {ArrayLike<number>} */ shares) =>
      source.map((name, at) => ({name, number: formatPercent(shares[at]), share: shares[at]}));
    const {share} = explanation.prefix;
    return html`
      <div class="controls">
        ${tokenChoice(context, 'asking', labels.asking, written, asking)}
        ${placeControls(context, shape, place, crossNames)}
      </div>
      <p class="finding">
        ${labels.finding({
          looks: [source[key], formatPercent(row[key]), formatPercent(contributions[key])],
          takes: [source[most], formatPercent(contributions[most])],
        })}
      </p>
      ${onePart(
        sideBySide(
          bars(labels.looks(place), named(row)),
          bars(labels.takes(written[asking]), [
            ...named(contributions),
            {name: labels.before, number: formatPercent(share), share},
          ]),
        ),
      )}
    `;
  },
});
