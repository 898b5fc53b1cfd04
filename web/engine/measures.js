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
 * @typedef {'queries' | 'keys' | 'values' | 'positionScores'} VectorKind
 *   What the weights and the output of a head are made of. positionScores: what the distance of a key from its query
 *   adds to its score, in models where it adds something: a bias (Raffel et al. 2020, "T5"), or products with vectors
 *   of the distance (He et al. 2020, "DeBERTa").
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

/**
 * Lists the vectors of a model or a snapshot, each with its name in files and the length of its rows.
 * @param {{headDim?: number, hasPositionScores?: boolean}} shape
 * @param {number} [tokens]
 * @returns {{kind: VectorKind, name: string, columns: number}[]}
 */
export function vectorFields({headDim = 0, hasPositionScores}, tokens = 0) {
  const kinds = /** @type {VectorKind[]} */ (['queries', 'keys', 'values']);
  const fields = kinds.map((kind) => ({
    kind,
    name: /** @type {string} */ (kind),
    columns: headDim,
  }));
  if (hasPositionScores)
    fields.push({kind: 'positionScores', name: 'position_scores', columns: tokens});
  return fields;
}

/** @param {{hasPositionScores?: boolean}} shape */
export const vectorKindsOf = (shape) => vectorFields(shape).map(({kind}) => kind);
