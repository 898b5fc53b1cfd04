import {range} from '../../attention/range.js';
import {segments} from '../parts/step-controls.js';

/** @import {Choices, Desk, Tools} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */

/** @typedef {Awaited<ReturnType<Tools['model']['translate']>>} Translation */
/** @typedef {Parameters<Translation['decoder']['pull']>[0]} Wanted */

/**
 * A head of a model, by the names that its choices have in a step.
 *
 * @typedef {{layer: number, head: number}} Place
 *
 * @param {{layers: number, heads: number}} shape
 * @param {Choices} choices
 * @param {[string, string]} [names]
 * @returns {Place}
 */
export const placeOf = ({layers, heads}, choices, [layer, head] = ['layer', 'head']) => ({
  layer: Math.min(Number(choices[layer]), layers - 1),
  head: Math.min(Number(choices[head]), heads - 1),
});

/** The names of the choices of a head of cross attention, which are not carried over from steps about other heads. */
export const crossNames = /** @type {[string, string]} */ (['crossLayer', 'crossHead']);

/**
 * What the steps about cross attention begin with: the head that was shown where to look, and the token that is written
 * last in a whole date.
 */
export const crossChoices = {crossLayer: 1, crossHead: 0, asking: 9};

/**
 * The controls that choose a head.
 *
 * @param {Desk} desk
 * @param {{layers: number, heads: number}} shape
 * @param {Place} place
 * @param {[string, string]} [names]
 */
export const placeControls = (desk, {layers, heads}, place, names = ['layer', 'head']) => {
  const shown = {...desk, choices: {[names[0]]: place.layer, [names[1]]: place.head}};
  return [
    segments(shown, names[0], desk.labels.layer, range(layers)),
    segments(shown, names[1], desk.labels.head, range(heads)),
  ];
};

/**
 * Matrices of one head as tensors.
 *
 * @template {string} Name
 * @param {{pull: Translation['decoder']['pull']}} result
 * @param {Place} place
 * @param {Record<Name, {kind: Wanted[number]['kind'], rows: number}>} wanted
 * @returns {Promise<Record<Name, Tensor>>}  each [1, rows, columns]
 */
export async function tensorsOfHead(result, place, wanted) {
  const names = /** @type {Name[]} */ (Object.keys(wanted));
  const pulled = await result.pull(names.map((name) => ({kind: wanted[name].kind, ...place})));
  const tensors = names.map((name, i) => {
    const {rows} = wanted[name];
    return [name, {shape: [1, rows, pulled[i].length / rows], data: pulled[i]}];
  });
  return Object.fromEntries(tensors);
}

/** A tensor without its first axis, of length 1. @param {Tensor} tensor */
export const unbatched = ({shape, data}) => ({shape: shape.slice(1), data});

/**
 * The probability of every token of the vocabulary in every place of what was written.
 *
 * @param {Tools['model']} model
 * @param {Translation} translation
 * @returns {Promise<Tensor>}  [1, written, vocabulary]
 */
export async function probabilitiesOf(model, {decoder, tokens}) {
  const {vocabulary} = model.config;
  const rows = await Promise.all(
    tokens.map((_, place) => decoder.probabilities(place, range(vocabulary))),
  );
  const data = new Float32Array(tokens.length * vocabulary);
  rows.forEach((row, place) => data.set(row, place * vocabulary));
  return {shape: [1, tokens.length, vocabulary], data};
}

/** The index of the largest number of a row. @param {Float32Array} row */
export const largestOf = (row) => row.indexOf(Math.max(...row));

/**
 * A row of a table.
 *
 * @param {Tensor} tensor  [rows, columns]
 * @param {number} row
 */
export const rowAt = ({shape: [, columns], data}, row) =>
  data.subarray(row * columns, (row + 1) * columns);

/** All heads of a model, layer after layer. @param {{layers: number, heads: number}} shape */
export const headsOf = ({layers, heads}) =>
  range(layers).flatMap((layer) => range(heads).map((head) => ({layer, head})));

/** How much is shown of a text that does not end. */
const longest = 16;

/**
 * What is written without one kind of attention.
 *
 * @param {Tools} tools
 * @param {string} text
 * @param {'decoder' | 'cross'} part
 */
export async function withoutHeads({model, signal}, text, part) {
  const shape = /** @type {NonNullable<typeof model.decoderShape>} */ (model.decoderShape);
  const heads = headsOf(shape).map((place) => ({...place, scale: 0, part}));
  const changed = await model.translate(text, {
    ...{tokens: longest, interventions: {heads}, signal},
  });
  return changed.tokens.length < longest ? changed.text : `${changed.text} …`;
}

/**
 * What has become of a date.
 *
 * @param {string} before
 * @param {string} after
 */
export function outcomeOf(before, after) {
  if (before === after) return 'same';
  return /^[\dX]{4}-[\dX]{2}-[\dX]{2}$/.test(after) ? 'other' : 'none';
}
