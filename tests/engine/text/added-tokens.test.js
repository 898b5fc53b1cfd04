/** Tests that the tokens which a folder without tokenizer.json adds to its vocabulary are found and used. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';

const VOCABULARY = '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n';

/** @param {Record<string, object>} files */
function tokenizerOf(files) {
  const texts = Object.entries(files).map(([name, json]) => [name, JSON.stringify(json)]);
  return new Tokenizer({'vocab.txt': VOCABULARY, ...Object.fromEntries(texts)}, 'm');
}

const BOTH = /** @type {[string, Record<string, object>][]} */ ([
  [
    'added_tokens.json and special_tokens_map.json',
    {
      'added_tokens.json': {'<user>': 7, '[E1]': 8, New: 9},
      'special_tokens_map.json': {
        cls_token: '[E1]',
        additional_special_tokens: ['<user>'],
      },
    },
  ],
  [
    'added_tokens_decoder in tokenizer_config.json',
    {
      'tokenizer_config.json': {
        cls_token: '[E1]',
        added_tokens_decoder: {
          7: {content: '<user>', special: true},
          8: {content: '[E1]', special: true},
          9: {content: 'New', normalized: true, special: false},
        },
      },
      // Older files beside it count for nothing.
      'added_tokens.json': {other: 11},
      'special_tokens_map.json': {sep_token: '[MASK]'},
    },
  ],
]);

for (const [where, files] of BOTH) {
  test(`tokens of ${where} are added to a vocab.txt`, () => {
    const tokenizer = tokenizerOf(files);
    assert.deepEqual(tokenizer.encode('a<user> NEW b').ids, [8, 5, 7, 9, 6, 3]);
    assert.equal(tokenizer.special.begin, '[E1]');
    // What is kept or quantized has one file in place of all.
    const again = new Tokenizer(tokenizer.files, 'm');
    assert.deepEqual(again.encode('a<user> NEW b'), tokenizer.encode('a<user> NEW b'));
    assert.equal(again.special.begin, '[E1]');
  });
}

test('special_tokens_map.json names the tokens of a vocab.json, with the spaces that each includes', () => {
  const vocab = Object.fromEntries(
    ['<s>', '</s>', '<unk>', '<pad>', 'Ġ', 'a', '<m>'].map((token, id) => [token, id]),
  );
  const files = (/** @type {object} */ mask) => ({
    'vocab.json': JSON.stringify(vocab),
    'merges.txt': '',
    'special_tokens_map.json': JSON.stringify({mask_token: mask}),
  });
  const ids = (/** @type {object} */ mask) => new Tokenizer(files(mask), 'm').encode('a <m>').ids;
  assert.deepEqual(ids({content: '<m>', lstrip: true}), [0, 5, 6, 1]);
  assert.deepEqual(ids({content: '<m>', lstrip: false}), [0, 5, 4, 6, 1]);
});

test('an added token without an id or a name is refused', () => {
  const refuses = (/** @type {Record<string, object>} */ files, /** @type {string} */ message) =>
    assert.throws(() => tokenizerOf(files), {code: 'bad-tokenizer', message});
  refuses(
    {'added_tokens.json': {'<user>': 'seven'}},
    'm: expected an id for the added token <user>, found "seven"',
  );
  refuses(
    {'tokenizer_config.json': {added_tokens_decoder: {7: {special: true}}}},
    'm: tokenizer_config.json: expected a token under 7 of added_tokens_decoder, found an object',
  );
});
