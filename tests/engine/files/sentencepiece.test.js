/** Tests the reader of SentencePiece's files on those of strangers. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import fc from 'fast-check';
import {BertscopeError} from '../../../web/engine/errors.js';
import {blobFile} from '../../../web/engine/files/byte-file.js';
import {openPaths} from '../../../web/engine/files/model-sources.js';
import {marianTokenizer, readSentencePiece} from '../../../web/engine/files/sentencepiece.js';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';
import {tries} from '../../support/tries.js';
import {goldenFolder, join} from '../support.js';

const read = (/** @type {Uint8Array} */ bytes) => readSentencePiece(bytes, 'source.spm');

/** @param {number} value @returns {number[]} As Protocol Buffers write a number. */
const varint = (value) =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
/** @param {number} number @param {ArrayLike<number>} bytes A message or a text. */
const message = (number, bytes) => [
  ...varint(number * 8 + 2),
  ...varint(bytes.length),
  ...Array.from(bytes),
];
/** @param {number} number @param {number} value */
const integer = (number, value) => [...varint(number * 8), ...varint(value)];
/** @param {string} text */
const utf8 = (text) => new TextEncoder().encode(text);
/** @param {number} score */
const float = (score) => new Uint8Array(Float32Array.of(score).buffer);
/** @param {ArrayLike<number>} text @param {number} score @param {number} type */
const pieceOf = (text, score, type) =>
  message(1, [...message(1, text), 2 * 8 + 5, ...float(score), ...integer(3, type)]);
const piece = (/** @type {string} */ text, score = -1, type = 1) =>
  pieceOf(utf8(text), score, type);
const UNKNOWN = piece('<unk>', 0, 2);

test('a file has pieces with scores, and says how texts are normalized', () => {
  const normalizer = [...message(2, [4, 0, 0, 0, 0, 0, 0, 0]), ...integer(3, 0), ...integer(4, 0)];
  const file = [
    ...[...UNKNOWN, ...piece('▁a', -0.5), ...piece('</s>', 0, 3), ...piece('<sep>', 0, 4)],
    ...[...message(2, integer(3, 1)), ...message(3, normalizer), ...piece('unused', 0, 5)],
  ];
  assert.deepEqual(read(Uint8Array.from(file)), {
    pieces: [['▁a', -0.5]],
    symbols: ['<sep>'],
    charsmap: 'BAAAAAAAAAA=',
    prefix: false,
    single: false,
  });
});

const nested = (/** @type {number} */ depth) => {
  let bytes = /** @type {number[]} */ ([]);
  for (let level = 0; level < depth; level++) bytes = message(1, bytes);
  return bytes;
};

for (const [what, bytes, expected] of /** @type {[string, number[], string][]} */ ([
  ['nothing', [], 'pieces, and one that is unknown, found 0 and 0'],
  ['no unknown piece', piece('a'), 'pieces, and one that is unknown, found 1 and 0'],
  [
    'two unknown pieces',
    [...UNKNOWN, ...piece('a'), ...piece('b', 0, 2)],
    'pieces, and one that is unknown, found 1 and 2',
  ],
  [
    'a piece twice',
    [...piece('a'), ...piece('a')],
    'different pieces of 1 to 512 characters, found a',
  ],
  ['an empty piece', piece(''), 'different pieces of 1 to 512 characters, found an empty one'],
  [
    'a very long piece',
    piece('a'.repeat(513)),
    `different pieces of 1 to 512 characters, found ${'a'.repeat(79)}…`,
  ],
  ['a score that is no number', piece('a', NaN), 'a finite score of a, found NaN'],
  ['pieces for bytes', piece('<0x0A>', 0, 6), 'pieces of characters, found the byte <0x0A>'],
  ['bytes that are no text', pieceOf([0xff], 0, 1), 'pieces in UTF-8, found other bytes'],
  ['another kind of model', message(2, integer(3, 2)), 'a unigram model, found BPE'],
  ['a kind of model that nobody knows', message(2, integer(3, 9)), 'a unigram model, found type 9'],
  [
    'spaces after words',
    message(2, integer(24, 1)),
    'spaces before words, found treat_whitespace_as_suffix',
  ],
  ['spaces that stay', message(3, integer(5, 0)), 'spaces as ▁, found escape_whitespaces false'],
  ['a length beyond the end', [1 * 8 + 2, 5, 0], '5 bytes from 2 on, found 1'],
  [
    'a negative length',
    [1 * 8 + 2, ...Array(9).fill(255), 1],
    '18446744073709552000 bytes from 11 on, found 0',
  ],
  [
    'an endless number',
    [8, ...Array(20).fill(255)],
    'a number of at most 10 bytes, found none that ends before byte 11',
  ],
  [
    'a number without an end',
    [8, 255],
    'a number of at most 10 bytes, found none that ends before byte 2',
  ],
  ['a group', [1 * 8 + 3], 'fields of type 0, 1, 2 or 5, found type 3 before byte 1'],
  ['messages in messages', nested(3000), 'pieces in UTF-8, found other bytes'],
])) {
  test(`a file with ${what} is refused with the reason`, () => {
    const error = {code: 'bad-tokenizer', message: `source.spm: expected ${expected}`};
    assert.throws(() => read(Uint8Array.from(bytes)), error);
  });
}

