import {strongestLink} from '../../attention/strongest-link.js';
import {strongestDimension, strongestKey} from './scene.js';

/** @import {Focus} from './canvas.js' */
/** @import {NeuronViewData} from './neuron-view.js' */
/** @import {NeuronScene, QueryScene} from './scene.js' */
/** @import {Slice} from '../../attention/selection.js' */

/**
 * The tokens and the dimension of a head that the pointer is on, or that the reader has chosen.
 *
 * @typedef {{query: number | null, key: number | null, dimension: number | null}} Spots
 */

/** @type {Readonly<Spots>} */
export const noSpots = {query: null, key: null, dimension: null};

/**
 * Drops what a head does not have.
 *
 * @param {NeuronScene} head
 * @param {Spots} spots
 * @returns {Spots}
 */
export function spotsWithin({vectors, queries, keys}, {query, key, dimension}) {
  const within = (/** @type {number | null} */ at, /** @type {Slice} */ range) =>
    at !== null && at >= range.start && at < range.end ? at : null;
  return {
    query: within(query, queries),
    key: within(key, keys),
    dimension: within(dimension, {start: 0, end: vectors.headDim}),
  };
}

/**
 * Finds the query to show: the one pointed at, the chosen one, or the one that a headline over the picture speaks of.
 *
 * @param {NeuronViewData} data
 * @param {NeuronScene} scene
 * @param {Spots} hover
 * @param {Spots} kept
 */
export function queryToShow({snapshot, selection}, {head, queries}, hover, kept) {
  const wanted = hover.query ?? kept.query;
  return wanted ?? strongestLink(snapshot, {...selection, heads: [head]})?.query ?? queries.start;
}

/**
 * Finds the key and the dimension to show: those pointed at, the chosen ones, or the strongest.
 *
 * @param {QueryScene} scene
 * @param {Spots} hover
 * @param {Spots} kept
 * @returns {Focus}
 */
export function focusToShow(scene, hover, kept) {
  const {start, end} = scene.keys;
  const wanted = hover.key ?? kept.key ?? -1;
  const key = wanted >= start && wanted < end ? wanted : strongestKey(scene);
  return {key, dimension: hover.dimension ?? kept.dimension ?? strongestDimension(scene, key)};
}
