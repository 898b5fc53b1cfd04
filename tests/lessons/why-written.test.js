/** Tests that the steps about what a written token comes from show what the model does, and what the lesson says of it. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {steps} from '../../web/lessons/why-written/steps.js';
import {withoutEach} from '../../web/lessons/why-written/written-tokens.js';
import {course} from '../../web/strings/en/lessons/index.js';
import {compute as computeStep, dates, toolsOf} from './embedded-models.js';

/** @import {Step} from '../../web/lessons/step.js' */
/** @import {LessonText} from '../../web/lessons/lesson-text.js' */

/** @type {Record<string, LessonText>} */
const lessons = course.lessons;
const texts = lessons['why-written'].steps;

/**
 * Computes a step of the lesson.
 *
 * @param {keyof typeof steps} name
 * @param {Parameters<typeof computeStep>[1]} [input]
 * @returns {Promise<any>}
 */
const compute = (name, input) => computeStep(/** @type {Step} */ (steps[name]), input);

/**
 * The engine's answer to the question of a step.
 *
 * @param {keyof typeof steps} name
 * @param {string} [sentence]  that of the step unless given
 * @returns {Promise<any>}
 */
async function found(name, sentence) {
  const step = /** @type {Step} */ (steps[name]);
  const sentences = sentence === undefined ? [...step.sentences] : [sentence];
  const input = {sentences, choices: {...step.choices}};
  return step.asked?.find(toolsOf(step), input, await computeStep(step, input));
}

/** @param {ArrayLike<number>} numbers */
const sumOf = (numbers) => Array.from(numbers).reduce((sum, number) => sum + number, 0);

/** @param {ArrayLike<number>} numbers */
const largest = (numbers) => Array.from(numbers).indexOf(Math.max(...Array.from(numbers)));

/** What the step says of its answer. @param {string} name @param {any} answer */
const explained = (name, {facts}) =>
  /** @type {(data: unknown, facts: unknown) => string} */ (texts[name].answer)({}, facts);

test('the date is written token by token, each the likeliest, and a text without a date gets an empty one', async () => {
  const {tokens, guesses, count} = await compute('one-by-one');
  assert.equal(tokens.join(''), '1985-12-20</s>');
  const first = guesses.map((/** @type {any[]} */ [{token}]) => token);
  assert.deepEqual(first, tokens);
  const probabilities = guesses.map((/** @type {any[]} */ [{probability}]) => probability);
  assert(Math.min(...probabilities) > 0.99, 'nearly always sure');
  assert.equal(count, 0);
  assert.equal((await compute('one-by-one', {choices: {count: 99}})).count, 11);
  assert.equal(await found('one-by-one'), 'XXXX-XX-XX');
});

test('for the first digit four heads look at it, others behind it, and all agree on one token alone', async () => {
  const {all, source, written, place, asking} = await compute('eight-heads');
  assert.deepEqual(all.shape, [8, source.length]);
  const most = Array.from({length: 8}, (_, head) => {
    const row = all.data.subarray(head * source.length, (head + 1) * source.length);
    assert(Math.abs(sumOf(row) - 1) < 1e-5);
    return source[largest(row)];
  });
  assert.equal(most.join(' '), '9 1 9 2 1 9 1 1');
  assert.deepEqual([written[asking], place], ['1', {layer: 0, head: 0}]);
  assert.deepEqual(await found('eight-heads'), {found: 'few', facts: {agreed: ['1'], all: 11}});
  assert.match(explained('eight-heads', await found('eight-heads')), /^For 1 of 11\./);
});

test('a head looks almost only at a token from which less is taken than from another', async () => {
  const {row, key, most, source, explanation, written, asking} = await compute('taken');
  assert.deepEqual([written[asking], source[key], source[most]], ['1', '9', '1']);
  const {contributions} = explanation.source;
  assert(row[key] > 0.98 && contributions[key] < 0.2 && contributions[most] > 0.35);
  assert(Math.abs(sumOf(contributions) + explanation.prefix.share - 1) < 1e-4);
  const answer = await found('taken');
  assert.deepEqual(answer, {found: 'less', facts: {agreeing: 42, all: 88}});
  assert.match(explained('taken', answer), /^In 42 of 88 cases/);
});

