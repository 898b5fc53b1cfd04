import {formatNumber} from './number-format.js';

const reroll = 'Other random numbers';
const axes = ['batch', 'tokens', 'hidden'];
const weightAxes = ['batch', 'query', 'key'];

export const encoderByHand = {
  title: 'An encoder layer by hand',
  summary:
    'From five ids to a classifier, one part after the other, with fresh random weights: the whole of a transformer encoder.',
  beyond:
    'What you only see by trying it: the parts can be tested. Shuffle the words, stack 24 layers, leave [CLS] out, and see which part was needed for what.',
  steps: {
    ids: {
      title: 'Five words, five ids',
      /** @param {{vocabulary: number}} data */
      prose: ({vocabulary}) => [
        'We build an encoder from nothing, on a sentence that reads in two ways. Do flies like arrows, or does time fly?',
        `First the tokenizer: each token has a fixed place in a list of ${formatNumber(vocabulary)}, and from here on it is that number. Special tokens are left out for now.`,
      ],
      question: 'Do the ids say anything about what words mean?',
      answer:
        'No. They are places in a list. That id 2 follows id 1 does not make the words alike, so the first thing a model does is to replace ids by vectors. With bert-base these five are 2051, 10029, 2066, 2019, 8612.',
      labels: {
        /** @param {number} count */
        caption: (count) => `${count} tokens without special ones: shape [1, ${count}]`,
      },
    },
    lookup: {
      title: 'Look up their vectors',
      prose: [
        'An embedding layer is a table with one row a token. To embed a sentence is to copy out its rows: no arithmetic at all.',
        'A fresh table holds random numbers around 0, most between −2 and 2. Other numbers are another network’s beginning. Everything in this lesson is untrained: you see what the parts do, before they have learned what to do it for.',
      ],
      question: 'If the same word stands in the sentence twice, how do its two rows differ?',
      answer:
        'Not at all. The lookup knows the word only, not its place. Type a word twice and compare the rows. Where a word stands has to be added, which comes later.',
      options: {none: 'not at all', some: 'in some numbers', all: 'in every number'},
      labels: {
        /** @param {number} rows @param {number} columns */
        table: (rows, columns) =>
          `The table is [${rows}, ${columns}]: ${formatNumber(rows * columns)} numbers. Of these the sentence takes:`,
        rows: 'x',
        axes,
        reroll,
      },
    },
    'near-identity': {
      title: 'Attention that looks at itself',
      /** @param {{size: number, least: number}} data */
      prose: ({size, least}) => [
        'Let {q:query}, {k:key} and {v:value} all be x. The weights are then almost an identity matrix: a 1 for each token with itself, nearly 0 elsewhere.',
        `Why? Each vector has ${size} random numbers of size about 1. With itself, all products are positive and add up to about ${size}; divided by √${size} that is ${Math.sqrt(size).toFixed(1)}. With another vector, products cancel out and stay near 0.`,
        `Softmax does the rest. Here the least a token keeps for itself is ${least.toFixed(3)}. Make the vectors shorter and watch others get in.`,
      ],
      question: 'With vectors of 768 numbers, how much larger is e to the power of the diagonal?',
      answer:
        'The score on the diagonal is about √768 = 27.7, and e^27.7 is about a thousand billion. That is where weights like 0.0000000000001 beside the diagonal come from.',
      options: {
        thousand: 'about a thousand times',
        million: 'about a million times',
        trillion: 'a thousand billion times or more',
      },
      labels: {
        size: 'Numbers a vector',
        powers: 'small numbers as powers of ten',
        scores: 'scores',
        weights: 'weights',
        axes: weightAxes,
        reroll,
      },
    },
    'attention-head': {
      title: 'One head',
      /** @param {{hiddenSize: number, headDim: number}} data */
      prose: ({hiddenSize, headDim}) => [
        `A head puts three linear layers between x and the arithmetic. Each makes ${headDim} numbers out of ${hiddenSize}: {q:q}, {k:k} and {v:v} are three different views of the same token.`,
        'The near-identity is gone. Even with random layers, a token’s query has no reason to be like its own key.',
        'Training changes these layers and nothing else in the mechanism: attention itself has no numbers to learn.',
      ],
      question: 'How many numbers does such a head learn?',
      /** @param {{hiddenSize: number, headDim: number}} data */
      answer: ({hiddenSize, headDim}) =>
        `Three layers of ${hiddenSize} × ${headDim} weights and ${headDim} biases: ${formatNumber(3 * headDim * (hiddenSize + 1))}. Their number does not depend on how long the sentence is.`,
      labels: {
        weights: 'weights',
        output: 'output',
        axes: ['batch', 'tokens', 'head'],
        weightAxes,
        reroll,
      },
    },
    'multi-head': {
      title: 'Many heads, and one layer to join them',
      /** @param {{heads: number, each: {shape: number[]}}} data */
      prose: ({heads, each}) => [
        `One head can make one mixture of the other tokens. ${heads} heads with layers of their own make ${heads}, each [tokens, ${each.shape[3]}].`,
        'They are laid side by side, and the row is as wide as x again. But so far no head knows of the others: the numbers of head 0 are only ever in the first columns.',
        'The output layer mixes them. Compare the last two blocks: same shape, and every number of the second is made from all heads.',
      ],
      question:
        'All heads get the same x. Does the first token look most at the same token in every one?',
      answer:
        'Their layers begin with different random numbers, and training moves each from where it began. So each finds something of its own. Softmax has no part in it: it is not random, the same scores always give the same weights.',
      options: {yes: 'yes', no: 'no'},
      labels: {
        weights: 'weights',
        weightAxes: ['batch', 'head', 'query', 'key'],
        each: 'output of each head',
        headAxes: ['batch', 'head', 'tokens', 'head size'],
        joined: 'without and with the output layer',
        combined: 'side by side',
        output: 'after the output layer',
        axes,
        reroll,
      },
    },
    'feed-forward': {
      title: 'Each token by itself',
      /** @param {{hiddenSize: number, difference: number}} data */
      prose: ({hiddenSize, difference}) => [
        `After attention has moved things between tokens, a feed-forward network works on each token alone: ${hiddenSize} numbers become ${4 * hiddenSize}, go through GELU, and become ${hiddenSize} again.`,
        'GELU lets large positive numbers through, and makes negative ones nearly 0. Without it, the two layers would be no more than one.',
        `Alone means alone. Run the first token without the others, and its output changes by ${difference.toFixed(7)}.`,
        'While a model is trained, it usually has *dropout*: some numbers become 0 at random, and the others grow to make up for it. A network that is not told `eval()` goes on doing so, and answers differently every time.',
      ],
      question: 'What becomes of the orange cells in GELU?',
      answer:
        'They fade: a negative number comes out between −0.17 and 0. GELU has a small dip below zero and then returns to it, unlike ReLU, which is flat at once.',
      options: {
        stay: 'they stay as they are',
        zero: 'they become exactly 0',
        fade: 'they come close to 0',
      },
      labels: {
        expanded: 'expanded, 4 × as wide',
        activated: 'after GELU',
        output: 'output',
        trained: 'output in training',
        dropout: 'Dropout',
        draw: 'Draw again',
        /** @param {number} empty @param {number} count @param {number} probability */
        dropped: (empty, count, probability) =>
          `In training ${empty} of ${count} numbers are 0 now, about ${probability * 100}%, and the others are divided by ${1 - probability}. After training, dropout does nothing.`,
        gelu: 'GELU',
        axes: ['batch', 'tokens', 'features'],
        reroll,
      },
    },
    'layer-norm': {
      title: 'Skip connections, and where the norm goes',
      /** @param {{depth: number, width: number, lengths: {pre: number[], post: number[]}}} data */
      prose: ({depth, width, lengths}) => [
        'Neither attention nor feed-forward replaces a token: what they make is *added* to it. This skip connection keeps what a token was, and gives training a straight way back through many layers.',
        'Sums grow. A layer norm brings each token’s numbers back to mean 0 and variance 1. The first transformers and BERT normalize *after* each sum (post), most newer models *before* each block (pre).',
        `Stack ${depth} layers and look at the length of the vectors, which have only ${width} numbers in this step, so that so many layers are quickly computed. Post keeps it at ${lengths.post.at(-1)?.toFixed(1)}. Pre lets the sum grow, to ${lengths.pre.at(-1)?.toFixed(1)}, so that each further layer changes relatively less.`,
      ],
      question:
        'Why does post-norm need a careful start of training (a “warm-up”), and pre-norm less?',
      answer:
        'With post-norm every skip connection passes through a norm at every layer, and the way back for the gradient is rescaled each time. With pre-norm there is a path from the end to the beginning that nothing touches.',
      labels: {
        norm: 'Layer norm',
        norms: {pre: 'before (pre)', post: 'after (post, as BERT)'},
        /** @param {{input: number, attention: number, sum: number, output: number}} lengths */
        skip: ({input, attention, sum, output}) =>
          `One layer, mean length of a token: input ${input.toFixed(2)}, what attention adds ${attention.toFixed(2)}. Their sum is ${sum.toFixed(2)} long, not ${(input + attention).toFixed(2)}: the two point in different directions. The layer’s output: ${output.toFixed(2)}.`,
        chart: 'Length of a token’s vector',
        depth: 'layers',
        length: 'mean length',
        reroll,
      },
    },
    positions: {
      title: 'Attention does not know the order',
      prose: [
        'Attention compares every token with every other and takes an average: nothing in it depends on which comes first. Shuffle the words, and each gets the same output as before, in its new place.',
        'So BERT adds a vector for the *place* to the vector for the word, from a second table with a row a position. The numbers say how far each token’s output moves when the words are shuffled.',
      ],
      question: 'What would a model without positions make of “dog bites man”?',
      answer:
        'The same as of “man bites dog”: every word would have the same output in both. Not nearly the same, exactly, but for the last digits of the arithmetic.',
      options: {same: 'the same as of “man bites dog”', other: 'something else'},
      labels: {
        shuffle: 'Shuffle again',
        changes: 'change of a token’s output',
        axes: ['tokens', 'encoder'],
        columns: ['without positions', 'with positions'],
        reroll,
      },
    },
    encoder: {
      title: 'The whole encoder',
      /** @param {{layers: number, state: {shape: number[]}}} data */
      prose: ({layers, state}) => [
        `All parts together: words plus positions, a norm, then ${layers} layers, each attention and feed-forward with their skip connections.`,
        `What goes in has the shape [${state.shape.join(', ')}], and so has what comes out of every layer. That is why layers can be stacked at will.`,
        'Step through the layers and keep your eye on one row: it changes a little each time. Most newer encoders have their norms before each part (pre), BERT after each sum (post): the same weights, two different outputs. Both run; neither is a mistake, but weights trained for one are useless in the other.',
      ],
      question: 'What has to change in this encoder to make it a trained BERT?',
      answer:
        'Only the numbers in the tables and layers. The parts and their order are those of BERT (which also adds a vector for the sentence, A or B).',
      labels: {
        after: 'After layer',
        /** @param {number} layer */
        state: (layer) =>
          layer
            ? `hidden state after ${layer === 1 ? '1 layer' : `${layer} layers`}`
            : 'embeddings',
        /** @param {number} layer */
        preState: (layer) =>
          layer
            ? `the same with pre-norm, after ${layer === 1 ? '1 layer' : `${layer} layers`}`
            : 'embeddings of the pre-norm encoder',
        /** @param {{post: number, pre: number}} lengths */
        lengths: ({post, pre}) =>
          `Mean length of a token’s vector: ${post.toFixed(2)} with post-norm, ${pre.toFixed(2)} with pre-norm, which lacks a last norm here.`,
        axes,
        reroll,
      },
    },
    classifier: {
      title: 'Three labels from one token',
      /** @param {{first: string}} data */
      prose: ({first}) => [
        'To sort sentences into three classes, take the last hidden state of the *first* token, and put one linear layer on it: three numbers, one a label. Softmax makes them shares.',
        `By convention the first token is \`[CLS]\`, which stands for no word and can be about the sentence as a whole. The token that is read now: “${first}”.`,
        'Untrained, the answer means nothing. Change the seed and another label wins.',
      ],
      question: 'Switch the special tokens off. What does the classifier read now?',
      answer:
        'The first word, in the example “time”. Everything still runs and the shape is right; the class is only read from a word that happens to come first. An easy slip when the ids were made without special tokens.',
      labels: {
        special: 'with [CLS] and [SEP]',
        /** @param {string} token */
        first: (token) => `Only this row is read: ${token}`,
        state: 'last hidden state',
        logits: 'logits',
        probabilities: 'shares',
        names: ['label 0', 'label 1', 'label 2'],
        axes,
        labelAxes: ['batch', 'labels'],
        reroll,
      },
    },
    pair: {
      title: 'Two sentences in a trained model',
      prose: [
        'Enough of random numbers. This is the trained model of the page, on “time flies like an arrow” and “fruit flies like a banana” as one text: a verb and a noun, spelt alike.',
        'A `[SEP]` ends each sentence, and every token is told which of the two it belongs to. Point at “flies” in either sentence and see where each looks.',
      ],
      question: 'Does the first “flies” have the same vector as the second?',
      /** @param {{word: string | null, byLayer: {same: number, different: number}[]}} data */
      answer: ({word, byLayer}) => {
        const [first, last] = [byLayer[0], byLayer[byLayer.length - 1]];
        if (!word || !first || !last) return 'There is no word here that both sentences have.';
        const moved = last.same > first.same ? 'closer' : 'further apart';
        return (
          `No. After the embeddings the cosine of the two “${word}” is ${first.same.toFixed(3)}: same word, other place, other sentence. ` +
          `Then each gathers from its own neighbours, which is what “contextual” means, and after the last layer it is ${last.same.toFixed(3)}. So they have come ${moved} here; ` +
          `but compare: two different words of this text go from ${first.different.toFixed(3)} to ${last.different.toFixed(3)} on average. Only against that does a cosine say something.`
        );
      },
      options: {yes: 'yes', no: 'no'},
      labels: {
        picture: 'head view',
        cosines: 'How alike two vectors are',
        cosineAxes: ['after', 'cosine'],
        /** @param {number} index */
        state: (index) => (index ? `layer ${index - 1}` : 'embeddings'),
        /** @param {string} word */
        same: (word) => `the two “${word}”`,
        different: 'different words',
        layer: 'Layer',
        head: 'Head',
        /** @param {number} start @param {string} token */
        start: (start, token) =>
          token
            ? `The second sentence begins at token ${start}, “${token}”.`
            : `There is one sentence only, of ${start} tokens.`,
      },
    },
    'causal-mask': {
      title: 'A mask of −∞',
      prose: [
        'A decoder writes text one token at a time, so while it learns, no token may see those behind it. The mask sets their scores to −∞ *before* softmax.',
        'e to the power of −∞ is 0: not little attention, none. And as softmax comes after, each row still sums to 1. The first token can see only itself.',
      ],
      question: 'Why not set the weights to 0 after softmax instead?',
      answer:
        'The rows would no longer sum to 1, and the hidden tokens would have had a say: their scores were in the sum that the others were divided by.',
      labels: {
        causal: 'causal mask',
        scores: 'masked scores',
        weights: 'weights',
        axes: weightAxes,
        reroll,
      },
    },
  },
};
