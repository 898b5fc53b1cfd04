/** A `tokenizer.json` for the many BERT models that have only a `vocab.txt`. */

import {isRecord} from './json.js';

/**
 * @param {string} vocabulary `vocab.txt`: one token a line, its number is the line's.
 * @param {Record<string, unknown>} config `tokenizer_config.json`
 * @returns {Record<string, unknown>} `tokenizer.json`, as BertTokenizerFast writes it.
 */
export function tokenizerFromVocabulary(vocabulary, config) {
  const lines = vocabulary.replace(/\r?\n$/, '').split(/\r?\n/);
  const ids = new Map(lines.map((token, id) => [token, id]));
  const names = specialTokenNames(config);
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
    added_tokens: Object.values(names)
      .filter((token) => ids.has(token))
      .map((content) => ({
        id: ids.get(content),
        content,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
      })),
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
      vocab: Object.fromEntries(ids),
    },
  };
}

/**
 * What `tokenizer_config.json` states decides, whatever the normalizer's own options are.
 * Source: `BertTokenizerFast.__init__` of transformers.
 * @param {Record<string, unknown>} config
 */
export function statedNormalization(config) {
  const options = {
    handle_chinese_chars: config.tokenize_chinese_chars,
    strip_accents: config.strip_accents,
    lowercase: config.do_lower_case,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/**
 * @param {Record<string, unknown>} config `tokenizer_config.json`, where a token is a string or an
 *   object that carries it.
 */
export function specialTokenNames(config) {
  /** @param {string} key @param {string} usual */
  const name = (key, usual) => {
    const given = config[key];
    return String((isRecord(given) ? given.content : given) ?? usual);
  };
  return {
    pad: name('pad_token', '[PAD]'),
    unknown: name('unk_token', '[UNK]'),
    begin: name('cls_token', '[CLS]'),
    separator: name('sep_token', '[SEP]'),
    mask: name('mask_token', '[MASK]'),
  };
}
