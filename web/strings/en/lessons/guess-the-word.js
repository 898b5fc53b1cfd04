/** `share`: of the head’s attention from the blank. @typedef {{layer: number, head: number, share: number}} Informative */
/** @typedef {{token: string, probability: number}} Guess */
/** What is left of the first guess without the word that it needs most. @typedef {{word: string, left: number, first: Guess}} Needed */
/** How many heads look at the word. @typedef {{alike: number, all: number}} Alike */
/** The first guess, and the one without a whole layer. @typedef {{first: Guess, now: Guess}} WithoutLayer */

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(0)}%`;

const noBlank = 'Write [MASK] in the sentence, in place of a word.';

export const guessTheWord = {
  title: 'A word is missing',
  summary:
    'Two minutes without a formula: the model guesses a missing word, and you find the words that it guessed from.',
  beyond: 'Try it: switch off one head or change one word, and the guess changes.',
  steps: {
    missing: {
      title: 'Guess the missing word',
      prose: [
        'One word of the sentence is missing; the model calls the blank `[MASK]`. Which word would you write there?',
        'The model guesses, too: here are its five best words, and how sure it is of each. Nobody wrote rules for this. The model has read many sentences, guessing hidden words each time.',
        'Change the sentence, or put `[MASK]` in place of another word.',
      ],
      question: 'Hide one more word: which one hurts the first guess most?',
      /** @param {unknown} _ @param {Needed} [needed] */
      answer: (_, needed) =>
        `${needed ? `Without “${needed.word}”, “${needed.first.token}” falls from ${percent(needed.first.probability)} to ${percent(needed.left)}. ` : ''}Like you, the model has only the other words. Each of them was hidden in turn, and hiding this one hurts most. The next three steps show how one word gets to another.`,
      labels: {guesses: 'What the model would write for [MASK]', noBlank},
    },
    looking: {
      title: 'Where does it look?',
      /** @param {{informative: Informative | null, word: string}} data */
      prose: ({informative, word}) => [
        'A model like this has many small parts, called *heads*. Each looks from every word at the others, and carries something over from what it looks at.',
        informative
          ? `The lines show one head at work on the blank: layer ${informative.layer}, head ${informative.head}. It looks most at “${word}”. Click another word on the left to follow it instead.`
          : noBlank,
      ],
      question: 'The model has many heads. In how many does the blank look most at this same word?',
      /** @param {unknown} _ @param {Alike} [count] */
      answer: (_, count) =>
        `${count ? `In ${count.alike} of ${count.all} heads. ` : ''}Nobody picked the head that is shown. Each head was switched off in turn, and among those that look from the blank at a word, this is the one that the guess misses most.`,
      options: {one: 'only in this one', few: 'in up to a quarter', many: 'in more than a quarter'},
      labels: {
        /** @param {Informative} informative @param {string} word */
        looks: ({layer, head, share}, word) =>
          `Layer ${layer}, head ${head}: [MASK] gives ${percent(share)} of its attention to “${word}”.`,
        noBlank,
      },
    },
    without: {
      title: 'Switch that head off',
      /** @param {{word: string}} data */
      prose: ({word}) => [
        `If the guess depends on this head looking at “${word}”, it should get worse without the head. So this one head is switched off, and nothing else.`,
        'Compare the bars. What is gone is what the head had carried over.',
      ],
      question:
        'And if every head of this layer were switched off, would the first guess be the same?',
      /** @param {unknown} _ @param {WithoutLayer} [guesses] */
      answer(_, guesses) {
        const shows = 'What heads add shows in the difference.';
        if (!guesses) return shows;
        const {first, now} = guesses;
        return first.token === now.token
          ? `It is still “${now.token}”, with ${percent(now.probability)} in place of ${percent(first.probability)}: other layers go on working, and some heads there look at the same words. ${shows}`
          : `“${first.token}” (${percent(first.probability)}) becomes “${now.token}” (${percent(now.probability)}): the other layers do not make up for this one. ${shows}`;
      },
      options: {same: 'yes, the same word', other: 'no, another word'},
      labels: {
        /** @param {Informative} informative */
        head: ({layer, head}) => `Layer ${layer}, head ${head}`,
        states: {off: 'off', on: 'on'},
        before: 'with the head',
        after: 'without it',
        /** @param {Guess} first */
        withHead: ({token, probability}) => `With the head: “${token}”, ${percent(probability)}.`,
        /** @param {Guess} first @param {readonly Guess[]} after */
        finding: (first, [now]) =>
          now.token === first.token
            ? `Still “${first.token}”, but ${percent(first.probability)} has become ${percent(now.probability)}.`
            : `“${first.token}” (${percent(first.probability)}) has become “${now.token}” (${percent(now.probability)}).`,
        noBlank,
      },
    },
    swapped: {
      title: 'Another word, another guess',
      /** @param {{word: string}} data */
      prose: ({word}) => [
        `The last test needs no machinery: put another word in place of “${word}”, and leave the rest as it is.`,
        'The guess follows. A missing word is guessed from the words around it, and *attention* is the way from one to the other. The next lessons take it apart.',
      ],
      question: 'Has the model understood the sentence?',
      answer:
        'These numbers do not say that much. They show that a guess depends on a word, and how the one reaches the other.',
      labels: {
        /** @param {string} word */
        other: (word) => `In place of “${word}”`,
        /** @param {string} word */
        before: (word) => `with “${word}”`,
        after: 'with the other word',
        noBlank,
      },
    },
  },
};
