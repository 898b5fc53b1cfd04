import {html} from 'lit';
import {blankGuess} from '../parts/blank-guess.js';
import {guessBars} from '../parts/guess-bars.js';
import {scope} from '../parts/embedded-scope.js';
import {withWord} from '../parts/replaced-word.js';
import {segments, wordField} from '../parts/step-controls.js';
import {onePart} from '../parts/step-parts.js';
import {sideBySide} from '../parts/vector-blocks.js';
import {range} from '../../attention/range.js';
import {blank} from '../example-sentences.js';
import {step} from '../step.js';
import {rowsOfToken} from '../parts/rows-of-token.js';
import {informativeHead} from './informative-head.js';

/** @import {Input, Tools} from '../step.js' */
/** @import {Model} from '../../session/shared-models.js' */

/** How many guesses are shown. */
const shownGuesses = 5;

/**
 * The guesses for the first blank of a text.
 *
 * @param {Tools} tools
 * @param {string} text
 * @param {NonNullable<Parameters<Model['attend']>[1]>['interventions']} [interventions]
 */
async function guessed({model, signal}, text, interventions) {
  const result = await model.attend(text, {signal, interventions});
  const prediction = await blankGuess(model, result, shownGuesses);
  return {result, at: prediction?.index ?? -1, guesses: prediction?.top ?? []};
}

/**
 * The guesses, and the head that they rest on most.
 *
 * @param {Tools} tools
 * @param {Input} input
 */
async function followed(tools, {sentences: [text]}) {
  const {result, at, guesses} = await guessed(tools, text);
  const informative = at < 0 ? null : await informativeHead(tools.model, result, at, tools.signal);
  return {
    text,
    result,
    at,
    guesses,
    informative,
    word: informative ? result.tokens[informative.key] : '',
  };
}

/**
 * The words of a text with their tokens, without the blank and punctuation.
 *
 * @param {Awaited<ReturnType<Model['attend']>>} result
 */
function wordsOf({text, words, offsets}) {
  /** @type {Map<string, number[]>} */
  const tokensOfWords = new Map();
  for (const [token, word] of words.entries()) {
    const places = offsets.filter((place, other) => place && words[other] === word);
    if (word === null || !places.length) continue;
    const written = text.slice(places[0]?.[0], places.at(-1)?.[1]);
    if (/^\p{L}/u.test(written))
      tokensOfWords.set(written, [...(tokensOfWords.get(written) ?? []), token]);
  }
  return tokensOfWords;
}

/**
 * Finds the word without which the first guess loses most. Each is hidden in turn.
 *
 * @param {Tools} tools
 * @param {Input} input
 */
async function neededWord(tools, {sentences: [text]}) {
  const {result, at, guesses} = await guessed(tools, text);
  if (!guesses.length) return null;
  let needed = {word: '', left: Infinity};
  for (const [word, maskedTokens] of wordsOf(result)) {
    const hidden = await tools.model.attend(text, {
      ...{signal: tools.signal, interventions: {maskedTokens}},
    });
    const [left] = await hidden.probabilities(at, [guesses[0].id]);
    if (left < needed.left) needed = {word, left};
  }
  return needed.word ? {found: needed.word, facts: {...needed, first: guesses[0]}} : null;
}

const missing = step({
  sentences: [blank],
  guesses: true,
  async compute(tools, {sentences: [text]}) {
    const {result, guesses} = await guessed(tools, text);
    return {guesses, words: guesses.length ? [...wordsOf(result).keys()] : []};
  },
  widget: ({guesses}, {labels}) =>
    guesses.length
      ? html`<div class="told-later">${guessBars(labels.guesses, guesses)}</div>`
      : html`<p>${labels.noBlank}</p>`,
  asked: {kind: 'choice', options: ({words}) => words, find: neededWord},
});

