/** The steps about the model that writes dates share these: its heads, their tensors, and what it writes. */

import {range} from '../../attention/range.js';
import {segments} from '../parts/step-controls.js';

/** @import {Choices, StepContext, Tools} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */

/** @typedef {Awaited<ReturnType<Tools['model']['translate']>>} Translation */
/** @typedef {Parameters<Translation['decoder']['pull']>[0]} Wanted */

/** @typedef {{layer: number, head: number}} Place */

/** Returns the shape of the decoder, which the model of the lesson has. @param {Tools['model']} model */
export const decoderShapeOf = ({decoderShape}) =>
  /** @type {NonNullable<typeof decoderShape>} */ (decoderShape);

/**
 * Returns the head that is chosen in a step, by the names that its choices have there.
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
 * Draws the controls that choose a head.
 *
 * @param {StepContext} context
 * @param {{layers: number, heads: number}} shape
 * @param {Place} place
 * @param {[string, string]} [names]
 */
export const placeControls = (context, {layers, heads}, place, names = ['layer', 'head']) => {
  const shown = {...context, choices: {[names[0]]: place.layer, [names[1]]: place.head}};
  return [
    segments(shown, names[0], context.labels.layer, range(layers)),
    segments(shown, names[1], context.labels.head, range(heads)),
  ];
};

/**
 * Asks the engine for matrices of one head, as tensors.
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

/** Returns a tensor without its first axis, whose length is 1. @param {Tensor} tensor */
export const unbatched = ({shape, data}) => ({shape: shape.slice(1), data});

/**
 * Returns the probability of every token of the vocabulary in every place of what was written.
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

/** Lists all heads of a model, layer after layer. @param {{layers: number, heads: number}} shape */
export const headsOf = ({layers, heads}) =>
  range(layers).flatMap((layer) => range(heads).map((head) => ({layer, head})));

/** The number of tokens that are shown of a text that does not end. */
const longest = 16;

/**
 * Returns what is written without one kind of attention.
 *
 * @param {Tools} tools
 * @param {string} text
 * @param {'decoder' | 'cross'} part
 */
export async function withoutHeads({model, signal}, text, part) {
  const heads = headsOf(decoderShapeOf(model)).map((place) => ({...place, scale: 0, part}));
  const options = {tokens: longest, interventions: {heads}, signal};
  const changed = await model.translate(text, options);
  return changed.tokens.length < longest ? changed.text : `${changed.text} …`;
}

/**
 * Names what has become of a date: the same one, another one, or something that is no date.
 *
 * @param {string} before
 * @param {string} after
 */
export function outcomeOf(before, after) {
  if (before === after) return 'same';
  return /^[\dX]{4}-[\dX]{2}-[\dX]{2}$/.test(after) ? 'other' : 'none';
}
