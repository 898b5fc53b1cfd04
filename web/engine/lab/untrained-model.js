/** A model before it has learned anything: its shape, with random weights from a seed. */

import {breathe} from '../event-loop.js';
import {Lab} from './lab.js';

/** @import {Linear, Tensor} from './lab.js' */
/** @import {Model} from '../host/model.js' */
/** @import {Runtime} from '../host/runtime.js' */

/**
 * @typedef {object} UntrainedOptions
 * @property {number} seed
 * @property {number} [layers] As many as the model has unless given.
 * @property {number} [labels] Of a classifier on the first token; none unless given.
 * @property {boolean} [specialTokens] As of `tokenize`.
 */

/** @typedef {{logits: Tensor, probabilities: Tensor, parameters: Linear}} Classified `[1, labels]` */

/**
 * @typedef {object} Untrained
 * @property {string[]} tokens
 * @property {Tensor[]} hiddenStates `layers + 1` of `[1, tokens, hiddenSize]`.
 * @property {Classified | null} classified By a classifier of the next seed.
 */

/**
 * The lab's operations on a text, where they run: nothing crosses to the page between them.
 * @param {Pick<Runtime, 'lab'>} runtime
 * @param {Model} model
 * @param {string} text
 * @param {UntrainedOptions} options
 * @param {AbortSignal} [signal] Heard before each operation.
 * @returns {Promise<Untrained>}
 */
export async function untrained(runtime, model, text, options, signal) {
  const {seed, layers, labels, specialTokens} = options;
  const lab = new Lab(async (operation, how) => {
    await breathe(signal);
    return runtime.lab(operation, how);
  });
  const {ids, tokens} = model.tokenize([text], {specialTokens});
  const {heads, hiddenSize, layers: all} = model.shape;
  const input = await lab.embedding(ids, hiddenSize, seed);
  const {hiddenStates} = await lab.encoder({input, layers: layers ?? all, heads, seed});
  const hiddenState = /** @type {Tensor} */ (hiddenStates.at(-1));
  const classified =
    labels === undefined ? null : await lab.classifier({hiddenState, labels, seed: seed + 1});
  return {tokens: tokens[0], hiddenStates, classified};
}
