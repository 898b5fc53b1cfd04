/**
 * Describes the tokenizer of a GGUF file as a `tokenizer.json`: byte-level BPE with the merges that the
 * file states, or the BPE of SentencePiece, whose merges follow from the scores of its pieces.
 * Source: `llama-vocab.cpp` of llama.cpp, and the `tokenizer.json` of SmolLM2, Qwen2 and Llama.
 */

import {BertscopeError} from '../errors.js';
import {quote} from '../json.js';

/** @import {Facts} from './gguf-header.js' */

/** The types of tokens. A text is not split into those that are unused, but they have their names. */
const [UNKNOWN, CONTROL, USER_DEFINED, BYTE] = [2, 3, 4, 6];

/**
 * All ways to split a piece in two are looked at, so the square of its length counts. The largest
 * vocabularies have a quarter of a million pieces of 8 characters.
 */
const MAX_SQUARES = 2 ** 25;
/** The tokenizer refuses more merges than these. */
const MAX_MERGES = 2 ** 20;
/** Each merge spells its piece once more. Those of Llama 2 have half a million characters. */
const MAX_MERGE_CHARACTERS = 2 ** 23;

const ENGLISH = "'s|'t|'re|'ve|'m|'ll|'d";
const REST = ' ?[^\\s\\p{L}\\p{N}]+';
const LINES = '\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';

/** @param {string} Regex */
const split = (Regex) => ({type: 'Split', pattern: {Regex}, behavior: 'Isolated', invert: false});
/** @param {boolean} use_regex Whether it splits texts as GPT-2 does, or only spells them in bytes. */
const byteLevel = (use_regex) => ({
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: true,
  use_regex,
});
/** @param {object[]} pretokenizers */
const sequence = (pretokenizers) => ({type: 'Sequence', pretokenizers});
/** @param {string} digits How many digits a word has. */
const words = (digits) =>
  sequence([
    split(
      `(?i:${ENGLISH})|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}${digits}|${REST}[\\r\\n]*|${LINES}`,
    ),
    byteLevel(false),
  ]);

/**
 * @typedef {object} Rules
 * @property {object} pre_tokenizer
 * @property {object} [normalizer]
 * @property {boolean} [keepsWords] Whether a word that is a token stays whole, whatever the merges say.
 * @property {boolean} [begins] Whether a text begins with a token of its own unless the file denies it.
 */

/** How texts are split into words, by `tokenizer.ggml.pre`. @type {Map<string, Rules>} */
const RULES = new Map([
  ['gpt-2', {pre_tokenizer: byteLevel(true)}],
  [
    'smollm',
    // The tokenizer's library knows only the digits of ASCII where SmolLM2's file says `Digits`.
    {pre_tokenizer: sequence([split('\\p{N}'), byteLevel(true)])},
  ],
  ['qwen2', {pre_tokenizer: words(''), normalizer: {type: 'NFC'}}],
  ['llama-bpe', {pre_tokenizer: words('{1,3}'), keepsWords: true, begins: true}],
  [
    // llama.cpp splits by these rules if a file states none.
    'default',
    {
      pre_tokenizer: sequence([
        split('[\\p{P}\\$\\+<=>\\^~\\|]+'),
        split(`${ENGLISH}| ?\\p{L}+| ?\\p{N}+|${REST}|\\s+(?!\\S)`),
        split('\\p{N}+'),
        split('[0-9][0-9][0-9]'),
        byteLevel(false),
      ]),
    },
  ],
]);
/** Other names of the same rules. */
const SAME = new Map([
  ['llama3', 'llama-bpe'],
  ['llama-v3', 'llama-bpe'],
  ['gpt2', 'gpt-2'],
  ['deepseek-r1-qwen', 'qwen2'],
]);
/** The marks of SentencePiece's files have these ids, unless a file has others. */
const USUAL_MARKS = new Map([
  ['bos', 1],
  ['eos', 2],
]);

/**
 * @param {Facts} facts
 * @param {string} path For messages.
 * @returns {Record<string, string>} `tokenizer.json` and `tokenizer_config.json`
 */
