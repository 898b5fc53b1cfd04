/** Lets the reader choose the answer that is explained, and what it is set against. */

import {nothing} from 'lit';
import {select} from '../controls/fields.js';
import {explanationStrings as words} from '../strings/explanation.js';
import {rivalsOf} from './explained-answers.js';

/** @import {Answers} from './explained-answers.js' */

/** @typedef {string | number | null} Rival  the id of a word, or the name of a class; null for none */

/**
 * @param {Answers} answers
 * @param {string} answer  a word or the name of a class; empty for the likeliest
 * @param {(answer: string) => void} onChoose
 */
export function answerChoice({choices}, answer, onChoose) {
  const isOffered = choices.some(({name}) => name === answer);
  // An address can ask for a word that is not among the likeliest.
  const all = isOffered ? choices : [...choices, {name: answer, label: `“${answer}”`}];
  return select(
    words.answer,
    all.map(({label}) => label),
    all.findIndex(({name}) => name === answer),
    (at) => onChoose(all[at].name),
  );
}

/**
 * @param {Answers} answers
 * @param {string} answer
 * @param {Rival} rival
 * @param {(rival: Rival) => void} onChoose
 */
export function rivalChoice(answers, answer, rival, onChoose) {
  const rivals = rivalsOf(answers, answer);
  if (!rivals.length) return nothing;
  return select(
    words.ratherThan,
    [words.anyOther, ...rivals.map(({label}) => label)],
    rivals.findIndex(({instead}) => instead === rival) + 1,
    (at) => onChoose(rivals[Number(at) - 1]?.instead ?? null),
  );
}
