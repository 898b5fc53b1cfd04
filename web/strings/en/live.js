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
        rule: 'At least 40% of its attention stays where it is.',
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
    unseen: (token) => `“${token}” hidden from all heads`,
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
    seen: (token) => `Show “${token}” to all heads again`,
    /** @param {string} token */
    unseen: (token) => `Hide “${token}” from all heads`,
    /** @param {string[]} tokens */
    hidden: (tokens) =>
      `Hidden from all heads: ${tokens.map((token) => `“${token}”`).join(', ')}. No token looks there.`,
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
    title: 'Export',
    picture: 'Picture, as it is shown',
    theme: 'Colours',
    light: 'light',
    dark: 'dark',
    scale: 'Size of the PNG',
    letters: 'Text in the SVG',
    outlines: 'outlines, the same in every program',
    asText: 'text, to be edited and searched',
    /** @param {string} letters */
    smallImages: (letters) =>
      `The figure’s font lacks these, so they are images among the outlines: ${letters}`,
    /** @param {string} letters */
    otherFonts: (letters) =>
      `The font inside the file lacks these, so they look as each reader’s own fonts have them: ${letters}`,
    caption: 'caption: text, model, layer, heads',
    data: 'The numbers themselves',
    extent: 'Weights',
    everything: 'all layers and heads',
    vectors: 'with queries, keys and values (JSON, NPZ)',
    dataHelp: 'JSON and NPZ open here again, and in any page that has <bert-scope>.',
    /** @param {string} measure */
    measured: (measure) => `The numbers are those of the picture: ${measure}.`,
    bothSides:
      'They hold both sides and what changed, after minus before. CSV says of each row which side it is; JSON has the fields “before” and “difference”, NPZ arrays named “before_…” and “difference_…”.',
    twoSides:
      'They hold both sides. CSV says of each row which side it is; JSON has the field “before”, NPZ arrays named “before_…”.',
    eachLayer: 'The picture shows the mean of these layers; the files hold each layer by itself.',
    /** @param {string} name  the name of one of two sides */
    oneSide: (name) =>
      `The other side has none of the chosen heads, so of these the files hold ${name} alone.`,
    /** @param {string} reason */
    noDifference: (reason) =>
      `This view has no difference of these two, so the picture has them side by side. ${reason}`,
    /** @param {string} file */
    fileOnly: (file) =>
      `The tag, the frame and the link hold the name of the file ${file} that this is compared with, not what is in it. The HTML file holds both sides.`,
    page: 'Page',
    saveHtml: 'HTML file',
    copyTag: 'Copy HTML tag',
    copyFrame: 'Copy HTML frame',
    copyLink: 'Copy link',
    pageHelp:
      'The HTML file shows this view with no network and no engine. The tag puts the live view into a page of your own that may run scripts, the frame into one that may not (a blog, a course).',
    saved: 'Saved.',
    copied: 'Copied.',
    notCopied:
      'the browser did not allow it. Save it as a file, or select the address of the page.',
    keptHere:
      'This model is from your files and kept in this browser: a link opens it here only. Elsewhere the page says that it is missing, and offers the small teaching model.',
    /** @param {string} detail */
    failed: (detail) => `That did not work: ${detail}`,
    close: 'Close',
    /** @param {number} layer @param {number[]} heads */
    where: (layer, heads) =>
      `layer ${layer}, ${heads.length === 1 ? 'head' : 'heads'} ${heads.join(', ')}`,
    /** @param {readonly number[]} layers @param {readonly number[]} heads  none: all */
    grid: (layers, heads) => {
      const layersShown = layers.length ? `layers ${layers.join(', ')}` : 'all layers';
      return `${layersShown}, ${heads.length ? `heads ${heads.join(', ')}` : 'all heads'}`;
    },
    /** @param {'all' | readonly number[]} layers @param {number[]} heads @returns {string} */
    ofLayers: (layers, heads) =>
      `${layers === 'all' ? 'all layers' : `layers ${layers.join(', ')}`}, ${heads.length === 1 ? 'head' : 'heads'} ${heads.join(', ')}`,
    /** @param {'all' | readonly number[]} layers @param {number[]} heads @returns {string} */
    meanOfLayers: (layers, heads) => `mean of ${live.publish.ofLayers(layers, heads)}`,
    meanOfHeads: 'mean of these heads',
    direction: 'query → key',
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

  /** The banner over a text that the model cannot read. */
  unreadable: {
    /** @param {number} unknown @param {number} all  tokens */
    says: (unknown, all) =>
      `This model cannot read this text: ${unknown} of ${all} tokens are [UNK], which stands for anything that is not in its vocabulary.`,
    other: 'Choose a model that can…',
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
    /** The output head of a model that the engine leaves out, by what it labels: tokens, choices or answers. */
    unusedHeads: {
      tokens: 'its classifier of tokens (NER) is left out',
      choices: 'its head for multiple choice is left out',
      answers: 'its head for answers is left out',
      texts: 'its classifier is left out',
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
    failed: 'This page could not be loaded. Check the connection and open it again.',
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

  models: {
    title: 'Models',
    help: 'Any BERT, DistilBERT, RoBERTa, CamemBERT, XLM-R, ELECTRA, ALBERT, ModernBERT, GPT-2, Llama, Qwen2, Marian or BART. It is quantized while it arrives and runs in this browser.',
    name: 'Name on the Hugging Face hub (owner/name, perhaps @revision), or an address',
    /** @param {string} host */
    searched: (host) =>
      `${host} suggests names while you type: what you type in this field is sent there, and nothing else.`,
    hub: 'Another hub, or a model that needs a login',
    endpoint: 'Address of the hub',
    token: 'Access token; it is forgotten when the page is closed',
    load: 'Load',
    /** @param {string} name */
    loadNamed: (name) => `Load ${name}`,
    files: 'Choose files or a .zip…',
    folder: 'Choose a folder…',
    /** @param {string} name */
    loading: (name) => `Loading ${name}`,
    /** @param {string} megabytes */
    rate: (megabytes) => `· ${megabytes} MB/s ·`,
    stop: 'Stop',
    /** @param {string} name @param {string} megabytes */
    asks: (name, megabytes) => `${name} is a download of ${megabytes} MB.`,
    agree: 'Download it',
    notNow: 'Not now',
    /** @param {string} detail */
    failed: (detail) => `The model was not loaded, so the current one stays: ${detail}`,
    /** @param {string} detail */
    actionFailed: (detail) => `That did not work: ${detail}`,
    /** @param {string} detail */
    noAnswer: (detail) => `No connection, so the current model stays. Details: ${detail}`,
    /** @param {string} detail */
    notKept: (detail) => `The model runs, but is not kept: ${detail}`,
    notLasting: 'This browser lets the page store nothing: models stay until the page is closed.',
    kept: 'Kept in this browser',
    none: 'None yet. A model that you load stays here and opens without the network.',
    open: 'Open',
    download: 'Download',
    remove: 'Remove',
    known: 'Models worth opening',
    current: 'In use:',
    inUse: 'in use',
    embeddedRuns: 'In use: the small teaching model that comes with this page.',
    dates: {
      name: 'Dates: an encoder-decoder',
      what: 'Also with this page, a model that reads a date in words and writes it in digits:',
    },
    untried:
      'One click downloads a model from huggingface.co and keeps it. They were not yet tested with this page.',
    /** @param {string} licence */
    licence: (licence) => `licence: ${licence}`,
    what: {
      english:
        'The model of most papers on attention. In layer 7, head 9, objects look at their verbs; in layer 4, head 3, pronouns at what they stand for (Clark et al., 2019).',
      cased: 'It keeps capitals. Compare “may” with “May”, or “turkey” with “Turkey”.',
      distilled:
        'Half the layers of BERT, trained to answer like it. See which kinds of heads are left.',
      sentences:
        'It gives one vector per sentence, for comparing sentences. See which words its last layer gathers from.',
      sentiment:
        'It tells good reviews from bad ones. Switch heads off in the workbench, and see when its verdict changes.',
      languages:
        '104 languages in one vocabulary. Take a sentence and its translation as the two sentences.',
      decoder:
        'It predicts the next token, so no token looks at a later one. Let it continue a sentence in the workbench, with some heads switched off.',
      local:
        'Every third layer sees the whole text, the others 64 tokens on each side. Compare their heads on a long text.',
    },
    close: 'Close',
  },

  /** The sentence of each view after the page’s explanation. */
  readings: {
    head: 'Left looks at right; a stronger line means more.',
    model: 'Each small picture is a head, each row a layer.',
    neuron: 'This is how one head computes it, step by step.',
    matrix: 'Rows look at columns; a stronger colour means more.',
  },

  /** What the statistics of heads do not mean. */
  cautions: {
    entropy: 'A sharp head need not matter more than a broad one.',
    breadth: 'Short texts look broad more easily than long ones.',
    distance:
      'Attention to [CLS] or [SEP] counts as far, although it often means nothing in particular.',
    previous: 'It says where the head looks, not what it takes from there.',
    next: 'It says where the head looks, not what it takes from there.',
    self: 'A token also stays itself without attention: every layer adds to what was there.',
    cls: 'Heads often look there when they find nothing else.',
    sep: 'Heads often look there when they find nothing else.',
    punctuation: 'A text without marks makes it 0.',
    sameWord: 'A text in which no word occurs twice makes it 0.',
  },

  /** The map that the workbench draws of all heads. */
  headMap: {
    name: 'Map of heads',
    shows: 'Heads that look at the same tokens lie close together.',
    caution:
      'The map is flat, so some heads that lie close together are farther apart than they look. Where there is no room for all, a line leads to the place of a head.',
  },

  /** The workbench: change the model, predict words, compare heads. */
  workbench: {
    title: 'Workbench',
    tabs: {
      change: 'Change the model',
      predict: 'Predict words',
      why: 'Why this answer?',
      heads: 'Compare heads',
    },
    noText: 'Type a sentence first.',
    saved:
      'The picture is of a file, which holds attention and no model. What can be changed, predicted and compared here is what the page’s own model does with the sentence.',
    translated:
      'This model reads one text and writes another. What it writes can be changed and predicted here; answers are explained and heads compared for models that read only.',
    translation: {
      title: 'What the model writes',
      before: 'Unchanged',
      now: 'Changed',
      only: 'Now',
      same: 'The changes leave every token as it was.',
      /** @param {number} count */
      changed: (count) => `${count} ${count === 1 ? 'token differs' : 'tokens differ'}.`,
    },
    embeddings: 'Embeddings',
    pieces:
      'The picture shows whole words; here the pieces of each stand alone, as the model has them.',
    /** @param {string} change  a signed number */
    points: (change) => `${change} points`,
    changes: {
      list: 'Changes',
      none: 'Nothing is changed. Switch something off and see what it does to the picture and to the predictions.',
      /** @param {string} name */
      undo: (name) => `Undo: ${name}`,
      undoAll: 'Undo all',
      /** @param {number} count */
      more: (count) => `and ${count.toLocaleString('en')} more`,
      place: 'What is chosen',
      /** @param {string} place @param {number} percent */
      strength: (place, percent) => `${place}: strength ${percent}%`,
      pinFirst: 'Click a token in the picture to hide it from all heads.',
      link: 'One weight of the chosen head',
      /** @param {string} weight */
      weight: (weight) => `Weight ${weight}`,
      renormalise: 'The row’s other weights share the rest',
      setLink: 'Set the weight',
      everywhere: 'In every head',
      /** @param {string} place  empty: every layer @param {number} temperature @param {string} effect */
      temperature: (place, temperature, effect) =>
        `${place ? `${place}: temperature` : 'Temperature'} ${temperature}, ${effect}`,
      temperatureEffects: {same: 'as it is', sharper: 'sharper', flatter: 'flatter'},
      /** @param {string} change @param {number} layers @param {number} heads */
      noPlace: (change, layers, heads) =>
        `${change}: does nothing, since this model has ${layers} layers of ${heads} heads, counted from 0.`,
      /** @param {string} change */
      noDecoder: (change) => `${change}: does nothing, since this model has no decoder.`,
      /** @param {string} change */
      laterToken: (change) => `${change}: does nothing, since a decoder sees no later token.`,
      /** @param {string} change @param {number} tokens */
      beyondText: (change, tokens) =>
        `${change}: does nothing, since the text has ${tokens} tokens, counted from 0.`,
      noKeysLeft:
        'No token is hidden: the first would have nothing left to look at. Show one of them again.',
      /** @param {string} fields  as the address has them */
      unread: (fields) =>
        `The address asks for changes that cannot be made (${fields}). They are left out.`,
      contrast: 'The picture shows',
      contrasts: {
        after: 'changed',
        side: 'side by side',
        difference: 'difference',
      },
    },
    effects: {
      title: 'Effect of every head',
      hint: 'Each head is switched off in turn, and the probability of one prediction watched. Choose a square to keep that head off.',
      target: 'The word in place of',
      targetAfter: 'The likeliest token after',
      targetClass: 'The class',
      /** @param {string} name */
      label: (name) => `Class: ${name}`,
      noHead:
        'This model predicts nothing: it has neither a masked-LM head nor a classifier. Where its heads look, what they do on average and what a change leaves of its hidden states can be seen all the same.',
      run: 'Try every head',
      cancel: 'Cancel',
      /** @param {string} token @param {string} probability @param {string} place @param {string} change */
      summary: (token, probability, place, change) =>
        `“${token}” has a probability of ${probability} with every head. Without ${place} it changes most: ${change}.`,
      masked: 'The word is masked meanwhile, so the model has to guess it from the others.',
      /** @param {string} token @param {string} probability @param {string} least  a number of points */
      noEffect: (token, probability, least) =>
        `“${token}” has a probability of ${probability} with every head. Without any one of them that changes by less than ${least}.`,
      before: 'Measured before the latest change. Try every head again to see effects beside it.',
      states: 'What is left of each hidden state',
      statesHint:
        'Cosine of each token’s hidden state with that of the model as it is: 1 is unchanged.',
    },
    /** What the model guesses in place of the pinned word, beside the picture. */
    special: {
      /** @param {string} token */
      title: (token) => `Does “${token}” matter to the guesses?`,
      masked: 'masked',
      /** @param {string} token */
      seen: (token) => `with ${token}`,
      /** @param {string} token */
      hidden: (token) => `without ${token}`,
      /** @param {number} same @param {number} all */
      found: (same, all) =>
        `${same} of ${all} first guesses stay the same word while it is hidden from all heads.`,
      wait: 'Each word is masked in turn …',
      lesson: 'Lesson: Does it matter?',
    },
    guess: {
      /** @param {string} token */
      title: (token) => `If “${token}” were hidden, the model would guess`,
      /** @param {string} mask */
      ofMask: (mask) => `Top guesses for ${mask}`,
      /** @param {string} token */
      after: (token) => `Top guesses for what follows “${token}”`,
      word: 'word',
      before: 'as it is',
      now: 'changed',
      hint: 'Switch a head off, and see what that does to the guess.',
      pin: 'Click a word in the picture to see what the model guesses in its place.',
    },
    predictions: {
      title: 'Click a word to mask it',
      hint: 'The model then guesses the word from all the others. You can also type the mask in the sentence.',
      noHead:
        'This model has no masked-LM head, so it cannot guess words, and no surprise can be told. Everything else works: choose another model to mask words.',
      sentenceVectors:
        'This model was trained to give one vector per sentence, so that sentences of like meaning have like vectors. It has no masked-LM head, so it guesses no words for [MASK]. Look at where its heads look, and at what a change leaves of its hidden states.',
      /** @param {string} token */
      mask: (token) => `Mask “${token}”`,
      /** @param {string} token */
      fill: (token) => `Put “${token}” there`,
      /** @param {string} mask @param {string} context */
      expected: (mask, context) => `Top guesses for ${mask} in “${context}”`,
      lens: 'After each layer',
      lensHint:
        'The masked-LM head reads the hidden state of every layer, although it was trained on the last one only: a rough look at how the guess forms.',
      surprise: 'How surprising is each word?',
      surpriseNote:
        'In bits: each word is masked alone, and this is −log₂ of the probability of the word that stands there. 1 bit: 50%; 10 bits: 0.1%.',
      /** @param {string} token @param {string} bits @param {string} expected */
      instead: (token, bits, expected) =>
        `“${token}”: ${bits} bits; expected “${expected}”. Click to mask it.`,
      classes: 'What the classifier says of the text',
      /** @param {string} logit */
      logit: (logit) => `logit ${logit}`,
    },
    /** Models that predict the next token have this in place of `predictions`. */
    nextToken: {
      title: 'Click a token to see what the model expects after it',
      /** @param {string} token */
      choose: (token) => `What follows “${token}”?`,
      /** @param {string} context */
      after: (context) => `Top guesses for what follows “${context}”`,
      surpriseNote:
        'In bits: −log₂ of the probability that the model gives the token after those before it. 1 bit: 50%; 10 bits: 0.1%. Nothing comes before the first.',
      /** @param {string} token @param {string} bits @param {string} expected */
      instead: (token, bits, expected) => `“${token}”: ${bits} bits; expected “${expected}”`,
      continueTitle: 'Let the model continue',
      continueHint:
        'At temperature 0 each token is the likeliest one; above it, tokens are drawn by their probabilities, others for each seed.',
      tokens: 'Tokens',
      temperature: 'Temperature',
      seed: 'Seed',
      run: 'Continue the text',
      stop: 'Stop',
      ended: 'The model ended the text.',
    },
    heads: {
      source: 'Averages over',
      sources: {text: 'this text', sentences: '200 everyday sentences'},
      /** @param {number} layer @param {number} head */
      unlike: (layer, head) => `Unlike ${layer}.${head}`,
      unlikeHelp:
        'Jensen-Shannon distance between the attention of this head and that of the chosen one: 0 is the same, 1 nothing in common.',
      /** The title of a list with the numbers of the table's last column. @param {number} layer @param {number} head */
      alike: (layer, head) => `Most like ${layer}.${head}`,
      /** @param {string} share */
      kept: (share) =>
        `It shows ${share} of how the heads differ (of their squared distances); what it leaves out is seen in the last column of the table.`,
      hint: 'What each head does on average. The name of a column sorts by it; its tooltip says what it means.',
      table: 'All heads with their statistics',
      filter: 'Show',
      /** @param {number} count */
      all: (count) => `all ${count} heads`,
      /** @param {string} name @param {number} count */
      named: (name, count) => `${name} (${count})`,
      place: 'Head',
      name: 'What it does',
      /** @param {number} layer @param {number} head */
      show: (layer, head) => `Show layer ${layer}, head ${head}`,
    },
  },
};

/** @typedef {typeof live} LiveStrings */
/** @typedef {typeof page} PageStrings */
