/**
 * Makes a `tokenizer.json` for models that have only a vocabulary, as BERT and RoBERTa often do.
 */

import {addedToken, contentOf} from './added-tokens.js';
import {BertscopeError} from '../errors.js';
import {isRecord, parseJsonObject, quote, shorten} from '../json.js';

/** @import {AddedToken} from './added-tokens.js' */

/** @typedef {ReturnType<typeof specialTokenNames>} SpecialTokenNames */

/**
 * @param {string} vocabulary `vocab.txt`: one token in each line, whose number is its id.
 * @param {Record<string, unknown>} config `tokenizer_config.json`
 * @param {AddedToken[]} [added]
 * @returns {Record<string, unknown>} The `tokenizer.json` that BertTokenizerFast would write.
 */
export function tokenizerFromVocabulary(vocabulary, config, added = []) {
  const lines = vocabulary.replace(/\r?\n$/, '').split(/\r?\n/);
  const vocab = new Map(lines.map((token, id) => [token, id]));
  const ids = withAdded(vocab, added);
  const names = specialTokenNames(config, BERT_TOKENS);
  /** @param {string} token @param {number} type */
  const specialToken = (token, type) => ({SpecialToken: {id: token, type_id: type}});
  const single = [
    specialToken(names.begin, 0),
    {Sequence: {id: 'A', type_id: 0}},
    specialToken(names.separator, 0),
  ];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: addedTokens(config, names, ids, added),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
      ...statedNormalization(config),
    },
    pre_tokenizer: {type: 'BertPreTokenizer'},
    post_processor: {
      type: 'TemplateProcessing',
      single,
      pair: [...single, {Sequence: {id: 'B', type_id: 1}}, specialToken(names.separator, 1)],
      special_tokens: Object.fromEntries(
        [names.begin, names.separator].map((token) => [
          token,
          {id: token, ids: [ids.get(token)], tokens: [token]},
        ]),
      ),
    },
    decoder: {type: 'WordPiece', prefix: '##', cleanup: true},
    model: {
      type: 'WordPiece',
      unk_token: names.unknown,
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocab),
    },
  };
}

/** The tokenizers of transformers that have these options. */
const BERT_CLASS = /^(Bert|DistilBert|Electra)Tokenizer(Fast)?$/;

/**
 * `tokenizer_config.json` overrides the options of the normalizer, also where it only names a class
 * and so leaves them at their defaults.
 * Source: `BertTokenizerFast.__init__` of transformers.
 * @param {Record<string, unknown>} config
 */
export function statedNormalization(config) {
  const {tokenizer_class: name} = config;
  const defaults = {handle_chinese_chars: true, strip_accents: null, lowercase: true};
  const isNamed = typeof name === 'string' && BERT_CLASS.test(name);
  const options = {
    handle_chinese_chars: config.tokenize_chinese_chars,
    strip_accents: config.strip_accents,
    lowercase: config.do_lower_case,
  };
  const stated = Object.entries(options).filter(([, value]) => value !== undefined);
  return {...(isNamed ? defaults : {}), ...Object.fromEntries(stated)};
}

/**
 * @param {string} vocabulary `vocab.json`: ids by token.
 * @param {string} merges `merges.txt`: one pair in each line, in the order of learning.
 * @param {Record<string, unknown>} config `tokenizer_config.json`
 * @param {string} name The name of the model, for messages.
 * @param {AddedToken[]} [added]
 * @returns {Record<string, unknown>} The `tokenizer.json` that RobertaTokenizerFast would write, or
 *   GPT2TokenizerFast for a vocabulary with its token.
 */