const looking = step({
  sentences: [blank],
  guesses: true,
  compute: followed,
  asked: {
    kind: 'choice',
    async find({model: {shape}}, _, {result, at, informative}) {
      if (!informative) return null;
      const rows = await rowsOfToken(shape, result, at);
      const alike = rows.filter((row) => row.indexOf(Math.max(...row)) === informative.key).length;
      const share = alike <= rows.length / 4 ? 'few' : 'many';
      return {found: alike === 1 ? 'one' : share, facts: {alike, all: rows.length}};
    },
  },
  widget: ({informative, word, at}, context) =>
    informative
      ? html`<p class="finding">${context.labels.looks(informative, word)}</p>
          ${onePart(
            scope(context, {
              view: 'head',
              layer: informative.layer,
              heads: [informative.head],
              query: at,
            }),
          )}`
      : html`<p>${context.labels.noBlank}</p>`,
});

const without = step({
  sentences: [blank],
  guesses: true,
  choices: {head: 'off'},
  async compute(tools, input) {
    const data = await followed(tools, input);
    const {informative, text} = data;
    if (!informative) return {...data, after: []};
    const {layer, head} = informative;
    const {guesses} = await guessed(tools, text, {heads: [{layer, head, scale: 0}]});
    return {...data, after: guesses};
  },
  asked: {
    kind: 'choice',
    async find(tools, _, {informative, text, guesses: [first]}) {
      if (!informative) return null;
      const heads = range(tools.model.shape.heads).map((head) => ({
        ...{layer: informative.layer, head, scale: 0},
      }));
      const {guesses} = await guessed(tools, text, {heads});
      const isSame = guesses[0].token === first.token;
      return {found: isSame ? 'same' : 'other', facts: {first, now: guesses[0]}};
    },
  },
  widget: ({guesses, after, informative}, context) => {
    const {labels} = context;
    if (!informative) return html`<p>${labels.noBlank}</p>`;
    return html`
      <div class="controls">
        ${segments(context, 'head', labels.head(informative), labels.states)}
      </div>
      ${
        context.choices.head === 'on'
          ? html`<p class="finding">${labels.withHead(guesses[0])}</p>
              ${guessBars(labels.before, guesses)}`
          : html`<p class="finding">${labels.finding(guesses[0], after)}</p>
              ${sideBySide(guessBars(labels.before, guesses), guessBars(labels.after, after))}`
      }
    `;
  },
});

/**
 * Another word for a place of a text: of the sentence that the lesson begins with “boy”, of the reader's own the word
 * that the model finds likeliest there.
 *
 * @param {Tools} tools
 * @param {Awaited<ReturnType<Model['attend']>>} result
 * @param {number} place
 */
async function otherWord({model, signal}, result, place) {
  const usual = 'boy';
  if (result.text === blank || model.maskToken === null) return usual;
  const hidden = await model.attend(withWord(result, place, model.maskToken), {signal});
  if (hidden.tokens[place] !== model.maskToken) return usual;
  const [{top}] = await hidden.predictions(shownGuesses, {places: [place]});
  const other = top.find(({token}) => /^\p{L}+$/u.test(token) && token !== result.tokens[place]);
  return other?.token ?? usual;
}

const swapped = step({
  sentences: [blank],
  guesses: true,
  choices: {other: ''},
  async compute(tools, input) {
    const data = await followed(tools, input);
    const {text, result, informative} = data;
    const usual = informative ? await otherWord(tools, result, informative.key) : '';
    const other = String(input.choices.other).trim() || usual;
    const changed = informative ? withWord(result, informative.key, other) : text;
    const {guesses} = await guessed(tools, changed);
    return {...data, changed, usual, after: guesses};
  },
  widget: ({guesses, after, changed, informative, word, usual}, context) => {
    const {labels} = context;
    if (!informative) return html`<p>${labels.noBlank}</p>`;
    return html`
      <div class="controls">${wordField(context, 'other', labels.other(word), {usual})}</div>
      <p class="finding"><bdi>${changed}</bdi></p>
      ${sideBySide(guessBars(labels.before(word), guesses), guessBars(labels.after, after))}
    `;
  },
});

export const steps = {missing, looking, without, swapped};
