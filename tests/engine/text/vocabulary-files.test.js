/** Tests that any files of a vocabulary make a tokenizer or are refused in a sentence. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import fc from 'fast-check';
import {BertscopeError} from '../../../web/engine/errors.js';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';
import {goldenFolder} from '../support.js';
import {tries} from '../../support/tries.js';

const vocabulary = readFileSync(`${goldenFolder('odd-sizes')}/vocab.txt`, 'utf8');
const letters = new Tokenizer({'vocab.txt': vocabulary}, 'letters');

/**
 * Checks that the tokenizer of these files encodes a text, or that they are refused in a sentence.
 * @param {Record<string, string>} files
 * @param {string} text
 * @returns Whether it encodes.
 */
function encodesOrRefuses(files, text) {
  try {
    const tokenizer = new Tokenizer(files, 'm', 101);
    const {ids, tokens, words, offsets} = tokenizer.encode(text, {pair: 'the'});
    for (const id of ids) assert(Number.isInteger(id) && id >= 0 && id < 101, `${id}`);
    for (const list of [tokens, words, offsets]) assert.equal(list.length, ids.length);
    assert.equal(typeof tokenizer.decode(ids), 'string');
    // A quantized file holds the tokenizer.json that was made of them.
    assert.deepEqual(new Tokenizer(tokenizer.files, 'm', 101).encode(text, {pair: 'the'}).ids, ids);
    return true;
  } catch (error) {
    if (!(error instanceof BertscopeError)) throw error;
    assert.equal(error.code, 'bad-tokenizer');
    assert.match(error.message, /^m: .*expected .+, found /s);
    assert(error.message.length < 700, error.message);
    return false;
  }
}

const anyText = fc.oneof(
  fc.string({unit: 'binary'}),
  fc.constant('Time flies like the [MASK]<mask>'),
);

test('any vocab.txt makes a tokenizer or is refused in a sentence', () => {
  const lines = vocabulary.split('\n');
  const line = fc.oneof(
    fc.string(),
    fc.string({unit: 'binary'}),
    fc.constantFrom('##', '', '__proto__', '[CLS]', 'constructor'),
  );
  const changed = fc
    .array(fc.tuple(fc.nat(lines.length), fc.nat(2), line), {minLength: 1, maxLength: 4})
    .map((changes) => {
      const all = [...lines];
      for (const [at, gone, put] of changes) all.splice(at, gone, put);
      return all.join('\n');
    });
  let read = 0;
  const property = fc.property(
    fc.oneof(fc.string({unit: 'binary'}), changed, changed),
    anyText,
    (text, sentence) => {
      if (encodesOrRefuses({'vocab.txt': text}, sentence)) read += 1;
    },
  );
  fc.assert(property, tries(200));
  assert(read > 20, `${read} were read`);
});

test('any vocab.json and merges.txt make a tokenizer or are refused in a sentence', () => {
  const read = (/** @type {string} */ file) =>
    readFileSync(`${goldenFolder('roberta')}/${file}`, 'utf8');
  const entries = Object.entries(JSON.parse(read('vocab.json'))).filter(
    ([, id]) => Number(id) < 101,
  );
  const merges = read('merges.txt').split('\n');
  const id = fc.oneof(
    {weight: 3, arbitrary: fc.integer({min: -1, max: 102})},
    {weight: 1, arbitrary: fc.jsonValue()},
  );
  const token = fc.oneof(
    fc.string(),
    fc.constantFrom(
      ...entries.map(([token]) => token),
      '__proto__',
      'constructor',
      '<s>',
      '</s>',
      '<unk>',
    ),
  );
  const vocab = fc.oneof(
    fc.json(),
    fc.string(),
    ...[1, 2].map(() =>
      fc
        .dictionary(token, id, {maxKeys: 3})
        .map((changes) => JSON.stringify({...Object.fromEntries(entries), ...changes})),
    ),
  );
  const rules = fc.oneof(
    fc.string({unit: 'binary'}),
    fc
      .array(fc.oneof(fc.constantFrom(...merges), fc.string()), {maxLength: 9})
      .map((list) => list.join('\n')),
  );
  let encoded = 0;
  const property = fc.property(vocab, rules, anyText, (vocab, merges, sentence) => {
    if (encodesOrRefuses({'vocab.json': vocab, 'merges.txt': merges}, sentence)) encoded += 1;
  });
  fc.assert(property, tries(200));
  assert(encoded > 5, `${encoded} were read`);
});

test('any tokenizer_config.json is applied to a tokenizer or refused in a sentence', () => {
  const names = ['pad', 'unk', 'cls', 'sep', 'mask'].map((token) => `${token}_token`);
  const field = fc.constantFrom(
    ...names,
    'do_lower_case',
    'strip_accents',
    'tokenize_chinese_chars',
    'add_prefix_space',
    'tokenizer_class',
    'clean_up_tokenization_spaces',
    'model_max_length',
    'legacy',
    'chat_template',
  );
  const value = fc.oneof(
    fc.jsonValue(),
    fc.boolean(),
    fc.constantFrom('[CLS]', '[MASK]', '<s>', 'the', ''),
    fc.record({content: fc.jsonValue()}),
  );
  const config = fc.oneof(
    fc.string(),
    fc.json(),
    ...[1, 2].map(() =>
      fc.dictionary(field, value, {maxKeys: 4}).map((json) => JSON.stringify(json)),
    ),
  );
  /** @type {Record<string, string>[]} */
  const tokenizers = [
    {'vocab.txt': vocabulary},
    {'tokenizer.json': letters.files['tokenizer.json']},
  ];
  let read = 0;
  const property = fc.property(
    fc.constantFrom(...tokenizers),
    config,
    anyText,
    (files, text, sentence) => {
      if (encodesOrRefuses({...files, 'tokenizer_config.json': text}, sentence)) read += 1;
    },
  );
  fc.assert(property, tries(200));
  assert(read > 20, `${read} were read`);
});
