import {formatRoute} from '../routes/routes.js';
import {lessons} from './index.js';
import {noAnswers, writeAnswers} from './answers/answer-fields.js';

/** @import {AnswerSheet} from './answers/answer-fields.js' */
/** @import {Route} from '../routes/routes.js' */
/** @import {Lesson} from './index.js' */
/** @import {Choices, Input, Step} from './step.js' */

/** The name of the model in an address. */
const modelField = 'model';

/** The names of a step's sentences in its address. */
const sentenceFields = ['text', 'pair'];

/**
 * The address of a step. It contains only the sentences and choices that the reader changed, the model unless it is
 * the embedded one, and the reader's answers in this lesson.
 *
 * @param {string} lesson
 * @param {string} name
 * @param {Step} step
 * @param {{sentences: readonly string[], choices: Choices, large: boolean, present: boolean, model: string,
 *   sheet?: AnswerSheet}} state
 */
export function formatStep(
  lesson,
  name,
  step,
  {sentences, choices, large, present, model, sheet = noAnswers},
) {
  const fields = new URLSearchParams();
  if (model) fields.set(modelField, model);
  sentences.forEach((sentence, i) => {
    if (sentence !== step.sentences[i]) fields.set(sentenceFields[i], sentence);
  });
  for (const [key, value] of Object.entries(choices)) {
    if (value !== step.choices?.[key]) fields.set(key, String(value));
  }
  if (large) fields.set('large', '1');
  if (present) fields.set('present', '1');
  writeAnswers(fields, sheet);
  return formatRoute({section: 'lessons', path: [lesson, name], fields});
}

/**
 * The address of the first step of a lesson; without a lesson, of the list, which is not presented.
 *
 * @param {Lesson | undefined} lesson
 * @param {{large: boolean, present: boolean, model: string}} state
 */
export function formatStart(lesson, {large, present, model}) {
  const fields = new URLSearchParams();
  if (model) fields.set(modelField, model);
  if (large) fields.set('large', '1');
  if (present && lesson) fields.set('present', '1');
  const path = lesson ? [lesson.id, lesson.steps[0].id] : [];
  return formatRoute({section: 'lessons', path, fields});
}

/**
 * Finds the step that an address names; without one, it is the first of the lesson.
 *
 * @param {Route} route
 * @returns {{lesson: Lesson, at: number} | null}  `at`: the index of the step
 */
export function findStep({path: [lessonId, stepId]}) {
  const lesson = lessons.find(({id}) => id === lessonId);
  const at = stepId ? (lesson?.steps.findIndex(({id}) => id === stepId) ?? -1) : 0;
  return lesson && at >= 0 ? {lesson, at} : null;
}

/**
 * Reads the input of a step from an address. What the address leaves out, or gives a value of the wrong
 * type, keeps its initial value.
 *
 * @param {Route} route
 * @param {Step} step
 * @returns {Input}
 */
export function parseStep({fields}, {sentences, choices = {}}) {
  return {
    sentences: sentences.map((plain, i) => fields.get(sentenceFields[i]) ?? plain),
    choices: Object.fromEntries(
      Object.entries(choices).map(([name, plain]) => [
        name,
        parseChoice(fields.get(name), plain) ?? plain,
      ]),
    ),
  };
}

/** The model that an address names; null if it names none. @param {Route} route */
export const parseModel = ({fields}) => fields.get(modelField);

/**
 * The input of the next step: the reader keeps their sentences and choices where both steps begin with
 * the same ones.
 *
 * @param {Step} from
 * @param {Input} input
 * @param {Step} to
 * @returns {Input}
 */
export function carryOver(from, input, to) {
  return {
    sentences: to.sentences.map((plain) => {
      const at = from.sentences.indexOf(plain);
      return at < 0 ? plain : input.sentences[at];
    }),
    choices: Object.fromEntries(
      Object.entries(to.choices ?? {}).map(([name, plain]) => [
        name,
        from.choices?.[name] === plain ? input.choices[name] : plain,
      ]),
    ),
  };
}

/**
 * @param {string | null} value
 * @param {Choices[string]} plain
 */
function parseChoice(value, plain) {
  if (value === null) return null;
  if (typeof plain === 'string') return value;
  if (typeof plain === 'boolean') return value === 'true' || (value === 'false' ? false : null);
  return /^\d{1,6}$/.test(value) ? Number(value) : null;
}