export function describeTokenizer(facts, path) {
  /** @param {string} expected @param {string} found */
  const refuse = (expected, found) =>
    new BertscopeError('bad-tokenizer', `${path}: expected ${expected}, found ${found}`);
  const fact = (/** @type {string} */ key) => facts.get(`tokenizer.ggml.${key}`);
  const kind = fact('model');
  const tokens = listOf(fact('tokens'));
  if (kind !== 'gpt2' && kind !== 'llama') {
    throw refuse('tokenizer.ggml.model to be gpt2 or llama', quote(kind));
  }
  if (typeof tokens[0] !== 'string') {
    const found = tokens.length > 0 ? 'numbers' : 'none';
    throw refuse('tokenizer.ggml.tokens to be a list of texts', found);
  }
  const types = listOf(fact('token_type'));
  const vocabulary = {tokens, types, vocab: idsOf(tokens)};
  const idOf = (/** @type {string} */ key) =>
    fact(`${key}_token_id`) ?? (kind === 'llama' ? USUAL_MARKS.get(key) : undefined);
  const nameOf = (/** @type {string} */ key) => {
    const id = idOf(key);
    return typeof id === 'number' ? tokens[id] : undefined;
  };
  /** @param {string} key @param {boolean} isWanted Whether it stands around each text. */
  const mark = (key, isWanted) => {
    if (!isWanted) return undefined;
    const name = nameOf(key);
    if (name !== undefined) return name;
    const range = `an id below ${tokens.length}`;
    throw refuse(`tokenizer.ggml.${key}_token_id to be ${range}`, quote(idOf(key)));
  };
  const made =
    kind === 'gpt2'
      ? byteLevelTokenizer(fact, vocabulary, refuse)
      : sentencePieceTokenizer(fact, vocabulary, refuse);
  const {begins, ...parts} = made;
  const marks = {
    begin: mark('bos', (fact('add_bos_token') ?? begins) === true),
    end: mark('eos', fact('add_eos_token') === true),
  };
  const json = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: addedTokens(vocabulary),
    ...parts,
    post_processor: templateOf(marks, vocabulary.vocab),
  };
  const config = {
    bos_token: nameOf('bos'),
    eos_token: nameOf('eos'),
    pad_token: nameOf('padding'),
    clean_up_tokenization_spaces: false,
  };
  return {'tokenizer.json': JSON.stringify(json), 'tokenizer_config.json': JSON.stringify(config)};
}

/**
 * @typedef {object} Vocabulary
 * @property {string[]} tokens By their ids.
 * @property {unknown[]} types
 * @property {Map<string, number>} vocab
 *
 * @typedef {(key: string) => unknown} FactOf
 * @typedef {(expected: string, found: string) => Error} Refuse
 */

/** @param {unknown} value @returns {any[]} */
const listOf = (value) => (Array.isArray(value) ? value : []);

/** @param {string[]} tokens The first of several with the same text is the one that texts get. */
function idsOf(tokens) {
  /** @type {Map<string, number>} */
  const ids = new Map();
  for (const [id, token] of tokens.entries()) if (!ids.has(token)) ids.set(token, id);
  return ids;
}

/** @param {Vocabulary} vocabulary @returns {object[]} Those that are never split. */
function addedTokens({tokens, types}) {
  const flags = {single_word: false, lstrip: false, rstrip: false, normalized: false};
  return tokens.flatMap((content, id) => {
    const type = types[id];
    const isAdded = type === CONTROL || type === USER_DEFINED || type === UNKNOWN;
    return isAdded && content !== ''
      ? [{id, content, ...flags, special: type !== USER_DEFINED}]
      : [];
  });
}

/** @param {FactOf} fact @param {Vocabulary} vocabulary @param {Refuse} refuse */
function byteLevelTokenizer(fact, {vocab}, refuse) {
  const pre = fact('pre') ?? 'default';
  const name = typeof pre === 'string' ? pre : '';
  const rules = RULES.get(SAME.get(name) ?? name);
  if (!rules) {
    throw refuse(`tokenizer.ggml.pre to be one of ${[...RULES.keys()].join(', ')}`, quote(pre));
  }
  const merges = listOf(fact('merges'));
  if (merges.length === 0) {
    throw refuse('tokenizer.ggml.merges to be a list of pairs', quote(fact('merges')));
  }
  const {pre_tokenizer, normalizer = null, keepsWords = false, begins = false} = rules;
  for (const merge of merges) {
    // A space divides the halves. In this alphabet no token has one.
    const at = typeof merge === 'string' ? merge.indexOf(' ', 1) : -1;
    if (at > 0 && merge.lastIndexOf(' ') === at) continue;
    throw refuse('tokenizer.ggml.merges to be pairs of tokens', quote(merge));
  }
  return {
    begins,
    normalizer,
    pre_tokenizer,
    decoder: byteLevel(true),
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: '',
      end_of_word_suffix: '',
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: keepsWords,
      vocab: Object.fromEntries(vocab),
      merges,
    },
  };
}

