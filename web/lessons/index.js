/** The lessons and their steps, in order, with their titles. Needs no DOM. */

import {lessonTexts} from './lesson-text.js';

/** The steps of each lesson, in order. Addresses contain these names. */
const outline = {
  'guess-the-word': ['missing', 'looking', 'without', 'swapped'],
  'attention-from-scratch': [
    'batch',
    'hidden-states',
    'causal-average',
    'self-attention',
    'multi-head',
    'scale',
    'masked-multi-head',
  ],
  'query-key-value': [
    'neuron-view',
    'configuration',
    'embeddings',
    'scores',
    'softmax-axis',
    'diagonal',
    'weighted-average',
  ],
  'encoder-by-hand': [
    'ids',
    'lookup',
    'near-identity',
    'attention-head',
    'multi-head',
    'feed-forward',
    'layer-norm',
    'positions',
    'encoder',
    'classifier',
    'pair',
    'causal-mask',
  ],
  'splitting-heads': ['split', 'combine', 'cross-attention', 'sides', 'decoder-layer'],
  'encoder-and-decoder': [
    'in-and-out',
    'encoder',
    'own-attention',
    'causal-mask',
    'looking-across',
    'step-by-step',
    'teacher-forcing',
    'cut-edge',
  ],
  'why-written': ['one-by-one', 'eight-heads', 'taken', 'text-or-written', 'hidden', 'own-date'],
  'reading-heads': [
    'structure',
    'ids',
    'attention-shape',
    'mean-table',
    'previous-token',
    'direct-objects',
    'own-heads',
  ],
  'learned-heads': ['word-before', 'objects', 'missed', 'compared', 'own-pairs'],
  'does-it-matter': ['resting', 'without', 'carried', 'contributions', 'masking', 'deciding'],
};

/** @typedef {keyof typeof outline} LessonId */

/**
 * @typedef {object} Lesson
 * @property {string} id
 * @property {string} title
 * @property {{id: string, title: string}[]} steps
 */

/** @type {readonly Lesson[]} */
export const lessons = Object.entries(outline).map(([id, steps]) => {
  const text = lessonTexts[/** @type {LessonId} */ (id)];
  return {
    id,
    title: text.title,
    steps: steps.map((step) => ({id: step, title: text.steps[step].title})),
  };
});

/** @param {Lesson} lesson @returns {Lesson | undefined}  undefined after the last */
export const lessonAfter = (lesson) => lessons[lessons.indexOf(lesson) + 1];
