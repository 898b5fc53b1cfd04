/** Leaves out one head or one word after another, to find the one that a guess needs most. */

import assert from 'node:assert/strict';

/** @import {Model} from '../../web/session/shared-models.js' */

/**
 * Lists the heads that look from the blank of a text at a word, with what is left of the first guess without each of
 * them; the one that the guess needs most comes first.
 *
 * @param {Model} model
 * @param {string} text
 */
export async function withoutEachHead(model, text) {
  const result = await model.attend(text);
  const {tokens} = result;
  const blank = tokens.indexOf('[MASK]');
  const [{top}] = await result.predictions(1);
  const found = [];
  for (let layer = 0; layer < model.shape.layers; layer++) {
    for (let head = 0; head < model.shape.heads; head++) {
      const weights = await result.attention(layer, head);
      const row = [...weights.subarray(blank * tokens.length, (blank + 1) * tokens.length)];
      const word = tokens[row.indexOf(Math.max(...row))];
      if (!/^\p{L}+$/u.test(word)) continue;
      const off = await model.attend(text, {interventions: {heads: [{layer, head, scale: 0}]}});
      const [left] = await off.probabilities(blank, [top[0].id]);
      found.push({layer, head, word, left});
    }
  }
  return found.sort((a, b) => a.left - b.left);
}

/**
 * Lists the words of a text with what is left of the first guess for its blank while each of them is hidden; the one that
 * the guess needs most comes first.
 *
 * @param {Model} model
 * @param {string} text  in which each word is a token, and a full stop ends it
 */
export async function withoutEachWord(model, text) {
  const words = text.replace('.', '').split(' ');
  const result = await model.attend(text);
  assert.equal(result.tokens.length, words.length + 3, result.tokens.join(' '));
  const blank = 1 + words.indexOf('[MASK]');
  const [{top}] = await result.predictions(1);
  const found = [];
  for (const [at, word] of words.entries()) {
    if (word === '[MASK]') continue;
    const hidden = await model.attend(text, {interventions: {maskedTokens: [at + 1]}});
    const [left] = await hidden.probabilities(blank, [top[0].id]);
    found.push({word, left});
  }
  return found.sort((a, b) => a.left - b.left);
}
