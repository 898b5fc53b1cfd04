import {spellingOfModel} from '../attention/byte-level-tokens.js';
import {fit, isUntouched} from '../attention/interventions.js';
import {maskedAt} from './masked-words.js';

/** @import {Interventions} from '../attention/interventions.js' */
/** @import {Model} from '../scope/shared-models.js' */
/** @import {Result} from '../scope/pass.js' */

/**
 * A guess says what the model expects in place of a word of the text.
 *
 * @typedef {object} Guess
 * @property {string} token  the word that is masked, or the text before the next token
 * @property {{token: string, probability: number, changed: number | null}[]} top  the likeliest words and their
 *   probabilities, also in the changed model; null if nothing is changed
 */

/** The number of tokens that a title shows before a place; most: if no word begins there. */
const told = {least: 4, most: 12};

/**
 * Returns the last words of a text up to a token, without the special token that a decoder begins with.
 *
 * @param {readonly string[]} tokens  as a reader sees them
 * @param {number} index
 * @param {readonly boolean[]} special  which tokens are not part of the text
 */
export function textUpTo(tokens, index, special) {
  const first = special[0] && index > 0 ? 1 : 0;
  const earliest = Math.max(first, index - told.most);
  let begin = Math.max(first, index - told.least);
  while (begin > earliest && !tokens[begin].startsWith('▁')) begin--;
  const text = tokens
    .slice(begin, index + 1)
    .join('')
    .replaceAll('▁', ' ')
    .trim();
  return begin > first ? `… ${text}` : text;
}

/** The number of words in the list. */
const offered = 5;

/** Whether a model guesses words: one that is hidden, or the next one. @param {Model} model */
export const canGuess = ({predictionHeads: {maskedLm, nextToken}}) => maskedLm || nextToken;

/**
 * Finds the token whose word is guessed where the reader has chosen none: a mask, or the last token of a model that
 * predicts the next one.
 *
 * @param {Model} model
 * @param {Result} result
 * @returns {number}  -1: there is none
 */
export function usualPlace({predictionHeads, maskToken}, {tokens}) {
  return predictionHeads.nextToken ? tokens.length - 1 : tokens.indexOf(maskToken ?? '');
}

/**
 * Runs the text with a masked word through the model, and through the changed model.
 *
 * @param {Model} model
 * @param {Result} result
 * @param {number} pinned
 * @param {Interventions} interventions
 * @param {AbortSignal} signal
 * @returns {Promise<Guess | null>}  null for a token that is not a word of the text
 */
export async function guessOf(model, result, pinned, interventions, signal) {
  if (model.predictionHeads.nextToken) {
    const {text, pair} = result;
    const run = (/** @type {object} */ options) =>
      model.attend(text, {pair: pair || undefined, signal, ...options});
    const before = textUpTo(
      result.tokens.map(spellingOfModel(model)),
      pinned,
      result.specialTokens,
    );
    return compare(model, before, pinned, interventions, run);
  }
  const {sentences, words: places} = result;
  const index = places.findIndex((word, at) => word === places[pinned] && sentences[at] === sentences[pinned]); // prettier-ignore
  const masked = maskedAt(result, index, model.maskToken ?? '');
  if (!masked) return null;
  const run = (/** @type {object} */ options) =>
    model.attend(masked.text, {pair: masked.pair, signal, ...options});
  return compare(model, result.tokens[index], index, interventions, run);
}

/**
 * @param {Model} model
 * @param {string} token
 * @param {number} index
 * @param {Interventions} interventions
 * @param {(options: object) => Promise<Result>} run
 * @returns {Promise<Guess | null>}
 */
async function compare(model, token, index, interventions, run) {
  const before = await run({});
  const [found] = await before.predictions(offered, {places: [index]});
  if (!found) return null;
  const ids = found.top.map(({id}) => id);
  const changed = isUntouched(interventions)
    ? null
    : await (await run({interventions: fit(interventions, model)})).probabilities(index, ids);
  return {
    token,
    top: found.top.map(({token: word, probability}, at) => ({
      ...{token: word, probability},
      changed: changed && changed[at],
    })),
  };
}
