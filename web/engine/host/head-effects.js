/** What each head does for one prediction: every one is switched off in turn. */

import {logSoftmax, softmaxTop} from './softmax-top.js';
import {NO_CHANGES} from './interventions.js';

/** @import {Encoder, Job, Pass} from './encoder.js' */

/**
 * @typedef {{token: number, id?: number, masked?: boolean} | {label: number}} Target A vocabulary
 *   entry in the place of a token (the most likely one unless given), or a class of a sequence
 *   classifier. `masked`: the token is masked first, as for a surprise; a model that sees a word seldom
 *   doubts it, whichever head is off.
 */

/**
 * @typedef {object} HeadEffects Michel et al. 2019, "Are Sixteen Heads Really Better than One?",
 *   section 3.2, for one prediction in place of a test set. An effect says what is lost when this
 *   head alone is missing; heads that can replace each other show none.
 * @property {number} layers
 * @property {number} heads
 * @property {Target} target
 * @property {number} probability Of the prediction with all heads.
 * @property {Float32Array} change `[layers * heads]`, without the head less with all.
 * @property {Float32Array} logChange `[layers * heads]`, likewise of the natural logarithm.
 */

/**
 * Passes over one batch go from the last layer to the first, so that each finds the layers below its
 * head as they are without it switched off.
 * @param {Encoder} encoder
 * @param {Omit<Pass, 'id'>} pass
 * @param {Target} target
 * @param {object} [options]
 * @param {AbortSignal} [options.signal]
 * @param {(progress: {done: number, total: number}) => void} [options.onProgress]
 * @returns {Promise<HeadEffects>}
 */
export function headEffects(encoder, pass, target, {signal, onProgress} = {}) {
  const {layers, heads} = encoder.config;
  const {changes = NO_CHANGES} = pass;
  return encoder.work(async ({run, read}) => {
    await run(pass);
    const chosen = {...target};
    if ('token' in chosen) chosen.id ??= softmaxTop(logitsOf(read, layers, chosen), 1)[0].index;
    const index = 'token' in chosen ? Number(chosen.id) : chosen.label;
    const before = logSoftmax(logitsOf(read, layers, chosen), index);
    const change = new Float32Array(layers * heads);
    const logChange = new Float32Array(layers * heads);
    for (let layer = layers - 1; layer >= 0; layer--) {
      for (let head = 0; head < heads; head++) {
        const without = {layer, head, scale: 0};
        await run({...pass, changes: {...changes, heads: [...changes.heads, without]}});
        const after = logSoftmax(logitsOf(read, layers, chosen), index);
        change[layer * heads + head] = Math.exp(after) - Math.exp(before);
        logChange[layer * heads + head] = after - before;
        onProgress?.({done: (layers - 1 - layer) * heads + head + 1, total: layers * heads});
      }
    }
    return {layers, heads, target: chosen, probability: Math.exp(before), change, logChange};
  }, signal);
}

/**
 * @param {Job['read']} read
 * @param {number} layers
 * @param {Target} target
 */
function logitsOf(read, layers, target) {
  return 'token' in target
    ? read('maskedLmLogits', [layers, target.token])
    : read('classifierLogits', []);
}
