/** Runs steps of lessons with the models that come with the page, without a browser. */

import {register} from 'node:module';
import {after, before} from 'node:test';
import {createEngine} from '../../web/engine/index.js';
import {datesAddress} from '../../web/session/source-address.js';
import {ThreadWorker} from '../engine/thread-worker.js';

/** @import {Engine} from '../../web/engine/index.js' */
/** @import {Choices, Step, Tools} from '../../web/lessons/step.js' */

Object.assign(globalThis, {Worker: ThreadWorker});
register('../support/raw-files.js', import.meta.url);

/** @type {Engine} */
let engine;
/** @type {Awaited<ReturnType<Engine['load']>>} */
export let model;
/** The encoder-decoder that writes dates. @type {Awaited<ReturnType<Engine['load']>>} */
export let dates;
before(async () => {
  engine = await createEngine({kernel: 'simd128'});
  [model, dates] = await Promise.all(
    ['default', 'dates'].map((name) =>
      engine.load(
        new URL(`../../web/models/${name}/bertscope-${name}.safetensors`, import.meta.url).href,
      ),
    ),
  );
});
after(() => engine.dispose());

/** Gives a step what it computes with. @param {Pick<Step, 'model'>} step @returns {Tools} */
export const toolsOf = (step) => ({
  lab: engine.lab,
  model: step.model === datesAddress ? dates : model,
  signal: new AbortController().signal,
});

/**
 * Computes what a step shows.
 *
 * @template Data
 * @param {Step<Data>} step
 * @param {{choices?: Choices, sentences?: string[]}} [input]  those that the step begins with unless given
 * @returns {Promise<Data>}
 */
export async function compute(step, {choices, sentences = [...step.sentences]} = {}) {
  return step.compute(toolsOf(step), {sentences, choices: {...step.choices, ...choices}});
}
