import {formatInterventions, parseInterventions} from '../attention/intervention-fields.js';
import {noInterventions} from '../attention/interventions.js';

/** @import {Interventions} from '../attention/interventions.js' */

/**
 * Where a pass comes from, so that it can be made again.
 *
 * @typedef {object} Origin
 * @property {string} text
 * @property {string} pair  empty: no second sentence
 * @property {string} model  its address, or that of a saved picture; empty: the embedded model
 * @property {string} file  a file of the reader's, of which an address has the name only; empty: none
 * @property {Interventions} interventions
 *
 * @typedef {'side' | 'difference'} CompareMode
 *
 * @typedef {Origin & {mode: CompareMode}} BaselineOrigin  of what a picture is compared with, and how
 */

/** @type {Readonly<Origin>} */
const nowhere = Object.freeze({
  text: '',
  pair: '',
  model: '',
  file: '',
  interventions: noInterventions,
});

/** @param {Partial<Origin>} origin @returns {Origin} */
export function originOf(origin) {
  return {...nowhere, ...origin};
}

/**
 * The fields that an address or an attribute has of it.
 *
 * @param {Origin} origin
 * @returns {Record<string, string>}
 */
export function formatOrigin({text, pair, model, file, interventions}) {
  const named = Object.entries({text, pair, model, file}).filter(([, value]) => value);
  return {...Object.fromEntries(named), ...formatInterventions(interventions)};
}

/** @param {BaselineOrigin | null} baseline @returns {Record<string, string>} */
export function formatBaseline(baseline) {
  return baseline ? {mode: baseline.mode, ...formatOrigin(baseline)} : {};
}

/** @param {URLSearchParams} fields @returns {BaselineOrigin | null}  null where they name no mode */
export function parseBaseline(fields) {
  const mode = fields.get('mode');
  if (mode !== 'side' && mode !== 'difference') return null;
  const field = (/** @type {string} */ name) => fields.get(name) ?? '';
  return {
    mode,
    text: field('text'),
    pair: field('pair'),
    model: field('model'),
    file: field('file'),
    interventions: parseInterventions(fields),
  };
}

/** Equal for origins of which each is the other. @param {Origin} origin */
export function nameOfOrigin(origin) {
  return new URLSearchParams(formatOrigin(origin)).toString();
}
