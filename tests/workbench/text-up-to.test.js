import assert from 'node:assert/strict';
import {test} from 'node:test';
import {textUpTo} from '../../web/workbench/guess.js';

test('the text up to a token begins with a word, without the token that a decoder begins with', () => {
  const words = ['the', '▁cat', '▁sat', '▁on', '▁a', '▁m', 'at'];
  const none = words.map(() => false);
  assert.equal(textUpTo(words, 2, none), 'the cat sat');
  assert.equal(textUpTo(words, 6, none), '… sat on a mat');
  const date = ['<s>', ...'2021-03-23'];
  const special = date.map((_, at) => at === 0);
  assert.equal(textUpTo(date, 6, special), '2021-0');
  assert.equal(textUpTo(date, 0, special), '<s>');
});

test('the text up to a token stays short where no token begins a word', () => {
  const tokens = [...'猫坐在垫子上'.repeat(50)];
  const text = textUpTo(
    tokens,
    299,
    tokens.map(() => false),
  );
  assert.equal(text, `… ${tokens.slice(287).join('')}`);
});
