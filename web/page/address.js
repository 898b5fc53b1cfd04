import {parseFields} from '../scope/field-table.js';
import {addressFields, fields, initialState, openKeys} from '../scope/state-fields.js';
import {noReaderChanges} from '../attention/reader-changes.js';
import {parseRoute} from '../routes/routes.js';
import {datesAddress} from '../session/source-address.js';

/** @import {State} from '../scope/state-fields.js' */

/**
 * The state in which the page first opens: a pronoun that finds what it stands for, without the tokens around the text.
 *
 * @type {Readonly<State>}
 */
export const firstState = Object.freeze({
  ...initialState,
  text: 'The children played in the garden until they were tired.',
  layer: 1,
  heads: [4],
  special: /** @type {const} */ ('hide'),
  token: Object.freeze({side: /** @type {const} */ ('query'), index: 8}), // “they” gives “children” 95 %
});

/** A text of which nothing has been chosen: no head, no token. */
const foundState = Object.freeze({...firstState, layer: 0, heads: [], token: null});

/** What the encoder-decoder that comes with the page shows first: where it looks while it writes a date. */
export const datesState = Object.freeze({
  src: datesAddress,
  text: 'the twenty-third of March 2021',
  textPair: '',
  interventions: noReaderChanges,
  compare: null,
  view: /** @type {const} */ ('head'),
  filter: /** @type {const} */ ('cross'),
  layer: 1,
  heads: [0],
  token: null,
});

/**
 * What a model shows first: the head that `firstState` chooses is one of the embedded model. @param {string | null} model
 *
 * @returns {State}
 */
function firstOfModel(model) {
  if (!model) return firstState;
  return model === datesAddress ? {...firstState, ...datesState} : foundState;
}

/** The address of a section says nothing of the viewer. @param {string} hash */
const parametersOf = (hash) => new URLSearchParams(parseRoute(hash) ? '' : hash.replace(/^#/, ''));

/**
 * Whether an address leaves it to the page what is shown of its text, as a link from elsewhere does. The researcher view
 * shows all heads until one is chosen.
 *
 * @param {string} hash
 */
export const leavesChoice = (hash) =>
  [...parametersOf(hash)].every(
    ([key, value]) => openKeys.includes(key) && !(key === 'panel' && value === 'all'),
  );

/**
 * Reads the state from an address. Fields that the address does not name, or that cannot be read, are those of
 * `firstOfModel` if it has no text, those of `foundState` if it chooses nothing of its text, and otherwise those of
 * `initialState`.
 *
 * @param {string} hash
 */
export function parseAddress(hash) {
  const parameters = parametersOf(hash);
  const ofText = leavesChoice(hash) ? foundState : initialState;
  const first = parameters.has('text') ? ofText : firstOfModel(parameters.get('model'));
  const state = parseFields(addressFields, parameters, first);
  return {...withoutRest(state), compare: state.compare && withoutRest(state.compare)};
}

/**
 * The characters of a text that the page takes. No model reads more than some hundreds of tokens, browsers need seconds
 * to lay out a million characters, and an address cannot hold them.
 */
export const mostCharacters = 10_000;

/** Cuts the texts. @template {{text: string, textPair: string}} T @param {T} texts @returns {T} */
const withoutRest = (texts) => ({
  ...texts,
  text: firstOf(texts.text),
  textPair: firstOf(texts.textPair),
});

/** @param {string} text */
export const firstOf = (text) => text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, '');

/** Returns the interventions in an address that cannot be read, as `off=x`. @param {string} hash */
export const unreadChanges = (hash) =>
  fields.interventions.codec.unread?.(`${parametersOf(hash)}`) ?? '';
