import {
  formatInterventions,
  parseInterventions,
  readInterventions,
} from '../attention/intervention-fields.js';
import {noInterventions} from '../attention/interventions.js';
import {formatBaseline, parseBaseline} from '../scope/pass-origin.js';
import {statisticNames} from '../attention/head-statistics.js';
import {measures, plainDisplay} from '../attention/display.js';
import {filters} from '../attention/selection.js';
import {strings} from '../strings/index.js';
import {parseRoute} from '../routes/routes.js';

/** @import {Interventions} from '../attention/interventions.js' */
/** @import {BaselineOrigin, CompareMode} from '../scope/pass-origin.js' */
/** @import {StatisticName} from '../attention/head-statistics.js' */
/** @import {Display, Measure} from '../attention/display.js' */

/** @import {Filter, TokenRef} from '../attention/selection.js' */

/**
 * The state of the page as its address carries it: `#text=…&pair=…&view=head&layer=3&heads=0.4`.
 *
 * @typedef {object} View
 * @property {string} text
 * @property {string} pair  empty: no second sentence
 * @property {string} model  `hub:…`, `kept:…` or an address; empty: the embedded one
 * @property {string} view
 * @property {number} layer
 * @property {number[]} heads  empty: all
 * @property {Filter} filter
 * @property {TokenRef | null} token
 * @property {StatisticName} statistic
 * @property {boolean} open  a head is shown large in the model view
 * @property {number[]} onlyLayers  that the model view shows; empty: all
 * @property {number[]} onlyHeads
 * @property {string} file  attention from this file is shown, which the address does not hold
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {boolean} large
 * @property {Interventions} interventions
 * @property {CompareMode | ''} contrast
 * @property {BaselineOrigin | null} compare  what the picture is compared with
 * @property {string} workbench  the tab that is open; empty: none
 *
 * @typedef {View & Display} State
 */

/** What an address that names a text leaves unsaid. @type {Readonly<State>} */
const plainState = Object.freeze({
  text: '',
  pair: '',
  model: '',
  view: 'head',
  layer: 0,
  heads: [],
  filter: 'all',
  token: null,
  statistic: 'previous',
  open: false,
  onlyLayers: [],
  onlyHeads: [],
  file: '',
  theme: 'auto',
  large: false,
  interventions: noInterventions,
  contrast: '',
  compare: null,
  workbench: '',
  ...plainDisplay,
});

/**
 * The page as it first opens: on a head that shows something at first sight, here that a word looks
 * for its like in the other sentence.
 *
 * @type {Readonly<State>}
 */
export const initialState = Object.freeze({
  ...plainState,
  text: 'time flies like an arrow',
  pair: 'fruit flies like a banana',
  layer: 3,
  heads: [2],
  statistic: 'sameWord',
  token: Object.freeze({side: /** @type {const} */ ('query'), index: 2}),
});

/**
 * Reads what it can. An address without a text is the page as it first opens, except for what it
 * says; one with a text has only what it says. Of a place beside the viewer it says nothing.
 *
 * @param {string} hash
 * @returns {State}
 */
