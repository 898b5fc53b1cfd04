/** One link for what a student answered in all lessons. It opens the list of a class, with this student in it. */

import {formatRoute} from '../../routes/routes.js';
import {lessons} from '../index.js';
import {readAnswers, writeAnswers} from './answer-fields.js';

/** @import {Lesson} from '../index.js' */
/** @import {AnswerSheet} from './answer-fields.js' */

/** The part of an address that names the list of a class. */
export const classPath = 'answers';

/**
 * The address that holds the answers in these lessons.
 *
 * @param {readonly {lesson: Lesson, sheet: AnswerSheet}[]} sheets
 */
export function formatAll(sheets) {
  const fields = new URLSearchParams();
  for (const {lesson, sheet} of sheets) writeAnswers(fields, sheet, lesson.id);
  return formatRoute({section: 'lessons', path: [classPath], fields});
}

/**
 * Reads the sheets of all lessons from the fields of such an address.
 *
 * @param {URLSearchParams} fields
 */
export const readAll = (fields) =>
  lessons.map((lesson) => ({lesson, sheet: readAnswers(fields, lesson.steps, lesson.id)}));
