/** Every string a reader sees, by language. A new language is one more object with the same keys. */

const english = {
  page: {
    title: 'bertscope',
    tagline: 'what every head of a BERT attends to',
    description:
      'Type a sentence and see what every attention head of a BERT looks at, computed in your browser.',
    explanation:
      'A head decides how much each token (a word or part of one) looks at every other. Left looks at right; a stronger line means more.',
    sentence: 'Sentence',
    secondSentence: 'Second sentence',
    addSentence: '+ second sentence',
    removeSentence: 'Remove',
    examples: 'Try',
    theme: 'Theme',
    themeAuto: 'Auto',
    themeLight: 'Light',
    themeDark: 'Dark',
    noScript: 'bertscope runs its model in your browser, so it needs JavaScript.',
  },

  /** Sentences to begin with: a short name for the button, then one or two sentences. */
  examples: [
    {
      name: 'flies and flies',
      text: 'time flies like an arrow',
      pair: 'fruit flies like a banana',
    },
    {
      name: 'what was too tired?',
      text: "The animal didn't cross the street because it was too tired.",
      pair: '',
    },
    {
      name: 'two banks',
      text: 'He sat on the bank of the river.',
      pair: 'She put her money in the bank.',
    },
    {
      name: 'who was right?',
      text: 'My friend told me about this class and I love it so far! She was right.',
      pair: '',
    },
    {
      name: 'mat and rug',
      text: 'the cat sat on the mat',
      pair: 'the cat lay on the rug',
    },
  ],

  status: {
    /** @param {string} name @param {string} size */
    model: (name, size) => (size ? `${name}, ${size}` : name),
    /** @param {number} layers @param {number} heads */
    shape: (layers, heads) =>
      `${layers} ${layers === 1 ? 'layer' : 'layers'} × ${heads} ${heads === 1 ? 'head' : 'heads'}`,
    /** @param {string} kernel */
    kernel: (kernel) => `${kernel} kernel`,
    /** @param {string} milliseconds */
    time: (milliseconds) => `${milliseconds} ms per pass`,
  },

  size: {
    /** @param {string} megabytes */
    megabytes: (megabytes) => `${megabytes} MB`,
    /** @param {string} loaded @param {string} total */
    progress: (loaded, total) => `${loaded} of ${total} MB`,
  },

  scope: {
    region: 'Attention',
    loading: 'Loading the model',
    empty: 'Type a sentence to see what its tokens attend to.',
    retry: 'Try again',
    noSimd:
      'This browser cannot run the model: it lacks WebAssembly SIMD. Chrome or Edge 91, Firefox 89 and Safari 16.4, or anything newer, have it.',
    /** @param {string} detail */
    loadFailed: (detail) => `The model could not be loaded: ${detail}`,
    /** @param {string} detail */
    runFailed: (detail) => `This text could not be run: ${detail}`,
    /** @param {string} view */
    unknownView: (view) => `There is no view called “${view}” here yet. Known views: head.`,
    /** @param {number} fit @param {number} cut */
    truncated: (fit, cut) =>
      `Only the first ${fit} tokens fit this model: ${cut} ${cut === 1 ? 'was' : 'were'} cut, longest sentence first.`,
  },

  controls: {
    layer: 'Layer',
    heads: 'Heads',
    allHeads: 'All',
    /** @param {number} layer @param {number} head */
    head: (layer, head) =>
      `Layer ${layer}, head ${head} (“${layer + 1}-${head + 1}” in papers, which count from 1)`,
    headHelp: 'Click: on or off. Double-click, or Shift and Enter: only this one.',
    filter: 'Shown',
    filters: {all: 'All', aa: 'A→A', bb: 'B→B', ab: 'A→B', ba: 'B→A'},
    filterHelp: {
      all: 'Every token to every token',
      aa: 'Within the first sentence',
      bb: 'Within the second sentence',
      ab: 'From the first sentence to the second',
      ba: 'From the second sentence to the first',
    },
  },

  view: {
    query: 'query',
    direction: 'query → key',
    key: 'key',
    queries: 'Queries: the tokens that attend',
    keys: 'Keys: the tokens attended to',
    hint: 'Point at a token, or move to it with the arrow keys. Click or Enter keeps it, Escape lets go.',
    touchHint: 'Tap a token to see its weights, again to let go.',
    attends: 'attends to',
    receives: 'is attended to by',
    /** @param {number} heads */
    mean: (heads) => (heads === 1 ? 'weight' : `mean of ${heads}`),
    /** @param {number} head */
    head: (head) => `head ${head}`,
    meanLabel: 'mean',
  },
};

/** @typedef {typeof english} Strings */

/** @type {Record<string, Strings>} */
export const languages = {en: english};

export const strings = english;
