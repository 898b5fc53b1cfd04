/** The models, text lengths and tasks that the benchmark measures. */

import {sentences} from '../engine/sentences.js';

/** @import {Options} from './options.mjs' */
/** @import {AccuracyTask} from './page/accuracy.js' */
/** @import {ExplanationTask} from './page/explanations.js' */
/** @import {FirstTask} from './page/first.js' */
/** @import {InterventionTask} from './page/interventions.js' */
/** @import {KernelTask} from './page/kernels.js' */
/** @import {ModelTask} from './page/passes.js' */
/** @import {StepTask} from './page/steps.js' */
/** @import {BenchModel} from './models.mjs' */

/** These models have random weights, because speed does not depend on the weights. */
export const SHAPES = {
  'bert-base': bert({hidden: 768, layers: 12, heads: 12}),
  'MiniLM-L6': bert({hidden: 384, layers: 6, heads: 12}),
  'bert-mini': bert({hidden: 256, layers: 4, heads: 4}),
  'gpt2-small': {
    model_type: 'gpt2',
    vocab_size: 50257,
    n_embd: 768,
    n_layer: 12,
    n_head: 12,
    n_positions: 1024,
    activation_function: 'gelu_new',
    layer_norm_epsilon: 1e-5,
  },
};

/** @param {{hidden: number, layers: number, heads: number}} sizes */
function bert({hidden, layers, heads}) {
  return {
    model_type: 'bert',
    vocab_size: 30522,
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    intermediate_size: 4 * hidden,
    hidden_act: 'gelu',
    layer_norm_eps: 1e-12,
    max_position_embeddings: 512,
    type_vocab_size: 2,
  };
}

export const EMBEDDED = 'embedded';

/** The name of the model that the reader gives with `--float`. */
export const FLOAT = 'float';

export const MODEL_NAMES = [EMBEDDED, ...Object.keys(SHAPES)];

const LENGTHS = [8, 16, 32, 64, 128, 512];
const QUICK_LENGTHS = [16, 32];

/** Every browser measures these; only the first measures the rest, since all in three take a quarter of an hour. */
const EVERYWHERE = {
  models: [EMBEDDED, 'bert-base'],
  lengths: [16, 32, 128],
  rows: [1, 12, 13, 120],
};
const ROWS = [1, 2, 4, 8, 12, 13, 16, 24, 120];

/** @param {Options} options */
export function modelNames({quick, kernels, first, interventions, explanations, models}) {
  if (kernels) return [];
  if (models) return models.split(',');
  if (interventions) return ['bert-base'];
  if (explanations || first) return [EMBEDDED];
  return quick ? [EMBEDDED, 'bert-base'] : MODEL_NAMES;
}

/**
 * @param {BenchModel} model
 * @param {Options} options
 * @param {boolean} isFirst Whether this is the first browser that is measured.
 * @returns {ModelTask | undefined} Undefined if this browser does not measure the model.
 */
export function modelTask({name, ours, peer, positions}, options, isFirst) {
  const {quick, tokens, models, threads} = options;
  if (!isFirst && !models && !EVERYWHERE.models.includes(name)) return undefined;
  const lengths = quick ? QUICK_LENGTHS : isFirst ? LENGTHS : EVERYWHERE.lengths;
  const wanted = tokens?.split(',').map(Number) ?? lengths;
  // A length over the model's longest text is replaced by the longest text.
  const possible = [...new Set(wanted.map((length) => Math.min(length, positions)))];
  return {
    kind: 'model',
    ours,
    peer,
    lengths: possible,
    threads: Number(threads ?? 1),
    effort: quick
      ? {minRounds: 5, maxRounds: 15, budgetMs: 3000}
      : {minRounds: 5, maxRounds: 41, budgetMs: 4000},
  };
}

/**
 * @param {BenchModel} model
 * @param {boolean} isFirst Whether this is the first browser that is measured.
 * @returns {StepTask | undefined} Undefined for a model that continues no text.
 */
export function stepTask({ours, peer: {step}}, isFirst) {
  if (!step || !isFirst) return undefined;
  const effort = {minRounds: 5, maxRounds: 21, budgetMs: 20_000};
  return {kind: 'steps', ours, peer: step, tokens: 32, steps: 16, effort};
}

/**
 * @param {BenchModel} model
 * @param {Options} options
 * @returns {InterventionTask}
 */
export const interventionTask = ({ours}, {tokens}) => ({
  kind: 'interventions',
  ours,
  tokens: Number(tokens?.split(',')[0] ?? 16),
  effort: {minRounds: 5, maxRounds: 21, budgetMs: 4000},
});

/**
 * @param {BenchModel} model
 * @param {Options} options
 * @returns {ExplanationTask}
 */
export const explanationTask = ({ours}, {tokens}) => ({
  kind: 'explanations',
  ours,
  tokens: Number(tokens?.split(',')[0] ?? 16),
  effort: {minRounds: 7, maxRounds: 21, budgetMs: 10_000},
});

/**
 * @param {BenchModel} model
 * @returns {AccuracyTask}
 */
export const accuracyTask = ({ours, peer}) => ({kind: 'accuracy', ours, peer, sentences});

/**
 * @param {BenchModel} model
 * @returns {FirstTask[]} One for each side that runs the model.
 */
export function firstTasks({ours, peer}) {
  const sides = /** @type {const} */ (['ours', 'onnxruntime-web', 'LiteRT.js']);
  return sides
    .filter((side) => side !== 'LiteRT.js' || peer.litert)
    .map((side) => ({kind: 'first', side, ours, peer, tokens: 16}));
}

/** @param {boolean} isFirst @returns {KernelTask} */
export function kernelTask(isFirst) {
  return {
    kind: 'kernels',
    depth: 768,
    channels: 3072,
    rows: isFirst ? ROWS : EVERYWHERE.rows,
    effort: {minRounds: 7, maxRounds: 21, budgetMs: 700},
  };
}
