/**
 * What a lesson is made of. A step computes everything it shows from the sentences and the choices,
 * so that an edit recomputes it, and then draws what it computed.
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
 * @property {Lab} lab  until the reader has gone on
 * @property {Model} model
 * @property {AbortSignal} signal  aborted when the reader has gone on
 *
 * @typedef {object} Desk  what a widget has at hand
 * @property {Record<string, any>} labels
 * @property {string[]} sentences
 * @property {Choices} choices
 * @property {(changed: Choices) => void} choose
 * @property {'light' | 'dark' | 'auto'} theme
 * @property {boolean} dark
 * @property {boolean} large
 * @property {string} src  the model of the lesson
 */

/**
 * @template [Data=any]
 * @typedef {object} Step
 * @property {readonly string[]} sentences  those it begins with; the reader may edit them
 * @property {Choices} [choices]  and their values at the beginning
 * @property {(tools: Tools, input: Input) => Promise<Data>} compute
 * @property {(data: Data, desk: Desk) => TemplateResult} widget
 * @property {string} code  the few lines of PyTorch it corresponds to
 */

/** Checks the types of a step where it is written. @template Data @param {Step<Data>} step */
export function step(step) {
  return step;
}
