/** The answers of a class, read from the links that its students handed in. Needs no DOM. */

import {csv} from '../../export/csv.js';
import {formatRoute, parseRoute} from '../../routes/routes.js';
import {lessons} from '../index.js';
import {classPath, readAll} from './all-answers.js';
import {readAnswers, tidy, writeAnswers} from './answer-fields.js';

/** @import {Route} from '../../routes/routes.js' */
/** @import {Lesson} from '../index.js' */
/** @import {AnswerSheet, Verdict} from './answer-fields.js' */

/** How much of a text is read. A browser's field of text takes 20 µs for a line, and 0.5 µs for a character. */
export const most = Object.freeze({links: 2000, lines: 10_000, characters: 1_000_000});
/** How many characters of a link are read. */
const mostLink = 80_000;
/** How many lines without an answer are named. */
const mostUnread = 100;
/** How many characters are kept of a line in which nothing was found. */
const mostLine = 120;

/** The part of a link that names a lesson. Its end is a letter, so marks behind it belong to the text around it. */
const lessonLinks = /#\/lessons\/[^\s"<>]*\w/g;

/**
 * @typedef {AnswerSheet & {hash: string, times: number}} Student  `hash`: the address of their answers, written anew;
 *   `times`: how many handed these answers in, which is more than one only without a name
 * @typedef {{lesson: Lesson, students: Student[]}} ClassList  the students of one lesson
 */

/** The place where the reading of a text ends. @param {string} text */
export function endOf(text) {
  let at = 0;
  for (let lines = 0; lines < most.lines && at < most.characters; lines++) {
    const end = text.indexOf('\n', at);
    at = end < 0 ? text.length : end + 1;
    if (end < 0) break;
  }
  return Math.min(at, most.characters);
}

/**
 * Finds the links of lessons in a text. The same sheet of a name is listed once; without a name it may be of several
 * students, so it is counted. It yields between lines and links, so that a long text does not block the page.
 *
 * @param {string} text
 * @returns {Generator<void, {lists: ClassList[], unread: string[], unreadCount: number, isCut: boolean}>}  `unread`:
 *   the first lines without an answer
 */
export function* readClass(text) {
  /** @type {Map<Lesson, Map<string, Student>>} */
  const byLesson = new Map();
  /** @type {string[]} */
  const unread = [];
  let unreadCount = 0;
  let links = 0;
  const end = endOf(text);
  for (const [line] of text.slice(0, end).matchAll(/[^\r\n]+/g)) {
    let hasAnswers = false;
    for (const [link] of line.matchAll(lessonLinks)) {
      links += 1;
      if (links > most.links) break;
      for (const {lesson, sheet} of sheetsOf(link)) {
        hasAnswers = true;
        enter(byLesson, lesson, sheet);
      }
      yield;
    }
    if (links > most.links) break;
    const said = hasAnswers ? '' : tidy(line, mostLine);
    if (said) unreadCount += 1;
    if (said && unreadCount <= mostUnread) unread.push(said);
    yield;
  }
  const lists = [...byLesson].map(([lesson, students]) => ({
    lesson,
    students: [...students.values()].sort((a, b) => a.name.localeCompare(b.name)),
  }));
  lists.sort((a, b) => lessons.indexOf(a.lesson) - lessons.indexOf(b.lesson));
  return {lists, unread, unreadCount, isCut: links > most.links || text.length > end};
}

/** Reads the sheets that have answers from a link of one lesson, or of all. @param {string} link */
function sheetsOf(link) {
  // A mail or a learning platform may have written `&` as HTML does.
  const route = parseRoute(link.slice(0, mostLink).replaceAll('&amp;', '&'));
  if (!route) return [];
  return sheetsOfRoute(route).filter(({sheet}) => Object.keys(sheet.answers).length);
}

/** @param {Route} route */
function sheetsOfRoute({path, fields}) {
  if (path[0] === classPath) return readAll(fields);
  return lessons
    .filter(({id}) => id === path[0])
    .map((lesson) => ({lesson, sheet: readAnswers(fields, lesson.steps)}));
}

/**
 * @param {Map<Lesson, Map<string, Student>>} byLesson
 * @param {Lesson} lesson
 * @param {AnswerSheet} sheet
 */
function enter(byLesson, lesson, sheet) {
  const students = byLesson.get(lesson) ?? new Map();
  const hash = addressOf(lesson, sheet);
  const times = sheet.name ? 1 : 1 + (students.get(hash)?.times ?? 0);
  students.set(hash, {...sheet, hash, times});
  byLesson.set(lesson, students);
}

/** @param {Lesson} lesson @param {AnswerSheet} sheet */
function addressOf({id, steps}, sheet) {
  const fields = new URLSearchParams();
  writeAnswers(fields, sheet);
  return formatRoute({section: 'lessons', path: [id, steps[0].id], fields});
}

/** @param {readonly Student[]} students */
export const countStudents = (students) => students.reduce((count, {times}) => count + times, 0);

/**
 * Counts the answers to a step.
 *
 * @param {readonly Student[]} students
 * @param {string} step
 * @returns {Record<Verdict, number>}
 */
export function countAnswers(students, step) {
  const counts = {right: 0, wrong: 0, open: 0};
  for (const {answers, times} of students)
    if (answers[step]) counts[answers[step].verdict] += times;
  return counts;
}

/**
 * The lists as tables of a spreadsheet, one below the other. Beside others, each has the name of its lesson over it.
 *
 * @param {readonly ClassList[]} lists
 * @param {object} words
 * @param {string} words.student
 * @param {Record<Verdict, string>} words.verdicts
 * @param {(lesson: Lesson, step: string, said: string) => string} words.label  of an answer
 */
export function classCsv(lists, {student, verdicts, label}) {
  const tables = lists.map(({lesson, students}) => {
    const rows = students.flatMap(({name, answers, times}) => {
      const row = [
        name,
        ...lesson.steps.map(({id}) => {
          const answer = answers[id];
          return answer ? `${verdicts[answer.verdict]}: ${label(lesson, id, answer.said)}` : '';
        }),
      ];
      return Array.from({length: times}, () => row);
    });
    const head = [student, ...lesson.steps.map(({title}, i) => `${i + 1}. ${title}`)];
    return csv([...(lists.length > 1 ? [[lesson.title]] : []), head, ...rows]);
  });
  return tables.join('\r\n');
}
