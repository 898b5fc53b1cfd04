/**
 * The methods that tell how much each token contributes to an answer.
 *
 * @typedef {'decompx' | 'integrated-gradients' | 'gradient' | 'alti' | 'alti-logit' | 'alti-plus' | 'globenc' | 'norm' | 'value-zeroing'} MethodName
 *
 * A method as the page presents it. `does`: how it works; `limit`: what it cannot say.
 *
 * @typedef {{name: string, does: string, limit: string}} MethodWords
 *
 * A token with its contribution, as it is written. `isOfAnswer`: the model wrote it before the token that is explained.
 *
 * @typedef {{token: string, amount: string, isOfAnswer?: boolean}} NamedAmount
 */

/** @param {readonly NamedAmount[]} tokens */
const list = (tokens) =>
  tokens
    .map(({token, amount, isOfAnswer}) => `“${token}” (${isOfAnswer ? 'written, ' : ''}${amount})`)
    .join(', ');

/** What the workbench says of why a model gives an answer, in English. */
export const explanation = {
  help: 'How much does each token contribute to the answer? Attention alone does not tell: what a head looks at may not matter to the answer.',
  noMethod:
    'No method is defined yet for scores that the distance of two tokens is added to, or that are not divided, as T5 has them.',
  noAnswer:
    'This model gives no answer that could be explained: it guesses no words, knows no classes and gives no sentence vectors. Choose one that does under “Models…”.',
  pin: 'Click a word in the picture to mask it, or type [MASK] in the sentence: then ask which words led to the guess.',
  answer: 'Answer',
  sameAnswer: 'The model’s likeliest guess is this very word.',
  ratherThan: 'Rather than',
  anyOther: 'any other',
  method: 'Method',
  vector: 'the sentence vector',
  /** The button beside an answer. @param {string} answer */
  why: (answer) => `Which words led to “${answer}”?`,
  /** @param {string} word @param {string} share */
  guess: (word, share) => `“${word}” (${share})`,
  likeliest: 'its likeliest guess',
  /** @param {string} word */
  itself: (word) => `“${word}”, which stands there`,
  /** @param {string} label */
  class: (label) => `class “${label}”`,
  title: {
    /** @param {string} word @param {string} masked  the word in whose place the answer stands; empty for a mask @param {string} mask */
    word: (word, masked, mask) =>
      masked
        ? `Which words would lead to “${word}”, if “${masked}” were replaced by ${mask}?`
        : `Which words led to “${word}”?`,
    /** @param {string} label */
    class: (label) => `Which words led to the class “${label}”?`,
    /** @param {string} label @param {string} token */
    tokenClass: (label, token) => `Which words led to “${label}” for “${token}”?`,
    vector: 'What is the sentence vector made of?',
    /** @param {string} answer @param {string} other */
    contrast: (answer, other) => `Which words speak for “${answer}” rather than “${other}”?`,
  },
  /** @type {Record<MethodName, MethodWords>} */
  methods: {
    decompx: {
      name: 'DecompX',
      does: 'Follows what each token adds through every layer, down to the answer. The numbers sum to its logit.',
      limit:
        'It keeps the attention as it is, so it does not say where a head would look without a token.',
    },
    'integrated-gradients': {
      name: 'Integrated gradients',
      does: 'Turns [MASK] into each word little by little, and adds up how the answer reacts on the way.',
      limit: 'It leaves special tokens as they are, so it says nothing of them.',
    },
    gradient: {
      name: 'Gradient × input',
      does: 'How the answer would react to a very small change of each word.',
      limit: 'A small change says little about what happens without the word.',
    },
    alti: {
      name: 'ALTI',
      does: 'How near each token’s part comes to the sum that a layer makes, followed through all layers.',
      limit: 'It says how much is mixed in, not whether it speaks for the answer or against it.',
    },
    'alti-logit': {
      name: 'ALTI-Logit',
      does: 'What attention from the token before the answer adds to its score, layer by layer, followed by ALTI to the words it comes from.',
      limit:
        'What feed-forward networks, biases and that token itself add is no word’s, and is left out.',
    },
    'alti-plus': {
      name: 'ALTI+',
      does: 'ALTI through both halves of the model: how near each token’s part comes to the sums that attention makes, followed through all layers.',
      limit: 'It says how much is mixed in, not whether it speaks for the token or against it.',
    },
    globenc: {
      name: 'GlobEnc',
      does: 'How long each token’s part is after every layer, followed through all layers.',
      limit: 'It has no sign, and long parts may cancel each other.',
    },
    norm: {
      name: 'Norms',
      does: 'How long each token’s part is after attention, residual sum and, where it follows, layer norm, followed through all layers.',
      limit: 'It leaves the feed-forward network out, and has no sign.',
    },
    'value-zeroing': {
      name: 'Value Zeroing',
      does: 'How far a layer’s output turns when one token’s value is taken away, followed through all layers.',
      limit: 'It has no sign, and says nothing of what two tokens do together.',
    },
  },
  /** Methods that say something else of a decoder, which has no mask. @type {Partial<Record<MethodName, Pick<MethodWords, 'does' | 'limit'>>>} */
  ofDecoder: {
    'integrated-gradients': {
      does: 'Turns the token that ends a text into each word little by little, and adds up how the answer reacts on the way.',
      limit: 'It leaves the token that begins a text as it is, so it says nothing of it.',
    },
  },
  /** What differs where an encoder-decoder's written token is explained. @type {Partial<Record<MethodName, Pick<MethodWords, 'does' | 'limit'>>>} */
  ofWritten: {
    'integrated-gradients': {
      does: 'Turns the token that ends a text into each word little by little, and adds up how the answer reacts on the way.',
      limit:
        'It leaves the token that begins what is written and the one that ends the text as they are, so it says nothing of them.',
    },
  },
  tokens: 'Contributions of the tokens',
  save: 'Save as CSV',
  saveFigure: 'Save as SVG',
  unchanged: 'Without the changes to the model',
  /** @param {string} token @param {string} amount */
  token: (token, amount) => `“${token}”: ${amount}`,
  /** @param {readonly NamedAmount[]} most @param {readonly NamedAmount[]} against */
  signed: (most, against) =>
    [
      most.length ? `Most speaks for it: ${list(most)}.` : '',
      against.length ? `Against it: ${list(against)}.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  /** @param {readonly NamedAmount[]} most */
  shares: (most) => `Most comes from ${list(most)}.`,
  /** @param {string} names @param {string} amount */
  special: (names, amount) => `All of ${names} together: ${amount}.`,
  /** What contributions sum to. @type {Record<'logit' | 'length' | 'contrast' | 'attention' | 'attentionContrast' | 'difference' | 'differenceFromEnds', (sum: string) => string>} */
  sums: {
    logit: (sum) => `The numbers sum to ${sum}, the score (logit) of the answer.`,
    contrast: (sum) =>
      `The numbers sum to ${sum}: so much higher is its score (logit) than the other’s.`,
    attention: (sum) =>
      `The numbers sum to ${sum}: so much does attention add to the score (logit) of the answer.`,
    attentionContrast: (sum) =>
      `The numbers sum to ${sum}: so much more does attention add to its score (logit) than to the other’s.`,
    length: (sum) => `The numbers sum to ${sum}, the length of the vector.`,
    difference: (sum) =>
      `The numbers sum to ${sum}: so much higher is the answer than for the text with all words masked.`,
    differenceFromEnds: (sum) =>
      `The numbers sum to ${sum}: so much higher is the answer than after a text of nothing but its end.`,
  },
  start: 'Explain it',
  /** What is said before a slow method starts on a long text. @param {number} tokens */
  slow: (tokens) => `This text has ${tokens} tokens: it may take many seconds.`,
  cancel: 'Cancel',
  /** These words explain a token that an encoder-decoder wrote. */
  written: {
    /** @param {string} word */
    title: (word) => `What did the model write “${word}” from?`,
    choose: 'Written tokens',
    /** @param {string} source @param {string} before  shares */
    says: (source, before) => `${source} from the source, ${before} from what was written.`,
    source: 'From the text that was read',
    before: 'From what was written before',
  },
  parts: {
    /** @param {string} word */
    title: (word) => `Which parts of the model wrote “${word}”?`,
    /** @param {string} word @param {string} other */
    contrast: (word, other) =>
      `Which parts of the model speak for “${word}” rather than “${other}”?`,
    hint: 'Each part adds something to the state that the next word is read from, and so to its score (logit). What a part does through later ones is not counted (direct logit attribution).',
    for: 'Most for it',
    against: 'Most against it',
    /** @param {number} layer */
    feedForward: (layer) => `feed-forward network ${layer}`,
    words: 'the token itself',
    positions: 'its position',
    biases: 'biases',
    /** @param {string} word */
    added: (word) => `Adds to “${word}”`,
    /** What all parts of each kind add. @param {Record<'heads' | 'feedForward' | 'words' | 'positions' | 'biases', string>} amounts */
    all: ({heads, feedForward, words, positions, biases}) =>
      `Together: heads ${heads}, feed-forward networks ${feedForward}, the token itself ${words}, its position ${positions}, biases ${biases}.`,
    /** @param {string} sum @param {string} remainder */
    sum: (sum, remainder) => `They sum to ${sum}, its score; rounding leaves ${remainder}.`,
  },
  curve: {
    title: 'Does the answer depend on these tokens?',
    help: 'Mask the tokens in the order of their contributions, and watch what is left of the answer.',
    /** @param {number} count @param {string} before @param {string} after @param {string} random */
    says: (count, before, after, random) =>
      `With ${count === 1 ? 'the first token' : `the first ${count} tokens`} masked, ${before} become ${after}; with as many at random, ${random}.`,
    /**
     * What is said of a method that does not find the tokens that the answer depends on.
     *
     * @param {string} method @param {readonly string[]} measures  by which it is no better
     */
    noBetter: (method, measures) =>
      `On this text ${method} is no better than a random order by ${measures.join(' and ')}: its numbers do not tell which words the answer depends on.`,
    noBetterShort: 'no better than random',
    inOrder: 'in this order',
    atRandom: 'at random',
    masked: 'tokens masked',
    run: 'Mask the tokens one by one',
    compare: 'Compare all methods on this text',
    cancel: 'Cancel',
    comprehensiveness: 'Comprehensiveness',
    comprehensivenessHelp:
      'How far the answer falls, on average, when the tokens that come first are masked. More is better.',
    sufficiency: 'Sufficiency',
    sufficiencyHelp:
      'How far the answer falls, on average, when only the tokens that come first are left. Less is better.',
    random: 'Random order',
    none: 'There is nothing to mask: the text has no other tokens.',
  },
  patch: {
    title: 'Where does the model decide?',
    help: 'Change the sentence so that the answer changes, too. The model then runs this sentence again and again, each time with one part of its work taken from the other: 0% leaves the answer as it is, 100% makes it the other one.',
    other: 'Another sentence with as many tokens',
    run: 'Exchange every part',
    cancel: 'Cancel',
    /** @param {string} here @param {string} there */
    answers: (here, there) => `Here the answer is “${here}”, there “${there}”.`,
    /** @param {string} answer */
    same: (answer) => `Both sentences have the answer “${answer}”, so its logit is watched.`,
    vector: 'The sentence vector is watched: 100% is that of the other sentence.',
    hidden: 'Hidden state of each token',
    heads: 'Output of each head',
    /** @param {string} place @param {string} share */
    most: (place, share) => `It moves most with ${place}: ${share}.`,
    before: 'Measured before the latest change of the sentence.',
  },
};

/** @typedef {typeof explanation} ExplanationStrings */
