import assert from 'node:assert/strict';
import {test} from 'node:test';
import {replaceAt, replaceWord, wordsOf} from '../../web/elements/workbench/masking.js';

/** @param {string} text */
const words = (text) => wordsOf(text, '[MASK]').map(({start, end}) => text.slice(start, end));

test('Words end at white space and around every mark', () => {
  assert.deepEqual(words("The animal didn't cross, was it $5?"), [
    ...['The', 'animal', 'didn', "'", 't', 'cross', ',', 'was', 'it', '$', '5', '?'],
  ]);
});

test('A mask is one word, Chinese characters are one each, accents part nothing', () => {
  assert.deepEqual(words('a [MASK]. 我 爱你 café naïve'), [
    ...['a', '[MASK]', '.', '我', '爱', '你', 'café', 'naïve'],
  ]);
});

test('A word is replaced where it stands', () => {
  const text = 'time flies like an arrow';
  assert.equal(replaceWord(text, '[MASK]', 1, 5, '[MASK]'), 'time [MASK] like an arrow');
  assert.equal(replaceWord('time [MASK]!', '[MASK]', 1, 3, 'flies'), 'time flies!');
});

test('Where the tokenizer counts other words, nothing is replaced', () => {
  assert.equal(replaceWord('time flies', '[MASK]', 1, 3, '[MASK]'), null);
  assert.equal(replaceWord('time flies', '[MASK]', 2, 2, '[MASK]'), null);
});

test('a mask is filled where the engine found it, however words are told apart', () => {
  const text = "It's <mask>, he said.";
  assert.equal(replaceAt(text, [5, 11], '<mask>', 'time'), "It's time, he said.");
  assert.equal(replaceAt(text, [4, 11], '<mask>', 'time'), null);
  assert.equal(replaceAt(text, null, '<mask>', 'time'), null);
});
