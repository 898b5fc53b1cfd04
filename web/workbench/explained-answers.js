import {namingOfModel} from '../attention/byte-level-tokens.js';
import {explanationStrings as words} from '../strings/explanation.js';
import {formatProbability} from '../views/parts/number-format.js';
import {keptExplanation} from './kept-explanations.js';

/** @import {Model} from '../session/shared-models.js' */
/** @import {Result, Translation} from '../session/pass.js' */

/**
 * An answer that can be explained.
 *
 * @typedef {object} Choice
 * @property {string} name  what an address calls it: a token or a class; empty for the likeliest
 * @property {string} label  what the reader reads
 * @property {number} [id]  of a token, in the vocabulary
 * @property {string} [word]  that token
 *
 * @typedef {object} Answers
 * @property {Result} result
 * @property {'class' | 'vector' | 'word'} kind
 * @property {number} token  the token in whose place a word is guessed, or that has the class
 * @property {boolean} [isOfToken]  whether the class is that token's, and not the text's
 * @property {string} hidden  the token that is hidden for the guess; empty if the text hides it itself
 * @property {string} likeliest  the name of the likeliest class; empty for other kinds
 * @property {Choice[]} choices  the likeliest first
 */

/** The number of guesses to choose from. */
const offered = 5;

/**
 * Lists what a model says of a text: words for a blank, classes, or a sentence vector.
 *
 * @param {Model} model
 * @param {Result} result
 * @param {number | null} pinned
 * @returns {Promise<Answers | null>}  null if the reader has to choose a word first
 */
export async function answersOf(model, result, pinned) {
  const {maskedLm, nextToken, labels, tokenLabels} = model.predictionHeads;
  const plain = {result, token: 0, hidden: '', likeliest: ''};
  if (labels) return {...plain, kind: 'class', ...choicesOf(await result.classes())};
  if (tokenLabels) {
    const token = classifiedToken(result, pinned, await result.namedSpans());
    const classes = await result.tokenClasses(token);
    return {...plain, kind: 'class', token, isOfToken: true, ...choicesOf(classes)};
  }
  if (nextToken) {
    const token = Math.min(pinned ?? Infinity, result.tokens.length - 1);
    return {...plain, kind: 'word', token, choices: await guessesAt(model, result, token)};
  }
  if (!maskedLm) return {...plain, kind: 'vector', choices: [{name: '', label: words.vector}]};
  const masks = result.tokens.flatMap((token, at) => (token === model.maskToken ? [at] : []));
  const token = masks.find((at) => at === pinned) ?? masks[0] ?? pinned;
  if (token === null || !result.words.some((word, at) => at === token && word !== null))
    return null;
  const hidden = masks.includes(token) ? '' : result.tokens[token];
  const name = namingOfModel(model);
  if (hidden) {
    const own = {
      name: hidden,
      label: words.itself(name(hidden)),
      id: result.ids[token],
      word: hidden,
    };
    return {
      ...plain,
      kind: 'word',
      token,
      hidden,
      choices: [{name: '', label: words.likeliest}, own],
    };
  }
  return {...plain, kind: 'word', token, choices: await guessesAt(model, result, token)};
}

/**
 * What an encoder-decoder could have written in a place, with the token that it wrote.
 *
 * @param {Model} model
 * @param {Translation} translation
 * @param {number} token
 * @returns {Promise<Answers>}
 */
export async function answersOfWritten(model, {decoder}, token) {
  const choices = await guessesAt(model, decoder, token);
  return {result: decoder, kind: 'word', token, hidden: '', likeliest: '', choices};
}

/** @param {Model} model @param {Result} result @param {number} token @returns {Promise<Choice[]>} */
async function guessesAt(model, result, token) {
  const name = namingOfModel(model);
  const [{top}] = await result.predictions(offered, {places: [token]});
  return top.map(({token: word, id, probability}, at) => ({
    name: at ? word : '',
    label: words.guess(name(word), formatProbability(probability)),
    id,
    word,
  }));
}

/**
 * The token whose class a reader is told unless they choose another one: the pinned one if it is no special token, else the
 * first that has a name, or the first.
 *
 * @param {Result} result
 * @param {number | null} pinned
 * @param {Awaited<ReturnType<Result['namedSpans']>>} [spans]  the names, if they are known
 */
