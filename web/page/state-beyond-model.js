import {addressNames, attributeOf, fields} from '../scope/state-fields.js';
import {formatInterventions} from '../attention/intervention-fields.js';
import {changesOf, hasPlace} from '../attention/interventions.js';

/** @import {Field, State} from '../scope/state-fields.js' */
/** @import {AddressState} from './address.js' */

/**
 * Finds the layers and heads that an address names and the model does not have, and the state without them.
 * Interventions stay: they do nothing, and the next model may have a place for them.
 *
 * @param {AddressState} state
 * @param {object} there
 * @param {{layers: number, heads: number}} there.available  what can be chosen; in a comparison, what either side has
 * @param {{layers: number, heads: number}} there.shape  the shape of the model that is changed
 * @returns {{named: string[], mended: Partial<State>}}  `named`: what is missing, as `layer=99`;
 *   `mended`: the fields of the state to change
 */
export function beyondModel(state, {available, shape}) {
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
  for (const each of changesOf(state.interventions)) {
    if (!hasPlace(each, shape)) named.push(...fieldsOf(state, each.without));
  }
  return {named, mended};
}

/** Returns the address items of one change. @param {AddressState} state @param {State['interventions']} without */
function fieldsOf({interventions}, without) {
  const before = formatInterventions(without);
  return Object.entries(formatInterventions(interventions)).flatMap(([name, value]) => {
    const others = (before[name] ?? '').split(',');
    return value
      .split(',')
      .filter((item) => !others.includes(item))
      .map((item) => `${name}=${item}`);
  });
}
