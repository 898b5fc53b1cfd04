/** The last steps of the lesson: the text or what was written, and whether an explanation holds if a token is hidden. */

import {html} from 'lit';
import {range} from '../../attention/range.js';
import {formatRoute} from '../../routes/routes.js';
import {datesAddress} from '../../session/source-address.js';
import {formatPercent} from '../../views/parts/number-format.js';
import {weekday} from '../example-sentences.js';
import {bars, guessBars} from '../parts/guess-bars.js';
import {tokenChoice} from '../parts/step-controls.js';
import {onePart} from '../parts/step-parts.js';
import {sideBySide} from '../parts/vector-blocks.js';
import {step} from '../step.js';
import {
  explanationsOf,
  isDigit,
  likeliest,
  namedTokens,
  sharesOfParts,
  withoutEach,
} from './written-tokens.js';

/** @import {Translation} from '../encoder-and-decoder/dates-model.js' */
/** @import {Tools} from '../step.js' */
/** @import {Miss} from '../../strings/en/lessons/why-written.js' */
/** @import {DatePart} from './written-tokens.js' */

/** Dates in other forms, over which the shares of each part are averaged. */
export const otherDates = [
  '3 May 1955',
  'Christmas Eve of 1984',
  'December 5, 1999',
  '4 July 1776',
  'the first of January 1900',
  '25 Dec 1066',
  '17 November 2026',
  'twenty-third of March 2021',
];

/** Lists named shares as rows of bars. @param {readonly string[]} names @param {ArrayLike<number>} shares */
const shareRows = (names, shares) =>
  names.map((name, at) => ({name, number: formatPercent(shares[at]), share: shares[at]}));

export const textOrWritten = step({
  model: datesAddress,
  sentences: [weekday],
  choices: {asking: 0},
  async compute({model, signal}, {sentences: [text], choices}) {
    const translation = await model.translate(text, {signal});
    const {tokens: written} = translation;
    const asking = Math.min(Number(choices.asking), written.length - 1);
    return {written, asking, explanations: await explanationsOf(translation, signal)};
  },
  asked: {
    kind: 'choice',
    async find(tools) {
      const shares = await sharesOfParts(tools, otherDates);
      const order = /** @type {DatePart[]} */ (Object.keys(shares));
      order.sort((a, b) => shares[b] - shares[a]);
      const facts = {
        order: order.map((part) => [part, formatPercent(shares[part])]),
        dates: otherDates.length,
      };
      return {found: order[0], facts};
    },
  },
  widget({written, asking, explanations}, context) {
    const {labels} = context;
    const {source, prefix} = explanations[asking];
    const shares = explanations.map((each) => each.source.share);
    return html`
      <div class="controls">${tokenChoice(context, 'asking', labels.asking, written, asking)}</div>
      <p class="finding">
        ${labels.finding(written[asking], formatPercent(source.share), formatPercent(prefix.share))}
      </p>
      ${onePart(
        sideBySide(
          bars(labels.fromText, shareRows(written, shares)),
          bars(labels.fromWritten(written[asking]), shareRows(prefix.tokens, prefix.contributions)),
        ),
      )}
    `;
  },
});

/**
 * Explains every written token, and hides each token of the text.
 *
 * @param {Tools} tools
 * @param {string} text
 */
async function tested(tools, text) {
  const translation = await tools.model.translate(text, {signal: tools.signal});
  const explanations = await explanationsOf(translation, tools.signal);
  const without = await withoutEach(tools, translation);
  return {
    ...{translation, explanations, without},
    written: translation.tokens,
    source: translation.encoder.tokens,
    // What is written in each place with each token of the text hidden.
    instead: await Promise.all(without.map(async (changed) => changed && likeliest(changed))),
  };
}

/** @typedef {Awaited<ReturnType<typeof tested>>} Tested */

/**
 * Counts the digits that change without the token that ALTI+ names most, and without the one that it names least.
 *
 * @param {Tested} test
 */
function countChanges({written, source, explanations, without, instead}) {
  const changes = (/** @type {number} */ at, /** @type {number} */ place) =>
    instead[at] !== null && instead[at][place] !== written[place];
  const counts = {digits: 0, most: 0, least: 0, others: 0};
  /** The digits that stay without what is named most. @type {Miss[]} */
  const misses = [];
  for (const [place, token] of written.entries()) {
    const named = namedTokens(explanations[place], without);
    if (!named) continue;
    const needed = range(source.length).filter((at) => changes(at, place));
    if (!isDigit(token)) {
      if (needed.length) counts.others++;
      continue;
    }
    counts.digits++;
    if (changes(named.least, place)) counts.least++;
    if (changes(named.most, place)) counts.most++;
    else
      misses.push({
        token,
        after: written.slice(0, place).join(''),
        named: source[named.most],
        needed: needed.map((at) => source[at]),
      });
  }
  return {...counts, misses};
}

