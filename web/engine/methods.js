/** The methods that tell how much each token contributes to an answer. */

/**
 * @typedef {'norm' | 'globenc' | 'alti' | 'value-zeroing' | 'decompx'} Method
 *   `src/analysis/contributions.h` defines them, with their papers. The first four give each token
 *   a share of the answer's hidden state.
 *   norm: the lengths of the vectors that attention, residual sum and layer norm make of a token
 *   (Kobayashi et al. 2021).
 *   globenc: the same through the whole layer (Modarressi et al. 2022).
 *   alti: how near each vector comes to the sum of all (Ferrando et al. 2022).
 *   value-zeroing: how far the layer's output turns without a token's value (Mohebbi et al. 2023).
 *   decompx: signed vectors through the whole model, down to the answer (Modarressi et al. 2023).
 */

/** Whether contributions have a sign and sum to the answer. Shares sum to 1. */
export const methods = Object.freeze({
  norm: {signed: false},
  globenc: {signed: false},
  alti: {signed: false},
  'value-zeroing': {signed: false},
  decompx: {signed: true},
});
