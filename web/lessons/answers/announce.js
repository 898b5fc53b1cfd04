/** @import {Lesson} from '../index.js' */
/** @import {Step} from '../step.js' */
/** @import {AnswerSheet} from './answer-fields.js' */

/**
 * How far the reader is in a lesson.
 *
 * @typedef {object} LessonProgress
 * @property {string} lesson
 * @property {string} step
 * @property {string[]} steps  all of the lesson
 * @property {string} hash  the address of the step, which holds the reader's answers
 * @property {string[]} answered  the steps whose questions the reader has answered
 * @property {string[]} compared  the steps whose questions the engine answers
 * @property {string[]} right  those that the reader predicted
 */

/**
 * Tells the page that shows this one in a frame how far the reader is. A page of another host is told nothing.
 *
 * @param {{lesson: Lesson, at: number, steps: Record<string, Step>}} place
 * @param {AnswerSheet} sheet
 * @param {string} hash
 */
export function announce({lesson, at, steps}, {answers}, hash) {
  if (parent === window || !/^https?:$/.test(location.protocol)) return;
  /** @type {LessonProgress} */
  const lessonProgress = {
    hash,
    lesson: lesson.id,
    step: lesson.steps[at].id,
    steps: lesson.steps.map(({id}) => id),
    answered: Object.keys(answers),
    compared: Object.keys(steps).filter((id) => steps[id].asked),
    right: Object.keys(answers).filter((id) => answers[id].verdict === 'right'),
  };
  parent.postMessage({lessonProgress}, location.origin);
}
