import {range} from './range.js';

/** @import {Snapshot} from './snapshot.js' */

/**
 * The layers and heads that there are.
 *
 * @typedef {Pick<Snapshot, 'layers' | 'heads' | 'has'>} Shape
 *
 * @typedef {{layer: number, head: number}} HeadRef  one head of one layer
 *
 * @typedef {{layers: readonly number[], heads: readonly number[]}} Block  all of these heads in
 *   all of these layers
 */

/** @param {Shape} shape @param {number} layer @param {number} head */
export function holds({layers, heads, has}, layer, head) {
  return layer < layers && head < heads && (has?.(layer, head) ?? true);
}

/** Returns the heads that at least one of two shapes has. @param {Shape} a @param {Shape} b @returns {Shape} */
export function unionOf(a, b) {
  const isEither = (/** @type {number} */ layer, /** @type {number} */ head) =>
    holds(a, layer, head) || holds(b, layer, head);
  return shapeOf(Math.max, isEither, a, b);
}

/** Returns the heads that both shapes have. @param {Shape} a @param {Shape} b @returns {Shape} */
export function commonOf(a, b) {
  const areBoth = (/** @type {number} */ layer, /** @type {number} */ head) =>
    holds(a, layer, head) && holds(b, layer, head);
  return shapeOf(Math.min, areBoth, a, b);
}

/** @param {Shape} a @param {Shape} b */
export function isSameShape(a, b) {
  if (a.layers !== b.layers || a.heads !== b.heads) return false;
  return isEvery(a, (layer, head) => holds(a, layer, head) === holds(b, layer, head));
}

/**
 * Returns the layers and heads that were asked for, or all where the model has none of those.
 *
 * @param {Shape} shape
 * @param {Block} [wanted]
 * @returns {Block}
 */
export function blockOf({layers: layerCount, heads: headCount, has}, wanted) {
  const some = (/** @type {readonly number[]} */ numbers, /** @type {number} */ count) => {
    const all = range(count);
    const known = all.filter((index) => numbers.includes(index));
    return known.length ? known : all;
  };
  const layers = some(wanted?.layers ?? [], layerCount);
  const heads = some(wanted?.heads ?? [], headCount);
  if (!has) return {layers, heads};
  return {
    layers: layers.filter((layer) => heads.some((head) => has(layer, head))),
    heads: heads.filter((head) => layers.some((layer) => has(layer, head))),
  };
}

/**
 * @param {Shape} shape
 * @param {(layer: number, head: number) => boolean} test  is called for each head, also for those that are missing
 */
function isEvery({layers, heads}, test) {
  for (let place = 0; place < layers * heads; place++) {
    if (!test(Math.floor(place / heads), place % heads)) return false;
  }
  return true;
}

/**
 * @param {(a: number, b: number) => number} count
 * @param {(layer: number, head: number) => boolean} has
 * @param {Shape} a
 * @param {Shape} b
 * @returns {Shape}
 */
function shapeOf(count, has, a, b) {
  const size = {layers: count(a.layers, b.layers), heads: count(a.heads, b.heads)};
  return {...size, has: isEvery(size, has) ? undefined : has};
}
