/** Tests the limits of what a model's own tokenizer may do to a text, in each of its stages. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {checkLimits} from '../../../web/engine/text/tokenizer-limits.js';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';

const KEYS = /** @type {const} */ ({
  normalizer: 'normalizers',
  pre_tokenizer: 'pretokenizers',
  post_processor: 'processors',
  decoder: 'decoders',
});
/** @typedef {keyof typeof KEYS} Stage */

/** @param {Stage} stage @param {object} step @param {number} times */
const sequence = (stage, step, times) => ({
  [stage]: {type: 'Sequence', [KEYS[stage]]: Array(times).fill(step)},
});
/** @param {Record<string, unknown>} json @param {string} expected @param {number | string} found */
const refuses = (json, expected, found) =>
  assert.throws(() => checkLimits(json, 'm'), {
    code: 'bad-tokenizer',
    message: `m: expected ${expected}, found ${found}`,
  });

/** The steps that make more characters of one, and how many at most. @type {[object, number][]} */
const GROWING = [
  [{type: 'Replace', pattern: {String: 'a'}, content: 'aa'}, 2],
  [{type: 'Replace', pattern: {String: ''}, content: 'a'}, 2],
  [{type: 'Replace', pattern: {Regex: '(?=a)'}, content: 'a'}, 2],
  [{type: 'Metaspace', replacement: '_'}, 2],
  [{type: 'Metaspace', replacement: '_', str_rep: '__'}, 4],
  [{type: 'Prepend', prepend: 'a'}, 2],
  [{type: 'Lowercase'}, 2],
  [{type: 'BertNormalizer'}, 3],
  [{type: 'ByteLevel'}, 4],
  [{type: 'NFKC'}, 18],
  [{type: 'Precompiled'}, 40],
];
/** The same of decoders. @type {[object, number][]} */
const DECODERS = [
  [{type: 'Replace', pattern: {String: 'a'}, content: 'aa'}, 2],
  [{type: 'Replace', pattern: {Regex: '.'}, content: 'a'}, 2],
  [{type: 'WordPiece'}, 2],
  [{type: 'BPEDecoder', suffix: ''}, 3],
];

for (const stage of /** @type {Stage[]} */ (Object.keys(KEYS))) {
  test(`a ${stage} has at most 64 steps`, () => {
    const step = {type: 'Fuse'};
    checkLimits(sequence(stage, step, 63), 'm');
    const nested = sequence(stage, step, 9)[stage];
    for (const json of [sequence(stage, step, 64), sequence(stage, nested, 9)]) {
      refuses(json, `at most 64 steps of the ${stage}`, 65);
    }
  });
}

test('all steps together make at most 8192 characters of one', () => {
  for (const [step, each] of GROWING) {
    const most = Math.floor(Math.log(8192) / Math.log(each) + 1e-9);
    checkLimits(sequence('normalizer', step, most), 'm');
    for (const [more, parts] of Object.entries({
      [most + 1]: sequence('normalizer', step, most + 1),
      [2 * most]: {
        ...sequence('normalizer', step, most),
        ...sequence('pre_tokenizer', step, most),
      },
    })) {
      const expected = 'at most 8192 characters that the steps make of one';
      refuses(parts, expected, each ** Number(more));
    }
  }
});

test('a decoder makes at most 8192 characters of the longest token', () => {
  for (const [step, each] of DECODERS) {
    for (const longest of [1, 100]) {
      const most = Math.floor(Math.log(8192 / longest) / Math.log(each) + 1e-9);
      const model = {vocab: {['a'.repeat(longest)]: 0}};
      checkLimits({model, ...sequence('decoder', step, most)}, 'm');
      const json = {model, ...sequence('decoder', step, most + 1)};
      const expected = 'at most 8192 characters that the decoder makes of a token';
      refuses(json, expected, longest * each ** (most + 1));
    }
  }
  const million = {type: 'Replace', pattern: {Regex: '.'}, content: 'a'.repeat(1e6)};
  assert.throws(() => checkLimits({decoder: million}, 'm'), {code: 'bad-tokenizer'});
});

test('a tokenizer.json has at most 67108864 characters', () => {
  assert.throws(() => new Tokenizer({'tokenizer.json': ' '.repeat(2 ** 26 + 1)}, 'm'), {
    code: 'bad-tokenizer',
    message: 'm: expected a tokenizer.json of at most 67108864 characters, found 67108865',
  });
});

test('a post-processor repeats no text and adds few special tokens', () => {
  const text = {Sequence: {id: 'A', type_id: 0}};
  const special = {SpecialToken: {id: 'a', type_id: 0}};
  const template = (/** @type {object[]} */ ...single) => ({type: 'TemplateProcessing', single});
  checkLimits({post_processor: template(special, text, special)}, 'm');
  const twice = template(text, special, text);
  for (const processor of [twice, {type: 'Sequence', processors: [{}, twice]}]) {
    refuses({post_processor: processor}, 'at most 1 A in a template', 2);
  }
  const long = template(text, ...Array(64).fill(special));
  refuses({post_processor: long}, 'at most 64 parts of a template', 65);
});

