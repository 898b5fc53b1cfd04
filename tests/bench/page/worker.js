/**
 * Runs all sides in one worker, so that they have the same thread, the same clock and the same heat of
 * the machine. A pass is timed around the awaited call, `encoder.run` here and `session.run` there,
 * without tokenization. When ours returns, every attention matrix is in wasm memory, from where a view
 * pulls the few that it draws; LiteRT.js leaves them there too. onnxruntime-web has copied all of its
 * outputs out, so a contestant of its own measures what this costs us.
 */

import {measureAccuracy} from './accuracy.js';
import {measureExplanations} from './explanations.js';
import {measureFirst} from './first.js';
import {measureInterventions} from './interventions.js';
import {measureKernels} from './kernels.js';
import {measureModel} from './passes.js';
import {measureSteps} from './steps.js';

/** @import {AccuracyTask} from './accuracy.js' */
/** @import {ExplanationTask} from './explanations.js' */
/** @import {FirstTask} from './first.js' */
/** @import {InterventionTask} from './interventions.js' */
/** @import {KernelTask} from './kernels.js' */
/** @import {ModelTask} from './passes.js' */
/** @import {StepTask} from './steps.js' */

/** @typedef {ModelTask | StepTask | AccuracyTask | KernelTask | InterventionTask | ExplanationTask | FirstTask} Task */
/** @typedef {{progress: string} | {error: string} | {result: unknown}} Report */

/** @param {Report} report */
const report = (report) => postMessage(report);

addEventListener('message', async ({data: task}) => {
  try {
    report({result: await run(task)});
  } catch (error) {
    const {message, stack} = error instanceof Error ? error : new Error(String(error));
    report({error: `${message}\n${stack}`});
  }
});

/** @param {Task} task */
function run(task) {
  const progress = (/** @type {string} */ text) => report({progress: text});
  switch (task.kind) {
    case 'model':
      return measureModel(task, progress);
    case 'steps':
      return measureSteps(task, progress);
    case 'accuracy':
      return measureAccuracy(task);
    case 'first':
      return measureFirst(task);
    case 'interventions':
      return measureInterventions(task, progress);
    case 'explanations':
      return measureExplanations(task, progress);
    case 'kernels':
      return measureKernels(task, progress);
  }
}