test('more pieces than any vocabulary has are refused in little time', () => {
  /** @type {number[]} */
  const pieces = [];
  for (let index = 0; index <= 2 ** 20; index++)
    pieces.push(...message(1, message(1, utf8(index.toString(36)))));
  assert.throws(() => read(Uint8Array.from(pieces)), {
    message: /expected at most 1048576 pieces, found more/,
  });
});

test('more symbols than a text can be searched for are refused', () => {
  const symbols = Array.from({length: 1001}, (_, index) => piece(`<${index}>`, 0, 4)).flat();
  const message = /expected at most 1000 pieces of type USER_DEFINED with 20000 .*, found more/;
  assert.throws(() => read(Uint8Array.from(symbols)), {message});
  const long = Array.from({length: 50}, (_, index) => piece('a'.repeat(500) + index, 0, 4)).flat();
  assert.throws(() => read(Uint8Array.from(long)), {message});
});

const golden = new Uint8Array(readFileSync(`${goldenFolder('marian')}/target.spm`));

test('a file that ends anywhere is read or refused', () => {
  for (let length = 0; length < golden.length; length++) {
    try {
      read(golden.subarray(0, length));
    } catch (error) {
      assert(error instanceof BertscopeError, `${error}`);
    }
  }
});

test('a file that is damaged anywhere is read or refused, and then splits any text', () => {
  const damage = fc.array(fc.tuple(fc.nat(golden.length - 1), fc.nat(255)), {
    minLength: 1,
    maxLength: 9,
  });
  fc.assert(
    fc.property(damage, fc.string({unit: 'grapheme'}), (places, text) => {
      const bytes = golden.slice();
      for (const [at, byte] of places) bytes[at] = byte;
      try {
        const json = marianTokenizer(read(bytes), '{"</s>": 0, "<unk>": 1}', {}, 'vocab.json');
        const {ids} = new Tokenizer({'tokenizer.json': json}, 'm').encode(`${text} HELLO<sep>`);
        assert.equal(ids.at(-1), 0);
      } catch (error) {
        assert(error instanceof BertscopeError, `${error}`);
      }
    }),
    tries(300),
  );
});

const model = read(golden);
for (const [what, vocabulary, expected] of /** @type {const} */ ([
  ['an id of text', '{"</s>": 0, "<unk>": "1"}', 'an id below 4 for <unk>, found "1"'],
  ['an id far beyond the others', '{"</s>": 0, "<unk>": 4}', 'an id below 4 for <unk>, found 4'],
  ['a negative id', '{"</s>": -1, "<unk>": 1}', 'an id below 4 for </s>, found -1'],
  ['no token for what is unknown', '{"</s>": 0, "a": 1}', 'an id for <unk>, found none'],
  ['no token that ends a text', '{"<unk>": 0, "a": 1}', 'an id for </s>, found none'],
])) {
  test(`a vocab.json with ${what} is refused with the reason`, () => {
    const error = {code: 'bad-tokenizer', message: `vocab.json: expected ${expected}`};
    assert.throws(() => marianTokenizer(model, vocabulary, {}, 'vocab.json'), error);
  });
}

test('a tokenizer.json whose symbols have no character splits a text to its end', () => {
  const vocabulary = '{"</s>": 0, "<unk>": 1}';
  const json = marianTokenizer({...model, symbols: ['']}, vocabulary, {}, 'vocab.json');
  const tokenizer = new Tokenizer({'tokenizer.json': json}, 'm');
  assert.equal(tokenizer.encode('HELLO').ids.at(-1), 0);
});

/** @param {Record<string, Uint8Array | null>} changed Files in place of those of the golden folder, or none. */
async function openChanged(changed) {
  const names = ['config.json', 'vocab.json', 'source.spm', 'target.spm', 'model.safetensors'];
  const files = new Map();
  for (const name of new Set([...names, ...Object.keys(changed)])) {
    const bytes =
      changed[name] === undefined
        ? readFileSync(`${goldenFolder('marian')}/${name}`)
        : changed[name];
    if (bytes) files.set(name, blobFile(new Blob([join([bytes])]), name));
  }
  return openPaths(files, 'marian', 'marian');
}

test('a folder with a damaged source.spm is refused by the name of the file', async () => {
  const message = /^source\.spm: expected \d+ bytes from \d+ on, found \d+$/;
  await assert.rejects(openChanged({'source.spm': golden.subarray(0, 1000)}), {
    code: 'bad-tokenizer',
    message,
  });
});

test('the vocabulary of what is written is read where it differs', async () => {
  const bytes = (/** @type {object} */ json) => utf8(JSON.stringify(json));
  const target = {'</s>': 0, '<unk>': 1, HELLO: 2};
  const {files} = await openChanged({
    'tokenizer_config.json': bytes({separate_vocabs: true}),
    'target_vocab.json': bytes(target),
  });
  const {model: described} = JSON.parse(files['target_tokenizer.json']);
  assert.deepEqual(
    described.vocab,
    Object.keys(target).map((token) => [token, 0]),
  );
});
