/** Tests what a tokenizer takes from each of its files. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';
import {changed, letters} from './golden-tokenizer.js';

test('a named tokenizer of BERT’s kind brings its defaults, as in transformers', () => {
  const cased = (/** @type {object} */ config) =>
    changed((json) => (json.normalizer.lowercase = false), config).encode('The', {
      specialTokens: false,
    }).tokens;
  assert.deepEqual(cased({}), ['[UNK]']);
  assert.deepEqual(cased({tokenizer_class: 'PreTrainedTokenizerFast'}), ['[UNK]']);
  for (const tokenizer_class of ['BertTokenizer', 'DistilBertTokenizerFast']) {
    assert.deepEqual(cased({tokenizer_class}), ['the']);
    assert.deepEqual(cased({tokenizer_class, do_lower_case: false}), ['[UNK]']);
  }
});

test('pieces are joined to words also if tokenizer.json does not name its type, as that of bert-base-uncased', () => {
  const untyped = changed((json) => delete json.model.type);
  const text = 'Time flies like unaffable arrows';
  assert.deepEqual(untyped.encode(text).words, letters.encode(text).words);
  assert(letters.encode(text).tokens.some((token) => token.startsWith('##')));
});

test('a tokenizer.json that leaves out the parts that it does not have is read', () => {
  const tokenizer = changed((json) => {
    for (const part of ['decoder', 'added_tokens', 'truncation', 'padding']) delete json[part];
  });
  assert.deepEqual(tokenizer.encode('Time flies').ids, letters.encode('Time flies').ids);
  assert.equal(tokenizer.decode([2, 3]), '[CLS] [SEP]');
  const bare = changed((json) => {
    for (const part of ['normalizer', 'pre_tokenizer', 'post_processor']) delete json[part];
  });
  assert.deepEqual(bare.encode('time').tokens, ['time']);
});

test('the vocabulary of another tokenizer is refused with what to do about it', () => {
  const save =
    'AutoTokenizer.from_pretrained(folder).save_pretrained(folder) of transformers writes a tokenizer.json';
  for (const [tokenizer_class, advice] of [
    ['MPNetTokenizer', save],
    ['BertweetTokenizer', 'its rules are a program in Python, which is not run here'],
  ]) {
    const config = JSON.stringify({tokenizer_class});
    assert.throws(() => new Tokenizer({'vocab.txt': 'a 1', 'tokenizer_config.json': config}, 'm'), {
      code: 'bad-tokenizer',
      message: `m: expected tokenizer.json, or the vocabulary of a BERT, a RoBERTa or a GPT-2, found vocab.txt of ${tokenizer_class}; ${advice}`,
    });
  }
  assert.throws(() => new Tokenizer({'sentencepiece.bpe.model': ''}, 'm'), {
    code: 'bad-tokenizer',
    message: `m: expected tokenizer.json, vocab.txt or vocab.json with merges.txt, found only sentencepiece.bpe.model; ${save}`,
  });
});

test('a note tells of a vocabulary with capitals whose text is read in small letters', () => {
  const vocabulary = '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nA\nC\nthe\n';
  const notes = (/** @type {object} */ config) =>
    new Tokenizer({'vocab.txt': vocabulary, 'tokenizer_config.json': JSON.stringify(config)}, 'm')
      .notes;
  assert.deepEqual(notes({}), [
    'm: vocab.txt has 2 tokens with capitals, but the text is read in small letters: tokenizer_config.json with {"do_lower_case": false} keeps its capitals',
  ]);
  assert.deepEqual(notes({do_lower_case: false}), []);
  assert.deepEqual(letters.notes, []);
});
