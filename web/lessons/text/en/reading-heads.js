export const readingHeads = {
  title: 'Reading a real model’s heads',
  summary:
    'A trained model from the outside: its parts and their shapes, its attention as one table, and heads that do one thing you can name.',
  beyond:
    'New here: a head’s job is measured, not guessed from one picture, and so you find out whether a head is what the paper calls it.',
  steps: {
    ids: {
      title: 'Words become numbers',
      prose: [
        'A model has never seen a word. A *tokenizer* cuts the text into tokens, words or pieces of words, and looks each up in a list that was fixed before training. Its place in the list is all that the model gets.',
        'Two tokens are nobody’s words: `[CLS]` in front, a place to collect what the whole sentence is about, and `[SEP]` behind, which ends a sentence.',
      ],
      question: 'The sentence has 16 words. Why are there more tokens?',
      answer:
        'Punctuation marks are tokens of their own, and `[CLS]` and `[SEP]` are added. A word that the list does not have is cut into pieces that it has; all but the first begin with `##`. Try “unbelievably”.',
      labels: {
        /** @param {number} count */
        caption: (count) => `${count} tokens and their ids: shape [1, ${count}]`,
      },
    },
    'attention-shape': {
      title: 'One matrix for every head',
      prose: [
        'Each head answers one question for every pair of tokens: how much of the {k:key} token’s {v:value} goes into the {q:query} token? That makes a square of weights, one row a query.',
        'Every layer has several heads, and there are several layers. Change the sentence: the squares grow and shrink with it, while the number of heads and layers is the model’s own.',
      ],
      question: 'If you double the length of the sentence, how many more numbers are there?',
      answer:
        'Four times as many: rows and columns both double. It is why long texts are expensive for attention.',
      labels: {
        /** @param {number} layers @param {number[]} shape */
        whole: (layers, shape) =>
          `${layers} layers, each [${shape.join(', ')}]: ${(layers * shape.reduce((a, b) => a * b, 1)).toLocaleString('en')} weights`,
        layer: 'Layer',
        /** @param {number} layer */
        attention: (layer) => `attention of layer ${layer}`,
        axes: ['batch', 'head', 'query', 'key'],
      },
    },
    'mean-table': {
      title: 'The last layer as one table',
      prose: [
        'Averaged over the heads of the last layer, the weights fit into one table. Each row says where one token looks; each column says who looks at one token.',
        'Read along a row and the numbers add up to 1: a query has exactly one unit of attention to give away. Read down a column and they add up to whatever comes: no key is promised any.',
      ],
      question: 'Which columns have the largest sums, and what does that mean?',
      answer:
        'Often `[SEP]`, `[CLS]` and the full stop. A head must give its unit of attention away even when it has nothing to look for, and these tokens, which are in every sentence, are where it learns to put it.',
      labels: {
        /** @param {number} layer */
        mean: (layer) => `mean over the heads of layer ${layer}`,
        axes: ['query', 'key'],
        save: 'Save as CSV',
      },
    },
  },
};
