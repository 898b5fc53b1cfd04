import {loadOnce} from './load-once.js';

/** @import {Step} from './step.js' */

/** Loads the steps of each lesson, by the paths of their files. */
export const stepsOf = Object.fromEntries(
  Object.entries(import.meta.glob('./*/steps.js', {import: 'steps'})).map(([path, load]) => [
    path,
    loadOnce(load),
  ]),
);

/**
 * Loads the steps of one lesson, by their ids.
 *
 * @param {string} lesson
 * @returns {Promise<Record<string, Step>>}
 */
export const loadSteps = (lesson) =>
  /** @type {Promise<any>} */ (stepsOf[`./${lesson}/steps.js`]());
