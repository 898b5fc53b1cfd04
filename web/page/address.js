import {addressNames, fields, formatFields, initialState, parseFields} from '../scope/state.js';
import {parseRoute} from '../routes/routes.js';

/** @import {State} from '../scope/state.js' */

/** The state that an address has. @typedef {Pick<State, (typeof addressNames)[number]>} AddressState */

/**
 * The page as it first opens: on a head that shows something at first sight, here that a word looks
 * for its like in the other sentence.
 *
 * @type {Readonly<State>}
 */
export const firstState = Object.freeze({
  ...initialState,
  text: 'time flies like an arrow',
  textPair: 'fruit flies like a banana',
  layer: 3,
  heads: [2],
  statistic: 'sameWord',
  token: Object.freeze({side: /** @type {const} */ ('query'), index: 2}),
});

/** Of a place beside the viewer, an address says nothing of the viewer. @param {string} hash */
const parametersOf = (hash) => new URLSearchParams(parseRoute(hash) ? '' : hash.replace(/^#/, ''));

/**
 * Reads what it can. An address without a text is the page as it first opens, except for what it
 * says; one with a text has only what it says.
 *
 * @param {string} hash
 */
export function parseAddress(hash) {
  const parameters = parametersOf(hash);
  return parseFields(addressNames, parameters, parameters.has('text') ? initialState : firstState);
}

/** What an address asks of the model and cannot be done, as `off=x`. @param {string} hash */
export const unreadChanges = (hash) =>
  fields.interventions.codec.unread?.(`${parametersOf(hash)}`) ?? '';

/** @param {AddressState} state */
export const formatAddress = (state) =>
  `#${new URLSearchParams(formatFields(addressNames, state, ['text', 'view', 'layer']))}`;
