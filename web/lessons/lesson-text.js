/** The words of the lessons, in the language of the document. */

import {language} from '../strings/index.js';
import {course} from '../strings/en/lessons/index.js';

/**
 * What a step says. A text that is a function is given what the step computed.
 *
 * @typedef {object} StepText
 * @property {string} title
 * @property {readonly string[] | ((data: any) => readonly string[])} prose  one string a paragraph
 * @property {string} [aside]  for readers of the paper; it is folded away
 * @property {string} question
 * @property {string | ((data: any, facts?: any) => string)} answer  `facts`: the numbers that the engine's answer
 *   follows from, once they are there
 * @property {Record<string, string>} [options]  the predictions that the question offers
 * @property {Record<string, any>} [labels]  of the widget
 *
 * @typedef {object} LessonText
 * @property {string} title
 * @property {string} summary
 * @property {string} beyond  the one thing that only doing it live shows
 * @property {Record<string, StepText>} steps
 */

/** Only the language of the document is loaded beside English. */
const texts =
  language === 'en' ? course : (await import(`../strings/${language}/lessons/index.js`)).course;

export const frameText = texts.frame;

/** @type {Record<string, LessonText>} */
export const lessonTexts = texts.lessons;