export function parseAddress(hash) {
  const fields = new URLSearchParams(parseRoute(hash) ? '' : hash.replace(/^#/, ''));
  const base = fields.has('text') ? plainState : initialState;
  const filter = /** @type {Filter} */ (fields.get('filter'));
  const view = fields.get('view') ?? '';
  const theme = fields.get('theme');
  const statistic = /** @type {StatisticName} */ (fields.get('colour'));
  const special = fields.get('special');
  const contrast = fields.get('contrast');
  // As it was called before.
  const workbench = fields.get('workbench') ?? fields.get('lab') ?? '';
  const measure = /** @type {Measure} */ (fields.get('measure'));
  const keep = parseIndex(fields.get('keep'));
  return {
    text: fields.get('text') ?? base.text,
    pair: fields.get('pair') ?? base.pair,
    model: fields.get('model') ?? base.model,
    view: Object.hasOwn(strings.views.names, view) ? view : base.view,
    layer: parseIndex(fields.get('layer')) ?? base.layer,
    heads: fields.has('heads') ? parseList(fields.get('heads')) : [...base.heads],
    filter: filters.includes(filter) ? filter : base.filter,
    token: fields.has('token') ? parseToken(fields.get('token')) : base.token,
    statistic: statisticNames.includes(statistic) ? statistic : base.statistic,
    open: fields.get('open') === '1',
    onlyLayers: parseList(fields.get('only-layers')),
    onlyHeads: parseList(fields.get('only-heads')),
    file: fields.get('file') ?? '',
    theme: theme === 'light' || theme === 'dark' ? theme : base.theme,
    large: fields.get('large') === '1',
    interventions: parseInterventions(fields),
    contrast: contrast === 'side' || contrast === 'difference' ? contrast : base.contrast,
    compare: parseBaseline(baselineFields(fields)),
    workbench: Object.hasOwn(strings.workbench.tabs, workbench) ? workbench : base.workbench,
    words: fields.has('words') ? fields.get('words') === '1' : base.words,
    special: special === 'hide' || special === 'renormalise' ? special : base.special,
    measure: measures.includes(measure) ? measure : base.measure,
    strongest: keep !== null && keep >= 5 && keep <= 100 ? keep / 100 : base.strongest,
    fullScale: fields.get('scale') === 'full',
    meanLayers: fields.get('layers') === 'mean' ? 'all' : parseList(fields.get('layers')),
  };
}

/** What an address asks of the model and cannot be done. @param {string} hash */
export function unreadChanges(hash) {
  const fields = new URLSearchParams(parseRoute(hash) ? '' : hash.replace(/^#/, ''));
  return readInterventions(fields).unread;
}

/** @param {State} state */
export function formatAddress(state) {
  const {text, pair, view, layer, heads, filter, token, theme} = state;
  const fields = new URLSearchParams({text});
  if (pair) fields.set('pair', pair);
  if (state.model) fields.set('model', state.model);
  fields.set('view', view);
  fields.set('layer', String(layer));
  if (heads.length) fields.set('heads', heads.join('.'));
  if (filter !== 'all') fields.set('filter', filter);
  if (token) fields.set('token', `${token.side === 'query' ? 'q' : 'k'}${token.index}`);
  if (state.words) fields.set('words', '1');
  if (state.special !== 'show') fields.set('special', state.special);
  if (state.strongest < 1) fields.set('keep', String(Math.round(state.strongest * 100)));
  if (state.fullScale) fields.set('scale', 'full');
  const {meanLayers} = state;
  if (meanLayers.length) {
    fields.set('layers', meanLayers === 'all' ? 'mean' : meanLayers.join('.'));
  }
  if (state.measure !== 'weight') fields.set('measure', state.measure);
  if (state.statistic !== 'previous') fields.set('colour', state.statistic);
  if (state.open) fields.set('open', '1');
  if (state.onlyLayers.length) fields.set('only-layers', state.onlyLayers.join('.'));
  if (state.onlyHeads.length) fields.set('only-heads', state.onlyHeads.join('.'));
  if (state.file) fields.set('file', state.file);
  for (const [name, value] of Object.entries(formatInterventions(state.interventions)))
    fields.set(name, value);
  if (state.contrast) fields.set('contrast', state.contrast);
  for (const [name, value] of Object.entries(formatBaseline(state.compare)))
    fields.set(baselinePrefix + name, value);
  if (state.workbench) fields.set('workbench', state.workbench);
  if (state.large) fields.set('large', '1');
  if (theme !== 'auto') fields.set('theme', theme);
  return `#${fields}`;
}

/** Before the names of what the picture is compared with: its text is `compare-text`. */
const baselinePrefix = 'compare-';

/** @param {URLSearchParams} fields */
function baselineFields(fields) {
  const own = [...fields].filter(([name]) => name.startsWith(baselinePrefix));
  return new URLSearchParams(
    own.map(([name, value]) => [name.slice(baselinePrefix.length), value]),
  );
}

/** @param {string | null} value */
function parseIndex(value) {
  return value !== null && /^\d{1,4}$/.test(value) ? Number(value) : null;
}

/** @param {string | null} value */
function parseList(value) {
  const numbers = (value ?? '').split('.').map(parseIndex);
  return [...new Set(numbers.filter((number) => number !== null))].sort((a, b) => a - b);
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
