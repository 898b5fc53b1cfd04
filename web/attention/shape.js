import {range} from './range.js';

/** @import {LazySnapshot, Snapshot} from './snapshot.js' */

/**
 * The layers and heads that there are.
 *
 * @typedef {Pick<Snapshot, 'layers' | 'heads' | 'held'> & Pick<LazySnapshot, 'has'>} Shape
 *
 * @typedef {{layer: number, head: number}} HeadRef  one head of one layer
 *
 * @typedef {{layers: readonly number[], heads: readonly number[]}} Block  all of these heads in
 *   all of these layers
 */

/** @param {Shape} shape @param {number} layer @param {number} head */
export function holds({layers, heads, held, has}, layer, head) {
  if (layer >= layers || head >= heads) return false;
  return has?.(layer, head) ?? held?.[layer * heads + head] ?? true;
}

/** Gives a shape the function by which pages ask which heads there are. @template {Shape} S @param {S} shape @returns {S} */
export const withHas = (shape) =>
  shape.held ? {has: (layer, head) => holds(shape, layer, head), ...shape} : shape;

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
  return ofEach(a, (layer, head) => holds(a, layer, head) === holds(b, layer, head)).every(Boolean);
}

/**
 * Returns the layers and heads that were asked for, or all where the model has none of those.
 *
 * @param {Shape} shape
 * @param {Block} [wanted]
 * @returns {Block}
 */
export function blockOf(shape, wanted) {
  const some = (/** @type {readonly number[]} */ numbers, /** @type {number} */ count) => {
    const all = range(count);
    const known = all.filter((index) => numbers.includes(index));
    return known.length ? known : all;
  };
  const layers = some(wanted?.layers ?? [], shape.layers);
  const heads = some(wanted?.heads ?? [], shape.heads);
  return {
    layers: layers.filter((layer) => heads.some((head) => holds(shape, layer, head))),
    heads: heads.filter((head) => layers.some((layer) => holds(shape, layer, head))),
  };
}

/**
 * @param {Shape} shape
 * @param {(layer: number, head: number) => boolean} test  is called for each head, also for those that are missing
 * @returns {boolean[]}
 */
const ofEach = ({layers, heads}, test) =>
  range(layers * heads).map((place) => test(Math.floor(place / heads), place % heads));

/**
 * @param {(a: number, b: number) => number} count
 * @param {(layer: number, head: number) => boolean} has
 * @param {Shape} a
 * @param {Shape} b
 * @returns {Shape}
 */
function shapeOf(count, has, a, b) {
  const size = {layers: count(a.layers, b.layers), heads: count(a.heads, b.heads)};
  const held = ofEach(size, has);
  return {...size, held: held.includes(false) ? held : undefined};
}
