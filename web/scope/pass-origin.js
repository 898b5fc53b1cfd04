import {formatFields, initialState, originNames} from './state-fields.js';

/** @import {Interventions} from '../attention/interventions.js' */

/**
 * @typedef {object} Origin  the origin of a pass, from which it can be made again; the fields of a state that
 *   `originNames` lists, written out here because the type of a state depends on this one
 * @property {string} text
 * @property {string} textPair
 * @property {string} src  may be a saved picture
 * @property {readonly number[]} ids  of the tokens of the text; empty: those that the tokenizer gives
 * @property {string} file  only the name of a file that the reader opened
 * @property {Interventions} interventions
 *
 * @typedef {'side' | 'difference'} CompareMode  whether two passes stand side by side, or one is subtracted from the
 *   other
 *
 * @typedef {Origin & {mode: CompareMode}} BaselineOrigin  the origin of a baseline, and the mode of its comparison
 */

/** @param {Partial<Origin>} origin @returns {Origin} */
export function originOf(origin) {
  const {text, textPair, src, ids, file, interventions} = {...initialState, ...origin};
  return {text, textPair, src, ids, file, interventions};
}

/** Returns a name that is the same for equal origins. @param {Origin} origin */
export const nameOfOrigin = (origin) => `${new URLSearchParams(formatFields(originNames, origin))}`;