const shownGuesses = 3;

/** The guesses for a place of what is written. @param {Translation} translation @param {number} place */
const guessesOf = async ({decoder}, place) =>
  (await decoder.predictions(shownGuesses, {places: [place]}))[0].top;

export const hidden = step({
  model: datesAddress,
  sentences: [weekday],
  choices: {asking: 0},
  async compute(tools, {sentences: [text], choices}) {
    const test = await tested(tools, text);
    const {translation, explanations, without, written, source} = test;
    const asking = Math.min(Number(choices.asking), written.length - 1);
    const {contributions} = explanations[asking].source;
    const named = namedTokens(explanations[asking], without);
    /** @param {number} at */
    const hide = async (at) => ({
      word: source[at],
      share: contributions[at],
      guesses: await guessesOf(/** @type {Translation} */ (without[at]), asking),
    });
    return {
      ...{written, asking, counts: countChanges(test)},
      guesses: await guessesOf(translation, asking),
      named: named && {most: await hide(named.most), least: await hide(named.least)},
    };
  },
  asked: {
    kind: 'number',
    find: (_, __, {counts}) => (counts.digits ? {found: counts.most, facts: counts} : null),
  },
  widget({written, asking, guesses, named}, context) {
    const {labels} = context;
    const controls = html`<div class="controls">
      ${tokenChoice(context, 'asking', labels.asking, written, asking)}
    </div>`;
    if (!named) return html`${controls}${labels.none}`;
    const {most, least} = named;
    const said = (/** @type {typeof most} */ {word, share, guesses: [{token}]}) =>
      /** @type {const} */ ([word, formatPercent(share), token]);
    return html`${controls}
      <p class="finding">${labels.finding(written[asking], said(most), said(least))}</p>
      ${onePart(
        html`<div class="three">
          <div>${guessBars(labels.whole, guesses)}</div>
          <div>${guessBars(labels.without(most.word), most.guesses)}</div>
          <div>${guessBars(labels.without(least.word), least.guesses)}</div>
        </div>`,
      )}`;
  },
});

/**
 * How much of the probability of a written token is lost if each token of the text is hidden.
 *
 * @param {Tested} test
 * @param {number} place  of the written token
 */
async function lossesOf({translation, without}, place) {
  const id = translation.ids[place];
  const probability = async (/** @type {Translation} */ {decoder}) =>
    (await decoder.probabilities(place, [id]))[0];
  const whole = await probability(translation);
  return Promise.all(
    without.map(async (changed) => (changed ? whole - (await probability(changed)) : NaN)),
  );
}

export const ownDate = step({
  model: datesAddress,
  sentences: [weekday],
  choices: {doubted: 8},
  async compute(tools, {sentences: [text], choices}) {
    const test = await tested(tools, text);
    const {written, source, explanations} = test;
    const place = Math.min(Number(choices.doubted), written.length - 1);
    return {
      ...{text, written, source, place},
      shares: explanations[place].source.contributions,
      losses: await lossesOf(test, place),
    };
  },
  widget({text, written, source, place, shares, losses}, context) {
    const {labels} = context;
    // A token that cannot be hidden is not compared; a token that is likelier without it loses nothing.
    const compared = range(source.length).filter((at) => !Number.isNaN(losses[at]));
    const names = compared.map((at) => source[at]);
    const lost = compared.map((at) => Math.max(0, losses[at]));
    const fields = new URLSearchParams({text, model: datesAddress, workbench: 'why'});
    const docs = {section: /** @type {const} */ ('docs'), fields: new URLSearchParams()};
    return html`
      <div class="controls">${tokenChoice(context, 'doubted', labels.asking, written, place)}</div>
      ${onePart(
        sideBySide(
          bars(
            labels.shares(written[place]),
            shareRows(
              names,
              compared.map((at) => shares[at]),
            ),
          ),
          bars(labels.losses(written[place]), shareRows(names, lost)),
        ),
      )}
      <p class="explore">
        <a href=${`#${fields}`}>${labels.words}</a> ·
        <a href=${formatRoute({...docs, path: ['reading-attention']})}>${labels.docs}</a>
      </p>
    `;
  },
});
