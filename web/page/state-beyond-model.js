import {keyOf} from '../scope/field-table.js';
import {addressFields} from '../scope/state-fields.js';
import {formatChanges} from '../attention/reader-change-fields.js';
import {withoutUnknownPlaces} from '../attention/reader-changes.js';

/** @import {FieldTable} from '../scope/field-table.js' */
/** @import {FieldName, State} from '../scope/state-fields.js' */

/** @import {Places} from '../attention/reader-changes.js' */

/** @type {FieldTable} */
const table = addressFields;

/**
 * Finds the layers and heads that an address names and the model does not have, and the state without them.
 * Interventions stay: they do nothing, and the next model may have a place for them.
 *
 * @param {State} state
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
  for (const [name, field] of Object.entries(table)) {
    const {counts, codec} = field;
    if (!counts) continue;
    const key = keyOf(name, field);
    const value = state[/** @type {FieldName} */ (name)];
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
