/** What the steps of the lesson measure: what each written token takes from, and which token of the text it needs. */

import {range} from '../../attention/range.js';

/** @import {Translation} from '../encoder-and-decoder/dates-model.js' */
/** @import {Tools} from '../step.js' */

/** @typedef {Awaited<ReturnType<Translation['explain']>>} Explanation */

/** A word that no date has. The model reads it as `<unk>`, which it knows from training. */
const unknown = 'hello';

/** Whether a written token fills a place of the date, rather than being a hyphen or the end. @param {string} token */
export const isDigit = (token) => /^[\dX]$/.test(token);

/**
 * Explains every written token.
 *
 * @param {Translation} translation
 * @param {AbortSignal} signal
 */
export async function explanationsOf(translation, signal) {
  /** @type {Explanation[]} */
  const explanations = [];
  for (const token of translation.tokens.keys())
    explanations.push(await translation.explain({token, signal}));
  return explanations;
}

/**
 * Lets the model read a text with one token hidden, and the same written before each place.
 *
 * @param {Tools} tools
 * @param {Translation} translation  of the whole text
 * @param {number} at  the token of the text
 * @returns {Promise<Translation | null>}  null for a special token, and where other tokens would change too
 */
async function withoutToken({model, signal}, translation, at) {
  const {text, offsets, ids, specialTokens} = translation.encoder;
  const place = offsets[at];
  if (specialTokens[at] || !place) return null;
  const hidden = `${text.slice(0, place[0])} ${unknown} ${text.slice(place[1])}`;
  const changed = await model.translate(hidden, {written: [...translation.ids], signal});
  const others = changed.encoder.ids;
  const isClean =
    others.length === ids.length && others.every((id, i) => i === at || id === ids[i]);
  return isClean ? changed : null;
}

/**
 * Hides each token of the text, one at a time.
 *
 * @param {Tools} tools
 * @param {Translation} translation
 */
export async function withoutEach(tools, translation) {
  /** @type {(Translation | null)[]} */
  const changed = [];
  for (const at of translation.encoder.tokens.keys())
    changed.push(await withoutToken(tools, translation, at));
  return changed;
}

/**
 * Finds the tokens of the text from which a written token takes most and least, among those that can be hidden.
 *
 * @param {Explanation} explanation
 * @param {readonly (Translation | null)[]} without
 * @returns {{most: number, least: number} | null}  null if none can be hidden
 */
export function namedTokens({source: {contributions}}, without) {
  const hideable = range(without.length)
    .filter((at) => without[at])
    .sort((a, b) => contributions[b] - contributions[a]);
  return hideable.length ? {most: hideable[0], least: hideable[hideable.length - 1]} : null;
}

/**
 * The likeliest token in each place of what is written.
 *
 * @param {Translation} translation
 */
export const likeliest = async ({decoder}) =>
  (await decoder.predictions(1)).map(({top: [{token}]}) => token);

/** The places of each part of a date such as `1985-12-20`, with the token that ends it. */
const parts = {
  year: [0, 1, 2, 3],
  month: [5, 6],
  day: [8, 9],
  hyphens: [4, 7],
  end: [10],
};

/** @typedef {keyof typeof parts} DatePart */

/**
 * The mean share that the tokens of each part of a date take from what was written before them.
 *
 * @param {Tools} tools
 * @param {readonly string[]} texts  that the model writes whole dates for
 */
export async function sharesOfParts({model, signal}, texts) {
  const sums = {year: 0, month: 0, day: 0, hyphens: 0, end: 0};
  for (const text of texts) {
    const explanations = await explanationsOf(await model.translate(text, {signal}), signal);
    for (const part of /** @type {DatePart[]} */ (Object.keys(parts)))
      for (const place of parts[part])
        sums[part] += explanations[place].prefix.share / parts[part].length;
  }
  const means = Object.entries(sums).map(([part, sum]) => [part, sum / texts.length]);
  return /** @type {Record<DatePart, number>} */ (Object.fromEntries(means));
}
