import {formatInterventions} from '../attention/intervention-fields.js';
import {changesOf, hasPlace} from '../attention/interventions.js';

/** @import {State} from './address.js' */

/**
 * What an address names of a model and the model has not, and the address without it. Changes of the
 * model stay: they do nothing, and the next model may have a place for them.
 *
 * @param {State} state
 * @param {object} there
 * @param {{layers: number, heads: number}} there.available  what there is to choose from: of two models, what either has
 * @param {{layers: number, heads: number}} there.shape  of the model that is changed
 * @returns {{named: string[], mended: Partial<State>}}  `named`: as `layer=99`
 */
export function beyondModel(state, {available, shape}) {
  const {layers, heads} = available;
  /** @type {string[]} */
  const named = [];
  /** @type {Partial<State>} */
  const mended = {};
  if (state.layer >= layers) {
    named.push(`layer=${state.layer}`);
    mended.layer = layers - 1;
  }
  for (const [field, property, count] of /** @type {const} */ ([
    ['heads', 'heads', heads],
    ['only-layers', 'onlyLayers', layers],
    ['only-heads', 'onlyHeads', heads],
    ['layers', 'meanLayers', layers],
  ])) {
    const list = state[property];
    if (list === 'all' || list.every((each) => each < count)) continue;
    named.push(`${field}=${list.filter((each) => each >= count).join('.')}`);
    mended[property] = list.filter((each) => each < count);
  }
  for (const each of changesOf(state.interventions)) {
    if (!hasPlace(each, shape)) named.push(...fieldsOf(state, each.without));
  }
  return {named, mended};
}

/** The items that a change adds to those without it. @param {State} state @param {State['interventions']} without */
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
