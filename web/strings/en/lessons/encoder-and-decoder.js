const layer = 'Layer';
const head = 'Head';
const asking = 'Written';
const options = {same: 'the same date', other: 'another date', none: 'no date at all'};

export const encoderAndDecoder = {
  title: 'Encoder and decoder',
  summary:
    'A trained model that reads a date as people write it and writes it in digits: how its decoder looks at what its encoder has read, number by number.',
  beyond:
    'What you only see by trying it: cut one edge between the text that is written and the text that is read, and another digit is written.',
  steps: {
    'in-and-out': {
      title: 'A date goes in, a date comes out',
      prose: [
        'Here one text attends to another, in a model that has learned something: it reads a date as people write it, and writes it in digits. Type your own, such as `Christmas Eve of 1984`.',
        'The *encoder* reads the whole text at once. The *decoder* writes one token, reads it, writes the next, and ends with `</s>`.',
        'Both have 2 layers of 4 heads and are 128 wide, and there are 150 tokens: small enough to see every number.',
      ],
      question: 'What does it write for “in March”, which leaves the day and the year unsaid?',
      answer:
        '`XXXX-03-XX`: it has learned to write X for what is not said. As many tokens come out of 3 as of 10. So one row for each word, as in an encoder, is not enough: the text that is written has rows of its own.',
      labels: {
        /** @param {string} text @param {string} date */
        finding: (text, date) => `“${text}” becomes “${date}”.`,
        texts: 'the two texts',
        /** @param {number} count */
        reads: (count) => `What the encoder reads: ${count} tokens, with their ids`,
        /** @param {number} count */
        writes: (count) => `What the decoder writes: ${count} tokens, one after the other`,
        ladder: 'The shapes',
        /** @param {Record<string, number[]>} shapes */
        steps: ({ids, memory, reads, states, probabilities}) => [
          ['ids that the encoder reads', ids, 'of-key'],
          ['its output, the memory', memory, 'of-key'],
          ['ids that the decoder reads', reads, 'of-query'],
          ['its output', states, 'of-query'],
          ['probabilities of what comes next', probabilities, ''],
        ],
      },
    },
    encoder: {
      title: 'The encoder reads everything',
      prose: [
        'The encoder is the one you know: each token looks at all tokens of the text, before and after it. No mask, for the whole text is there.',
        'In layer 0, head 0 looks mostly one token back. Choose others: each has its own habit.',
        'What comes out is one vector for each token, [1, tokens, 128]. This is the *memory*, and the decoder sees nothing else of the text.',
      ],
      question:
        'Another word stands at the end of the text. Does the vector of the first token change?',
      answer:
        'Yes: every token has looked at all others, so its vector holds something of the whole text. In the decoder, two steps further on, the same must not happen.',
      options: {yes: 'yes', no: 'no'},
      labels: {
        layer,
        head,
        picture: 'lines',
        weights: 'weights',
        axes: ['query', 'key'],
        memory: 'memory: the encoder’s output',
        memoryAxes: ['batch', 'tokens', 'width'],
      },
    },
    'own-attention': {
      title: 'The decoder reads what it has written',
      prose: [
        'Each layer of the decoder first looks at its own text: {q:queries}, {k:keys} and {v:values} all come from what it has written so far. `<s>` stands for “nothing yet”.',
        'A row is named by the token that was read last and the one that is written then. What is right of the diagonal is zero: it is not written yet.',
        'In layer 0, head 1, what follows a hyphen looks mostly at the hyphen. So the decoder knows that the year is over.',
      ],
      question:
        'Switch off all heads with which the decoder looks at its own text. What does it write?',
      /** @param {{without: string}} data */
      answer: ({without}) =>
        `It writes “${without}”. It still sees the date that was read, but of its own text only the last token, so it does not know how far it has come.`,
      options,
      labels: {
        layer,
        head,
        weights: 'weights',
        axes: ['query', 'key'],
        output: 'output of the head: weights · V',
        outputAxes: ['batch', 'tokens', 'd_k'],
      },
    },
    'causal-mask': {
      title: 'The causal mask at work',
      prose: [
        'While it learns, the decoder is given the whole date at once. So that no place sees what it has to write, scores behind it become −∞ before softmax, and e^−∞ is 0. In PyTorch this is `masked_fill`.',
        'The last picture shows what follows: let the decoder read another token in one place, and no vector before that place moves.',
      ],
      question: 'Take the mask away. How many rows of the weights stay exactly as they are?',
      answer:
        'Only the last: there is nothing behind it to hide. Every other row would see the tokens that it has to write, and learn to copy them instead of asking the encoder.',
      labels: {
        layer,
        head,
        mask: 'Mask',
        scores: 'scores: Q · K / √d, masked',
        weights: 'weights: softmax',
        axes: ['query', 'key'],
        moved: 'what moves',
        changed: 'Read another token in place of',
        /** @param {string} was @param {string} is */
        bars: (was, is) =>
          `How far each final vector moves if “${is}” is read in place of “${was}”`,
      },
    },
    'looking-across': {
      title: 'Which word each digit looks at',
      /** @param {{written: string[], source: string[]}} data */
      prose: ({written, source}) => [
        `Now the attention across, from one text to the other. On the left is what is written, on the right what was read: [${written.length}, ${source.length}], a row for each token that is written and a column for each that was read.`,
        'Layer 1, head 0 looks at the word that is being written down. It was shown where to look while it learned, so that its weights are an alignment is no discovery. Nobody told the other heads anything: compare them.',
      ],
      question: 'Switch off all heads of cross attention. What does the decoder write?',
      /** @param {{without: string}} data */
      answer: ({without}) =>
        `It writes “${without}”, and the same for any other text. It knows what dates look like, but not which one you mean: all that it knows of your text comes through these heads.`,
      options,
      labels: {
        layer,
        head,
        most: 'Where each looks most:',
        picture: 'lines',
        weights: 'weights',
        axes: ['written (query)', 'read (key)'],
      },
    },
    'step-by-step': {
      title: 'Q, K and V, step by step',
      prose: [
        '{q:Queries} come from the decoder, one for each token that is to be written. {k:Keys} and {v:values} come from the memory of the encoder, and are computed once: it does not change while the decoder writes.',
        'Each query times each key, divided by √d; softmax over the text that was read, so that a row sums to 1; then the values, each with its weight. No mask: that text is there as a whole.',
        'At last the heads are laid side by side again. The output has a row for each token that is written.',
      ],
      question:
        'How many weights of cross attention does the whole model compute for this date, in all layers and heads?',
      /** @param {{shape: {layers: number, heads: number}, written: string[], source: string[]}} data */
      answer: ({shape: {layers, heads}, written, source}) =>
        `Layers · heads · written · read = ${layers} · ${heads} · ${written.length} · ${source.length}. One more token that is written costs a row, never a column.`,
      labels: {
        layer,
        head,
        asking,
        ladder: 'The shapes, for all heads of a layer',
        /** @param {Record<string, number[]>} shapes */
        steps: ({states, memory, query, key, weights, output, combined}) => [
          ['decoder, after its own attention', states, 'of-query'],
          ['memory of the encoder', memory, 'of-key'],
          ['Q, split', query, 'of-query'],
          ['K, and V, split', key, 'of-key'],
          ['weights = softmax(Q · Kᵀ / √d)', weights, ''],
          ['weights · V', output, ''],
          ['heads side by side', combined, ''],
        ],
        row: 'one row',
        scores: 'scores: Q · K / √d',
        weights: 'weights: softmax',
        axes: ['written (query)', 'read (key)'],
        output: 'weights · V',
        writtenAxes: ['batch', 'written', 'd_k'],
        readAxes: ['batch', 'read', 'd_k'],
      },
    },
    'teacher-forcing': {
      title: 'Teacher forcing, and its own text',
      prose: [
        'While it learned, the decoder never read its own mistakes: whatever it expected, it was given the right date, shifted by one place. That is *teacher forcing*. Thanks to the mask, all places learn in one pass. The loss of a place is −log p, where p is the probability of the token that comes next.',
        'Give it the beginning of another date, as if it had written it: it reads that, and goes on alone. Give it a whole date, and you see a step of training.',
      ],
      question:
        'Give it the right year and a wrong first digit of the month, 1 for 0 or 0 for 1. Which month does it write?',
      answer:
        'It cannot take a token back, and it has never learned what follows a mistake: this gap is called *exposure bias*. With “3 May 1955” and `1955-1` it writes the month 15.',
      options: {
        right: 'the right one',
        other: 'a wrong one that exists',
        none: 'one that does not exist',
      },
      labels: {
        given: 'The decoder is given (shaded)',
        isGiven: '(given)',
        /** @param {string} own @param {string} text */
        finding: (own, text) => `Alone it writes “${own}”, with what it is given “${text}”.`,
        /** @param {string} mean */
        loss: (mean) => `Mean loss of what it is given: ${mean}.`,
        caption: 'The decoder, place by place',
        columns: ['reads', 'expects', 'next', 'p', 'loss'],
      },
    },
    'cut-edge': {
      title: 'One edge is cut',
      prose: [
        'An edge is one weight: from a token that is written to one that was read. Set it to 0, and let the other weights of the row share what it had.',
        'In one head the cut is hardly felt, for other heads look at the same word. Cut it in the whole layer, or everywhere: which digit is written now?',
        'Try `Christmas Eve of 1984`. The head looks at “christmas”, and without it the day stays; without “eve”, at which it hardly looks, the day becomes 25.',
      ],
      question: 'Cut the edge in the chosen head alone. Is the same token written?',
      answer:
        'Compare the guesses: how much of the probability is gone? A line shows where a head looks, and not yet what the answer needs. The next lesson goes on from here; *Does it matter?*, the last one, asks this of a BERT.',
      options: {yes: 'yes', no: 'no'},
      labels: {
        layer,
        head,
        asking,
        to: 'does not look at',
        where: 'Cut in',
        places: {head: 'this head', layer: 'its layer', all: 'all layers'},
        /** @param {string} token @param {string} word @param {string} before @param {string} after */
        finding: (token, word, before, after) =>
          `“${token}” without “${word}”: “${before}” becomes “${after}”.`,
        guesses: 'guesses',
        before: 'before',
        after: 'after the cut',
        /** @param {{layer: number, head: number}} place */
        weights: (place) => `weights in layer ${place.layer}, head ${place.head}`,
        axes: ['when', 'read (key)'],
        rows: ['before', 'cut'],
      },
    },
  },
};
