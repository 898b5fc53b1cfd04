/** Tests that the embedded model shows, in the lesson about what an answer rests on, what the lesson says. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {steps} from '../../web/lessons/does-it-matter/steps.js';
import {blank} from '../../web/lessons/example-sentences.js';
import {embedded} from '../support/embedded-model.js';
import {compute as computeStep, model} from './embedded-models.js';
import {withoutEachHead} from './one-left-out.js';

/** @import {Step} from '../../web/lessons/step.js' */

/**
 * Computes a step of the lesson.
 *
 * @param {keyof typeof steps} name
 * @param {Parameters<typeof computeStep>[1]} [input]
 * @returns {Promise<any>}
 */
const compute = (name, input) => computeStep(/** @type {Step} */ (steps[name]), input);

test('a head gives nearly all its attention to special tokens, and the guess does not miss it', async () => {
  const {resting} = await compute('resting');
  assert(resting.share > 0.9, String(resting.share));
  const {guesses, left} = await compute('without');
  assert(Math.abs(left - guesses[0].probability) < 0.05, `${guesses[0].probability} to ${left}`);
  const {tokens, weights, norms, special} = await compute('carried');
  for (const row of [weights, norms]) {
    const sum = row.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b);
    assert(Math.abs(sum - 1) < 1e-5);
  }
  assert(Math.abs(special.weight - resting.share) < 1e-5, `${special.weight}, ${resting.share}`);
  const norm = norms.filter((/** @type {number} */ _, /** @type {number} */ at) =>
    /^\[(CLS|SEP)\]$/.test(tokens[at]),
  );
  const ofSpecial = norm.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b);
  assert(Math.abs(special.norm - ofSpecial) < 1e-5, `${special.norm}, ${ofSpecial}`);
});

test('the guess suffers without the head that looks at a word', async () => {
  const {guesses, left, word, looking} = await compute('without', {choices: {head: 'looking'}});
  const [needed] = await withoutEachHead(model, blank);
  assert.deepEqual([looking.layer, looking.head, word], [needed.layer, needed.head, needed.word]);
  assert(Math.abs(left - needed.left) < 1e-5, `${left} is not ${needed.left}`);
  assert(left < 0.9 * guesses[0].probability, `${guesses[0].probability} to ${left}`);
});

test('the word that the guess needs gives little to its score and most to its lead over the second guess', async () => {
  const {tokens, contributions, lead, other} = await compute('contributions');
  assert.equal(other, 'he');
  const strongest = (/** @type {Float32Array} */ amounts) => tokens[amounts.indexOf(Math.max(...amounts))]; // prettier-ignore
  assert.notEqual(strongest(contributions), 'girl');
  assert.equal(strongest(lead.contributions), 'girl');
  const sum = lead.contributions.reduce(
    (/** @type {number} */ a, /** @type {number} */ b) => a + b,
  );
  assert(Math.abs(sum - lead.value) < 1e-3);
});

test('contributions sum to the score of the guess, and some speak against it', async () => {
  const {contributions, value} = await compute('contributions');
  const sum = contributions.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b);
  assert(Math.abs(sum - value) < 1e-4, `${sum}, ${value}`);
  assert(contributions.some((/** @type {number} */ amount) => amount < 0));
});

test('several methods are better than a random order, and one is not', async () => {
  const {tested, random} = await compute('masking');
  const better = tested.filter((/** @type {{falls: number}} */ {falls}) => falls > random);
  assert(better.length >= 3 && better.length < tested.length, JSON.stringify({tested, random}));
});

test('the answer is in the changed word first and in the blank at last', async () => {
  const {word, changed, patched, tokens} = await compute('deciding');
  const {map, shape, target, against} = patched;
  const guessIn = async (/** @type {string} */ text) =>
    (await (await model.attend(text)).predictions(1))[0].top[0].token;
  assert.equal(changed, blank.replace(word, 'boy'));
  assert.deepEqual([against.word, target.word], [await guessIn(blank), await guessIn(changed)]);
  const at = (/** @type {number} */ index, /** @type {string} */ token) =>
    map[index * shape[1] + tokens.indexOf(token)];
  assert(at(0, word) > 0.99 && Math.abs(at(0, '[MASK]')) < 0.01);
  const last = embedded.layers;
  assert(Math.abs(at(last, word)) < 0.01 && at(last, '[MASK]') > 0.99);
  const {patched: unequal} = await compute('deciding', {choices: {other: 'unbelievable'}});
  assert.equal(unequal, null);
});

test('a sentence without a blank says that it needs one', async () => {
  for (const name of /** @type {(keyof typeof steps)[]} */ (Object.keys(steps)))
    assert.equal(await compute(name, {sentences: ['The girl was tired.']}), null, name);
});
