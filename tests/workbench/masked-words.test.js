import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fillOf, replaceWord, wordsOf} from '../../web/workbench/masked-words.js';

/** @param {string} text */
const words = (text) => wordsOf(text, '[MASK]').map(({start, end}) => text.slice(start, end));

test('words end at white space and around every punctuation mark', () => {
  assert.deepEqual(words("The animal didn't cross, was it $5?"), [
    ...['The', 'animal', 'didn', "'", 't', 'cross', ',', 'was', 'it', '$', '5', '?'],
  ]);
});

test('a mask is one word, each Chinese character is one, and accents do not split words', () => {
  assert.deepEqual(words('a [MASK]. 我 爱你 café naïve'), [
    ...['a', '[MASK]', '.', '我', '爱', '你', 'café', 'naïve'],
  ]);
});

test('a word is replaced in its place, whichever of its pieces is given', () => {
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

test('a token without a letter is not replaced', () => {
  assert.equal(replaceWord('time flies', '[MASK]', [4, 5], '[MASK]'), null);
  assert.equal(replaceWord('time flies', '[MASK]', [10, 10], '[MASK]'), null);
  assert.equal(replaceWord('time flies', '[MASK]', [5, 5], '[MASK]'), null);
});

test('a mask is filled with a word, or with a piece if the mask stands for one', () => {
  /** @param {string} token @param {string} before @param {boolean} isByteLevel */
  const fill = (token, before, isByteLevel) => {
    const startsWord = isByteLevel ? token.startsWith('Ġ') : token.startsWith('▁');
    return fillOf({token, startsWord}, before, {isByteLevel});
  };
  const wordPiece = {isByteLevel: false};
  assert.equal(fillOf({token: 'cat', startsWord: true}, 'the ', wordPiece), 'cat');
  assert.equal(fillOf({token: 'cat', startsWord: true}, 'the (', wordPiece), 'cat');
  assert.equal(fillOf({token: '##s', startsWord: false}, 'the cat', wordPiece), null);
  assert.equal(fillOf({token: 'Ġorġ', startsWord: true}, 'il ', wordPiece), 'Ġorġ', 'a letter');
  for (const [mark, isByteLevel] of /** @type {[string, boolean][]} */ ([
    ['Ġ', true],
    ['▁', false],
  ])) {
    assert.equal(fill(`${mark}cat`, 'the ', isByteLevel), 'cat');
    assert.equal(fill('ing', 'the ', isByteLevel), null, 'continues what is not there');
    assert.equal(fill('ing', 'the walk', isByteLevel), 'ing');
    assert.equal(fill(`${mark}cat`, 'the', isByteLevel), ' cat', 'of two words the second');
    assert.equal(fill(mark, 'the ', isByteLevel), null, 'a space alone');
    assert.equal(fill('<0xC3>', 'the caf', isByteLevel), null, 'a byte');
  }
  assert.equal(fill('The', '', true), 'The', 'nothing marks the first word among bytes');
  assert.equal(fill('ing', '', false), null);
  assert.equal(fill('ĠcafÃ', 'the ', true), null, 'some bytes of a letter');
  assert.equal(fill('ĠcafÃ©', 'the ', true), 'café');
});
