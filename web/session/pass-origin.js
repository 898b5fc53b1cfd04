import {noReaderChanges} from '../attention/reader-changes.js';

/** @import {ReaderChanges} from '../attention/reader-changes.js' */

/**
 * @typedef {object} Origin  the origin of a pass, from which it can be made again; fields of the element's state
 * @property {string} text
 * @property {string} textPair
 * @property {string} src  may be a saved picture
 * @property {readonly number[]} ids  of the tokens of the text; empty: those that the tokenizer gives
 * @property {string} file  only the name of a file that the reader opened
 * @property {ReaderChanges} interventions
 *
 * @typedef {'side' | 'difference'} CompareMode  whether two passes stand side by side, or one is subtracted from the
 *   other
 *
 * @typedef {Origin & {mode: CompareMode}} BaselineOrigin  the origin of a baseline, and the mode of its comparison
 */

/** @type {Origin} */
const emptyOrigin = {
  text: '',
  textPair: '',
  src: '',
  ids: [],
  file: '',
  interventions: noReaderChanges,
};

/** Takes from a state what a pass is made from. @param {Partial<Origin>} origin @returns {Origin} */
export function originOf(origin) {
  const {text, textPair, src, ids, file, interventions} = {...emptyOrigin, ...origin};
  return {text, textPair, src, ids, file, interventions};
}
