/**
 * What a link between two tokens shows. `special`: the head looks at a token that the tokenizer put around the text, so
 * it has found nothing.
 *
 * @typedef {'pronoun' | 'sameWord' | 'phrase' | 'neighbour' | 'punctuation' | 'itself' | 'special'} LinkKind
 */

/** Why a headline names a link; `mark`: a punctuation mark, of which nothing more is known. @typedef {LinkKind | 'mark'} LinkReason */

/** A part of a sentence; `token` is a token of the text. @typedef {string | {token: string}} PhrasePart */

/**
 * A link as a headline names it.
 *
 * @typedef {{from: string, to: string, share: string, kind: LinkKind | null, isBefore: boolean, isMark: boolean}} NamedLink
 *   `share`: a percentage; `isBefore`: whether the token looked at comes before the other one; `isMark`: whether it is
 *   a punctuation mark
 */

/** What the page says around the picture, in English. */
export const explore = {
  sentence: 'Sentence',

  headline: {
    /** @type {(link: NamedLink) => PhrasePart[]} */
    looks: ({from, to, share, kind}) => {
      const target = kind === 'itself' ? ['itself'] : kind === 'sameWord' ? ['the other ', {token: to}] : [{token: to}]; // prettier-ignore
      return [{token: from}, ' looks at ', ...target, `: ${share}`];
    },
    /** What each kind of link shows. @type {Record<LinkReason, (link: NamedLink) => string>} */
    shows: {
      pronoun: ({from, to}) => `Does “${from}” stand for “${to}” here?`,
      sameWord: () => 'The same word in another place.',
      phrase: () => 'Two words that this head brings together.',
      neighbour: ({isBefore, isMark}) =>
        `The ${isBefore ? 'previous' : 'next'} ${isMark ? 'punctuation mark' : 'word'}.`,
      punctuation: () => 'A punctuation mark: this head gives them at least 40% of its attention.',
      mark: () => 'A punctuation mark.',
      itself: () => 'The word itself.',
      special: ({to}) =>
        `${to} often means “nothing to see here”: a head that finds nothing in the text looks there.`,
    },
    none: 'No word stands out here.',
    writes: 'The model writes',
    /** @param {string} token */
    unshown: (token) => `${token} is not shown.`,
    otherHeads: 'In other heads:',
    next: 'Next finding',
    /** @param {number} layer @param {number} head */
    place: (layer, head) => `Layer ${layer}, head ${head}`,
    /** @param {number} layers @param {number} heads */
    mean: (layers, heads) =>
      layers > 1
        ? `Mean of ${layers} layers, ${heads} ${heads === 1 ? 'head' : 'heads'} each`
        : `Mean of ${heads} heads`,
    /** @param {number} layer */
    ofLayer: (layer) => `layer ${layer}`,
  },

  map: {
    title: 'Every head',
    /** @param {string} word */
    ofWord: (word) => `Links of “${word}”`,
    names: 'What heads look at',
    place: '1.4 is layer 1, head 4',
  },

  panels: {
    label: 'More about the picture',
    names: {why: 'How', whatif: 'What if', numbers: 'Numbers', settings: 'Settings'},
    close: 'Close',
  },

  special: {
    /** @param {string} names */
    show: (names) => `Show ${names}`,
    /** @param {string} names */
    hide: (names) => `Hide ${names}`,
  },

  pieces: 'A token with ## continues the word before it: this model cuts rare words into pieces.',
};

/** @typedef {typeof explore} ExploreStrings */
