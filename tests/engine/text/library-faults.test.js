/**
 * Tests that each repair of the tokenizer's library is needed and mends what it should: the smallest step of a
 * `tokenizer.json` and the text that show the fault, what the library 0.2.0 makes of it, and what Hugging Face's
 * tokenizers 0.23.3 (Python) make of it. Where a test says that the library alone is right, the repair can go.
 */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {Tokenizer} from '@huggingface/tokenizers';
import {repairLibrary} from '../../../web/engine/text/library-repairs.js';
import {goldenFolder} from '../support.js';

const {normalizer: precompiled} = JSON.parse(
  readFileSync(`${goldenFolder('t5')}/tokenizer.json`, 'utf8'),
);
const bytes = {add_prefix_space: false, trim_offsets: true, use_regex: true};
const bert = {lowercase: true, clean_text: true, handle_chinese_chars: true, strip_accents: null};

/** @typedef {{type: string, [key: string]: unknown}} Step */

/** @type {[stage: 'normalizer' | 'pre_tokenizer' | 'decoder', Step, given: string, library: string[], rust: string[]][]} */
const faults = [
  ['normalizer', precompiled, '\u2167\u0301', ['VII\u00cd'], ['VIII']],
  ['normalizer', {type: 'BertNormalizer', ...bert}, 'AΣ', ['aς'], ['aσ']],
  ['normalizer', {type: 'Lowercase'}, 'AΣ', ['aς'], ['aσ']],
  ['normalizer', {type: 'Replace', pattern: {Regex: '(b)'}, content: '$1'}, 'abc', ['abc'], ['a$1c']],
  ['normalizer', {type: 'Strip', strip_left: true, strip_right: true}, '\ufeffa\u0085', ['a\u0085'], ['\ufeffa']],
  ['pre_tokenizer', {type: 'ByteLevel', ...bytes}, 'x \ufeffx \u0085x', ['x', 'Ġ', 'ï»¿', 'x', 'ĠÂħ', 'x'], ['x', 'Ġï»¿', 'x', 'Ġ', 'Âħ', 'x']],
  ['pre_tokenizer', {type: 'Split', pattern: {Regex: '((b))'}, behavior: 'Removed', invert: false}, 'abbc', ['a', 'b', 'b', 'b', 'b', 'c'], ['a', 'c']],
  ['pre_tokenizer', {type: 'WhitespaceSplit'}, 'a\u0085b a\ufeffb', ['a\u0085b', 'a', 'b'], ['a', 'b', 'a\ufeffb']],
  ['decoder', {type: 'Replace', pattern: {String: 'b'}, content: '$&'}, 'abc', ['abc'], ['a$&c']],
]; // prettier-ignore

for (const [stage, step, given, library, rust] of faults) {
  test(`${stage} ${step.type}: the library makes ${JSON.stringify(library)} of ${JSON.stringify(given)}, and is repaired`, () => {
    assert.deepEqual(madeOf(stage, step, given, false), library);
    assert.notDeepEqual(library, rust);
    assert.deepEqual(madeOf(stage, step, given, true), rust);
  });
}

/**
 * @param {'normalizer' | 'pre_tokenizer' | 'decoder'} stage
 * @param {Step} step
 * @param {string} given
 * @param {boolean} isRepaired
 * @returns {string[]}
 */
function madeOf(stage, step, given, isRepaired) {
  const model = {type: 'WordPiece', vocab: {'[UNK]': 0}, unk_token: '[UNK]'};
  const json = {
    ...{
      added_tokens: [],
      normalizer: null,
      pre_tokenizer: null,
      post_processor: null,
      decoder: null,
    },
    model: {...model, continuing_subword_prefix: '##', max_input_chars_per_word: 100},
    [stage]: step,
  };
  const tokenizer = new Tokenizer(json, {});
  if (isRepaired) repairLibrary(tokenizer, json);
  if (stage === 'normalizer') return [tokenizer.normalizer?.normalize(given) ?? ''];
  if (stage === 'decoder') return tokenizer.decoder?.decode_chain([given]) ?? [];
  return tokenizer.pre_tokenizer?.pre_tokenize(given) ?? [];
}

test('of equally likely pieces, the library takes others than Rust, and is repaired', () => {
  const vocab = [
    ['<unk>', 0],
    ['▁', -2.0122928619384766],
    ['-', -5.129043102264404],
    ['---', -12.130167007446289],
    ['a', -3],
  ];
  const pre_tokenizer = {type: 'Metaspace', replacement: '▁', prepend_scheme: 'always'};
  const rest = {
    added_tokens: [],
    normalizer: null,
    pre_tokenizer,
    post_processor: null,
    decoder: null,
  };
  for (const type of ['Unigram', undefined]) {
    const json = {...rest, model: {type, unk_id: 0, vocab}};
    const tokenizer = new Tokenizer(json, {});
    const tokensOf = () => tokenizer.encode('-'.repeat(73)).tokens;
    const rust = ['▁', '---', '---', '-', '---'];
    assert.notDeepEqual(tokensOf().slice(0, 5), rust);
    repairLibrary(tokenizer, json);
    assert.deepEqual(tokensOf().slice(0, 5), rust);
    assert.equal(tokensOf().length, 26);
  }
});