test('the year comes from the text most, the end least, and of what was written mostly the last token is taken', async () => {
  const {explanations, written} = await compute('text-or-written');
  const shares = explanations.map((/** @type {any} */ {source}) => source.share);
  const digits = shares.filter((/** @type {number} */ _, /** @type {number} */ place) =>
    /\d/.test(written[place]),
  );
  assert(shares[10] < Math.min(...digits), `${shares}`);
  for (const place of [0, 1, 2, 3]) assert(shares[place] > 0.75, `${shares}`);
  const last = explanations.filter(
    (/** @type {any} */ {prefix: {contributions}}) =>
      largest(contributions) === contributions.length - 1,
  );
  assert(last.length >= 9, `${last.length} take most from the token read last`);
});

test('over other dates the end and the hyphens take most from what was written, the year least', async () => {
  const answer = await found('text-or-written');
  assert.equal(answer.found, 'end');
  const order = answer.facts.order.map((/** @type {string[]} */ [part]) => part);
  assert.deepEqual(order, ['end', 'hyphens', 'month', 'day', 'year']);
  assert.match(explained('text-or-written', answer), /^Over 8 dates: end 40%, hyphens 28%/);
});

test('without what is named most six of eight digits change, without what is named least none does', async () => {
  const answer = await found('hidden');
  assert.equal(answer.found, 6);
  const {misses, ...counts} = answer.facts;
  assert.deepEqual(counts, {digits: 8, most: 6, least: 0, others: 0});
  assert.deepEqual(misses, [
    {token: '2', after: '1985-12-', named: 'december', needed: ['2', '0']},
    {token: '0', after: '1985-12-2', named: 'december', needed: ['0']},
  ]);
  assert.equal(
    explained('hidden', answer),
    '6 of 8 change; without the token that it names least, 0 of 8. It fails for “2” after “1985-12-”: it names “december”, but what changes it is “2” or “0”. It fails for “0” after “1985-12-2”: it names “december”, but what changes it is “0”. No hidden token changes a hyphen or the end, whatever their shares.',
  );
});

test('of dates in other forms, what is named least changes no digit, and what is named most changes most', async () => {
  for (const [text, most] of /** @type {const} */ ([
    ['3 May 1955', 5],
    ['twenty-third of March 2021', 5],
    ['Sunday, 14 July 1968', 6],
  ])) {
    const {facts} = await found('hidden', text);
    assert.deepEqual([facts.digits, facts.most, facts.least], [8, most, 0], text);
  }
});

test('a hidden token is read as unknown, and the rest of the text stays', async () => {
  const translation = await dates.translate('Friday, 20 December 1985');
  const tools = toolsOf(/** @type {Step} */ (steps.hidden));
  const without = await withoutEach(tools, translation);
  assert.equal(without[2]?.encoder.tokens.join(' '), 'friday , <unk> 0 december 1 9 8 5 </s>');
  assert.equal(without.at(-1), null, 'the end cannot be hidden');
  const {named, guesses} = await compute('hidden');
  assert.deepEqual([named.most.word, named.least.word], ['1', '0']);
  assert.equal(guesses[0].token, '1');
  assert.equal(named.most.guesses[0].token, '9');
  assert.equal(named.least.guesses[0].token, '1');
  // What is unknown already is hidden by itself.
  const {counts} = await compute('hidden', {sentences: ['hello']});
  assert.deepEqual([counts.digits, counts.most], [8, 0]);
});

test('the day is explained by “december”, and needs its own digits', async () => {
  const {source, shares, losses, written, place} = await compute('own-date');
  assert.equal(written[place], '2');
  assert.equal(source[largest(shares)], 'december');
  /** @param {string} word */
  const lost = (word) => losses[source.indexOf(word)];
  assert(lost('2') > 0.99 && lost('0') > 0.99 && lost('december') < 0.01);
  assert(Number.isNaN(lost('</s>')), 'the end cannot be hidden');
});

test('a choice beyond what is written is the last token', async () => {
  for (const name of /** @type {const} */ (['eight-heads', 'taken', 'text-or-written', 'hidden']))
    assert.equal((await compute(name, {choices: {asking: 99}})).asking, 10, name);
});

test('every step is about the model that writes dates, which comes with the page', () => {
  for (const step of Object.values(steps))
    assert.equal(toolsOf(/** @type {Step} */ (step)).model, dates);
});
