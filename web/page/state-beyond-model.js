import {addressNames, attributeOf, fields} from '../scope/state-fields.js';
import {formatChanges} from '../attention/reader-change-fields.js';
import {withoutUnknownPlaces} from '../attention/reader-changes.js';

/** @import {AddressState, Field, State} from '../scope/state-fields.js' */
/** @import {Places} from '../attention/reader-changes.js' */

/**
 * Finds the layers and heads that an address names and the model does not have, and the state without them.
 * Interventions stay: they do nothing, and the next model may have a place for them.
 *
 * @param {AddressState} state
 * @param {object} there
 * @param {{layers: number, heads: number}} there.available  what can be chosen; in a comparison, what either side has
 * @param {Places} there.model  the model that is changed
 * @returns {{named: string[], mended: Partial<State>}}  `named`: what is missing, as `layer=99`;
 *   `mended`: the fields of the state to change
 */
export function beyondModel(state, {available, model}) {
  /** @type {string[]} */
  const named = [];
  /** @type {Partial<State>} */
  const mended = {};
  for (const name of addressNames) {
    const {counts, codec, key = attributeOf(name)} = /** @type {Field<any>} */ (fields[name]);
    if (!counts) continue;
    const value = state[name];
    const isThere = (/** @type {number} */ each) => each < available[counts];
    if (typeof value === 'number' && !isThere(value)) {
      named.push(`${key}=${value}`);
      Object.assign(mended, {[name]: available[counts] - 1});
    } else if (Array.isArray(value) && !value.every(isThere)) {
      named.push(`${key}=${codec.format(value.filter((each) => !isThere(each)))}`);
      Object.assign(mended, {[name]: value.filter(isThere)});
    }
  }
  named.push(...itemsWithoutPlace(state.interventions, model));
  return {named, mended};
}

/**
 * Returns the address items of the changes that a model has no place for.
 *
 * @param {State['interventions']} interventions
 * @param {Places} model
 */
function itemsWithoutPlace(interventions, model) {
  const there = formatChanges(withoutUnknownPlaces(interventions, model));
  return Object.entries(formatChanges(interventions)).flatMap(([name, value]) => {
    const others = new Set((there[name] ?? '').split(','));
    return value
      .split(',')
      .filter((item) => !others.has(item))
      .map((item) => `${name}=${item}`);
  });
}
