/** What a model was trained for, and the head that it has for it: `architectures` of `config.json` names its class. */

import {parseJsonObject} from '../json.js';

/** @import {Family} from './model-families.js' */
/** @import {ModelConfig} from '../wasm-module.d.ts' */

/**
 * @typedef {'choices' | 'answers'} UnusedHead What the head labels that is not run: each choice, or where an
 *   answer begins and ends.
 */

/**
 * The head that a model was trained with, if this engine does not have that kind. Then a
 * `classifier.` in the weights labels something else than texts or tokens.
 * @param {string} text `config.json`
 * @param {string} name The model's, for messages.
 * @returns {UnusedHead | null}
 */
export function unusedHeadOf(text, name) {
  const {architectures} = parseJsonObject(text, `${name}: config.json`, 'bad-config');
  return UNUSED_HEADS.get(taskOf(architectures)) ?? null;
}

/** @param {unknown} architectures */
export const isClassifier = (architectures) => taskOf(architectures).endsWith('Classification');

/** What a model was trained for, by the end of its architecture's name in transformers. @param {unknown} architectures */
const taskOf = (architectures) => /For([A-Za-z]+)$/.exec(architectureOf(architectures))?.[1] ?? '';

/** @type {ReadonlyMap<string, UnusedHead>} By the task. */
const UNUSED_HEADS = new Map([
  ['MultipleChoice', 'choices'],
  ['QuestionAnswering', 'answers'],
]);

/**
 * Tells what a classifier reads. One of tokens reads each token's state as it is, except ModernBERT's, whose two kinds have
 * the same layers. Source: the classes of transformers that are named `…ForTokenClassification` and
 * `…ForSequenceClassification`.
 * @param {Record<string, unknown>} json `config.json`
 * @param {Family} family
 * @returns {Pick<ModelConfig, 'classifierInput' | 'classifiedState' | 'classifierActivation' | 'classifierNorm'>}
 */
export function classifierOf(json, family) {
  const {classifierActivation = 'tanh', classifierNorm = false} = family;
  const ownInput = family.classifierActivation === undefined ? 'pooler' : 'dense';
  if (taskOf(json.architectures) === 'TokenClassification') {
    const classifierInput = classifierNorm ? ownInput : 'state';
    return {classifierInput, classifiedState: 'each', classifierActivation, classifierNorm};
  }
  const isMean = classifierNorm && json.classifier_pooling === 'mean';
  const classifiedState = isMean ? 'mean' : 'first';
  return {classifierInput: ownInput, classifiedState, classifierActivation, classifierNorm};
}

/** @param {unknown} architectures */
export function architectureOf(architectures) {
  const first = /** @type {unknown} */ (Array.isArray(architectures) ? architectures[0] : null);
  return typeof first === 'string' ? first : '';
}
