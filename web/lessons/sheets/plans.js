/**
 * Plans of a class: how many minutes it has, and how many each step takes, by `lesson/step` in the order in which they
 * are taken. What is left is for handing in the answers. Needs no DOM.
 *
 * @typedef {'missing' | 'heads' | 'apart' | 'decoder'} PlanId
 *
 * @type {Readonly<Record<PlanId, {minutes: number, steps: Readonly<Record<string, number>>}>>}
 */
export const plans = {
  missing: {
    minutes: 20,
    steps: {
      'guess-the-word/missing': 5,
      'guess-the-word/looking': 5,
      'guess-the-word/without': 5,
      'guess-the-word/swapped': 5,
    },
  },
  heads: {
    minutes: 45,
    steps: {
      'guess-the-word/missing': 4,
      'guess-the-word/looking': 4,
      'guess-the-word/without': 4,
      'reading-heads/ids': 3,
      'reading-heads/attention-shape': 5,
      'reading-heads/mean-table': 5,
      'reading-heads/previous-token': 5,
      'does-it-matter/resting': 5,
      'does-it-matter/without': 5,
    },
  },
  apart: {
    minutes: 90,
    steps: {
      'guess-the-word/missing': 3,
      'guess-the-word/looking': 2,
      'guess-the-word/without': 3,
      'guess-the-word/swapped': 2,
      'query-key-value/neuron-view': 4,
      'query-key-value/configuration': 3,
      'query-key-value/embeddings': 3,
      'query-key-value/scores': 4,
      'query-key-value/softmax-axis': 4,
      'query-key-value/diagonal': 3,
      'query-key-value/weighted-average': 4,
      'encoder-by-hand/ids': 3,
      'encoder-by-hand/lookup': 3,
      'encoder-by-hand/near-identity': 3,
      'encoder-by-hand/attention-head': 3,
      'encoder-by-hand/multi-head': 3,
      'encoder-by-hand/feed-forward': 3,
      'encoder-by-hand/layer-norm': 3,
      'encoder-by-hand/positions': 4,
      'does-it-matter/resting': 3,
      'does-it-matter/without': 3,
      'does-it-matter/carried': 3,
      'does-it-matter/contributions': 3,
      'does-it-matter/masking': 5,
      'does-it-matter/deciding': 3,
    },
  },
  decoder: {
    minutes: 45,
    steps: {
      'encoder-and-decoder/in-and-out': 6,
      'encoder-and-decoder/encoder': 4,
      'encoder-and-decoder/own-attention': 5,
      'encoder-and-decoder/causal-mask': 5,
      'encoder-and-decoder/looking-across': 5,
      'encoder-and-decoder/step-by-step': 5,
      'encoder-and-decoder/teacher-forcing': 8,
      'encoder-and-decoder/cut-edge': 7,
    },
  },
};
