/**
 * A step of a lesson. It computes everything that it shows from the sentences and the choices, so that an
 * edit recomputes it, and then draws the result.
 *
 * @import {Model} from '../session/shared-models.js'
 * @import {Lab} from '../engine/lab/lab.js'
 * @import {Tensor} from './parts/tensor.js'
 * @import {TemplateResult} from 'lit'
 *
 * @typedef {Record<string, boolean | number | string>} Choices
 *
 * @typedef {object} Input
 * @property {string[]} sentences
 * @property {Choices} choices
 *
 * @typedef {object} Tools
 * @property {Lab} lab  its calls reject once the reader has gone on
 * @property {Model} model
 * @property {AbortSignal} signal  aborted when the reader has gone on
 * @property {(share: number) => void} [onProgress]  is told how much is done, from 0 to 1, by what takes seconds; the
 *   reader sees it, and can stop it
 *
 * @typedef {object} StepContext  what a widget may use
 * @property {Record<string, any>} labels
 * @property {string[]} sentences
 * @property {Choices} choices
 * @property {(changed: Choices) => void} choose
 * @property {'light' | 'dark' | 'auto'} theme
 * @property {boolean} dark
 * @property {boolean} large
 * @property {string} model  the model of what is shown as an address has it; empty for the embedded one
 * @property {string} src  where it is loaded from
 * @property {boolean} [isOnPaper]  whether it is printed, with all that is further down
 */

/**
 * @typedef {string | string[] | number} Found  an answer of the engine; of several, each is right
 * @typedef {{found: Found, facts: any}} Measured  an answer with the numbers that it follows from
 *
 * @typedef {object} Asked  how the engine answers the question of a step, from what the reader typed and chose
 * @property {'choice' | 'word' | 'number'} kind  what the reader predicts; the text of the step names the choices, or
 * @property {(data: any) => string[]} [options]  they come from the data
 * @property {number} [margin]  of a number: how far from it is still right, as a share of it; the default is 0
 * @property {(tools: Tools, input: Input, data: any) => Found | Measured | null | Promise<Found | Measured | null>} find
 *   null where the sentence gives no answer
 */

/**
 * @template [Data=any]
 * @typedef {object} Step
 * @property {readonly string[]} sentences  the initial ones, which the reader may edit
 * @property {Choices} [choices]  with their initial values
 * @property {string} [model]  the address of the model that it is about; without one, that of the reader's model is used
 * @property {(tools: Tools, input: Input) => Promise<Data>} compute
 * @property {(data: Data, context: StepContext) => TemplateResult} widget
 * @property {boolean} [guesses]  whether its model has to guess words for a blank
 * @property {Asked} [asked]  without it the reader writes what they think, and nothing is compared
 * @property {string | ((data: any, choices: Choices, sentences: readonly string[]) => string)} [code]  the same in a
 *   few lines of PyTorch
 * @property {(data: any) => Record<string, Tensor>} [arrays]  the tensors that the code reads
 * @property {(data: any) => Record<string, Tensor>} [results]  the tensors that the code computes, by their names in
 *   it; a step without them reads a trained model
 * @property {Choices} [bertBase]  the choices with which the step is run with bert-base, where they differ from
 *   `choices`; without it, the step has no button that runs it so
 */

/** Lets the type checker infer the types of a step. @template Data @param {Step<Data>} written */
export function step(written) {
  return written;
}
