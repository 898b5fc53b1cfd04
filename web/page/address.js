import {filters} from '../views/selection.js';

/** @import {Filter, TokenRef} from '../views/selection.js' */

/**
 * The state of the page as its address carries it: `#text=…&pair=…&view=head&layer=3&heads=0.4`.
 *
 * @typedef {object} State
 * @property {string} text
 * @property {string} pair  empty: no second sentence
 * @property {string} view
 * @property {number} layer
 * @property {number[]} heads  empty: all
 * @property {Filter} filter
 * @property {TokenRef | null} token
 * @property {'auto' | 'light' | 'dark'} theme
 */

/** @type {Readonly<State>} */
export const initialState = Object.freeze({
  text: 'time flies like an arrow',
  pair: 'fruit flies like a banana',
  view: 'head',
  layer: 0,
  heads: [],
  filter: 'all',
  token: null,
  theme: 'auto',
});

/**
 * Reads what it can and takes the initial state for the rest. An address without a text is the
 * page as it first opens; one with a text has only the second sentence it names.
 *
 * @param {string} hash
 * @returns {State}
 */
export function parseAddress(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const text = fields.get('text');
  const filter = /** @type {Filter} */ (fields.get('filter'));
  const theme = fields.get('theme');
  return {
    text: text ?? initialState.text,
    pair: text === null ? initialState.pair : (fields.get('pair') ?? ''),
    view: fields.get('view') || initialState.view,
    layer: parseIndex(fields.get('layer')) ?? initialState.layer,
    heads: parseHeads(fields.get('heads')),
    filter: filters.includes(filter) ? filter : 'all',
    token: parseToken(fields.get('token')),
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
  };
}

/** @param {State} state */
export function formatAddress({text, pair, view, layer, heads, filter, token, theme}) {
  const fields = new URLSearchParams({text});
  if (pair) fields.set('pair', pair);
  fields.set('view', view);
  fields.set('layer', String(layer));
  if (heads.length) fields.set('heads', heads.join('.'));
  if (filter !== 'all') fields.set('filter', filter);
  if (token) fields.set('token', `${token.side === 'query' ? 'q' : 'k'}${token.index}`);
  if (theme !== 'auto') fields.set('theme', theme);
  return `#${fields}`;
}

/** @param {string | null} value */
function parseIndex(value) {
  return value !== null && /^\d{1,4}$/.test(value) ? Number(value) : null;
}

/** @param {string | null} value */
function parseHeads(value) {
  const heads = (value ?? '').split('.').map(parseIndex);
  return [...new Set(heads.filter((head) => head !== null))].sort((a, b) => a - b);
}

/**
 * @param {string | null} value
 * @returns {TokenRef | null}
 */
function parseToken(value) {
  const index = parseIndex(value?.slice(1) ?? null);
  if (index === null || !/^[qk]/.test(value ?? '')) return null;
  return {side: value?.[0] === 'q' ? 'query' : 'key', index};
}
