const reroll = 'Other random numbers';
const way = 'Show';
/** @param {number} index */
const head = (index) => `head ${index}`;

export const splittingHeads = {
  title: 'Splitting heads, and attending across',
  summary:
    'How one wide tensor becomes many heads and one again, and how a decoder looks at what an encoder has read.',
  beyond:
    'What you only see by trying it: why the axes must be *exchanged*. The shortcut with the right shape mixes tokens and heads, and no error tells you.',
  steps: {
    split: {
      title: 'One tensor, many heads',
      prose: [
        'Nobody runs heads one by one. One wide layer makes the vectors of all heads at once, [batch, tokens, heads · d_k], and they are told apart by a change of shape.',
        'Each head owns a range of columns. First the last axis is cut in two, then tokens and heads change places, so that each head has a table of its own: [batch, heads, tokens, d_k].',
        'No number changes. Follow the colours.',
      ],
      question: 'Could one not simply rename the shape to [batch, heads, tokens, d_k]?',
      answer:
        'Try “only renamed”. The shape is right, but the numbers are dealt out in the order they lie in memory, token by token. “Head 0” then holds all heads of the first tokens. It runs, and it learns something, and it is not attention.',
      options: {yes: 'yes', no: 'no'},
      labels: {
        way,
        ways: {together: 'together', split: 'split', wrong: 'only renamed (wrong)'},
        head,
        moving: 'every number',
        split: 'split',
        axes: ['batch', 'head', 'tokens', 'd_k'],
        reroll,
        shapes: {
          /** @param {number[]} x @param {number[]} split */
          together: (x, split) =>
            `[${x.join(', ')}]: batch, tokens, heads · d_k = ${split[1]} · ${split[3]}.`,
          /** @param {number[]} x @param {number[]} split */
          split: (x, split) =>
            `[${x.join(', ')}] became [${split.join(', ')}]: batch, heads, tokens, d_k.`,
          /** @param {number[]} x @param {number[]} split */
          wrong: (x, split) =>
            `Also [${split.join(', ')}], from [${x.join(', ')}], and every table has all colours in it.`,
        },
      },
    },
    combine: {
      title: 'Many heads, one tensor',
      prose: [
        'After attention the way leads back: heads and tokens change places again, and the heads of each token are laid side by side.',
        'Between the two steps PyTorch wants `contiguous()`: exchanging axes only changes how memory is read, and `view` needs the numbers to lie in the new order.',
      ],
      question: 'With a single head, does “only renamed” go wrong too?',
      answer:
        'With one head nothing has to change places, so a test with one head does not find the mistake. With several, splitting lets one product of matrices handle all of them, and a token’s head 0 never meets its head 1: between the two steps, attention treats batch and heads alike, as that many separate tables.',
      options: {wrong: 'yes, it goes wrong', right: 'no, it is right'},
      labels: {
        way,
        ways: {split: 'split', together: 'combined', wrong: 'only renamed (wrong)'},
        head,
        moving: 'every number',
        combined: 'combined',
        axes: ['batch', 'tokens', 'heads · d_k'],
        reroll,
        /** @param {number[]} split @param {number[]} combined @param {number} difference */
        difference: (split, combined, difference) =>
          `[${split.join(', ')}] became [${combined.join(', ')}]. Against the tensor before splitting, the largest difference is ${difference}.`,
      },
    },
    'cross-attention': {
      title: '5 queries over 7 keys',
      prose: [
        'Nothing says that {q:queries} and {k:keys} come from the same text. Here 5 queries look at 7 keys, in 4 examples at once, 256 wide, with 8 heads.',
        'The table of weights is then not square: a row for each query, a column for each key. Keys and {v:values} must be equally many, for each value is taken with the weight of its key.',
        'The output has as many rows as there are queries, and is as wide as before: [4, 5, 256]. Laid side by side, the heads are not mixed yet; a full layer, such as `nn.MultiheadAttention`, usually mixes them once more. Both are here.',
      ],
      question:
        'Which of the three numbers, queries, keys and heads, does the output’s shape depend on?',
      answer: 'Only on the queries. Keys are summed over, and heads are combined again. Try it.',
      options: {queries: 'queries', keys: 'keys', heads: 'heads'},
      labels: {
        queries: 'Queries',
        keys: 'Keys',
        heads: 'Heads',
        values: 'Values',
        valueChoices: {own: 'a tensor of their own', keys: 'the keys'},
        ladder: 'The shapes, step by step',
        /** @param {Record<string, number[]>} shapes */
        steps: ({query, key, queryHeads, keyHeads, weights, output}) => [
          ['query', query, 'of-query'],
          ['key, and value', key, 'of-key'],
          ['query, split', queryHeads, 'of-query'],
          ['key, split', keyHeads, 'of-key'],
          ['weights', weights, ''],
          ['output', output, ''],
        ],
        weights: 'weights',
        weightAxes: ['batch', 'head', 'query', 'key'],
        outputs: 'output without and with the last layer',
        combined: 'side by side, not mixed yet',
        output: 'after the last layer',
        axes: ['batch', 'queries', 'width'],
        reroll,
      },
    },
    sides: {
      title: 'Who asks, and who answers',
      /** @param {{source: string[], target: string[], shape: number[]}} data */
      prose: ({source, target, shape}) => [
        'In a model that translates or shortens, the *encoder* reads the original (the first sentence), and the *decoder* writes the new text (the second). The decoder asks: {q:queries} come from its side. The encoder answers: {k:keys} and {v:values} come from what it has read.',
        `So the weights are [${shape.join(', ')}]: ${target.length} rows for the tokens being written, ${source.length} columns for those that were read. Each row sums to 1.`,
        'Make one of the sentences longer, and see which side of the table grows.',
      ],
      question: 'Write one more word in the second sentence. What does the table get more of?',
      answer:
        'Each token that is written asks for itself, so it has a row of its own; the columns are what was read. No causal mask is needed here: the original is there as a whole before the first word is written, so every token of it may be seen. Only the decoder’s attention to itself is masked.',
      options: {rows: 'rows', columns: 'columns', both: 'rows and columns'},
      labels: {
        weights: 'weights of head 0',
        weightAxes: ['decoder (query)', 'encoder (key)'],
        targetAxes: ['batch', 'decoder', 'width'],
        sourceAxes: ['batch', 'encoder', 'width'],
        reroll,
      },
    },
    'decoder-layer': {
      title: 'A whole encoder-decoder layer',
      prose: [
        'One layer of each, untrained. The encoder’s layer is the one you know. The decoder’s has three parts: attention to what it has written so far (causal), attention to the encoder, and feed-forward; each with a skip connection and a norm.',
        'The first table of weights has zeros above its diagonal, the second has none. That is all the difference between looking at oneself and looking across.',
      ],
      question:
        'Which of the three parts can run once, while the text that is written grows token by token?',
      answer:
        'The encoder runs once, and so do the keys and values the decoder takes from it. When a token is added, only its own row is new: nothing before it may look ahead, so nothing before it changes. Generators keep those keys and values: the “KV cache”.',
      options: {
        own: 'the decoder looking at itself',
        cross: 'the decoder looking at the encoder',
        encoder: 'the encoder',
      },
      labels: {
        memory: 'encoder output',
        weights: 'weights',
        own: 'decoder to itself, head 0',
        cross: 'decoder to encoder, head 0',
        output: 'decoder output',
        ownAxes: ['query', 'key'],
        weightAxes: ['decoder (query)', 'encoder (key)'],
        targetAxes: ['batch', 'decoder', 'width'],
        sourceAxes: ['batch', 'encoder', 'width'],
        reroll,
      },
    },
  },
};
