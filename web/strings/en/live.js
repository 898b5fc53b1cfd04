/** What a live element says besides, in English. */
export const live = {
  /** What an element says of the model that it loads and runs. */
  running: {
    loading: 'Loading the model',
    empty: 'Type a sentence to see what its tokens attend to.',
    noSimd:
      'This browser cannot run the model: it lacks WebAssembly SIMD. Chrome or Edge 91, Firefox 89 and Safari 16.4, or anything newer, have it.',
    /** @param {string} detail */
    noEngine: (detail) =>
      `The model cannot run inside this page, which may forbid it (a Content-Security-Policy needs script-src 'wasm-unsafe-eval' and worker-src 'self'): ${detail}`,
    /** @param {string} detail */
    runFailed: (detail) => `This text could not be run: ${detail}`,
    /** @param {string} detail */
    changeFailed: (detail) => `The model could not be changed so: ${detail}`,
    /** @param {number} fit @param {number} cut @param {boolean} isPair */
    truncated: (fit, cut, isPair) =>
      `Only the first ${fit} tokens fit this model: ${cut} ${cut === 1 ? 'was' : 'were'} cut${isPair ? ', longest sentence first' : ''}.`,
    unreadPair: 'This model reads one text: it has left out the second sentence.',
    /** @param {string} detail */
    recovered: (detail) => `The engine had to be started again, and the model with it: ${detail}.`,
    /** @param {string} name */
    notLoaded: (name) => `“${name}” could not be loaded. Check the connection and reload the page.`,
    /** The question before a link fetches from another host. */
    consent: {
      /** @param {string} name @param {string} host */
      asks: (name, host) =>
        `This link asks for “${name}” from ${host}. Nothing has been fetched from there yet. Load it only if you trust whoever gave you the link.`,
      /** @param {string} host */
      allow: (host) => `Load it from ${host}`,
      /** @param {string} name */
      ended: (name) =>
        `“${name}” has ended its engine twice, so it was not opened again. Open it only if you trust whoever gave it to you.`,
      openAgain: 'Open it again',
    },
  },

  size: {
    /** @param {string} megabytes */
    megabytes: (megabytes) => `${megabytes} MB`,
    /** @param {string} loaded @param {string} total */
    progress: (loaded, total) => `${loaded} of ${total} MB`,
  },

  /** Measures, and what heads do: `shows` says what a number means, `caution` what it does not mean. */
  analysis: {
    measure: 'Measure',
    normalised: 'Each row is scaled to sum to 1.',
    measures: {
      weight: {
        name: 'Attention weight',
        shows: 'How a head divides its attention among the tokens: each row sums to 1.',
        caution: 'A large weight on a token with little to pass on changes little.',
      },
      norm: {
        name: 'Norm-weighted',
        shows:
          'The length of what a token takes from another: the weight times the length of the value, after the output projection.',
        caution: 'Lengths leave out directions: what two heads bring can cancel out.',
      },
      rollout: {
        name: 'Rollout',
        shows:
          'Where a token comes from after all layers so far, if each layer mixes half by attention, half by staying as it is.',
        caution: 'All heads count alike, and what the layers compute besides mixing is left out.',
      },
      flow: {
        name: 'Flow',
        shows:
          'How much can reach a token from each input through all layers so far, with attention weights as widths of pipes.',
        caution:
          'It says how much could pass, not what did: most inputs look alike after a few layers.',
      },
    },
    /** The names of heads; their rules are the thresholds in src/analysis/head_statistics.h. */
    heads: {
      previous: {
        name: 'looks at the previous token',
        rule: 'At least 40% of its attention goes to the token just before.',
      },
      next: {
        name: 'looks at the next token',
        rule: 'At least 40% of its attention goes to the token just after.',
      },
      self: {
        name: 'looks at the token itself',
        rule: 'At least 40% of its attention goes to the token itself.',
      },
      cls: {name: 'looks at [CLS]', rule: 'At least 40% of its attention goes to [CLS].'},
      sep: {name: 'looks at [SEP]', rule: 'At least 40% of its attention goes to [SEP].'},
      punctuation: {
        name: 'looks at punctuation',
        rule: 'At least 40% of its attention goes to punctuation marks.',
      },
      sameWord: {
        name: 'looks at the same word',
        rule: 'At least 30% of the attention of a word that occurs again goes to its other places.',
      },
      broad: {
        name: 'looks everywhere',
        rule: 'Its entropy is at least 85% of the greatest possible.',
      },
      content: {
        name: 'follows no simple pattern',
        rule: 'No single position gets enough attention to name a pattern: it may look by what the words mean.',
      },
    },
    /** What one head does in a text, with the mean that gave it its name. */
    told: {
      /** @param {string} name  one of the names above @param {string} share */
      place: (name, share) =>
        `Over all tokens of this text, this head mostly ${name} (${share} on average).`,
      /** @param {string} share */
      sameWord: (share) =>
        `From the words that occur again in this text, this head looks at their other places (${share} on average).`,
      /** @param {string} share */
      broad: (share) =>
        `Over all tokens of this text, this head looks everywhere: its entropy is ${share} of the greatest possible, on average.`,
      content:
        'Over all tokens of this text, this head follows no simple pattern: no single position gets enough attention to name one. It may look by what the words mean.',
    },
  },

  /** A model before and after changes, and the changes themselves. */
  changes: {
    before: 'the model as it is',
    after: 'the changed model',
    /** @param {string} place @param {number} percent */
    headScaled: (place, percent) => `${place} at ${percent}%`,
    /** @param {string} layer */
    layerOff: (layer) => `${layer} off`,
    /** @param {string} token */
    unseen: (token) => `Attention to “${token}” blocked`,
    /** @param {string} place @param {string} link @param {string} weight */
    edgeSet: (place, link, weight) => `${place}: ${link} = ${weight}`,
    /** @param {string} part @param {string} place */
    ofPart: (part, place) => `${part}, ${place}`,
    causal: 'No token sees a later one (causal)',
    /** @param {number} temperature */
    temperatureSet: (temperature) => `Temperature ${temperature}`,
    /** @param {string} layer @param {number} temperature */
    layerTemperatureSet: (layer, temperature) => `${layer}: temperature ${temperature}`,
    scoreScale: 'Scores are divided by',
    scoreScales: {
      head: '√d, d the size of a head, as it is',
      hidden: '√H, H the hidden size',
      none: 'nothing',
    },
  },

  actions: {
    headOff: 'Switch this head off',
    headOn: 'Switch this head on again',
    /** @param {number} layer @param {number[]} heads */
    off: (layer, heads) =>
      `Layer ${layer}, ${heads.length === 1 ? 'head' : 'heads'} ${heads.join(', ')}: switched off.`,
    offNote:
      'The picture still shows where it would look; what changes is in the layers after it, which get nothing from it.',
    undo: 'Undo',
    /** @param {string} token */
    seen: (token) => `Allow attention to “${token}” again`,
    /** @param {string} token */
    unseen: (token) => `Block attention to “${token}”`,
    /** @param {string[]} tokens */
    hidden: (tokens) =>
      `Attention is blocked to ${tokens.map((token) => `“${token}”`).join(', ')}: no token looks there.`,
    undoAll: 'Undo all changes',
    kept: 'This picture is kept. Now change something: the text, the model or a head.',
  },

  /** What the widget of a notebook says besides. */
  notebook: {
    sentence: 'Sentence',
    secondSentence: 'Second sentence',
    /** @param {string} detail */
    notTold: (detail) => `Python did not get the numbers of this picture: ${detail}`,
    noPicture: 'expected a picture in the notebook, found none: draw the widget in a cell',
  },

  publish: {
    button: 'Export',
    /** @param {string} detail */
    failed: (detail) => `That did not work: ${detail}`,
  },
};

