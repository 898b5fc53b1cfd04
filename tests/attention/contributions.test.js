import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  methodsOf,
  isSigned,
  piecesOfWords,
  summaryOf,
  sumsOfWords,
  usualMethod,
} from '../../web/attention/contributions.js';
import {methods} from '../../web/engine/methods.js';
import {explanation} from '../../web/strings/en/explanation.js';

const special = [true, false, false, false, true];

test('a summary names the strongest tokens for an answer and against it, and no special ones', () => {
  const {most, against, special: together} = summaryOf([5, 1, -2, 0.4, 3], special);
  assert.deepEqual(most, [{index: 1, amount: 1}, {index: 3, amount: 0.4}]); // prettier-ignore
  assert.deepEqual(against, [{index: 2, amount: -2}]);
  assert.equal(together, 8);
});

test('of many tokens three are named, the strongest first', () => {
  const {most, against} = summaryOf([0.1, 0.4, 0.2, 0.3, 0.15], special.map(() => false)); // prettier-ignore
  assert.deepEqual(
    most.map(({index}) => index),
    [1, 3, 2],
  );
  assert.deepEqual(against, []);
});

test('where nothing contributes, nothing is named', () => {
  assert.deepEqual(summaryOf([0, 0], [false, false]), {most: [], against: [], special: 0}); // prettier-ignore
});

test('the page has words for every method of the engine, and knows no other', () => {
  assert.deepEqual(Object.keys(explanation.methods).sort(), Object.keys(methods).sort());
  assert(isSigned(usualMethod(10)));
  assert(!isSigned(usualMethod(200)), 'a long text has a method that is quick');
  const bert = {normBefore: false, embeddingNorm: true, rotaryBase: 0};
  const ofOthers = ['alti-logit', 'alti-plus'];
  const ofAll = Object.keys(methods).filter((name) => !ofOthers.includes(name));
  assert.deepEqual([...methodsOf(bert)].sort(), ofAll.sort());
  const choices = {normBefore: true, embeddingNorm: false, rotaryBase: 10000};
  const decoder = methodsOf({...choices, isCausal: true});
  const ofEither = ['integrated-gradients', 'alti', 'norm', 'value-zeroing'];
  assert.deepEqual(decoder, [
    'alti-logit',
    'integrated-gradients',
    'gradient',
    ...ofEither.slice(1),
  ]);
  assert.equal(usualMethod(10, decoder), 'alti-logit');
  assert.equal(usualMethod(200, decoder), 'alti-logit');
  const modernBert = methodsOf({normBefore: true, embeddingNorm: true, rotaryBase: 10000});
  assert.deepEqual(modernBert, ofEither);
  assert.deepEqual(methodsOf({noPositions: true, unscaledScores: true}), [], 'T5');
  const deberta = methodsOf({noPositions: true});
  assert.deepEqual(
    deberta,
    methodsOf(bert).filter((name) => name !== 'gradient'),
  );
});

test('what the pieces of a word contribute is added up, and tokens outside of words stand alone', () => {
  const runs = piecesOfWords([null, 0, 0, 1, null, null, 0]);
  assert.deepEqual(runs.map(({start, end}) => [start, end]), [[0, 1], [1, 3], [3, 4], [4, 5], [5, 6], [6, 7]]); // prettier-ignore
  assert.deepEqual(sumsOfWords([1, 2, 3, 4, 5, 6, 7], runs), [1, 5, 4, 5, 6, 7]);
});
