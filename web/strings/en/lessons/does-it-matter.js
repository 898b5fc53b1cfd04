/** @typedef {{layer: number, head: number}} Informative */
/** `share`: of the head’s attention from the blank. @typedef {{layer: number, head: number, share: number}} Resting */

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(0)}%`;

/** @param {{layer: number, head: number}} place */
const name = ({layer, head}) => `layer ${layer}, head ${head}`;

const noBlank = 'Write [MASK] in the sentence, in place of a word.';

export const doesItMatter = {
  title: 'Does it matter?',
  summary:
    'From where a head looks to what the answer rests on: switch heads off, follow the vectors, mask words and exchange parts.',
  beyond:
    'What you only see by trying it: each way of explaining an answer is put to the test on your own sentence, and some fail.',
  steps: {
    resting: {
      title: 'A head that looks at nothing',
      /** @param {{resting: Resting} | null} seen */
      prose: (seen) => [
        seen
          ? `Of all heads, ${name(seen.resting)} looks most at tokens that are nobody’s words: from the blank, ${percent(seen.resting.share)} of its attention goes to \`[CLS]\` and \`[SEP]\`.`
          : noBlank,
        'Whoever sees such a picture asks: what is there to see in `[SEP]`, and does the answer need it? The picture does not tell. The next steps do.',
      ],
      question: 'How many heads rest like this one, with more than half of their attention?',
      answer:
        'Its weights must sum to 1, so a head that finds nothing of its kind has to put them somewhere. `[CLS]` and `[SEP]` are in every sentence, and the model learned to rest there.',
      options: {one: 'no other', some: 'less than half of them', most: 'half of them or more'},
      labels: {
        /** @param {Resting} resting */
        rests: (resting) =>
          `From [MASK], ${name(resting)} gives ${percent(resting.share)} of its attention to [CLS] and [SEP].`,
        noBlank,
      },
    },
    without: {
      title: 'Switch it off',
      prose: [
        'The plainest test: take the head away and see what becomes of the guess. Then take away the head that looks at a word and that the guess needs most.',
        'Much attention is not much effect.',
      ],
      question: 'Of the two heads, does the guess lose more without the one that looks at a word?',
      answer:
        'A head whose absence changes nothing is not useless yet. It may work for other sentences, and another head may do the same job here. The test tells what this answer needs, and no more.',
      options: {more: 'yes, more', same: 'no, as much', less: 'no, less'},
      labels: {
        off: 'Switched off',
        /** @param {Resting} resting */
        resting: (resting) => `${name(resting)}, which rests`,
        /** @param {Informative} looking @param {string} word */
        looking: (looking, word) => `${name(looking)}, which looks at “${word}”`,
        before: 'with all heads',
        after: 'without this one',
        /** @param {string} word @param {string} before @param {string} after */
        finding: (word, before, after) =>
          `“${word}”: ${before} with the head, ${after} without it.`,
        noBlank,
      },
    },
    carried: {
      title: 'What is carried over',
      prose: [
        'A head adds up {v:value} vectors, each times its weight. If a vector is short, even a large weight carries little. So measure the length of what arrives: weight times vector (Kobayashi et al. 2020).',
        'Compare the two charts. In bert-base the vectors of `[CLS]` and `[SEP]` are short, and little is left of a large weight; in the small model of this page they are hardly shorter than others. So length alone does not explain why this head is not missed.',
      ],
      question: 'Is the length of a vector the same as its effect?',
      answer:
        'No. It has a direction too: two long vectors may cancel each other, and the next layers may ignore a direction. For that, each vector has to be followed to the end.',
      labels: {
        weights: 'attention: where the blank looks',
        norms: 'length of what arrives, as shares',
        /** @param {string} weight @param {string} norm */
        finding: (weight, norm) =>
          `[CLS] and [SEP] have ${weight} of the weight and ${norm} of the length.`,
        noBlank,
      },
    },
    contributions: {
      title: 'From every token to the answer',
      /** @param {{guess: string, other: string} | null} seen */
      prose: (seen) => [
        'Everything in the model is a sum of parts that came from the tokens. DecompX (Modarressi et al. 2023) keeps these parts separate through all layers, down to the answer. So the score of the guess is divided among the tokens, and nothing is left over.',
        ...(seen
          ? [
              `A number below 0 counts against “${seen.guess}”. Much of what counts for it counts for “${seen.other}” as well. What decides between the two is the difference, in the second chart: so the word that the guess misses most when it is hidden may have a short bar in the first.`,
            ]
          : []),
      ],
      question: 'Why does the blank itself contribute?',
      answer:
        'The model has learned what stands at `[MASK]` at all: a common word. That part of the score comes from no other token.',
      labels: {
        /** @param {string} guess */
        bars: (guess) => `contribution to the score (logit) of “${guess}”`,
        /** @param {string} guess @param {string} other */
        lead: (guess, other) => `contribution to the lead of “${guess}” over “${other}”`,
        /** @param {string} guess @param {string} value @param {string} other @param {string} lead */
        finding: (guess, value, other, lead) =>
          `“${guess}” has a score of ${value}, which is ${lead} more than “${other}”: the sums of these numbers.`,
        noBlank,
      },
    },
    masking: {
      title: 'Put it to the test',
      prose: [
        'There are many such methods, and they disagree. Which is right? Mask the words in the order that a method names, one after another. If the order is right, the guess falls fast (DeYoung et al. 2020).',
        'The last bar is masking at random. A method that is no better has found nothing.',
      ],
      question:
        'Put “boy” in place of the word that the guess needs. Will the same method have the longest bar?',
      answer:
        'The longest bar is the best on this sentence and by this test. Masking also puts the model before sentences that it rarely saw. Try other sentences: the order changes.',
      options: {same: 'yes, the same', other: 'no, another one'},
      labels: {
        /** @type {Record<string, string>} */
        methods: {
          decompx: 'DecompX',
          'integrated-gradients': 'integrated gradients',
          alti: 'ALTI',
          globenc: 'GlobEnc',
          'value-zeroing': 'Value Zeroing',
          norm: 'norms',
          gradient: 'gradient × input',
        },
        random: 'at random',
        bars: 'how far the guess falls, on average',
        /** @param {string} guess @param {string} probability */
        finding: (guess, probability) =>
          `Before anything is masked, “${guess}” has ${probability}.`,
        noBlank,
      },
    },
    deciding: {
      title: 'Where it is decided',
      prose: [
        'One more way to ask: run the sentence again and again, and each time put one hidden state of another sentence in its place. 1 means that the answer becomes the other one, 0 that nothing changes (activation patching).',
        'Read the table from top to bottom: the difference sits in the word that you changed, until a head carries it over to the blank.',
      ],
      question:
        'What is the number of the layer after which the column of the blank is above one half?',
      answer:
        'There the information has gone from the word to the blank: the column of the word fades and that of the blank begins. “What if” on the page exchanges the outputs of the heads as well, and shows which head carries it.',
      labels: {
        /** @param {string} word */
        other: (word) => `In place of “${word}”`,
        /** @param {string} here @param {string} there */
        finding: (here, there) => `Here the guess is “${here}”, there “${there}”.`,
        /** @param {string} guess */
        same: (guess) => `Both sentences have the guess “${guess}”; its score is watched.`,
        unequal: 'Choose a word that is one token, as the old one is.',
        map: 'how far the answer moves',
        axes: ['after layer', 'token'],
        /** @param {number} index */
        row: (index) => (index === 0 ? 'embeddings' : `layer ${index - 1}`),
        noBlank,
      },
    },
  },
};
