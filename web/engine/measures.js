/** The measures of what a query takes from a key: the attention weight and alternatives to it. */

/**
 * @typedef {'weight' | 'norm' | 'rollout' | 'flow'} Measure
 *   weight: the attention weight, the output of softmax; rows sum to 1.
 *   norm: ‖α f(x)‖, the length of what a query takes from a key (Kobayashi et al. 2020;
 *   `src/analysis/value_norms.h`).
 *   rollout: the product of the layers up to this one (Abnar & Zuidema 2020;
 *   `src/analysis/rollout.h`).
 *   flow: the maximum flow through those layers (the same paper; `src/analysis/flow.h`).
 */

/**
 * @typedef {'queries' | 'keys' | 'values'} VectorKind
 *
 * @typedef {'crossQueries' | 'crossKeys' | 'crossValues'} CrossVectorKind The vectors of cross attention.
 *
 * Names one matrix of a pass.
 *
 * @typedef {object} MatrixRef
 * @property {'attention' | 'crossAttention' | VectorKind | CrossVectorKind} kind
 * @property {Measure} [measure] The measure of attention; unless given, `weight`.
 * @property {number} layer
 * @property {number} head Ignored by a measure of all heads.
 */

/**
 * Says how the pages may ask for a measure, and how they show it.
 *
 * @typedef {object} MeasureKind
 * @property {boolean} ofHead Whether it is defined for one head.
 * @property {boolean} ofLayer Whether it is defined for all heads of a layer together.
 * @property {boolean} [drawnAsShares] Whether a row is drawn divided by its sum, which is any number.
 * @property {boolean} [isSlow] Whether other matrices should not wait for it.
 */

/** @type {Readonly<Record<Measure, MeasureKind>>} */
export const measures = Object.freeze({
  weight: {ofHead: true, ofLayer: false},
  norm: {ofHead: true, ofLayer: true, drawnAsShares: true},
  rollout: {ofHead: false, ofLayer: true},
  flow: {ofHead: false, ofLayer: true, isSlow: true},
});
