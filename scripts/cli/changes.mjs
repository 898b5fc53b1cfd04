/** Interventions as they are written on the command line. */

import {BertscopeError} from '../../web/engine/errors.js';

/** @import {Interventions, ModelPart} from '../../web/engine/interventions.js' */

/**
 * @typedef {object} ChangeValues
 * @property {string[]} [ablate]
 * @property {string[]} [scale-head]
 * @property {string} [layers-off]
 * @property {string} [mask-tokens]
 * @property {string[]} [edge]
 * @property {boolean} [renormalise]
 * @property {boolean} [causal]
 * @property {string} [temperature]
 * @property {string} [score-scale]
 */

/** @satisfies {import('node:util').ParseArgsConfig['options']} */
export const changeOptions = /** @type {const} */ ({
  ablate: {type: 'string', multiple: true},
  'scale-head': {type: 'string', multiple: true},
  'layers-off': {type: 'string'},
  'mask-tokens': {type: 'string'},
  edge: {type: 'string', multiple: true},
  renormalise: {type: 'boolean'},
  causal: {type: 'boolean'},
  temperature: {type: 'string'},
  'score-scale': {type: 'string'},
});

/**
 * Reads the form only; the engine says which layers, heads and values there are.
 * @param {ChangeValues} values
 * @returns {Interventions | undefined}
 */
export function readInterventions(values) {
  if (!Object.keys(changeOptions).some((name) => Object.hasOwn(values, name))) return undefined;
  const {ablate, edge, renormalise = false, temperature} = values;
  if (renormalise && edge === undefined) {
    throw new BertscopeError('usage', '--renormalise: expected --edge beside it, found none');
  }
  return {
    heads: [
      ...listed(ablate).map((text) => ({...headOf(text, '--ablate'), scale: 0})),
      ...listed(values['scale-head']).map((text) => {
        const [head, scale] = split(text, '=', 2, '--scale-head', 'LAYER.HEAD=SCALE');
        return {...headOf(head, '--scale-head'), scale: numberOf(scale, '--scale-head')};
      }),
    ],
    layersOff: indicesOf(values['layers-off'], '--layers-off'),
    maskedTokens: indicesOf(values['mask-tokens'], '--mask-tokens'),
    edges: listed(edge).map((text) => ({...edgeOf(text), renormalise})),
    causal: values.causal ?? false,
    ...(temperature === undefined ? {} : {temperature: temperatureOf(temperature)}),
    // The engine refuses any other by name.
    scoreScale: /** @type {Interventions['scoreScale']} */ (values['score-scale'] ?? 'head'),
  };
}

/** @param {string | string[]} [values] With commas, or given again. */
const listed = (values = []) => [values].flat().flatMap((list) => list.split(','));

/** @param {string | undefined} list @param {string} option */
const indicesOf = (list, option) => listed(list).map((text) => indexOf(text, option, text));

/**
 * @param {string} text A place, perhaps after the part of an encoder-decoder: `cross:3.1`.
 * @returns {{part: {part?: ModelPart}, place: string}}
 */
function partOf(text) {
  const [, part, place] = /** @type {RegExpExecArray} */ (
    /^(?:(encoder|decoder|cross):)?(.*)$/s.exec(text)
  );
  return {part: part ? {part: /** @type {ModelPart} */ (part)} : {}, place};
}

/** @param {string} text @param {string} option */
function headOf(text, option) {
  const {part, place} = partOf(text);
  const [layer, head] = split(place, '.', 2, option, 'LAYER.HEAD');
  return {layer: indexOf(layer, option, text), head: indexOf(head, option, text), ...part};
}

/** @param {string} text */
function edgeOf(text) {
  const form = 'LAYER.HEAD.QUERY.KEY=WEIGHT';
  const [from, weight] = split(text, '=', 2, '--edge', form);
  const {part, place} = partOf(from);
  const [layer, head, query, key] = split(place, '.', 4, '--edge', form).map((index) =>
    indexOf(index, '--edge', text),
  );
  return {layer, head, query, key, weight: numberOf(weight, '--edge'), ...part};
}

/**
 * @param {string} text A number for all layers, or LAYER:NUMBER with commas.
 * @returns {number | Record<number, number>}
 */
function temperatureOf(text) {
  if (!text.includes(':')) return numberOf(text, '--temperature');
  return Object.fromEntries(
    listed(text).map((one) => {
      const [layer, value] = split(one, ':', 2, '--temperature', 'NUMBER or LAYER:NUMBER');
      return [indexOf(layer, '--temperature', one), numberOf(value, '--temperature')];
    }),
  );
}

/**
 * @param {string} text
 * @param {string} separator
 * @param {number} count Of the parts.
 * @param {string} option
 * @param {string} form For the message.
 */
function split(text, separator, count, option, form) {
  const parts = text.split(separator);
  if (parts.length === count) return parts;
  throw new BertscopeError('usage', `${option}: expected ${form}, found "${text}"`);
}

/**
 * @param {string} text
 * @param {string} option
 * @param {string} whole For the message.
 */
function indexOf(text, option, whole) {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const message = `${option}: expected whole numbers from 0, found "${whole}"`;
  throw new BertscopeError('usage', message);
}

/** @param {string} text @param {string} option */
function numberOf(text, option) {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new BertscopeError('usage', `${option}: expected a number, found "${text}"`);
}
