/**
 * A step of a lesson. It computes everything that it shows from the sentences and the choices, so that an
 * edit recomputes it, and then draws the result.
 *
 * @import {Model} from '../scope/shared-models.js'
 * @import {Lab} from '../engine/lab/lab.js'
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
 *
 * @typedef {object} Desk  what a widget may use
 * @property {Record<string, any>} labels
 * @property {string[]} sentences
 * @property {Choices} choices
 * @property {(changed: Choices) => void} choose
 * @property {'light' | 'dark' | 'auto'} theme
 * @property {boolean} dark
 * @property {boolean} large
 * @property {string} model  the model of what is shown as an address has it; empty for the embedded one
 * @property {string} src  where it is loaded from
 */

/**
 * @template [Data=any]
 * @typedef {object} Step
 * @property {readonly string[]} sentences  the initial ones, which the reader may edit
 * @property {Choices} [choices]  with their initial values
 * @property {(tools: Tools, input: Input) => Promise<Data>} compute
 * @property {(data: Data, desk: Desk) => TemplateResult} widget
 * @property {string} code  the same in a few lines of PyTorch
 */

/** Lets the type checker infer the types of a step. @template Data @param {Step<Data>} written */
export function step(written) {
  return written;
}
