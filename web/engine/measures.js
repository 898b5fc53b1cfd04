/** What the numbers of an attention matrix can mean. */

/**
 * @typedef {'weight' | 'norm' | 'rollout' | 'flow'} Measure
 *   weight: what softmax gives, rows sum to 1.
 *   norm: ‖α f(x)‖, what a query takes from a key (Kobayashi et al. 2020; `src/analysis/value_norms.h`).
 *   rollout: the layers up to this one multiplied (Abnar & Zuidema 2020; `src/analysis/rollout.h`).
 *   flow: the most that passes through them (the same; `src/analysis/flow.h`).
 */

/** Whether a measure is of one head, of a layer's heads together, or of either. */
export const measures = Object.freeze({
  weight: {ofHead: true, ofLayer: false},
  norm: {ofHead: true, ofLayer: true},
  rollout: {ofHead: false, ofLayer: true},
  flow: {ofHead: false, ofLayer: true},
});
