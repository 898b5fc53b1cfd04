import assert from 'node:assert/strict';
import {test} from 'node:test';
import {replaceWord, wordsOf} from '../../web/elements/workbench/masking.js';

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

test('A word is replaced where it stands, whichever of its pieces is meant', () => {
  const text = 'time flies like an arrow';
  for (const piece of /** @type {[number, number][]} */ ([
    [5, 7],
    [7, 10],
  ])) {
    assert.equal(replaceWord(text, '[MASK]', piece, '[MASK]'), 'time [MASK] like an arrow');
  }
  assert.equal(replaceWord('time [MASK]!', '[MASK]', [5, 11], 'flies'), 'time flies!');
  assert.equal(replaceWord("It's<mask>, he said.", '<mask>', [4, 10], ' time'), "It's time, he said."); // prettier-ignore
});

test('Where a token has no letter, nothing is replaced', () => {
  assert.equal(replaceWord('time flies', '[MASK]', [4, 5], '[MASK]'), null);
  assert.equal(replaceWord('time flies', '[MASK]', [10, 10], '[MASK]'), null);
  assert.equal(replaceWord('time flies', '[MASK]', [5, 5], '[MASK]'), null);
});
