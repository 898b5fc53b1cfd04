/** Measures what each head does for one prediction by switching off every head in turn. */

import {outputOf} from './outputs.js';
import {logSoftmax, softmaxTop} from './softmax-top.js';
import {NO_CHANGES} from '../interventions.js';

/** @import {Encoder, PassInput} from './encoder.js' */

/**
 * @typedef {{token: number, id?: number, masked?: boolean} | {label: number, token?: number}} Target The
 *   prediction to measure: a vocabulary entry `id` in the place of a token (the default is the
 *   likeliest one), or a class of the text, or of a token. With `masked`, the token is masked first, as for
 *   `surprise`: a model that sees a word rarely doubts it, whichever head is off.
 */

/**
 * @typedef {object} HeadEffects The method of Michel et al. 2019, "Are Sixteen Heads Really Better
 *   than One?", section 3.2, with one prediction in place of a test set. An effect says what is
 *   lost when one head is missing. Heads that can replace each other show no effect.
 * @property {number} layers
 * @property {number} heads
 * @property {Target} target
 * @property {number} probability The prediction's, with all heads.
 * @property {Float32Array} change `[layers * heads]`: the probability without the head, minus that
 *   with all heads.
 * @property {Float32Array} logChange `[layers * heads]`: the same for the natural logarithms.
 */

/**
 * Goes from the last layer to the first, so that each pass can reuse the layers below its head: the
 * pass before it has left them unchanged.
 * @param {Encoder} encoder
 * @param {Omit<PassInput, 'id'>} pass
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
    if (!('label' in chosen))
      chosen.id ??= softmaxTop(outputOf(read, encoder.config, chosen), 1)[0].index;
    const index = 'label' in chosen ? chosen.label : Number(chosen.id);
    const before = logSoftmax(outputOf(read, encoder.config, chosen), index);
    const change = new Float32Array(layers * heads);
    const logChange = new Float32Array(layers * heads);
    for (let layer = layers - 1; layer >= 0; layer--) {
      for (let head = 0; head < heads; head++) {
        const without = {layer, head, scale: 0};
        await run({...pass, changes: {...changes, heads: [...changes.heads, without]}});
        const after = logSoftmax(outputOf(read, encoder.config, chosen), index);
        change[layer * heads + head] = Math.exp(after) - Math.exp(before);
        logChange[layer * heads + head] = after - before;
        onProgress?.({done: (layers - 1 - layer) * heads + head + 1, total: layers * heads});
      }
    }
    return {layers, heads, target: chosen, probability: Math.exp(before), change, logChange};
  }, signal);
}
