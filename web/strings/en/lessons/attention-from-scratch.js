const reroll = 'Other random numbers';
const axes = ['batch', 'tokens', 'hidden'];

const ways = {
  weights: 'weights',
  output: 'output',
  wrongWeights: 'weights, softmax over queries (wrong)',
  wrongOutput: 'output, softmax over queries (wrong)',
  /** @param {{least: number, most: number}} rows */
  ways: ({least, most}) =>
    `Correct: each row of weights sums to 1. With softmax over the queries, a row sums to anything from ${least.toFixed(2)} to ${most.toFixed(2)}.`,
};

const padded = {
  keep: 'mask the padding',
  /** @param {number} share @param {boolean} isPadded */
  padding: (share, isPadded) =>
    isPadded
      ? `Of the attention of the shorter sentence’s words, ${(share * 100).toFixed(1)}% goes to padding.`
      : 'Both sentences are equally long, so there is no padding.',
};

export const attentionFromScratch = {
  title: 'Attention from scratch',
  summary:
    'Two sentences in one batch, an average over the past, self-attention with random layers, several heads, and the mask that makes a decoder.',
  beyond:
    'What you only see by trying it: three mistakes that change no shape. Padding that is attended to, the wrong divisor, and a layer left out all run without an error; here you see what they do.',
  steps: {
    batch: {
      title: 'Two sentences, one batch',
      /** @param {{texts: number, length: number}} data */
      prose: ({texts, length}) => [
        'A tensor has no ragged edge. To run two sentences at once, the shorter is filled up with `[PAD]` until both are equally long.',
        `So the ids are [${texts}, ${length}], and a *mask* of the same shape remembers which are real: 1 for a token, 0 for padding.`,
        'Make one sentence longer and watch the other fill up.',
      ],
      question: 'Does padding change what the model says about the shorter sentence?',
      answer:
        'It must not, and that is what the mask is for: it takes the padding out of every softmax. Without it the padding would be attended to like any word. You can see it in this lesson, three steps on.',
      options: {yes: 'yes', no: 'no'},
      labels: {
        /** @param {number} i @returns {string} */
        text: (i) => (i ? 'Second sentence: tokens and ids' : 'First sentence: tokens and ids'),
        ids: 'tokens and ids',
        mask: 'attention mask',
        axes: ['batch', 'tokens'],
        rows: ['first', 'second'],
      },
    },
    'hidden-states': {
      title: 'What goes in: one vector per token',
      /** @param {{x: {shape: number[]}}} data */
      prose: ({x}) => [
        `The trained model has read both sentences and given every token a vector. This is x, [${x.shape.join(', ')}]: batch, tokens, hidden. With bert-base it would be [2, 12, 768].`,
        'Attention takes such a tensor and gives back one of the same shape. What it does in between is this lesson.',
        'Each row has many small numbers, and a few columns that are strong in every row: the model uses them for itself.',
      ],
      question: '“police” is in both sentences. Are its two rows the same?',
      answer:
        'No, though the word and its embedding are. These are vectors from the *end* of the model, where each has gathered from its own sentence. Point at the cells and compare.',
      options: {same: 'yes, the same', other: 'no'},
      labels: {axes},
    },
    'causal-average': {
      title: 'The simplest attention: an average of the past',
      prose: [
        'Before anything is compared: let each token take the mean of itself and all before it. As a table of weights that is 1, then ½ ½, then ⅓ ⅓ ⅓, and so on.',
        'Here is the trick that attention will use. Begin with zeros. Put −∞ above the diagonal, where the future is. Softmax makes the zeros into equal shares and −∞ into nothing.',
        'One product of matrices, weights times x, then does all the averages at once.',
      ],
      question: 'Write another last word. How many of these averages change?',
      answer:
        'Only its own: no token before it may take anything from it. Scores other than zero would make the shares unequal: a token could take more from one neighbour than from another. Attention is this table with scores that are worked out from the tokens themselves.',
      options: {none: 'none', last: 'only its own', all: 'all of them'},
      labels: {
        masked: 'scores: zeros, −∞ above',
        weights: 'weights',
        output: 'average',
        axes: ['query', 'key'],
        outputAxes: axes,
      },
    },
    'self-attention': {
      title: 'Self-attention with random layers',
      prose: [
        'Three linear layers make {q:queries}, {k:keys} and {v:values} of x. The scores are the products of queries and keys, divided by the root of their size.',
        'An *encoder* lets every token see every other. A *decoder* may not look ahead: switch it on and the upper triangle goes empty, as in the average before.',
        'The layers are random, so the weights are nearly even: untrained attention is little more than an average. Beside it is a common mistake, `softmax(dim=1)`: there each *column* sums to 1, so a query takes more or less than its due. It raises no error, and every shape is right.',
      ],
      question:
        'Leave “mask the padding” off. Where does part of the shorter sentence’s attention go?',
      answer:
        'To [PAD], a token that was never written. Its column is as strong as any other. With a longer filling it would be most of the attention. Switch the mask on, and the column is exactly 0.',
      options: {padding: 'to [PAD]', words: 'to its own words only'},
      labels: {
        causal: 'decoder (causal)',
        ...padded,
        ...ways,
        weightAxes: ['batch', 'query', 'key'],
        axes,
        reroll,
      },
    },
    'multi-head': {
      title: 'Several heads',
      /** @param {{heads: number, hiddenSize: number}} data */
      prose: ({heads, hiddenSize}) => [
        `Instead of one attention over ${hiddenSize} numbers, take ${heads} over ${hiddenSize / heads} each. Every head has its own three layers, and can look for something else.`,
        'Their outputs are laid side by side and are as wide as x again. With vectors of 768 numbers, as in bert-base, and 8 heads (it has 12): 8 times [2, 12, 96] make [2, 12, 768].',
        'A last linear layer mixes them. It is easily left out: nothing fails, but each head stays in its own columns, and no number ever depends on two heads.',
      ],
      question: 'Do more heads need more weights?',
      answer:
        'No. The three layers together are hidden × hidden each, however many heads share them: twice the heads, half the size. What grows is the number of tables of weights, one a head.',
      options: {more: 'yes, more', same: 'no, as many', fewer: 'no, fewer'},
      labels: {
        heads: 'Heads',
        ...padded,
        withOutput: 'with the last layer',
        ...ways,
        weightAxes: ['batch', 'head', 'query', 'key'],
        each: 'output of each head',
        headAxes: ['batch', 'head', 'tokens', 'head size'],
        outputs: 'without and with the last layer',
        combined: 'side by side, without the last layer',
        output: 'after the last layer',
        twoWays: 'two ways',
        wrongOutput: 'side by side, softmax over queries (wrong)',
        axes,
        reroll,
        /** @param {number} heads @param {number[]} each @param {number[]} combined */
        shapes: (heads, [batch, , tokens, size], combined) =>
          `Each head: [${batch}, ${tokens}, ${size}]. ${heads} of them side by side: [${combined.join(', ')}].`,
      },
    },
    scale: {
      title: 'Divided by which root?',
      /** @param {{headDim: number, hiddenSize: number, heads: number}} data */
      prose: ({headDim, hiddenSize, heads}) => [
        `A head’s score is a sum of ${headDim} products, so it is divided by √${headDim}. It is easy to write √${hiddenSize}, the size of the whole vector, and nothing complains.`,
        `But then all scores are √${heads} times smaller than they should be, and softmax of small differences is nearly even. *Entropy* measures that: 0 if all attention is on one token, and the logarithm of the number of tokens if it is spread evenly.`,
        'Compare the columns, first with the trained head’s queries and keys, then with random ones.',
      ],
      question:
        'Take random layers. Does the wrong divisor blur their attention as much as that of the trained heads?',
      answer:
        'It matters where heads have learned to choose: their attention is blurred. Random layers hardly choose, so there is little to blur. A model trained with the wrong divisor from the start could make up for it by larger weights; one that is loaded into code with the wrong divisor cannot.',
      options: {less: 'much less', same: 'about as much', more: 'much more'},
      labels: {
        source: 'Queries and keys',
        sources: {trained: 'of the trained layer 0', random: 'of random layers'},
        entropy: 'entropy of the weights, in nats',
        axes: ['heads', 'divisor'],
        /** @param {number} head */
        head: (head) => `head ${head}`,
        reroll,
        /** @param {number[]} means @param {number} tokens */
        means: ([right, slip], tokens) =>
          `A query spreads over ${Math.exp(right).toFixed(1)} of ${tokens} tokens in effect; divided by √hidden instead, over ${Math.exp(slip).toFixed(1)}.`,
      },
    },
    'masked-multi-head': {
      title: 'Several heads that cannot look ahead',
      /** @param {{weights: {shape: number[]}, output: {shape: number[]}, isRead: boolean}} data */
      prose: ({weights, output, isRead}) => [
        `All together: ${weights.shape[1]} heads, each with the causal mask${isRead ? '' : ', and the last layer'}. The weights are [${weights.shape.join(', ')}], the output is [${output.shape.join(', ')}], as x was.`,
        ...(isRead
          ? [
              'Here x is `last_hidden_state`: the vectors at the end of the model, of special tokens too. Only the future is masked, not the padding, and the outputs lie side by side, before the last layer.',
              'Write another last token for the first sentence: the outputs before it change. A model that reads both ways has looked ahead already, and no mask takes that out of its vectors.',
            ]
          : [
              'What is the mask good for? Write another last token for the first sentence, and everything is run again. The outputs before it do not change by any digit. So a decoder can learn from a whole text at once.',
              'With softmax over the queries, every output before it moves too: the mask is there, and the *future leaks* in all the same.',
            ]),
      ],
      question: 'Softmax over the wrong axis is worse with a mask. Why?',
      answer:
        'Then each *column* is shared out: how much a token takes from the first one depends on the scores of all tokens that come later, and so on the future. The rows no longer sum to 1 either: the last token, which nobody but itself may see, takes itself whole.',
      labels: {
        heads: 'Heads',
        ...ways,
        weightAxes: ['batch', 'head', 'query', 'key'],
        axes,
        reroll,
        /** @param {string} token */
        last: (token) => `In place of the last token “${token}”`,
        read: 'x = last hidden states',
        changes: 'change of each output',
        changeAxes: ['tokens', 'way'],
        changeColumns: ['right', 'wrong'],
        /** @param {number} before @param {number} last @param {number} leak */
        change: (before, last, leak) =>
          `Another last token changes the outputs before it by ${before.toFixed(7)}, and its own by up to ${last.toFixed(3)}. With softmax over the queries, those before it change by up to ${leak.toFixed(4)}.`,
        /** @param {number} before @param {number} last */
        changeRead: (before, last) =>
          `Another last token changes the outputs before it by up to ${before.toFixed(4)}, and its own by up to ${last.toFixed(3)}: x had looked ahead before the mask.`,
      },
    },
  },
};
