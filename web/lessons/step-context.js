/** @import {StepText} from './lesson-text.js' */
/** @import {Input, Step, StepContext} from './step.js' */
/** @import {StepRun} from './step-run.js' */

/**
 * Returns what a step draws from besides its data.
 *
 * @param {Step} step
 * @param {StepText} text
 * @param {Input} input
 * @param {StepRun} run
 * @param {Pick<StepContext, 'theme' | 'dark' | 'large' | 'model' | 'choose'>} page
 *   `model`: the one that the reader asked for
 * @returns {StepContext}
 */
export function contextOf(step, text, input, {computed}, page) {
  return {
    ...input,
    ...page,
    // Pictures show the same text as the numbers beside them.
    sentences: computed?.input.sentences ?? input.sentences,
    labels: text.labels ?? {},
    model: computed?.model ?? step.model ?? page.model,
    src: computed?.src ?? '',
  };
}
