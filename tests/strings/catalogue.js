/** What the page says in each language, and what it would say of any numbers and words. */

import {languageNames} from '../../web/strings/language.js';

/** Where each part of a catalogue is, in the folder of its language. */
const files = {
  saved: 'saved',
  live: 'live',
  page: 'live',
  publish: 'publish',
  models: 'models',
  workbench: 'workbench',
  explore: 'explore',
  explanation: 'explanation',
  panels: 'panels',
  grammar: 'grammar',
  course: 'lessons/index',
  docs: 'docs',
};

/** @param {string} language */
async function partsOf(language) {
  const folder = `../../web/strings/${language}`;
  const parts = Object.entries(files).map(async ([name, file]) => [
    name,
    (await import(`${folder}/${file}.js`))[name],
  ]);
  return Object.fromEntries(await Promise.all(parts));
}

/** All that is said in each language. @type {Record<string, Record<string, any>>} */
export const catalogues = Object.fromEntries(
  await Promise.all(
    Object.keys(languageNames).map(async (language) => [language, await partsOf(language)]),
  ),
);

/**
 * Stands for any argument, or for a part of one: a text shows its name, a sum takes it for a number.
 *
 * @param {string} name
 * @param {string} owner  what a method of this name is called on
 * @returns {any}
 */
function argument(name, owner) {
  const shown = `‹${name}›`;
  const elements = () => [0, 1, 2, 3].map((index) => argument(`${name}.${index}`, name));
  /** @type {Record<string | symbol, unknown>} */
  const known = {
    __proto__: null,
    [Symbol.toPrimitive]: (/** @type {string} */ hint) => (hint === 'string' ? shown : 2),
    [Symbol.iterator]: () => elements().values(),
    toJSON: () => shown,
    map: (/** @type {(value: any, index: number) => unknown} */ draw) => [
      draw(argument(`${name}[]`, name), 0),
    ],
    reduce: () => 2,
  };
  return new Proxy(() => {}, {
    get: (_, field) => known[field] ?? argument(`${name}.${String(field)}`, name),
    apply: () => argument(owner, owner),
  });
}

/**
 * Returns what an entry says: a text as it is, and of a function what it says of arguments that show their places.
 *
 * @param {unknown} entry
 * @returns {string}
 */
export function saidBy(entry) {
  if (typeof entry !== 'function') return String(entry);
  const given = Array.from({length: entry.length}, (_, place) =>
    argument(String(place), String(place)),
  );
  return JSON.stringify(entry(...given));
}

/**
 * Lists the texts and functions of a catalogue by their path.
 *
 * @param {unknown} entry
 * @param {string} [path]
 * @returns {[string, unknown][]}
 */
export function entriesOf(entry, path = '') {
  if (typeof entry !== 'object' || !entry) return [[path, entry]];
  return Object.entries(entry).flatMap(([name, inner]) => entriesOf(inner, `${path}.${name}`));
}
