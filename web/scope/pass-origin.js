import {formatFields, initialState, originNames} from './state.js';

/** @import {State} from './state.js' */

/**
 * What a pass was made from, so that it can be made again. `src` may be a saved picture; of a `file` of the
 * reader's, an address has the name only.
 *
 * @typedef {Pick<State, (typeof originNames)[number]>} Origin
 *
 * @typedef {'side' | 'difference'} CompareMode
 *
 * @typedef {Origin & {mode: CompareMode}} BaselineOrigin  of what a picture is compared with, and how
 */

/** @param {Partial<Origin>} origin @returns {Origin} */
export function originOf(origin) {
  const {text, textPair, src, file, interventions} = {...initialState, ...origin};
  return {text, textPair, src, file, interventions};
}

/** Equal for origins of which each is the other. @param {Origin} origin */
export const nameOfOrigin = (origin) => `${new URLSearchParams(formatFields(originNames, origin))}`;
