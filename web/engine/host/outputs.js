/** What a model says at the end of its latest pass about what a target names. */

import {meanOfRows} from './vectors.js';

/** @import {Encoder, Job} from './encoder.js' */
/** @import {Target} from './head-effects.js' */

/**
 * @param {Job['read']} read
 * @param {Encoder['config']} config
 * @param {Target | 'vector'} target
 * @param {number} [sequence]
 * @returns {Float32Array} The logits of all words or classes, or the sentence vector.
 */
export function outputOf(read, {layers, hiddenSize}, target, sequence) {
  if (target === 'vector') {
    return meanOfRows(read('hiddenStates', [layers], sequence), hiddenSize);
  }
  return 'label' in target
    ? read('classifierLogits', [target.token ?? 0], sequence)
    : read('wordLogits', [layers, target.token], sequence);
}
