/** What is measured. */

import {sentences} from '../engine/sentences.js';

/** @import {Options} from './options.mjs' */
/** @import {AccuracyTask} from './page/accuracy.js' */
/** @import {KernelTask} from './page/kernels.js' */
/** @import {ModelTask} from './page/passes.js' */
/** @import {BenchModel} from './models.mjs' */

/** Shapes whose weights are random: speed does not depend on them. */
export const SHAPES = {
  'bert-base': {hidden: 768, layers: 12, heads: 12},
  'MiniLM-L6': {hidden: 384, layers: 6, heads: 12},
  'bert-mini': {hidden: 256, layers: 4, heads: 4},
};
export const EMBEDDED = 'embedded';

export const MODEL_NAMES = [EMBEDDED, ...Object.keys(SHAPES)];

const LENGTHS = [8, 16, 32, 64, 128, 512];
const QUICK_LENGTHS = [16, 32];

/** @param {Options} options */
export function modelNames({quick, kernels, models}) {
  if (kernels) return [];
  if (models) return models.split(',');
  return quick ? [EMBEDDED, 'bert-base'] : MODEL_NAMES;
}

/**
 * @param {BenchModel} model
 * @param {Options} options
 * @returns {ModelTask}
 */
export function modelTask({ours, peer, positions}, {quick, tokens}) {
  const wanted = tokens?.split(',').map(Number) ?? (quick ? QUICK_LENGTHS : LENGTHS);
  // The longest text of a model is among them.
  const lengths = [...new Set(wanted.map((length) => Math.min(length, positions)))];
  return {
    kind: 'model',
    ours,
    peer,
    lengths,
    effort: quick
      ? {minRounds: 5, maxRounds: 15, budgetMs: 3000}
      : {minRounds: 7, maxRounds: 41, budgetMs: 6000},
  };
}

/**
 * @param {BenchModel} model Not quantized.
 * @returns {AccuracyTask}
 */
export const accuracyTask = ({ours, peer}) => ({kind: 'accuracy', ours, peer, sentences});

/** @returns {KernelTask} */
export function kernelTask() {
  return {
    kind: 'kernels',
    depth: 768,
    channels: 3072,
    rows: [1, 2, 4, 8, 12, 13, 16, 24, 120],
    effort: {minRounds: 9, maxRounds: 21, budgetMs: 1000},
  };
}