test('a vocabulary has at most 1048576 tokens of 8192 characters, and 8388608 together', () => {
  const words = (/** @type {number} */ count, /** @type {number} */ length) =>
    Array.from({length: count}, (_, id) => `${id}`.padStart(length, 'a'));
  const both = (/** @type {string[]} */ tokens) => [
    {model: {vocab: Object.fromEntries(tokens.map((token, id) => [token, id]))}},
    {model: {vocab: tokens.map((token) => [token, 0])}},
  ];
  for (const json of both(words(1024, 8192))) checkLimits(json, 'm');
  for (const json of both(words(1025, 8192))) {
    refuses(json, 'at most 8388608 characters of all tokens', 8396800);
  }
  for (const json of both(words(1, 8193))) {
    refuses(json, 'at most 8192 characters of a token', 8193);
  }
  const many = Array(2 ** 20 + 1).fill(['a', 0]);
  refuses({model: {vocab: many}}, 'at most 1048576 tokens', 1048577);
  refuses({model: {merges: many}}, 'at most 1048576 merges', 1048577);
});

test('the tokens of Unigram have at most 2097152 different beginnings', () => {
  const words = (/** @type {number} */ count, /** @type {number} */ offset) => ({
    model: {
      vocab: Array.from({length: count}, (_, id) => [
        String.fromCharCode(offset + id).repeat(4096),
        0,
      ]),
    },
  });
  checkLimits(words(512, 0x4e00), 'm');
  refuses(words(513, 0x4e00), 'at most 2097152 different beginnings of tokens', 2101248);
});

test('what a model puts beside or in place of a piece is short', () => {
  for (const key of ['continuing_subword_prefix', 'continuing_subword_suffix']) {
    checkLimits({model: {[key]: 'a'.repeat(512)}}, 'm');
    refuses({model: {[key]: 'a'.repeat(513)}}, `at most 512 characters of ${key}`, 513);
  }
  refuses({model: {unk_token: 'a'.repeat(8193)}}, 'at most 8192 characters of a token', 8193);
  refuses(
    {model: {max_input_chars_per_word: 2 ** 32}},
    'at most 512 as max_input_chars_per_word',
    4294967296,
  );
});

test('added tokens have at most 512 characters, and few together', () => {
  const added = (
    /** @type {number} */ count,
    /** @type {number} */ length,
    normalized = false,
  ) => ({
    model: {vocab: {}},
    added_tokens: Array.from({length: count}, () => ({content: 'a'.repeat(length), normalized})),
  });
  checkLimits(added(4096, 512), 'm');
  refuses(added(1, 513), 'at most 512 characters of an added token', 513);
  refuses(added(65537, 0), 'at most 65536 added tokens', 65537);
  const together = 'at most 2097152 characters of all added tokens';
  refuses(added(4097, 512), together, 2097664);
  const doubled = {normalizer: {type: 'Lowercase'}};
  checkLimits({...added(2048, 512, true), ...doubled}, 'm');
  refuses({...added(2049, 512, true), ...doubled}, together, 2098176);
});

test('a step that would go on for ever is refused', () => {
  for (const length of [0, -1, undefined, 1.5]) {
    const found = JSON.stringify(length) ?? 'nothing';
    refuses({pre_tokenizer: {type: 'FixedLength', length}}, 'a FixedLength of at least 1', found);
  }
});

/** A tokenizer of the letter a. @param {object} parts */
const tokenizerOf = (parts) =>
  new Tokenizer(
    {
      'tokenizer.json': JSON.stringify({
        model: {
          type: 'WordPiece',
          unk_token: '?',
          continuing_subword_prefix: '##',
          vocab: {a: 0, '?': 1, ['b'.repeat(8000)]: 2},
        },
        ...parts,
      }),
    },
    'm',
  );

test('a step refuses a text of which it may make more than 2^26 units, before it runs', () => {
  const replace = {type: 'Replace', pattern: {String: 'x'}, content: 'y'.repeat(8192)};
  const refused = /** @type {const} */ ({
    code: 'bad-tokenizer',
    message:
      /^m: tokenizer.json: expected at most 67108864 units that .* makes of a text, found \d+$/,
  });
  for (const parts of [
    {normalizer: replace},
    {normalizer: {type: 'Sequence', normalizers: [replace]}},
    {pre_tokenizer: {type: 'Sequence', pretokenizers: [replace]}},
    {pre_tokenizer: {type: 'BertPreTokenizer'}},
  ]) {
    const tokenizer = tokenizerOf(parts);
    tokenizer.encode('x');
    assert.throws(() => tokenizer.encode('x'.repeat(2 ** 22)), refused);
  }
  const decoded = tokenizerOf({decoder: {type: 'Sequence', decoders: [{type: 'Fuse'}]}});
  assert.equal(decoded.decode([0, 0]), 'aa');
  assert.throws(() => decoded.decode(Array(10_000).fill(2)), refused);
});

test('a token that is drawn has at most 512 characters, and a mark where it is shortened', () => {
  const tokenizer = tokenizerOf({
    added_tokens: [{id: 3, content: 'c'.repeat(512), special: true}],
  });
  assert.equal(tokenizer.token(2), `${'b'.repeat(511)}…`);
  assert.equal(tokenizer.token(3), 'c'.repeat(512));
  assert.equal(tokenizer.decode([2]), 'b'.repeat(8000));
});