/** @param {FactOf} fact @param {Vocabulary} vocabulary @param {Refuse} refuse */
function sentencePieceTokenizer(fact, vocabulary, refuse) {
  const {tokens, types, vocab} = vocabulary;
  const unknown = tokens[types.indexOf(UNKNOWN)];
  const isPrefixed = fact('add_space_prefix') !== false;
  const space = {type: 'Replace', pattern: {String: ' '}, content: '▁'};
  return {
    begins: true,
    normalizer: {
      type: 'Sequence',
      normalizers: [...(isPrefixed ? [{type: 'Prepend', prepend: '▁'}] : []), space],
    },
    pre_tokenizer: null,
    decoder: {
      type: 'Sequence',
      decoders: [
        {type: 'Replace', pattern: {String: '▁'}, content: ' '},
        {type: 'ByteFallback'},
        {type: 'Fuse'},
        ...(isPrefixed ? [{type: 'Strip', content: ' ', start: 1, stop: 0}] : []),
      ],
    },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: unknown ?? null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: true,
      byte_fallback: types.includes(BYTE),
      vocab: Object.fromEntries(vocab),
      merges: mergesOf(vocabulary, listOf(fact('scores')), refuse),
    },
  };
}

/**
 * The pairs of pieces that make another, the best first. Source: `generate_merges` of transformers'
 * `convert_slow_tokenizer.py`.
 * @param {Vocabulary} vocabulary
 * @param {unknown[]} scores
 * @param {Refuse} refuse
 * @returns {[string, string][]}
 */
function mergesOf({tokens, types, vocab}, scores, refuse) {
  if (scores.length !== tokens.length) {
    throw refuse(`${tokens.length} scores of tokens`, `${scores.length}`);
  }
  const odd = scores.find((score) => !Number.isFinite(score));
  if (odd !== undefined) throw refuse('finite scores of tokens', quote(odd));
  /** @type {{pair: [string, string], score: number}[]} */
  const merges = [];
  let [squares, characters] = [0, 0];
  for (const [id, token] of tokens.entries()) {
    if ([UNKNOWN, CONTROL, USER_DEFINED, BYTE].includes(Number(types[id]))) continue;
    squares += token.length ** 2;
    if (squares > MAX_SQUARES) {
      throw refuse(`at most ${MAX_SQUARES} as the sum of the squares of pieces' lengths`, 'more');
    }
    /** @type {[string, string][]} */
    const pairs = [];
    let at = 0;
    for (const character of token) {
      const [left, right] = [token.slice(0, at), token.slice(at)];
      if (at > 0 && vocab.has(left) && vocab.has(right)) pairs.push([left, right]);
      at += character.length;
    }
    const rank = (/** @type {string} */ piece) => vocab.get(piece) ?? 0;
    pairs.sort((a, b) => rank(a[0]) - rank(b[0]) || rank(a[1]) - rank(b[1]));
    for (const pair of pairs) merges.push({pair, score: Number(scores[id])});
    if (merges.length > MAX_MERGES) throw refuse(`at most ${MAX_MERGES} merges`, 'more');
    characters += pairs.length * token.length;
    if (characters > MAX_MERGE_CHARACTERS) {
      throw refuse(`merges of at most ${MAX_MERGE_CHARACTERS} characters`, 'more');
    }
  }
  // Sorting is stable, so pairs of the same piece stay in their order.
  return merges.sort((a, b) => b.score - a.score).map(({pair}) => pair);
}

/**
 * @param {{begin?: string, end?: string}} marks What stands around a text.
 * @param {Map<string, number>} vocab
 */
function templateOf({begin, end}, vocab) {
  if (begin === undefined && end === undefined) return null;
  const around = (/** @type {'A' | 'B'} */ id, /** @type {number} */ type_id) => [
    ...(begin === undefined ? [] : [{SpecialToken: {id: begin, type_id}}]),
    {Sequence: {id, type_id}},
    ...(end === undefined ? [] : [{SpecialToken: {id: end, type_id}}]),
  ];
  const special = [begin, end].filter((token) => token !== undefined);
  return {
    type: 'TemplateProcessing',
    single: around('A', 0),
    pair: [...around('A', 0), ...around('B', 1)],
    special_tokens: Object.fromEntries(
      special.map((token) => [token, {id: token, ids: [vocab.get(token)], tokens: [token]}]),
    ),
  };
}
