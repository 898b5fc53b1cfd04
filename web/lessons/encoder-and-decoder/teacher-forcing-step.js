import {html, nothing} from 'lit';
import {datesAddress} from '../../session/source-address.js';
import {formatNumber, formatProbability} from '../../views/parts/number-format.js';
import {date} from '../example-sentences.js';
import {wordField} from '../parts/step-controls.js';
import {onePart} from '../parts/step-parts.js';
import {rowOf} from '../parts/vectors.js';
import {step} from '../step.js';
import {probabilitiesOf} from './dates-model.js';

/** @import {Tools} from '../step.js' */

/** The most characters that the field takes. */
const longestDate = 10;
/** A beginning has at most as many tokens. */
const mostGiven = 24;

/**
 * Returns the ids of a text as the decoder writes it.
 *
 * @param {Tools['model']} model
 * @param {string} text
 */
async function idsOf(model, text) {
  if (!text.trim()) return [];
  const {ids} = await model.tokenize([text], {specialTokens: false});
  return [...ids.data].slice(0, mostGiven);
}

export const teacherForcing = step({
  model: datesAddress,
  sentences: [date],
  choices: {given: '1999'},
  async compute({model, signal}, {sentences: [text], choices}) {
    const given = await idsOf(model, String(choices.given));
    const [own, forced] = [
      await model.translate(text, {signal}),
      await model.translate(text, {written: given, signal}),
    ];
    const probabilities = await probabilitiesOf(model, forced);
    const predictions = await forced.decoder.predictions(1);
    const rows = forced.tokens.map((next, place) => {
      const {token} = predictions[place].top[0];
      const probability = rowOf(probabilities, place)[forced.ids[place]];
      const isGiven = place < given.length;
      return {reads: forced.decoder.tokens[place], expects: token, next, probability, isGiven};
    });
    const losses = Float32Array.from(rows, ({probability}) => -Math.log(probability));
    const [start] = forced.decoder.ids;
    return {own: own.text, text: forced.text, start, ids: forced.ids, probabilities, rows, losses};
  },
  asked: {
    kind: 'choice',
    async find({model, signal}, {sentences: [text]}, {own}) {
      const [, year, first] = own.match(/^(\d{4}-)([01])/) ?? [];
      if (!first) return null;
      const written = await idsOf(model, `${year}${first === '0' ? '1' : '0'}`);
      const {text: found} = await model.translate(text, {written, signal});
      const [month, right] = [found, own].map((each) => each.slice(5, 7));
      if (month === right) return 'right';
      return Number(month) >= 1 && Number(month) <= 12 ? 'other' : 'none';
    },
  },
  widget: ({own, text, rows, losses}, context) => {
    const {labels} = context;
    const given = losses.subarray(0, rows.filter(({isGiven}) => isGiven).length);
    return html`
      <div class="controls">${wordField(context, 'given', labels.given, {size: longestDate})}</div>
      <p class="finding">
        ${labels.finding(own, text)}
        ${given.length ? labels.loss(formatNumber(meanOf(given), 2)) : nothing}
      </p>
      ${onePart(
        html`<table class="facts">
          <caption class="visually-hidden">
            ${labels.caption}
          </caption>
          <thead>
            <tr>
              ${labels.columns.map((/** @type {string} */ name) => html`<th scope="col">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ({reads, expects, next, probability, isGiven}, place) =>
                html`<tr class=${isGiven ? 'given' : ''}>
                  <th scope="row"><bdi>${reads}</bdi></th>
                  <td><bdi>${expects}</bdi></td>
                  <td>
                    <bdi>${next}</bdi>
                    ${isGiven ? html`<span class="visually-hidden">${labels.isGiven}</span>` : nothing}
                  </td>
                  <td class="number">${formatProbability(probability)}</td>
                  <td class="number">${formatNumber(losses[place], 2)}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
      )}
    `;
  },
  code: ({start, ids, probabilities: {shape}}) => `
probabilities = saved("probabilities")[0]     # [${shape.slice(1).join(', ')}]: what each place expects next
target = torch.tensor([${ids.join(', ')}])
reads = [${start}] + target[:-1].tolist()            # shifted by one place: it begins with <s>
losses = -probabilities[torch.arange(${ids.length}), target].log()
print(reads)
print(losses)                                 # training makes their mean small`,
  arrays: ({probabilities}) => ({probabilities}),
  results: ({losses}) => ({losses: {shape: [losses.length], data: losses}}),
});

/** @param {Float32Array} numbers */
const meanOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
