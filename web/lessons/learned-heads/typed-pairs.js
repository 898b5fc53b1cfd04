/** Pairs of words that the reader marks in the sentences of a step, as the choice of a step that an address holds. */

/** @import {Line, Pairs} from '../../engine/syntax/word-pairs.js' */

/**
 * A word that is marked: of which sentence, and how it is spelled. A spelling that is there several times has a number, so
 * that a mark stays on its word while the reader types before it.
 *
 * @typedef {{line: number, word: string}} Mark  `line`: counted from 1
 */

/**
 * Names a word of a sentence.
 *
 * @param {Line} line
 * @param {number} at
 */
export function nameOf({words}, at) {
  const {form} = words[at];
  const before = words.slice(0, at).filter((word) => word.form === form).length;
  return `${encodeURIComponent(form)}:${before}`;
}

/** Finds a word by its name; -1 if the sentence has it no longer. @param {Line} line @param {string} name */
const placeOf = (line, name) => line.words.findIndex((_, at) => nameOf(line, at) === name);

/** @param {Line} line @param {number} at */
export const markOf = (line, at) => `${line.line}:${nameOf(line, at)}`;

/**
 * The word of a sentence that is marked; null if it is in another one, or is there no longer.
 *
 * @param {Line} line
 * @param {string} mark
 */
export function wordOf(line, mark) {
  const prefix = `${line.line}:`;
  const at = mark.startsWith(prefix) ? placeOf(line, mark.slice(prefix.length)) : -1;
  return at < 0 ? null : at;
}

/** @param {string} written */
const partsOf = (written) => written.split(',').filter(Boolean);

/**
 * The pairs of a sentence. Those whose words are there no longer are left out.
 *
 * @param {string} written  `line:word:number>line:word:number`, separated by commas
 * @param {Line} line
 * @returns {Pairs}
 */
export const pairsIn = (written, line) =>
  new Map(
    partsOf(written).flatMap((pair) => {
      const [from, to] = pair.split('>').map((mark) => wordOf(line, mark));
      return typeof from === 'number' && typeof to === 'number' ? [[from, to]] : [];
    }),
  );

/**
 * Adds a pair, or puts it in the place of the one that the first word had.
 *
 * @param {string} written
 * @param {Line} line
 * @param {number} from
 * @param {number} to
 */
export const withPair = (written, line, from, to) =>
  [
    ...partsOf(withoutPair(written, line, from)),
    `${markOf(line, from)}>${markOf(line, to)}`,
  ].join();

/** @param {string} written @param {Line} line @param {number} from */
export const withoutPair = (written, line, from) =>
  partsOf(written)
    .filter((pair) => !pair.startsWith(`${markOf(line, from)}>`))
    .join();
