import {formatNumber} from './number-format.js';

const sources = {
  source: 'Queries and keys',
  sources: {
    random: 'a random embedding',
    model: 'the model’s embedding',
    head: 'layer 0, head 0',
  },
  reroll: 'Other numbers',
};

export const queryKeyValue = {
  title: 'Query, key and value in BERT',
  summary:
    'How one head turns words into weights: three vectors a word, a score for every pair, a softmax, and an average.',
  beyond:
    'What you only see by trying it: with q = k = v attention can only look at itself or at everything alike. What makes it look somewhere is what training puts between the words and q and k.',
  steps: {
    'neuron-view': {
      title: 'One head, number by number',
      prose: [
        'A head makes three vectors of every token. The {q:query} says what the token looks for. The {k:key} says what it has to offer. The {v:value} is what it hands over when somebody looks.',
        'Choose a token on the left. Its query is multiplied with every key, number by number, and summed up: one score per pair. Softmax turns the scores into weights, and the weights mix the values.',
        'This is layer 0, head 0. `[CLS]` and `[SEP]` are left out: switch them on and see how much a head gives to them. The next steps build the same from nothing, without these two.',
      ],
      question:
        'Leave the division by √d out. What happens to the largest weight of the first token?',
      /** @param {{headDim: number}} data */
      answer: ({headDim}) =>
        `A score is a sum of ${headDim} products, and sums of more terms are larger. Divided by √${headDim} = ${Math.sqrt(headDim).toFixed(2)} scores stay about as large whatever the size of the vectors. Without it softmax would give nearly everything to one key.`,
      options: {larger: 'it grows', same: 'it stays', smaller: 'it shrinks'},
      labels: {special: 'with [CLS] and [SEP]', detail: 'one pair, number by number'},
    },
    configuration: {
      title: 'Ids, and the sizes of everything',
      /** @param {{hiddenSize: number, heads: number}} data */
      prose: ({hiddenSize, heads}) => [
        'Before any arithmetic there are two things: the ids of the tokens, and the *configuration*, which fixes the size of every table and layer. The weights are numbers in this frame.',
        `Each token becomes a vector of ${hiddenSize} numbers, and ${heads} heads share them: ${hiddenSize / heads} each. In bert-base it is 768 and 12: 64 each.`,
        'Change the sentence: ids come and go, the configuration stays.',
      ],
      question: 'Which of these numbers limits how long a text may be?',
      answer:
        '`max_position_embeddings`: the table of positions has one row for each place, and there is no row for the next. Nothing else in the model depends on the length.',
      labels: {
        ids: 'ids',
        config: 'configuration',
        /** @param {number} count */
        caption: (count) => `${count} tokens and their ids: shape [1, ${count}]`,
      },
    },
    embeddings: {
      title: 'A token is a row of numbers',
      /** @param {{vocabulary: number, hiddenSize: number}} data */
      prose: ({vocabulary, hiddenSize}) => [
        `An *embedding* is a table with a row for each of the ${formatNumber(vocabulary)} tokens the model knows, ${hiddenSize} numbers a row. Looking up a sentence copies its rows.`,
        'First a fresh table: every number is drawn at random, as a network begins. Then the rows that this model has learned. Point at the cells to read them.',
        'The closer two vectors point in the same direction, the nearer their *cosine* is to 1.',
      ],
      question:
        'Draw other random numbers. Will the same two tokens be most alike in the random table?',
      /** @param {{alike: {random: {cosine: number}, own: {a: string, b: string, cosine: number}}}} data */
      answer: ({alike}) =>
        `In the random table the closest pair is close by chance only (${alike.random.cosine.toFixed(2)}); other numbers make it another pair. In the learned table it is “${alike.own.a}” and “${alike.own.b}” (${alike.own.cosine.toFixed(2)}), whatever you draw: tokens used alike have come to lie alike.`,
      options: {same: 'yes, the same two', other: 'no, another pair'},
      labels: {
        random: 'random embedding',
        own: 'the model’s embedding',
        axes: ['batch', 'tokens', 'hidden'],
        reroll: 'Other numbers',
        /** @param {{a: string, b: string, cosine: number}} pair */
        alike: ({a, b, cosine}) => `Most alike: “${a}” and “${b}”, cosine ${cosine.toFixed(3)}.`,
      },
    },
    scores: {
      title: 'A score for every pair',
      /** @param {{tokens: string[], size: number, length: number, source: string}} data */
      prose: ({tokens, size, length, source}) => [
        'To see the bare mechanism, let {q:query}, {k:key} and {v:value} all be the embedding itself. The score of a pair is the dot product of the one’s query and the other’s key, divided by √d.',
        source === 'head'
          ? 'Here the queries and keys are those of a trained head. Nothing is special about the diagonal any more.'
          : `On the diagonal each vector meets itself, and the dot product is its length squared. “${tokens[0]}” is ${length.toFixed(3)} long: its score is ${length.toFixed(3)}² / √${size} = ${(length ** 2).toFixed(2)} / ${Math.sqrt(size).toFixed(Number.isInteger(Math.sqrt(size)) ? 0 : 2)} = ${(length ** 2 / Math.sqrt(size)).toFixed(2)}.`,
        'With one embedding for both, the table is its own mirror image: what “aircraft” scores for “air”, “air” scores for “aircraft”. Switch to the head, where queries and keys differ, and that is over.',
      ],
      question:
        'Switch the division off with the random embedding. What would softmax make of that?',
      /** @param {{size: number}} data */
      answer: ({size}) =>
        `The diagonal is then about ${size}, and its nearest rival far below. Softmax works with e to the power of the difference, so everything would go to the diagonal, exactly. It nearly does even with the division.`,
      options: {
        itself: 'all attention on itself',
        between: 'more on itself than on others',
        even: 'the same for all',
      },
      labels: {
        ...sources,
        /** @param {number} size */
        scaled: (size) => `divided by √${size}`,
        scores: 'scores',
        axes: ['batch', 'query', 'key'],
      },
    },
    'softmax-axis': {
      title: 'Softmax, the wrong way and the right way',
      prose: [
        'Softmax makes numbers positive and lets them sum to 1. But along which direction? A query shares out its attention over the keys, so every *row* must sum to 1.',
        'Over the wrong axis every *column* sums to 1 instead. Then a token that everybody looks at is thinned out, and a query may hand on several times its due, or next to nothing. Nothing crashes, and no shape is wrong.',
        'Try both axes with the random embedding as well.',
      ],
      question: 'Take the random embedding and the wrong axis. What do the rows sum to?',
      answer:
        'Nearly everything is on the diagonal, and the table of scores is its own mirror image, so rows and columns are the same thing, and both ways look right. That is how such a mistake survives: the test case is too simple to show it. A trained head shows it at once.',
      options: {one: 'all to about 1', any: 'to anything'},
      labels: {
        ...sources,
        axis: 'Softmax over',
        axisChoices: {queries: 'columns (wrong)', keys: 'rows (right)'},
        weights: 'weights',
        axes: ['batch', 'query', 'key'],
        /** @param {{least: number, most: number}} rows @param {{least: number, most: number}} columns */
        sums: (rows, columns) => `Rows sum to ${between(rows)}, columns to ${between(columns)}.`,
      },
    },
    diagonal: {
      title: 'What a token gives to itself',
      /** @param {{length: number[], tokens: string[], hiddenSize: number}} data */
      prose: ({length, tokens, hiddenSize}) => [
        `The weight on the diagonal is what a token gives to itself. In the random embedding that is everything: a vector of ${hiddenSize} random numbers is about √${hiddenSize} = ${Math.sqrt(hiddenSize).toFixed(0)} long, so each token is like nothing but itself. Only a token that occurs more than once shares with its likes.`,
        `The model’s own embedding gives the opposite. Its vectors are short (“${tokens[0]}” is ${length[1].toFixed(2)} long), all scores are close to 0, and everybody gets the same: 1 of ${tokens.length}, or ${(1 / tokens.length).toFixed(3)}.`,
        'So with q = k = v attention either stays where it is or spreads over everything. The trained head, in the last column, does neither.',
      ],
      question: 'What does the head have that the embeddings alone have not?',
      answer:
        'Two learned matrices, one for {q:q} and one for {k:k}. They choose which part of a word to compare with which part of another, and how strongly. That lets “it” look for a noun instead of for another “it”.',
      labels: {
        own: 'weight on itself',
        axes: ['token', 'source'],
        columns: ['random', 'model', 'head'],
        reroll: 'Other random numbers',
      },
    },
    'weighted-average': {
      title: 'The output is an average',
      prose: [
        'Each token’s output is the sum of all {v:values}, each times its weight. As the weights are positive and sum to 1, that is a weighted average: the output lies among the values, never outside.',
        'Choose a token and see whose values it is made of. In the random embedding it is made of its own, so attention has done nothing at all.',
        'Beside it is what softmax over the queries, a common mistake, makes of them: the weights of a token sum to less or more than 1, so its output is not an average any more, but too short or too long.',
      ],
      question: 'The weights say how much of a value is taken. Do they say how much it matters?',
      answer:
        'Not alone. A large weight on a value that is nearly zero adds nearly nothing, and many heads rest on [SEP] in just that way. Compare the weights with the rows of the values.',
      labels: {
        ...sources,
        query: 'Query',
        sum: 'The output as a sum',
        output: 'output of',
        weights: 'its weights',
        wrongWeights: 'its weights, softmax over queries (wrong)',
        wrongOutputs: 'output, softmax over queries (wrong)',
        /** @param {number} sum */
        wrongSum: (sum) =>
          `The weights of this query sum to 1. With softmax over the queries they sum to ${sum.toFixed(2)}.`,
        weightAxes: ['batch', 'query', 'key'],
        value: 'v',
        outputs: 'output',
        axes: ['batch', 'tokens', 'size'],
      },
    },
  },
};

/** @param {{least: number, most: number}} sums */
function between({least, most}) {
  const [a, b] = [least.toFixed(2), most.toFixed(2)];
  return a === b ? `exactly ${a}`.replace('exactly 1.00', '1') : `anything from ${a} to ${b}`;
}
