/** A model before it has learned anything: with its shape, and random weights from a seed. */

import {yieldIfDue} from '../event-loop.js';
import {Lab} from '../lab/lab.js';

/** @import {Linear, Tensor} from '../lab/lab-types.js' */
/** @import {LoadedModel} from './loaded-model.js' */
/** @import {Runtime} from './runtime.js' */

/**
 * @typedef {object} UntrainedOptions
 * @property {number} seed
 * @property {number} [layers] The default is as many as the model has.
 * @property {'pre' | 'post'} [norm] See `LayerOptions`; the default is 'post'.
 * @property {number} [labels] The number of labels of a classifier on the first token. The default
 *   is no classifier.
 * @property {boolean} [specialTokens] See `tokenize`.
 */

/** @typedef {{logits: Tensor, probabilities: Tensor, parameters: Linear}} Classified `[1, labels]` */

/**
 * @typedef {object} Untrained
 * @property {string[]} tokens
 * @property {Tensor[]} hiddenStates `layers + 1` of `[1, tokens, hiddenSize]`.
 * @property {Classified | null} classified The output of a classifier with the next seed.
 */

/**
 * Runs the lab's operations on a text in the worker, so that nothing crosses to the page between
 * them.
 * @param {Pick<Runtime, 'lab'>} runtime
 * @param {LoadedModel} model
 * @param {string} text
 * @param {UntrainedOptions & {signal?: AbortSignal}} options The signal is checked before each
 *   operation.
 * @returns {Promise<Untrained>}
 */
export async function untrained(runtime, model, text, options) {
  const {seed, layers, norm, labels, specialTokens, signal} = options;
  const lab = new Lab(async (operation, how) => {
    await yieldIfDue(signal);
    return runtime.lab(operation, how);
  });
  const {ids, tokens} = model.tokenize([text], {specialTokens});
  const {heads, hiddenSize, layers: all} = model.shape;
  const input = await lab.embedding(ids, hiddenSize, seed);
  const {hiddenStates} = await lab.encoder({input, layers: layers ?? all, heads, seed, norm});
  const hiddenState = /** @type {Tensor} */ (hiddenStates.at(-1));
  const classified =
    labels === undefined ? null : await lab.classifier({hiddenState, labels, seed: seed + 1});
  return {tokens: tokens[0], hiddenStates, classified};
}