/** What the page, its workbench and its lessons say besides, in English. */
export const page = {
  page: {
    title: 'bertscope',
    tagline: 'what every head of a BERT attends to',
    description:
      'Type a sentence and see what every attention head of a BERT looks at, computed in your browser.',
    explanation: 'A head decides how much each token (a word or part of one) looks at every other.',
    skip: 'Skip to the picture',
    places: 'Pages',
    explore: 'Explore',
    lessons: 'Lessons',
    docs: 'Docs',
    sentence: 'Sentence',
    secondSentence: 'Second sentence',
    addSentence: '+ second sentence',
    compareText: 'Compare with another text',
    before: 'Compared with',
    removeSentence: 'Remove',
    examples: 'Try',
    models: 'Models…',
    more: 'Second sentence, examples, files, models',
    preferences: 'Language, theme, researcher view',
    researcher: 'Researcher view',
    language: 'Language',
    theme: 'Theme',
    themeAuto: 'Auto',
    themeLight: 'Light',
    themeDark: 'Dark',
    open: 'Open attention from a file…',
    importTitle: 'Attention of any model',
    importHelp:
      'A JSON or NPZ file with “attention” [layer][head][query][key] and “tokens”, as bertviz and “bertscope attend” have them. It stays on this computer. You can also drop it on the page.',
    importFile: 'File',
    importTokens: 'Tokens, if the file has none: with spaces between them',
    importB: 'First token of the second sentence, if there is one, counted from 0',
    importShow: 'Show',
    importCancel: 'Cancel',
    importedAgain: 'Open the file…',
    importedEnd: 'Back to the sentence',
    notShown: '(not shown now: the picture is of the file)',
    newVersion: 'There is a new version of this page.',
    reload: 'Reload',
    openPage: 'Open in bertscope',
    noScript: 'bertscope runs its model in your browser, so it needs JavaScript.',
  },

  /** The names of the examples (`web/page/examples.js`), on their buttons. */
  examples: {
    flies: 'flies and flies',
    tired: 'what was too tired?',
    banks: 'two banks',
    children: 'who was tired?',
    grandmother: 'who baked?',
    mats: 'mat and rug',
  },

  /** Presenting to an audience. */
  present: {
    start: 'Present',
    label: 'Presentation',
    end: 'End',
    back: 'Back',
    onward: 'Next',
    /** @param {number} at @param {number} count */
    position: (at, count) => `${at} of ${count}`,
  },

  status: {
    /** @param {string} name */
    teachingModel: (name) => `${name}, a small teaching model`,
    /** @param {string} name @param {string} size */
    model: (name, size) => (size ? `${name}, ${size}` : name),
    /** @param {number} layers @param {number} heads */
    shape: (layers, heads) =>
      `${layers} ${layers === 1 ? 'layer' : 'layers'} × ${heads} ${heads === 1 ? 'head' : 'heads'}`,
    /** The output head of a model that the engine leaves out, by what it labels: choices or answers. */
    unusedHeads: {
      choices: 'its head for multiple choice is left out',
      answers: 'its head for answers is left out',
    },
    /** It is said of a model whose other layers see only what is near. @param {number} every @param {number} tokens */
    localLayers: (every, tokens) =>
      `layers 0, ${every}, ${2 * every} … see all, the others ${tokens} tokens on each side`,
    sentenceVectors: 'for comparing sentences, by one vector per sentence: it guesses no words',
    /** @param {string} kernel */
    kernel: (kernel) => `with the ${kernel} kernel`,
    /** @param {string} milliseconds */
    time: (milliseconds) => `computed here in ${milliseconds} ms`,
  },

  places: {
    /** @param {string} name */
    unknown: (name) => `There is no page called “${name}” here.`,
    /** @param {string} fields  as the address has them @param {number} layers @param {number} heads */
    beyond: (fields, layers, heads) =>
      `The address asks for what this model does not have (${fields}). It has ${layers} layers of ${heads} heads, both counted from 0.`,
    /** @param {number} characters */
    full: (characters) =>
      `The page takes the first ${characters.toLocaleString('en')} characters of a text. Anything after them was left out.`,
    failed: 'This page could not be loaded. Check the connection and reload the page.',
    /** @param {string} fields  as the address has them */
    unread: (fields) =>
      `The address asks for changes that cannot be made (${fields}). They are left out.`,
  },

  import: {
    noFile: 'Choose a file first.',
    /** @param {string} name @param {string} shape @param {string} tokens  how many tokens, of input and output */
    shown: (name, shape, tokens) =>
      `Attention from ${name}: ${shape}, ${tokens} tokens. A link to this page does not hold the file.`,
    /** @param {string} model @param {string} changes  the interventions, as fields of an address; empty: none */
    ran: (model, changes) => `It is of ${model}${changes ? `, changed: ${changes}` : ''}.`,
    numbered:
      'The file names no tokens, so they are numbered, and what depends on words is left out. Open it with their names to see it.',
    /** @param {string} name */
    isModel: (name) => `${name} is a model, not attention: load it under “Models…”.`,
    /** @param {string} name */
    isAttention: (name) =>
      `${name} is attention, not a model: show it with “Open attention from a file…”.`,
    /** @param {string} name */
    missing: (name) =>
      `This link was made while ${name} was shown, and a link does not hold a file. Open it again, or see the sentence.`,
  },

  /** The sentence of each view after the page’s explanation. */
  readings: {
    head: 'Left looks at right; a stronger line means more.',
    model: 'Each small picture is a head, each row a layer.',
    neuron: 'This is how one head computes it, step by step.',
    matrix: 'Rows look at columns; a stronger colour means more.',
    average: 'Each weight is the mean of the chosen heads.',
    difference: 'The colours show what changed: more in one, less in the other.',
  },
};

/** @typedef {typeof live} LiveStrings */
/** @typedef {typeof page} PageStrings */
