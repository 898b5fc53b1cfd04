/** What the workbench says besides, in English. */
export const workbench = {
  title: 'Workbench',
  tabs: {
    change: 'Change the model',
    predict: 'Predict words',
    why: 'Which words?',
    heads: 'Compare heads',
    grammar: 'Grammar',
  },
  noText: 'Type a sentence first.',
  saved:
    'The picture is of a file, which holds attention and no model. What can be changed, predicted and compared here is what the page’s own model does with the sentence.',
  translated:
    'This model reads one text and writes another. What it writes can be changed, predicted and explained here; heads are compared for models that read only.',
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
    pinFirst: 'Click a token in the picture to block attention to it.',
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
      'No attention is blocked: the first token would have nothing left to look at. Allow attention to one of them again.',
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
    targets: {
      word: 'The word in place of',
      after: 'The likeliest token after',
      class: 'The class',
      classOf: 'The likeliest class of',
    },
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
      `${same} of ${all} first guesses stay the same word while attention to it is blocked.`,
    wait: 'Each word is masked in turn …',
    lesson: 'Lesson: Does it matter?',
  },
  guess: {
    /** @param {string} token @param {string} mask  as the model has it */
    title: (token, mask) => `If “${token}” were replaced by ${mask}, the model would guess`,
    /** @param {string} mask */
    ofMask: (mask) => `Top guesses for ${mask}`,
    /** @param {string} token */
    after: (token) => `Top guesses for what follows “${token}”`,
    word: 'word',
    before: 'unchanged',
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
  /** A classifier of tokens, as of names, has this in place of `predictions`. */
  names: {
    title: 'What the classifier names in the text',
    hint: 'Each token gets a class of its own. Click one to see how sure the model is.',
    none: 'It names nothing here.',
    /** @param {string} token */
    choose: (token) => `Classes of “${token}”`,
    /** @param {string} token  as a sentence names it */
    classes: (token) => `Classes of ${token}`,
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
    topK: 'Top k',
    topP: 'Top p',
    repetitionPenalty: 'Repetition penalty',
    beams: 'Beams',
    lengthPenalty: 'Length penalty',
    further: 'More settings',
    furtherHint:
      'Top k: only the k likeliest tokens can be drawn (0: all). Top p: only the likeliest that together have this probability (1: all). Repetition penalty: the logits of tokens that the text has already are divided by it, or multiplied if they are negative (1: no change). Beams: at temperature 0, so many continuations are kept at each token, and the best as a whole wins. Length penalty: the power of its length that the score of each is divided by.',
    run: 'Continue the text',
    stop: 'Stop',
    ended: 'The model ended the text.',
  },
  lensGrid: {
    title: 'What is read at every token, after each layer',
    hint: 'The word head reads the hidden state of every layer, although it was trained on the last one only (logit lens): a column is what would come after its token. Framed is the guess that stays to the end.',
    table: 'Guesses by layer and token',
    run: 'Read every layer',
    stop: 'Stop',
    /** @param {number} tokens */
    cut: (tokens) => `Only the last ${tokens} tokens are read.`,
  },
  translationBeams: {
    title: 'Search with several beams',
    hint: 'By default, the likeliest token is written each time. A search keeps several beginnings at once, and takes the one that is likeliest as a whole.',
    run: 'Search',
  },
  beams: {
    title: 'What the search found',
    hint: 'What stands further in goes on from what stands before it. Each button writes a continuation that was found, the best first; pale ones were given up, because others were likelier so far.',
    hintOfText:
      'Each line goes on from the one that it stands in: those with a number were found, the best first; pale ones were given up, because others were likelier so far.',
    givenUp: 'Given up: others were likelier so far',
    score:
      'The logarithm of its probability, divided by a power of its length: nearer to 0 is better',
    /** @param {number} place */
    rank: (place) => `no. ${place}:`,
  },
  copying: {
    title: 'Heads that copy',
    hint: 'On up to 50 random tokens that come twice, no meaning says where to look: a head that finds the place before has learned to look for repetition. The text that is shown has no part in it.',
    run: 'Find the heads that copy',
    running: 'Looking for them…',
    colour: 'Show in the map of heads',
    kinds: {
      induction: {
        name: 'Induction',
        rule: 'The share of attention to the token that followed the same token before: what comes next if the text repeats itself.',
      },
      duplicate: {
        name: 'Same token before',
        rule: 'The share of attention to the same token in the first half.',
      },
      previous: {name: 'Previous token', rule: 'The share of attention to the token just before.'},
    },
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

  /** What the statistics of heads do not mean. */
  cautions: {
    entropy: 'A sharp head need not matter more than a broad one.',
    breadth: 'Short texts look broad more easily than long ones.',
    distance:
      'Attention to special tokens counts as far, although it often means nothing in particular.',
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
};

/** @typedef {typeof workbench} WorkbenchStrings */