export function tokenizerFromMerges(vocabulary, merges, config, name, added = []) {
  const vocab = parseJsonObject(vocabulary, `${name}: vocab.json`, 'bad-tokenizer');
  const wrong = Object.entries(vocab).find(([, id]) => !Number.isInteger(id));
  if (wrong) {
    const [token, id] = wrong;
    const message = `${name}: vocab.json: expected a number for ${shorten(token)}, found ${quote(id)}`;
    throw new BertscopeError('bad-tokenizer', message);
  }
  const numbers = /** @type {Record<string, number>} */ (vocab);
  const ids = withAdded(new Map(Object.entries(numbers)), added);
  const isGpt2 = ids.has(GPT2_TOKENS.begin) && !ids.has(ROBERTA_TOKENS.begin);
  const names = specialTokenNames(config, isGpt2 ? GPT2_TOKENS : ROBERTA_TOKENS);
  const addPrefixSpace = config.add_prefix_space === true;
  /** @param {string} token */
  const withId = (token) => [token, ids.get(token)];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: addedTokens(config, names, ids, added),
    normalizer: null,
    pre_tokenizer: {
      type: 'ByteLevel',
      add_prefix_space: addPrefixSpace,
      trim_offsets: true,
      use_regex: true,
    },
    post_processor: isGpt2
      ? {type: 'ByteLevel', add_prefix_space: true, trim_offsets: false, use_regex: true}
      : {
          type: 'RobertaProcessing',
          sep: withId(names.separator),
          cls: withId(names.begin),
          trim_offsets: true,
          add_prefix_space: addPrefixSpace,
        },
    decoder: {type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true},
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: '',
      end_of_word_suffix: '',
      fuse_unk: false,
      vocab,
      merges: merges.split(/\r?\n/).filter((line) => line && !line.startsWith('#version')),
    },
  };
}

/**
 * @param {Map<string, number>} vocab
 * @param {AddedToken[]} added
 */
const withAdded = (vocab, added) =>
  new Map([...vocab, ...added.map(({content, id}) => /** @type {const} */ ([content, id]))]);

/**
 * The special tokens and those that were added to the vocabulary.
 * @param {Record<string, unknown>} config `tokenizer_config.json`
 * @param {SpecialTokenNames} names
 * @param {Map<string, number>} ids
 * @param {AddedToken[]} added
 */
function addedTokens(config, names, ids, added) {
  const stated = new Map(Object.values(config).map((token) => [contentOf(token), token]));
  const tokens = new Map();
  for (const token of Object.values(names)) {
    const id = ids.get(token);
    if (id === undefined) continue;
    const flags = stated.get(token);
    // RoBERTa's mask includes the space before it.
    const usual = {lstrip: token === ROBERTA_TOKENS.mask};
    tokens.set(token, addedToken(token, id, isRecord(flags) ? flags : usual));
  }
  for (const token of added) tokens.set(token.content, token);
  return [...tokens.values()];
}

export const BERT_TOKENS = Object.freeze({
  pad: '[PAD]',
  unknown: '[UNK]',
  begin: '[CLS]',
  separator: '[SEP]',
  mask: '[MASK]',
});

/** One token marks where a text begins and ends, and stands for what there is no token for. */
export const GPT2_TOKENS = Object.freeze({
  pad: '<|endoftext|>',
  unknown: '<|endoftext|>',
  begin: '<|endoftext|>',
  separator: '<|endoftext|>',
  mask: '<mask>',
});

export const ROBERTA_TOKENS = Object.freeze({
  pad: '<pad>',
  unknown: '<unk>',
  begin: '<s>',
  separator: '</s>',
  mask: '<mask>',
});

/**
 * @param {Record<string, unknown>} config `tokenizer_config.json`, in which a token is a string or
 *   an object with that string.
 * @param {{pad: string, unknown: string, begin: string, separator: string, mask: string}} [usual]
 */
export function specialTokenNames(config, usual = BERT_TOKENS) {
  /** @param {string} key @param {string} fallback */
  const name = (key, fallback) => contentOf(config[key]) ?? fallback;
  return {
    pad: name('pad_token', usual.pad),
    unknown: name('unk_token', usual.unknown),
    // Tokenizers of decoders, such as Llama's, name the first token of a text so.
    begin: name('cls_token', name('bos_token', usual.begin)),
    separator: name('sep_token', usual.separator),
    mask: name('mask_token', usual.mask),
  };
}
