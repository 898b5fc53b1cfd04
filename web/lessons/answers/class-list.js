/** The answers of a class, read from the links that its students handed in. Needs no DOM. */

import {csv} from '../../export/csv.js';
import {formatRoute, parseRoute} from '../../routes/routes.js';
import {lessons} from '../index.js';
import {readAnswers, writeAnswers} from './answer-fields.js';

/** @import {Lesson} from '../index.js' */
/** @import {AnswerSheet, Verdict} from './answer-fields.js' */

/** How many links are read. */
export const mostLinks = 2000;
/** How many characters of a text, and of a link in it, are read. */
const mostText = 8_000_000;
const mostLink = 20_000;

/** The part of a link that names a lesson. Its end is a letter, so marks behind it belong to the text around it. */
const lessonLinks = /#\/lessons\/[^\s"<>]*\w/g;

/**
 * @typedef {AnswerSheet & {hash: string}} Student  `hash`: the address of their answers, written anew
 * @typedef {{lesson: Lesson, students: Student[]}} ClassList  the students of one lesson
 */

/**
 * Finds the links of lessons in a text. The same sheet is listed once.
 *
 * @param {string} text
 * @returns {{lists: ClassList[], isCut: boolean}}
 */
export function readClass(text) {
  const found = text.slice(0, mostText).match(lessonLinks) ?? [];
  /** @type {Map<Lesson, Map<string, Student>>} */
  const byLesson = new Map();
  for (const link of found.slice(0, mostLinks)) {
    // A mail or a learning platform may have written `&` as HTML does.
    const route = parseRoute(link.slice(0, mostLink).replaceAll('&amp;', '&'));
    const lesson = lessons.find(({id}) => id === route?.path[0]);
    if (!route || !lesson) continue;
    const sheet = readAnswers(route.fields, lesson.steps);
    if (!Object.keys(sheet.answers).length) continue;
    const students = byLesson.get(lesson) ?? new Map();
    const hash = addressOf(lesson, sheet);
    students.set(hash, {...sheet, hash});
    byLesson.set(lesson, students);
  }
  const lists = [...byLesson].map(([lesson, students]) => ({
    lesson,
    students: [...students.values()].sort((a, b) => a.name.localeCompare(b.name)),
  }));
  return {lists, isCut: found.length > mostLinks};
}

/** @param {Lesson} lesson @param {AnswerSheet} sheet */
function addressOf({id, steps}, sheet) {
  const fields = new URLSearchParams();
  writeAnswers(fields, sheet);
  return formatRoute({section: 'lessons', path: [id, steps[0].id], fields});
}

/**
 * Counts the answers to a step.
 *
 * @param {readonly Student[]} students
 * @param {string} step
 * @returns {Record<Verdict, number>}
 */
export function countAnswers(students, step) {
  const counts = {right: 0, wrong: 0, open: 0};
  for (const {answers} of students) if (answers[step]) counts[answers[step].verdict] += 1;
  return counts;
}

/**
 * The list as a table of a spreadsheet.
 *
 * @param {ClassList} list
 * @param {object} words
 * @param {string} words.student
 * @param {Record<Verdict, string>} words.verdicts
 * @param {(step: string, said: string) => string} words.label  of an answer
 */
export function classCsv({lesson, students}, {student, verdicts, label}) {
  const rows = students.map(({name, answers}) => [
    name,
    ...lesson.steps.map(({id}) => {
      const answer = answers[id];
      return answer ? `${verdicts[answer.verdict]}: ${label(id, answer.said)}` : '';
    }),
  ]);
  const head = [student, ...lesson.steps.map(({title}, i) => `${i + 1}. ${title}`)];
  return csv([head, ...rows]);
}
