import {formatFields, initialState, originNames} from './state-fields.js';

/** @import {State} from './state-fields.js' */

/**
 * @typedef {Pick<State, (typeof originNames)[number]>} Origin  the origin of a pass, from which it can be made
 *   again. `src` may be a saved picture. `file` is only the name of a file that the reader opened.
 *
 * @typedef {'side' | 'difference'} CompareMode  whether two passes stand side by side, or one is subtracted from the
 *   other
 *
 * @typedef {Origin & {mode: CompareMode}} BaselineOrigin  the origin of a baseline, and the mode of its comparison
 */

/** @param {Partial<Origin>} origin @returns {Origin} */
export function originOf(origin) {
  const {text, textPair, src, file, interventions} = {...initialState, ...origin};
  return {text, textPair, src, file, interventions};
}

/** Returns a name that is the same for equal origins. @param {Origin} origin */
export const nameOfOrigin = (origin) => `${new URLSearchParams(formatFields(originNames, origin))}`;
