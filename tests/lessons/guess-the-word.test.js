/** Tests that the embedded model shows, in the lesson about a missing word, what the lesson says. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {steps} from '../../web/lessons/guess-the-word/steps.js';
import {withWord} from '../../web/lessons/parts/replaced-word.js';
import {guessTheWord} from '../../web/strings/en/lessons/guess-the-word.js';
import {blank} from '../../web/lessons/example-sentences.js';
import {embedded} from '../support/embedded-model.js';
import {compute as computeStep, model, toolsOf} from './embedded-models.js';
import {withoutEachHead, withoutEachWord} from './one-left-out.js';

/** @import {Step} from '../../web/lessons/step.js' */

/**
 * Computes a step of the lesson.
 *
 * @param {keyof typeof steps} name
 * @param {Parameters<typeof computeStep>[1]} [input]
 * @returns {Promise<any>}
 */
const compute = (name, input) => computeStep(/** @type {Step} */ (steps[name]), input);

const other = 'The boy said that [MASK] was tired.';

/** The probability of a word among the guesses. @param {{token: string, probability: number}[]} guesses @param {string} word */
const probabilityOf = (guesses, word) =>
  guesses.find(({token}) => token === word)?.probability ?? 0;

test('the model guesses “she” from “girl”, and “she” suffers most without the head that is shown', async () => {
  const {guesses} = await compute('missing');
  assert.equal(guesses[0].token, 'she');
  const {guesses: ofBoy} = await compute('missing', {sentences: [other]});
  assert(guesses[0].probability > probabilityOf(ofBoy, 'she') + 0.2);

  const [needed] = await withoutEachHead(model, blank);
  const {informative, word} = await compute('looking');
  assert.deepEqual(
    [informative.layer, informative.head, word],
    [needed.layer, needed.head, needed.word],
  );
  const {guesses: before, after} = await compute('without');
  assert.equal(before[0].token, 'she');
  const she = probabilityOf(after, 'she');
  assert(Math.abs(she - needed.left) < 1e-5, `${she} is not ${needed.left}`);
  assert(she < 0.9 * before[0].probability, `${before[0].probability} to ${she}`);
});

test('with “boy” in place of “girl”, the model guesses “he”', async () => {
  const {guesses} = await compute('missing', {sentences: [other]});
  assert.equal(guesses[0].token, 'he');
  assert(guesses[0].probability > 0.6);
  const {changed, after, word} = await compute('swapped');
  assert.equal(changed, blank.replace(word, 'boy'));
  assert.deepEqual(after, (await compute('missing', {sentences: [changed]})).guesses);
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
  const hidden = await withoutEachWord(model, blank);
  assert.equal(missing.found, hidden[0].word);
  const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(0)}%`;
  const she = percent(missing.data.guesses[0].probability);
  const least = percent(hidden[0].left);
  assert(
    missing.text.startsWith(`Without “${hidden[0].word}”, “she” falls from ${she} to ${least}. `),
    missing.text,
  );
  const looking = await told('looking');
  const all = embedded.layers * embedded.heads;
  assert.match(looking.text, new RegExp(`^In \\d+ of ${all} heads\\. `));
  const without = await told('without');
  const {layer} = without.data.informative;
  const heads = Array.from({length: embedded.heads}, (_, head) => ({layer, head, scale: 0}));
  const changed = await model.attend(blank, {interventions: {heads}});
  const [{top: [now]}] = await changed.predictions(1); // prettier-ignore
  const isSame = now.token === 'she';
  assert.equal(without.found, isSame ? 'same' : 'other');
  const left = percent(now.probability);
  const begin = isSame
    ? `It is still “she”, with ${left} in place of ${she}: other layers go on working`
    : `“she” (${she}) becomes “${now.token}” (${left}): the other layers do not`;
  assert(without.text.startsWith(begin), without.text);
  const withHead = guessTheWord.steps.without.labels.withHead(without.data.guesses[0]);
  assert(withHead.endsWith(`“she”, ${she}.`), withHead);
});
