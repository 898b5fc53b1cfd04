/**
 * Measures a step of a model that continues a text: one more token, when the keys and values of those
 * before are kept. Ours is all of `generate`; the peer's is its graph with past keys and values, as
 * transformers.js runs it, and the choice of the likeliest token. Neither hands out attention.
 */

import {sizeOf, twoBatches} from './passes.js';
import {startEngine} from './ours.js';
import {startPeer} from './peer.js';
import {takeTurns} from './sampling.js';
import {streamLoops} from './streams.js';

/** @import {LoadedModel} from '../../../web/engine/host/loaded-model.js' */
/** @import {OurFiles} from './ours.js' */
/** @import {Effort} from './sampling.js' */

/**
 * @typedef {object} StepTask
 * @property {'steps'} kind
 * @property {OurFiles} ours
 * @property {string} peer The address of a graph.
 * @property {number} tokens The length of the text that is continued.
 * @property {number} steps How many follow each other.
 * @property {Effort} effort
 */

/**
 * @typedef {object} StepRow
 * @property {number} tokens
 * @property {string} kernel
 * @property {number} ours_ms A step's median time.
 * @property {number} peer_int8_ms
 * @property {number} bytes What a step reads: weights, and the keys and values of the tokens before.
 * @property {number} stream_ms What the fastest loop takes to read as many.
 */

/**
 * @param {StepTask} task
 * @param {(text: string) => void} progress
 * @returns {Promise<StepRow>}
 */
export async function measureSteps({ours, peer, tokens, steps, effort}, progress) {
  progress('loading');
  const engine = await startEngine();
  const model = await engine.load(ours);
  const bytes = bytesOfStep(model, tokens + steps / 2);
  const [batch] = twoBatches(tokens, model.config.vocabulary);
  const {pass} = await model.encoder.run(batch);
  const theirs = await (await startPeer()).loadSteps(peer, model.shape);
  const start = await theirs(batch.ids);
  progress(`${steps} steps after ${tokens} tokens`);
  const {medians} = await takeTurns(
    {
      one: () => model.generate(pass, {tokens: 1}),
      all: () => model.generate(pass, {tokens: steps + 1}),
      peer: async () => {
        for (let step = 0, past = start; step < steps; step++) {
          past = await theirs(Int32Array.of(likeliest(past.logits.data)), past);
        }
      },
      // Each reads as often as there are steps: on a busy machine, a shorter sample is disturbed less.
      ...Object.fromEntries(
        Object.entries(streamLoops(bytes)).map(([name, read]) => [
          name,
          () => {
            for (let step = 0; step < steps; step++) read();
          },
        ]),
      ),
    },
    effort,
  );
  const {one, all, peer: peers, ...streams} = /** @type {Record<string, number>} */ (medians);
  return {
    tokens,
    kernel: engine.kernel,
    ours_ms: (all - one) / steps,
    peer_int8_ms: peers / steps,
    bytes,
    stream_ms: Math.min(...Object.values(streams)) / steps,
  };
}

/**
 * @param {LoadedModel} model
 * @param {number} tokens Those whose keys and values are kept.
 */
function bytesOfStep({encoder, shape}, tokens) {
  // A step reads one of the embeddings of positions.
  const weights = encoder.tensors().filter(({name}) => !name.includes('position_embeddings'));
  const kept = {dtype: 'F32', shape: [2, shape.layers, shape.heads, tokens, shape.headDim]};
  return [...weights, kept].reduce((sum, tensor) => sum + sizeOf(tensor), 0);
}

/** @param {Float32Array} logits */
const likeliest = (logits) =>
  logits.reduce((best, logit, index) => (logit > logits[best] ? index : best), 0);
