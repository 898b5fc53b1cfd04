import {spellingOfModel} from '../attention/byte-level-tokens.js';
import {toInterventions, isUntouched} from '../attention/reader-changes.js';
import {maskedAt} from './masked-words.js';

/** @import {ReaderChanges} from '../attention/reader-changes.js' */
/** @import {Model} from '../session/shared-models.js' */
/** @import {Result} from '../session/pass.js' */
/** @import {Candidate} from './guess-lists.js' */

/**
 * A guess says what the model expects in place of a word of the text.
 *
 * @typedef {object} Guess
 * @property {string} token  the word that is masked, or the text before the next token
 * @property {{token: string, probability: number, changed: number | null}[]} top  the likeliest words and their
 *   probabilities, also in the changed model; null if nothing is changed
 * @property {{before: string, now: string | null} | null} written  what an encoder-decoder writes, also in the changed
 *   model; null for other models
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
 * What the unchanged model says of a place.
 *
 * @typedef {object} Answer
 * @property {string} token
 * @property {string} [written]  what an encoder-decoder writes
 * @property {Candidate[]} top
 * @property {(options: object) => Promise<Changed>} ask  asks a changed model the same
 *
 * @typedef {{probabilities: Float32Array, written?: string}} Changed  what a changed model says
 *
 * @typedef {object} Question
 * @property {string} place  names the model, the text and the token
 * @property {(signal: AbortSignal) => Promise<Answer | null>} ask  asks the unchanged model; null: there is no word
 */

/**
 * Asks a model for guesses. It keeps what it has heard of one place, so that a change of the model costs one pass, and
 * taking it back none.
 */
export class Guesser {
  #place = '';
  /** @type {Answer | null} */
  #answer = null;
  /** What changed models say, by their changes. @type {Map<string, Changed>} */
  #changed = new Map();

  /**
   * @param {Question} question
   * @param {Model} model
   * @param {ReaderChanges} interventions
   * @param {AbortSignal} signal
   * @returns {Promise<Guess | null>}  null for a token that is not a word of the text
   */
  async guess({place, ask}, model, interventions, signal) {
    if (place !== this.#place) {
      const answer = await ask(signal);
      signal.throwIfAborted();
      this.#place = place;
      this.#answer = answer;
      this.#changed.clear();
    }
    const answer = this.#answer;
    if (!answer) return null;
    const changed = await this.#ask(answer, model, interventions, signal);
    return {
      token: answer.token,
      written:
        answer.written === undefined
          ? null
          : {before: answer.written, now: changed?.written ?? null},
      top: answer.top.map(({token, probability}, at) => ({
        ...{token, probability},
        changed: changed && changed.probabilities[at],
      })),
    };
  }

  /**
   * @param {Answer} answer
   * @param {Model} model
   * @param {ReaderChanges} interventions
   * @param {AbortSignal} signal
   * @returns {Promise<Changed | null>}
   */
  async #ask(answer, model, interventions, signal) {
    if (isUntouched(interventions)) return null;
    const name = JSON.stringify(interventions);
    const known = this.#changed.get(name);
    if (known) return known;
    const changed = await answer.ask({
      interventions: toInterventions(interventions, model),
      signal,
    });
    signal.throwIfAborted();
    this.#changed.set(name, changed);
    return changed;
  }
}

/**
 * Asks for the word that is hidden, which is masked in the text, or for what follows a token.
 *
 * @param {Model} model
 * @param {Result} result
 * @param {Result | null} plain  the pass of the text through the unchanged model, where there is one
 * @param {number} pinned
 * @returns {Question}
 */
export function questionOf(model, result, plain, pinned) {
  const {nextToken} = model.predictionHeads;
  const {text, pair, ids, tokens, sentences, words, specialTokens, givenIds} = result;
  const first = words.findIndex((word, at) => word === words[pinned] && sentences[at] === sentences[pinned]); // prettier-ignore
  const index = nextToken ? pinned : first;
  const place = JSON.stringify([model.source, ids, sentences, index]);
  const ask = async (/** @type {AbortSignal} */ signal) => {
    const asked = nextToken
      ? {text, pair: pair || undefined}
      : maskedAt(result, index, model.maskToken ?? '');
    if (!asked) return null;
    const isSame = asked.text === text && (asked.pair ?? '') === pair;
    const how = {
      pair: asked.pair,
      ids: isSame ? givenIds : undefined,
      specialTokens: words.includes(null),
    };
    const run = (/** @type {object} */ options) => model.attend(asked.text, {...how, ...options});
    const before = (isSame && plain) || (await run({signal}));
    const [found] = await before.predictions(offered, {places: [index]});
    if (!found) return null;
    const token = nextToken
      ? textUpTo(tokens.map(spellingOfModel(model)), index, specialTokens)
      : tokens[index];
    const wanted = found.top.map(({id}) => id);
    const askChanged = async (/** @type {object} */ options) => ({
      probabilities: await (await run(options)).probabilities(index, wanted),
    });
    return {token, top: found.top, ask: askChanged};
  };
  return {place, ask};
}

/**
 * Finds the last word of a text. A mark at its end is no question: what else could stand there?
 *
 * @param {Model} model
 * @param {Pick<Result, 'tokens' | 'specialTokens'>} result
 * @returns {number}  without a word the last token; -1: there is none
 */
export function lastWord(model, {tokens, specialTokens}) {
  const spell = spellingOfModel(model);
  const word = tokens.findLastIndex(
    (token, at) => !specialTokens[at] && /[\p{L}\p{N}]/u.test(spell(token)),
  );
  return word < 0 ? specialTokens.lastIndexOf(false) : word;
}
