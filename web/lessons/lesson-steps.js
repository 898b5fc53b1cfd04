import {loadOnce} from './load-once.js';

/** Loads the steps of each lesson, by the paths of their files. */
export const stepsOf = Object.fromEntries(
  Object.entries(import.meta.glob('./*/steps.js', {import: 'steps'})).map(([path, load]) => [
    path,
    loadOnce(load),
  ]),
);
