import {lessons} from '../index.js';
import {readAnswers, writeAnswers} from './answer-fields.js';

/** @import {AnswerSheet} from './answer-fields.js' */

const key = 'bertscope-answers';

/** A learning platform keeps the answers itself, and the next student may use the same window. */
const isInFrame = typeof window !== 'undefined' && parent !== window;

/**
 * Keeps the reader's answers for a reload: the address of a step does not hold them, so that who gets it has none.
 *
 * @param {ReadonlyMap<string, AnswerSheet>} sheets  by the id of the lesson
 */
export function keepAnswers(sheets) {
  if (isInFrame) return;
  const written = [...sheets].map(([lesson, sheet]) => {
    const fields = new URLSearchParams();
    writeAnswers(fields, sheet);
    return [lesson, String(fields)];
  });
  try {
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(written)));
  } catch {
    // Without storage, the answers are there until the page is closed.
  }
}

/** @returns {Map<string, AnswerSheet>} the sheets by the id of the lesson */
export function keptAnswers() {
  /** @type {Record<string, unknown>} */
  let stored = {};
  try {
    stored = (!isInFrame && JSON.parse(sessionStorage.getItem(key) ?? '{}')) || {};
  } catch {
    // There is no storage, or something else is in it.
  }
  return new Map(
    lessons
      .filter(({id}) => typeof stored[id] === 'string')
      .map(({id, steps}) => [id, readAnswers(new URLSearchParams(String(stored[id])), steps)]),
  );
}
