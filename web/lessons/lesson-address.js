import {formatRoute} from '../page/routes.js';

/** @import {Route} from '../page/routes.js' */
/** @import {Choices, Step} from './step.js' */

/** How the sentences of a step are called in its address. */
const sentenceFields = ['text', 'pair'];

/**
 * The address of a step: what it says of sentences and choices is what the reader changed.
 *
 * @param {string} lesson
 * @param {string} name
 * @param {Step} step
 * @param {{sentences: readonly string[], choices: Choices, large: boolean}} state
 */
export function formatStep(lesson, name, step, {sentences, choices, large}) {
  const fields = new URLSearchParams();
  sentences.forEach((sentence, i) => {
    if (sentence !== step.sentences[i]) fields.set(sentenceFields[i], sentence);
  });
  for (const [key, value] of Object.entries(choices)) {
    if (value !== step.choices?.[key]) fields.set(key, String(value));
  }
  if (large) fields.set('large', '1');
  return formatRoute({place: 'lessons', path: [lesson, name], fields});
}

/**
 * What an address says of a step. What it does not name, or names with a value of another kind, is
 * left out.
 *
 * @param {Route} route
 * @param {Step} step
 */
export function parseStep({fields}, step) {
  const sentences = step.sentences.map((_, i) => fields.get(sentenceFields[i]));
  /** @type {Choices} */
  const choices = {};
  for (const [key, plain] of Object.entries(step.choices ?? {})) {
    const value = parseChoice(fields.get(key), plain);
    if (value !== null) choices[key] = value;
  }
  return {sentences, choices, large: fields.get('large') === '1'};
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
