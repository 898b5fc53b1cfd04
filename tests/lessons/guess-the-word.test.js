/** Tests that the embedded model shows, in the lesson about a missing word, what the lesson says. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {steps} from '../../web/lessons/guess-the-word/steps.js';
import {withWord} from '../../web/lessons/parts/replaced-word.js';
import {guessTheWord} from '../../web/strings/en/lessons/guess-the-word.js';
import {compute as computeStep, model, toolsOf} from './embedded-models.js';

/** @import {Step} from '../../web/lessons/step.js' */

/**
 * Computes a step of the lesson.
 *
 * @param {keyof typeof steps} name
 * @param {Parameters<typeof computeStep>[1]} [input]
 * @returns {Promise<any>}
 */
const compute = (name, input) => computeStep(/** @type {Step} */ (steps[name]), input);

test('the model guesses “she” from “girl”, and the head that looks there carries it over', async () => {
  const {guesses} = await compute('missing');
  assert.equal(guesses[0].token, 'she');
  assert(guesses[0].probability > 0.5);

  const {informative, word} = await compute('looking');
  assert.equal(word, 'girl');
  assert(informative && informative.share > 0.4);

  const {guesses: before, after} = await compute('without');
  assert.equal(before[0].token, 'she');
  assert.equal(after[0].token, 'he', 'without the head, the guess is another');
  const she = after.find((/** @type {{token: string}} */ {token}) => token === 'she');
  assert(she && she.probability < before[0].probability - 0.2);
});

test('with “boy” in place of “girl”, the model guesses “he”', async () => {
  const {changed, after} = await compute('swapped');
  assert.equal(changed, 'The boy said that [MASK] was tired.');
  assert.equal(after[0].token, 'he');
  assert(after[0].probability > 0.7);
});

test('in a sentence of the reader’s, the other word is one that the model finds likely, and not the same', async () => {
  const text = 'The boy said that [MASK] was hungry.';
  const {changed, usual, word} = await compute('swapped', {sentences: [text]});
  assert.notEqual(usual, word);
  assert.match(usual, /^[a-z]+$/);
  assert.notEqual(changed, text);
  assert.match(changed, new RegExp(`\\b${usual}\\b`));
  const own = await compute('swapped', {sentences: [text], choices: {other: 'queen'}});
  assert.match(own.changed, /queen/);
});

test('the head that is found looks from the blank at a word most of all', async () => {
  const text = 'The fish swam in the [MASK].';
  const {informative} = await compute('looking', {sentences: [text]});
  assert(informative);
  const result = await model.attend(text);
  const size = result.tokens.length;
  const blank = result.tokens.indexOf('[MASK]');
  const weights = await result.attention(informative.layer, informative.head);
  const row = weights.slice(blank * size, (blank + 1) * size);
  assert.equal(informative.share, Math.max(...row));
  assert.equal(row.indexOf(informative.share), informative.key);
  assert.match(result.tokens[informative.key], /^[a-z]+$/);
});

test('a sentence without a blank is no failure', async () => {
  assert.deepEqual((await compute('missing', {sentences: ['The girl was tired.']})).guesses, []);
  assert.equal((await compute('looking', {sentences: ['The girl was tired.']})).informative, null);
  assert.equal((await compute('without', {sentences: ['The girl was tired.']})).informative, null);
  assert.equal((await compute('swapped', {sentences: ['The girl was tired.']})).informative, null);
});

test('a whole word is exchanged where its token stands, whatever its spelling', async () => {
  const text = 'Girls like the Hôtel and the unthinkable girl.';
  const result = await model.attend(text);
  const at = (/** @type {string} */ token) => result.tokens.indexOf(token);
  assert.equal(withWord(result, at('girl'), 'boy'), text.replace('girl.', 'boy.'));
  assert.equal(withWord(result, at('hotel'), ' bar '), text.replace('Hôtel', 'bar'));
  const piece = result.tokens.findIndex((token) => token.startsWith('##'));
  assert(piece > 0, result.tokens.join(' '));
  assert.equal(withWord(result, piece, 'old'), text.replace('unthinkable', 'old'));
  assert.equal(withWord(result, at('girl'), ' '), text);
});

test('every answer tells the numbers that it follows from, and its text goes with the outcome', async () => {
  const told = async (/** @type {keyof typeof steps} */ name, sentence = '') => {
    const step = /** @type {Step} */ (steps[name]);
    const input = {sentences: [sentence || step.sentences[0]], choices: {...step.choices}};
    const data = await computeStep(step, input);
    const answer = /** @type {any} */ (await step.asked?.find(toolsOf(step), input, data));
    const text = /** @type {any} */ (guessTheWord.steps)[name].answer(data, answer.facts);
    return {...answer, text, data};
  };
  const missing = await told('missing');
  assert.equal(missing.found, 'girl');
  assert.match(missing.text, /^Without “girl”, “she” falls from 61% to \d+%\. /);
  const looking = await told('looking');
  assert.match(looking.text, /^In \d+ of 48 heads\. /);
  const without = await told('without');
  assert.equal(without.found, 'other');
  assert.match(without.text, /^“she” \(61%\) becomes “\w+” \(\d+%\): the other layers do not/);
  assert.match(
    guessTheWord.steps.without.labels.withHead(without.data.guesses[0]),
    /“she”, 61%\.$/,
  );
});
