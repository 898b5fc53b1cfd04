/** @import {Snapshot} from './snapshot.js' */

/**
 * Which layers and heads there are.
 *
 * @typedef {Pick<Snapshot, 'layers' | 'heads' | 'has'>} Shape
 */

/** @param {Shape} shape @param {number} layer @param {number} head */
export function holds({layers, heads, has}, layer, head) {
  return layer < layers && head < heads && (has?.(layer, head) ?? true);
}

/** Everything that one of two has. @param {Shape} a @param {Shape} b @returns {Shape} */
export function unionOf(a, b) {
  const isEither = (/** @type {number} */ layer, /** @type {number} */ head) =>
    holds(a, layer, head) || holds(b, layer, head);
  return shapeOf(Math.max, isEither, a, b);
}

/** What both of two have. @param {Shape} a @param {Shape} b @returns {Shape} */
export function commonOf(a, b) {
  const areBoth = (/** @type {number} */ layer, /** @type {number} */ head) =>
    holds(a, layer, head) && holds(b, layer, head);
  return shapeOf(Math.min, areBoth, a, b);
}

/** @param {Shape} a @param {Shape} b */
export function isSameShape(a, b) {
  return a.layers === b.layers && a.heads === b.heads && !a.has && !b.has;
}

/**
 * @param {(a: number, b: number) => number} count
 * @param {(layer: number, head: number) => boolean} has
 * @param {Shape} a
 * @param {Shape} b
 * @returns {Shape}
 */
function shapeOf(count, has, a, b) {
  return {
    layers: count(a.layers, b.layers),
    heads: count(a.heads, b.heads),
    has: isSameShape(a, b) ? undefined : has,
  };
}
