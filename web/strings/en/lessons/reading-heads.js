import {formatNumber} from './number-format.js';

/**
 * A head with its measure; all of them in a table, with the best and the one that the paper names, if there is one.
 *
 * @typedef {{layer: number, head: number, value: number}} Head
 * @typedef {{best: Head, paper: Head | null, table: {shape: number[]}}} Measured
 */

/** @param {number} layer @param {number} head */
const place = (layer, head) => `layer ${layer}, head ${head}`;

const measuring = {
  place,
  axes: ['layers', 'heads'],
  /** @param {number} layer */
  layer: (layer) => `layer ${layer}`,
  /** @param {number} head */
  head: (head) => String(head),
  which: 'Head',
  picture: 'head view',
  /** @param {number} layer @param {number} head */
  paper: (layer, head) => `the paper’s: layer ${layer}, head ${head}`,
};

export const readingHeads = {
  title: 'Reading a real model’s heads',
  summary:
    'A trained model from the outside: its parts and their shapes, its attention as one table, and heads that do one thing you can name.',
  beyond:
    'What you only see by trying it: a head’s job is measured, not guessed from one picture, and so you find out whether a head is what the paper calls it.',
  steps: {
    structure: {
      title: 'What is in a model',
      /** @param {{name: string, layers: number, heads: number, hiddenSize: number}} data */
      prose: ({name, layers, heads, hiddenSize}) => [
        `This is ${name}, the model of this page, with the shape of everything it has learned: ${layers} layers of ${heads} heads, each token a vector of ${hiddenSize} numbers.`,
        'A weight is [numbers out, numbers in]. {q:query}, {k:key} and {v:value} are one square each: the heads are not seen here, they are ranges of its rows.',
        'Open another layer. Each has the same parts of the same shapes, and other numbers in them.',
      ],
      question: 'Where are most of a layer’s numbers: in attention, or elsewhere?',
      answer:
        'Two thirds are in the feed-forward part (“intermediate” and “output”): it widens each token four times and narrows it again. Attention has four square matrices, the other two are four times as large each.',
      options: {attention: 'in attention', elsewhere: 'elsewhere'},
      labels: {
        numbers: formatNumber,
      },
    },
    ids: {
      title: 'Words become numbers',
      prose: [
        'A model has never seen a word. A *tokenizer* cuts the text into tokens, words or pieces of words, and looks each up in a list that was fixed before training. Its place in the list is all that the model gets.',
        'Two tokens are nobody’s words: `[CLS]` in front, a place to collect what the whole sentence is about, and `[SEP]` behind, which ends a sentence.',
      ],
      question: 'Into how many tokens will “unbelievably” be cut?',
      answer:
        'A word that the list does not have is cut into pieces that it has; all but the first begin with `##`. Type it in and see. Punctuation marks are tokens of their own too, and `[CLS]` and `[SEP]` are added: so a sentence of 16 words has more tokens.',
      labels: {
        /** @param {number} count */
        caption: (count) => `${count} tokens and their ids: shape [1, ${count}]`,
        decoded: 'Decoded:',
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
      options: {2: 'about twice as many', 4: 'about four times', 8: 'about eight times'},
      labels: {
        /** @param {number} layers @param {number[]} shape */
        whole: (layers, shape) =>
          `${layers} layers, each [${shape.join(', ')}]: ${formatNumber(layers * shape.reduce((a, b) => a * b, 1))} weights`,
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
      question: 'Which column has one of the largest sums, and what does that mean?',
      /** @param {{most: {token: string, sum: number}[]}} data */
      answer: ({most}) =>
        `Here ${most.map(({token, sum}) => `“${token}” (${sum.toFixed(3)})`).join(', ')}. A head must give its unit of attention away even when it has nothing to look for. \`[CLS]\` and \`[SEP]\` are in every sentence, so many heads learn to put it there; in other models also the full stop or a comma. Not every large sum means that a word matters.`,
      labels: {
        /** @param {number} layer */
        mean: (layer) => `mean over the heads of layer ${layer}`,
        axes: ['query', 'key'],
      },
    },
    'previous-token': {
      title: 'Heads that look one back, and one ahead',
      prose: [
        'Clark and others (2019) read the heads of bert-base and show one that gives nearly everything to the *next* token: layer 2, head 0.',
        'One picture can mislead, so we measure: the share of its attention that each head gives to the token just before, and to the token just after, averaged over the words of your sentence. The largest of each is framed.',
        'Every model divides the work anew. Which head does it is up to the random numbers it began with; that *some* head does is what models have in common. In bert-base others look one back, layer 3, head 5 for example.',
      ],
      aside:
        'Clark and others (2019) count from 1 and call it “head 3-1”. Explanations that say it looks at the token before have it the wrong way round: in bert-base that token gets less than 0.0001 of it.',
      question:
        'Write the words in the opposite order. Is it still the same head that looks one back most?',
      answer:
        'Attention has no order of its own. Such a head brings each word its neighbour, and later layers can then work with pairs like “told me”. It uses the position vectors, not the words: change the words and the measure hardly moves.',
      options: {yes: 'yes, the same head', no: 'no, another head'},
      labels: {
        ...measuring,
        tables: 'all heads',
        back: 'attention to the previous token',
        ahead: 'attention to the next token',
        shown: {
          /** @param {Head} head */
          previous: ({layer, head}) => `one back: layer ${layer}, head ${head}`,
          /** @param {Head} head */
          next: ({layer, head}) => `one ahead: layer ${layer}, head ${head}`,
        },
        /**
         * @param {Measured} previous
         * @param {Measured} next
         */
        finding: (previous, next) =>
          `One back: most, ${previous.best.value.toFixed(3)}, ${place(previous.best.layer, previous.best.head)}. ` +
          `One ahead: most, ${next.best.value.toFixed(3)}, ${place(next.best.layer, next.best.head)}.` +
          (previous.paper && next.paper
            ? ` Layer 2, head 0, which looks ahead in bert-base, gives ${next.paper.value.toFixed(3)} to the next token in this model and ${previous.paper.value.toFixed(3)} to the previous.`
            : ''),
      },
    },
    'direct-objects': {
      title: 'The head that finds the verb',
      prose: [
        'In bert-base, layer 7, head 9 connects direct objects with their verbs: “me” gives 0.683 of its attention to “told” there.',
        'Choose any two tokens, and see which head of this model connects them most. The table shows the weight from the first to the second in every head.',
      ],
      aside: 'Clark and others (2019) found this head. They count from 1 and call it “head 8-10”.',
      question: 'A head gives “me” to “told” a large weight. Has the model found a direct object?',
      answer:
        'Not from this alone: a head that looks one token back does the same. Test it where the two come apart, with “told my friend the story” for example, where the object is further from its verb. What survives many sentences is a finding.',
      labels: {
        ...measuring,
        from: 'From',
        to: 'To',
        table: 'weight from the first to the second',
        /**
         * @param {Measured} data
         * @param {string} from
         * @param {string} to
         */
        finding: ({best, paper, table}, from, to) =>
          `“${from}” to “${to}”: most, ${best.value.toFixed(3)}, in ${place(best.layer, best.head)}. ` +
          (paper
            ? `The paper’s, layer 7, head 9: ${paper.value.toFixed(3)}.`
            : `This model has ${table.shape[0]} layers of ${table.shape[1]} heads, so it has no layer 7, head 9.`),
      },
    },
    'own-heads': {
      title: 'This model’s own heads',
      prose: [
        'Here is who does what in the model of this page, measured on the sentence. They are not the paper’s heads, and need not be: a smaller model, trained on other texts, has divided the work in its own way.',
        'Choose a kind to see all heads, and the strongest of them at work. Then change the sentence: some measures stay, others hang on the words.',
      ],
      question: 'Which of these would you believe after one sentence, and which not?',
      answer:
        'Those by position (previous, next) are the same for any words, so one sentence shows them well. “Same word” needs words that occur twice, and [SEP] and [CLS] depend on what a head finds to do: test those on many sentences.',
      labels: {
        ...measuring,
        table: 'all heads',
        caption: 'The strongest head of each kind',
        kind: 'Kind',
      },
    },
  },
};
