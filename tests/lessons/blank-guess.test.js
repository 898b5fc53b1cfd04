import assert from 'node:assert/strict';
import {test} from 'node:test';
import {blankGuess} from '../../web/lessons/parts/blank-guess.js';

/** A result with guesses in every place that is asked for. @param {string[]} tokens */
const resultOf = (tokens) => ({
  tokens,
  /** @param {number} [_count] @param {{places?: readonly number[]}} [options] */
  predictions: async (_count, {places = [...tokens.keys()]} = {}) =>
    places.map((index) => ({index, top: []})),
});

test('the guesses for the first blank are asked for', async () => {
  const result = resultOf(['[CLS]', 'a', '[MASK]', '[MASK]', '[SEP]']);
  const guess = await blankGuess({maskToken: '[MASK]'}, result, 5);
  assert.equal(guess?.index, 2);
});

test('a text without a blank, and a model without one, have no guesses', async () => {
  const result = resultOf(['a', 'b']);
  assert.equal(await blankGuess({maskToken: '[MASK]'}, result, 5), undefined);
  assert.equal(await blankGuess({maskToken: null}, result, 5), undefined);
});
