import {neuron} from './neuron.js';

/** @import {NumberList} from '../number-list.js' */

/** @param {string} one @param {string} many @param {NumberList} numbers */
const numbered = (one, many, {text, isOne}) => `${isOne ? one : many} ${text}`;

/** What an element with a saved picture says, in English. The other languages have the same keys. */
export const saved = {
  /** The ways to join parts of a text. */
  text: {
    comma: ', ',
    numbers: {comma: ', ', to: ' to '},
    /** @param {readonly string[]} said */
    sentences: (said) => said.join(' '),
  },

  scope: {
    /** @param {string} text */
    region: (text) => (text ? `Attention: ${text}` : 'Attention'),
    loadingSaved: 'Loading the picture',
    retry: 'Try again',
    embedded: 'Use the small teaching model',
    /** @param {string} detail */
    loadFailed: (detail) => `The model could not be loaded: ${detail}`,
    frozen: 'This page was saved with its pictures and has no model to run.',
    /** @param {string} detail */
    badSnapshot: (detail) => `The saved picture cannot be shown. ${detail}`,
    /** @param {string} name @param {string} expected @param {string} found */
    badAttribute: (name, expected, found) =>
      `Attribute ${name}: expected ${expected}; found “${found}”. The picture is drawn without it.`,
    /** @param {string} name @param {string} expected @param {string} found */
    badProperty: (name, expected, found) =>
      `Property ${name}: expected ${expected}; found “${found}”. The picture is drawn without it.`,
    /** @param {string} first @param {string} second */
    twoVersions: (first, second) =>
      `This page has two versions of bertscope, ${first} and ${second}. Version ${first} came first and draws this.`,
  },

  controls: {
    layer: 'Layer',
    heads: 'Heads',
    allHeads: 'All',
    /** @param {number} layer @param {number} head */
    head: (layer, head) =>
      `Layer ${layer}, head ${head} (${layer}.${head} in addresses; both count from 0)`,
    /** @param {string} place */
    headOff: (place) => `${place} off`,
    absent: 'This file does not hold it.',
    headHelp:
      'Click: on or off. With Shift: all up to this one. Double-click, or its digit: only this one.',
    filter: 'From → to',
    filters: {
      all: 'All',
      aa: 'A→A',
      bb: 'B→B',
      ab: 'A→B',
      ba: 'B→A',
      encoder: 'Encoder',
      decoder: 'Decoder',
      cross: 'Cross',
    },
    filterHelp: {
      all: 'Every token to every token',
      aa: 'Within the first sentence',
      bb: 'Within the second sentence',
      ab: 'From the first sentence to the second',
      ba: 'From the second sentence to the first',
      encoder: 'From the input to the input',
      decoder: 'From the output to the output',
      cross: 'From the output (left) to the input (right)',
    },
  },

  minimap: {
    title: 'The whole text; the frame is what is in sight',
    in: 'Larger rows',
    out: 'Smaller rows',
  },

  map: {
    label: 'Every head: a row for each layer. Arrow keys choose, with Shift several.',
    title: 'Every head',
    colour: 'Colour',
    help: {
      several: 'Click a square to see its head. Drag, or click with Shift, for several.',
      model: 'Click opens a head. Drag, or click with Shift, to show only some.',
    },
    showAll: 'Show all',
  },

  units: {
    /** @param {string} nats */
    nats: (nats) => `${nats} nats`,
    /** @param {string} tokens */
    tokens: (tokens) => `${tokens} tokens`,
  },

  inspector: {
    title: 'What the picture shows',
    more: 'In numbers',
    head: 'What this head does in this text',
    heads: 'What these heads do in this text, on average',
    /** @param {string} title @param {string} name */
    of: (title, name) => `${title}: ${name}`,
    /** @param {string} layer @param {string} head */
    place: (layer, head) => `${layer}, ${head}`,
    /** @param {number} count */
    layers: (count) => `${count} layers`,
    /** @param {number} count */
    countOfHeads: (count) => `${count} heads on average`,
    allHeads: 'all heads',
    /** How the numbers of the picture differ from those of the heads. */
    unlike: {
      measure: 'The picture shows another measure.',
      special: 'The picture hides special tokens.',
      strongest: 'The picture hides weak links.',
    },
    overlap: 'Shares overlap: the token just before may also be a special token or the same word.',
    strongest: 'Most attention:',
    change: 'Largest change:',
    basis: 'Attention weights, on average over all tokens but the special ones around the text.',

    remarks: {
      unknown: '[UNK] stands for a word or sign that is not in the vocabulary of this model.',
      mask: '[MASK] stands for a word that the model then guesses from the others.',
      special:
        'Special tokens frame the text. Much weight on them often means “nothing to see here”.',
    },
  },

  views: {
    label: 'View',
    names: {head: 'Head', model: 'Model', neuron: 'Neuron', matrix: 'Matrix'},
    help: {
      head: 'Lines from every token to every other',
      model: 'All heads of all layers at once',
      neuron: 'The arithmetic of one head for one token',
      matrix: 'The weights as a table of colours',
    },
  },

  display: {
    title: 'Reading aids',
    words: 'Whole words',
    wordsRule:
      'A word receives the sum of what its pieces receive, and gives the mean of what they give.',
    meanLayers: 'Mean of all layers',
    fullScale: 'Colours from 0 to 1',
    neuron: 'The neuron view shows the numbers as the model has them, piece by piece.',
    large: 'Large type, for a projector',
    special: 'Special tokens',
    specialChoices: {
      show: 'shown',
      hide: 'hidden, weights as they are',
      renormalise: 'hidden, rows sum to 1 again',
    },
    /** @param {number} percent */
    strongest: (percent) =>
      percent === 100 ? 'Showing all weights' : `Showing the strongest ${percent}% of each row`,
  },

  compare: {
    keep: 'Keep for comparison',
    help: 'Keeps this picture, to see it beside the next one.',
    title: 'Compare',
    kept: 'Kept:',
    modes: {side: 'Side by side', difference: 'Difference'},
    end: 'End',
    minus: 'minus',
    more: 'more',
    less: 'less',
    link: 'A link to this page holds the name of this file, not what is in it.',
    loading: 'What this is compared with is on its way.',
    /** @param {string} name */
    missing: (name) =>
      `This was compared with attention from ${name}, and a link does not hold a file. Open that file again to compare.`,
    /** @param {string} detail */
    failed: (detail) => `What this is compared with could not be shown: ${detail}`,
    /** @param {number} before @param {number} now */
    noPieces: (before, now) =>
      `The neuron view subtracts piece by piece, and the two are cut into different numbers of pieces: ${before} were kept, ${now} are here now.`,
    noneShared:
      'The two texts have different lengths and share no word, so nothing can be subtracted.',
    /** @param {string} what  one of `counted` @param {number} before @param {number} now */
    uneven: (what, before, now) =>
      `A difference needs as many ${what} on both sides: ${before} were kept, ${now} are here now.`,
    counted: {
      queries: 'tokens that attend',
      keys: 'tokens attended to',
    },
    /** The layers and heads that one side does not have, while the other is shown. */
    lack: {
      /** @param {string} name @param {number} count @param {NumberList} missing */
      layers: (name, count, missing) =>
        `${name} has ${count === 1 ? 'one layer' : `${count} layers`}, counted from 0, so no ${numbered('layer', 'layers', missing)}.`,
      /** @param {string} name @param {number} count @param {NumberList} missing */
      heads: (name, count, missing) =>
        `${name} has ${count === 1 ? 'one head' : `${count} heads`} in a layer, counted from 0, so no ${numbered('head', 'heads', missing)}.`,
      /** For attention that was saved in part. @param {string} name @param {NumberList} layers @param {NumberList} heads */
      gaps: (name, layers, heads) =>
        `${name} does not hold all of ${numbered('layer', 'layers', layers)}, ${numbered('head', 'heads', heads)}.`,
      difference: 'There is nothing to subtract.',
      /** @param {{layers: number, heads: number, has?: unknown}} shape  what both have; `has`: with gaps */
      common: ({layers, heads, has}) =>
        has
          ? 'Only the heads that both have are subtracted.'
          : `Only what both have is subtracted: ${layers} layers of ${heads} heads.`,
      /** @param {string} place @param {string} name */
      elsewhere: (place, name) => `${place}: not in ${name}`,
    },
    inspected: 'The map and the numbers are of',
    shared: {
      rule: 'The two texts have different lengths, so the words that both have are compared, in their order.',
      before: 'the kept text',
      after: 'the text of now',
    },
    aligned: {
      rule: 'The two models cut this text differently, so words are compared: a word’s pieces are summed as keys and averaged as queries.',
      only: (/** @type {string} */ model, /** @type {string[]} */ words) =>
        `Left out, since only ${model} has it: ${words.join(', ')}.`,
    },
  },

  shortcuts: {
    title: 'Shortcuts',
    note: 'They work except while you type in a field.',
    close: 'Close',
    labels: {
      head: 'head view',
      model: 'model view',
      neuron: 'neuron view',
      matrix: 'matrix view',
      token: 'previous and next token',
      moveHead: 'previous and next head',
      moveLayer: 'previous and next layer',
      digit: 'only this head; of ten or more, type both digits',
      allHeads: 'all heads',
      words: 'pieces or whole words',
      special: 'special tokens: shown, hidden, renormalised',
      strongest: 'strongest 70% of each row, or everything',
      large: 'large type',
      escape: 'let go of the token',
      help: 'this list',
    },
  },

  table: {
    title: 'The numbers as a table',
    hint: 'Rows are queries, columns are keys. The name of a column sorts by it, “query” by the text.',
    /** @param {number} rows */
    cut: (rows) =>
      `This text is too long for one table, so it has ${rows} ${rows === 1 ? 'row' : 'rows'}, from the pinned query on.`,
  },

  /** The statistics of heads; `shows` says what a number means. */
  statistics: {
    entropy: {
      name: 'Entropy',
      shows:
        'How widely a head spreads its attention, in nats: 0 when every token looks at one other.',
    },
    breadth: {
      name: 'Breadth',
      shows: 'Entropy as a share of the greatest possible: 100% is attention to all tokens alike.',
    },
    distance: {
      name: 'Distance',
      shows: 'How many tokens away a head looks, on average, in either direction.',
    },
    previous: {
      name: 'Previous token',
      shows: 'The share of attention that goes to the token just before.',
    },
    next: {name: 'Next token', shows: 'The share of attention that goes to the token just after.'},
    self: {name: 'Itself', shows: 'The share of attention that a token keeps for itself.'},
    cls: {name: '[CLS]', shows: 'The share of attention that goes to [CLS].'},
    sep: {name: '[SEP]', shows: 'The share of attention that goes to [SEP].'},
    punctuation: {
      name: 'Punctuation',
      shows: 'The share of attention that goes to commas, full stops and other marks.',
    },
    sameWord: {
      name: 'Same word',
      shows: 'The share of attention that goes to other places of the same word.',
    },
  },

  matrix: {
    label:
      'Heat map: a row for each query, a column for each key. Arrow keys move through the cells, Enter keeps a row.',
    direction: 'query (row) → key (column)',
    hint: 'Point at a cell to read it. Click keeps its row, Escape unpins it.',
    touchHint: 'Tap a cell to read it, pinch to enlarge.',
    sum: 'sum',
    zoomIn: 'Larger cells',
    zoomOut: 'Smaller cells',
    fit: 'Fit',
    /** @param {number} heads */
    of: (heads) => (heads === 1 ? '' : `mean of ${heads} heads`),
  },

  view: {
    query: 'query',
    direction: 'query → key',
    /** @param {number} limit */
    fullAt: (limit) => `full colour at ±${limit}`,
    key: 'key',
    queries: 'Queries: the tokens that attend',
    keys: 'Keys: the tokens attended to',
    hint: 'Point at a token, or move to it with the arrow keys. Click or Enter keeps it, Escape unpins it.',
    touchHint: 'Tap a token to see its weights, again to let go.',
    attends: 'gives',
    /** @param {string} percent */
    share: (percent) => `${percent} of its attention`,
    to: 'to',
    receives: 'receives',
    of: 'from',
    itself: 'itself',
    /** @param {number} heads */
    mean: (heads) => (heads === 1 ? 'weight' : `mean of ${heads}`),
    /** @param {number} head */
    head: (head) => `head ${head}`,
    meanLabel: 'mean',
  },

  model: {
    grid: 'Attention of every head, layers by heads',
    axes: 'rows: layers · columns: heads · in each: query (left) → key (right)',
    /** @param {number} head */
    head: (head) => `Head ${head}`,
    /** @param {number} layer */
    layer: (layer) => `Layer ${layer}`,
    /** @param {number} layer @param {number} head */
    place: (layer, head) => `Layer ${layer}, head ${head}`,
    hint: 'Point at a head to read its strongest links. Click or Enter opens it, Escape closes it.',
    touchHint: 'Tap a head to see it large.',
    only: 'Only the lines of',
    strongest: 'strongest',
    back: '← all heads',
    follow: 'Show in the head view',
    table: 'Strongest link of each head, as a table',
    columns: ['layer', 'head', 'query', 'key', 'weight'],
  },

  neuron,
};

/** @typedef {typeof saved} Strings */