export function classifiedToken({words: places}, pinned, spans = []) {
  if (pinned !== null && (places[pinned] ?? null) !== null) return pinned;
  const first = places.findIndex((word) => word !== null);
  return spans[0]?.begin ?? Math.max(0, first);
}

/** @typedef {Awaited<ReturnType<Result['classes']>>} Classes */

/** @param {Classes} classes */
function choicesOf(classes) {
  const sorted = classes.toSorted((a, b) => b.probability - a.probability);
  const choices = sorted.map(({label}, at) => ({
    name: at ? label : '',
    label: words.class(label),
  }));
  return {likeliest: sorted[0].label, choices};
}

/** @param {Classes} classes */
export const likeliestOf = (classes) =>
  classes.reduce((a, b) => (b.probability > a.probability ? b : a));

/**
 * Lists what an answer can be set against: the others whose word or class is known.
 *
 * @param {Answers} answers
 * @param {string} answer  a word or the name of a class; empty for the likeliest
 * @returns {{label: string, instead: string | number}[]}
 */
export function rivalsOf({kind, likeliest, choices}, answer) {
  if (kind === 'class') {
    const own = answer || likeliest;
    const classes = choices.map(({name, label}) => ({label, instead: name || likeliest}));
    return classes.filter(({instead}) => instead !== own);
  }
  const own = answer || choices[0]?.word;
  return choices.flatMap(({word, label, id}) =>
    id === undefined || word === own ? [] : [{label, instead: id}],
  );
}

/**
 * Names an answer as the engine does.
 *
 * @param {Answers} answers
 * @param {string} answer  a word or the name of a class; empty for the likeliest
 * @returns {NonNullable<Parameters<Result['explain']>[0]>['target']}
 */
export function targetOf({kind, token, isOfToken, hidden, likeliest, choices}, answer) {
  if (kind === 'vector') return 'vector';
  if (kind === 'class') return `class:${answer || likeliest}${isOfToken ? `@${token}` : ''}`;
  const place = {token, masked: hidden !== ''};
  // A token can be spelt as another one is, so its id is the better name.
  const id = choices.find(({name}) => name === answer)?.id;
  if (id !== undefined) return {...place, id};
  return answer ? {...place, word: answer} : place;
}

/** @typedef {Awaited<ReturnType<Result['explain']>>} Explanation */
/** @typedef {NonNullable<Parameters<Result['explain']>[0]>['target']} Target */

/**
 * Explains an answer, alone if what it would be set against turns out to be the answer itself.
 *
 * @param {Result} result
 * @param {NonNullable<Parameters<Result['explain']>[0]>} options
 */
export const explainAnswer = (result, options) =>
  keptExplanation(result, options).catch((error) => {
    if (error.code !== 'same-answer') throw error;
    return keptExplanation(result, {...options, instead: undefined});
  });

/** Names the answer that an explanation found. @param {Target} target @param {Explanation} explanation @returns {Target} */
export function withWord(target, {target: found}) {
  const isWord = typeof target === 'object' && !('label' in target);
  return isWord && typeof found === 'object' && 'id' in found
    ? {token: target.token, masked: target.masked, id: found.id}
    : target;
}

/**
 * Lists what the name of a file says of an explanation.
 *
 * @param {Pick<Explanation, 'method' | 'target' | 'instead'>} explanation
 * @param {string} text
 */
export function fileParts({method, target, instead}, text) {
  const answer = target === 'vector' ? target : answerName(target);
  const place = target !== 'vector' && 'label' in target ? (target.token ?? '') : '';
  return [
    'why',
    `${answer}${place}`,
    ...(instead ? ['not', answerName(instead)] : []),
    method,
    text,
  ];
}

/**
 * Names an answer that is a word or a class.
 *
 * @param {Exclude<Explanation['target'], 'vector'>} answer
 * @param {(token: string) => string} nameOf  names a token in a sentence
 */
export const answerName = (answer, nameOf = (token) => token) =>
  'label' in answer ? answer.name : nameOf(answer.word);
