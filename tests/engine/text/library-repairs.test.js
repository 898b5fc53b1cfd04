/** Tests that texts are split as Hugging Face's tokenizers split them where JavaScript alone would not. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';
import {goldenFolder} from '../support.js';
import {readFileSync} from 'node:fs';

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

/**
 * @param {object} parts Replace those of the tokenizer.json.
 * @param {object} [config]
 */
function tokenizerOf(parts, config = {}) {
  const json = {
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: {type: 'WhitespaceSplit'},
    post_processor: null,
    decoder: null,
    ...parts,
  };
  const files = {
    'tokenizer.json': JSON.stringify(json),
    'tokenizer_config.json': JSON.stringify(config),
  };
  return new Tokenizer(files, 'm');
}

/** @param {string[]} words */
const wordPiece = (words) => ({
  type: 'WordPiece',
  unk_token: '[UNK]',
  continuing_subword_prefix: '##',
  max_input_chars_per_word: 100,
  vocab: Object.fromEntries([...SPECIAL, ...words].map((word, id) => [word, id])),
});

const CASES = 'as \u03c3\u03c2';

test('a capital sigma at the end of a word becomes a small one like any other', () => {
  for (const normalizer of [
    {type: 'Lowercase'},
    {type: 'BertNormalizer', lowercase: true, clean_text: true},
    {type: 'Sequence', normalizers: [{type: 'NFKD'}, {type: 'Lowercase'}]},
  ]) {
    const model = wordPiece([...CASES].flatMap((letter) => [letter, `##${letter}`]));
    const {tokens} = tokenizerOf({normalizer, model}).encode('AΣ');
    assert.deepEqual(tokens, ['a', '##σ'], JSON.stringify(normalizer));
  }
});

test('what replaces a text is taken as it is written', () => {
  const pattern = {Regex: '(b)'};
  const content = '$1$&$`';
  const model = wordPiece([...'abc$1&`'].flatMap((letter) => [letter, `##${letter}`]));
  for (const parts of [
    {normalizer: {type: 'Replace', pattern, content}},
    {pre_tokenizer: {type: 'Replace', pattern, content}},
  ]) {
    const {tokens} = tokenizerOf({...parts, model}).encode('abc');
    assert.equal(tokens.join('').replaceAll('##', ''), 'a$1$&$`c');
  }
});

test('bytes of U+0085 count as white space, and those of U+FEFF as a mark', () => {
  const folder = goldenFolder('roberta');
  const read = (/** @type {string} */ file) => readFileSync(`${folder}/${file}`, 'utf8');
  const files = {'vocab.json': read('vocab.json'), 'merges.txt': read('merges.txt')};
  const {pre_tokenizer: split} = JSON.parse(new Tokenizer(files, 'm').files['tokenizer.json']);
  assert.equal(split.type, 'ByteLevel');
  // Each is one piece, so that the pieces show where the text was split.
  const signs = ['Ġ', 'Âħ', 'Ġx', 'ĠÂħ', 'ï»¿', 'Ġï»¿', 'x', 'xï»¿', '<unk>', '<mask>'];
  const vocab = Object.fromEntries(
    [...signs, 'Â', 'ħ', 'ï', '»', '¿'].map((sign, id) => [sign, id]),
  );
  const merges = [
    ['Â', 'ħ'],
    ['Ġ', 'x'],
    ['Ġ', 'Âħ'],
    ['ï', '»'],
    ['ï»', '¿'],
    ['Ġ', 'ï»¿'],
    ['x', 'ï»¿'],
  ];
  const model = {
    type: 'BPE',
    vocab,
    merges,
    unk_token: null,
    continuing_subword_prefix: '',
    end_of_word_suffix: '',
  };
  const tokenizer = tokenizerOf({pre_tokenizer: split, model});
  assert.deepEqual(tokenizer.encode(' \u0085x').tokens, ['Ġ', 'Âħ', 'x']);
  assert.deepEqual(tokenizer.encode('x \ufeffx').tokens, ['x', 'Ġï»¿', 'x']);
});

test('an added token is found in the normalized text and keeps its own name', () => {
  const added = {
    id: 9,
    content: 'E7',
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: true,
    special: false,
  };
  const normalizer = {type: 'Lowercase'};
  const {ids, tokens} = tokenizerOf({
    normalizer,
    added_tokens: [added],
    model: wordPiece(['a']),
  }).encode('a e7 A');
  assert.deepEqual(ids, [5, 9, 5]);
  assert.deepEqual(tokens, ['a', 'E7', 'a']);
});

test('fields of tokenizer_config.json that Rust does not know change nothing', () => {
  const config = {remove_space: true, do_lowercase_and_remove_accent: true};
  const parts = {
    pre_tokenizer: {type: 'Metaspace', prepend_scheme: 'never'},
    model: {
      type: 'Unigram',
      unk_id: 0,
      vocab: [
        ['<unk>', 0],
        ['▁', -2],
        ['É', -3],
        ['a', -3],
      ],
    },
  };
  const tokens = ['É', '▁', '▁', 'a'];
  assert.deepEqual(tokenizerOf(parts, config).encode('É  a').tokens, tokens);
});

test('a decoder replaces by its content as it is, at any depth of sequences', () => {
  const replace = {type: 'Replace', pattern: {Regex: '[ab]'}, content: '[$&]'};
  const decoder = {type: 'Sequence', decoders: [{type: 'Sequence', decoders: [replace]}]};
  const {ids} = tokenizerOf({model: wordPiece(['a', 'b'])}).encode('a b', {specialTokens: false});
  assert.equal(tokenizerOf({model: wordPiece(['a', 'b']), decoder}).decode(ids), '[$&][$&]');
});

test('a byte-level decoder joins the bytes of tokens, and leaves added tokens as they are', () => {
  const tokenizer = tokenizerOf({
    model: wordPiece(['Ã', '©', 'Ġa', '\u{1F600}']),
    added_tokens: [{id: 9, content: 'é', special: true}],
    decoder: {type: 'ByteLevel'},
  });
  assert.equal(tokenizer.decode([5, 6, 7, 9, 5, 6]), 'é aéé');
  assert.equal(tokenizer.decode([5, 7]), '\uFFFD a');
  // A sign that stands for no byte.
  assert.equal(tokenizer.decode([8]), '\0');
});
