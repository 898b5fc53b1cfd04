/** Runs steps of lessons with the embedded model, without a browser. */

import {after, before} from 'node:test';
import {createEngine} from '../../web/engine/index.js';
import {ThreadWorker} from '../engine/thread-worker.js';

/** @import {Engine} from '../../web/engine/index.js' */
/** @import {Choices, Step, Tools} from '../../web/lessons/step.js' */

Object.assign(globalThis, {Worker: ThreadWorker});

/** @type {Engine} */
let engine;
/** @type {Awaited<ReturnType<Engine['load']>>} */
export let model;
before(async () => {
  engine = await createEngine({kernel: 'simd128'});
  model = await engine.load(
    new URL('../../web/models/default/bertscope-default.safetensors', import.meta.url).href,
  );
});
after(() => engine.dispose());

/** Gives a step what it computes with. @returns {Tools} */
export const toolsOf = () => ({lab: engine.lab, model, signal: new AbortController().signal});

/**
 * Computes what a step shows.
 *
 * @template Data
 * @param {Step<Data>} step
 * @param {{choices?: Choices, sentences?: string[]}} [input]  those that the step begins with unless given
 * @returns {Promise<Data>}
 */
export async function compute(step, {choices, sentences = [...step.sentences]} = {}) {
  return step.compute(toolsOf(), {sentences, choices: {...step.choices, ...choices}});
}
