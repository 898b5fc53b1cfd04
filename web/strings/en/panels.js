/** @import {PhrasePart} from './explore.js' */

/** What the panels beside the picture say, in English. */
export const panels = {
  arithmetic: 'Follow the arithmetic',
  matters: 'Does it matter to the answer?',
  story: 'How these numbers are computed',
  pin: 'Click a word on the left to read how the head came to its numbers.',
  noHabit: 'Heads are not named in this picture. Numbers has what this one does on average.',
  noHabitAcross: 'For attention across two texts, heads are not named.',
  oneHead: 'Choose a single head on the map to read what it does.',
  colour: 'Colour of the map',
  /** What stands above and below the map of heads: where words come into the model, and what comes out of it. */
  ends: {
    words: 'Words in',
    toWords: 'Go to the words',
    guess: 'Guess out',
    next: 'Next word out',
    writes: 'What it writes',
    toGuess: 'What the model expects',
  },
  guess: {
    /** What the line below the headline begins with. @type {(token: string) => PhrasePart[]} */
    hidden: (token) => ['If ', {token}, ' were hidden, the model would guess:'],
    /** @type {(mask: string) => PhrasePart[]} */
    ofMask: (token) => ['For ', {token}, ' the model guesses:'],
    /** @type {PhrasePart[]} */
    next: ['Next, the model expects:'],
    /** Before what an encoder-decoder writes. */
    writes: 'The model writes',
    /** @type {(token: string) => PhrasePart[]} */
    inPlaceOf: (token) => ['In place of ', {token}, ' it expected:'],
    /** The line begins with this where there is little room. */
    short: 'Guess:',
    /** @type {(heads: number) => string} */
    without: (heads) => (heads === 1 ? 'without this head' : 'without these heads'),
    writeOn: 'Write on',
    close: 'Do not show this line again',
  },
  researcher: 'Researcher view: everything at once',
  headlines: {
    onAverage: ' on average',
    /** @param {boolean} isMore @param {{token: string} | null} to  null: itself @returns {(string | {token: string})[]} */
    change: (isMore, to) => [` looks ${isMore ? 'more' : 'less'} at `, to ?? 'itself', ': '],
    /** What a headline begins with: other words, with one of the two empty. @type {(from: string, to: string) => PhrasePart[]} */
    changed: (from, to) =>
      from && to
        ? ['With ', {token: to}, ' for ', {token: from}, ', ']
        : from
          ? ['Without ', {token: from}, ', ']
          : ['With ', {token: to}, ', '],
    other: 'Another sentence: ',
    /** @param {string[]} changes  of the model */
    settings: (changes) => `${changes.join(', ')}: `,
    same: 'No share changes by 5 points or more here.',
    /** @param {string} number */
    points: (number) => `${number} points`,
    /** @param {string} now @param {string} before @param {string} share */
    beside: (now, before, share) => `This is “${now}”; in “${before}”, it is ${share}.`,
  },

  /** The banner over a text with pieces that the model does not know. */
  unreadable: {
    /** @param {number} unknown @param {number} all  tokens */
    says: (unknown, all) =>
      `This model cannot read this text: ${unknown} of ${all} tokens are [UNK], which stands for anything that is not in its vocabulary.`,
    other: 'Choose a model that can…',
  },
};

/** @typedef {typeof panels} PanelStrings */
