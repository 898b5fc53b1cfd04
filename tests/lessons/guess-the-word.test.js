/** Tests that the embedded model shows, in the lesson about a missing word, what the lesson says. */

import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {createEngine} from '../../web/engine/index.js';
import {steps, withWord} from '../../web/lessons/guess-the-word/steps.js';
import {ThreadWorker} from '../engine/thread-worker.js';

/** @import {Engine} from '../../web/engine/index.js' */

Object.assign(globalThis, {Worker: ThreadWorker});

/** @type {Engine} */
let engine;
/** @type {Awaited<ReturnType<Engine['load']>>} */
let model;
before(async () => {
  engine = await createEngine({kernel: 'simd128'});
  model = await engine.load(
    new URL('../../web/models/default/bertscope-default.safetensors', import.meta.url).href,
  );
});
after(() => engine.dispose());

/** @param {keyof typeof steps} name @param {string[]} [sentences] */
function compute(name, sentences) {
  const step = steps[name];
  const {signal} = new AbortController();
  return step.compute(
    {lab: engine.lab, model, signal},
    {sentences: sentences ?? [...step.sentences], choices: step.choices ?? {}},
  );
}
