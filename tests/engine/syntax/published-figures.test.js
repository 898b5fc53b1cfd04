/** Tests what the figures of `npm run check:syntax` are computed with. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {rankCorrelation} from '../../published/differences.mjs';
import {
  BEGIN,
  END,
  NOTHING,
  accountOf,
  sharesOf,
  strongestPlaces,
} from '../../published/syntax-names.mjs';
import {survivalOf} from '../../published/syntax-survival.mjs';
import {agreementOf} from '../../published/syntax-switched-off.mjs';

/** @import {SyntaxReport} from '../../../web/engine/syntax/score-treebank.js' */
/** @import {ReadSentence} from '../../published/syntax-run.mjs' */

test('equal numbers share the mean of their ranks', () => {
  const of = (/** @type {number[]} */ ours, /** @type {number[]} */ theirs) =>
    rankCorrelation({ours, theirs});
  assert.equal(of([3, 1, 2], [30, 10, 20]), 1);
  assert.equal(of([1, 2, 3], [3, 2, 1]), -1);
  assert(Math.abs(Number(of([1, 2, 2, 3], [1, 3, 2, 4])) - Math.sqrt(0.9)) < 1e-12);
  assert(Number.isNaN(of([1, 1], [1, 2])));
  assert.equal(of([], []), null);
});

test('a word looks most where the sum over the pieces of the other is largest, itself and both ends included', () => {
  // [CLS] a b ##b [SEP]: no piece of b has the largest weight of a, but both together have.
  const weights = [
    ...[1, 0, 0, 0, 0],
    ...[0.4, 0, 0.3, 0.3, 0],
    ...[0.1, 0, 0, 0.2, 0.7],
    ...[0.1, 0.3, 0, 0.6, 0],
    ...[1, 0, 0, 0, 0],
  ];
  const tokensOf = [[1], [2, 3], []];
  assert.deepEqual(strongestPlaces(Float32Array.from(weights), tokensOf), [1, 1, NOTHING]);
  weights[5] = 0.9;
  weights[14] = 2;
  assert.deepEqual(strongestPlaces(Float32Array.from(weights), tokensOf), [BEGIN, END, NOTHING]);
});

test('a name is true of the words that look where it says, of those that it is about', () => {
  const words = ['The', 'cat', 'saw', 'the', '.'].map((form) => ({
    ...{form, head: -1, place: null},
    relation: form === '.' ? 'punct' : 'dep',
  }));
  const places = Int32Array.from([3, 0, 1, 0, BEGIN]);
  const read = /** @type {ReadSentence} */ (
    /** @type {unknown} */ ({
      sentence: {words},
      known: [0, 1, 2, 3, 4],
      links: {to: places},
      strongest: places,
    })
  );
  assert.deepEqual([...sharesOf([read], 1, 'previous', 'other')], [2 / 4]);
  assert.deepEqual([...sharesOf([read], 1, 'sameWord', 'other')], [1]);
  assert.deepEqual([...sharesOf([read], 1, 'cls', 'strongest')], [1 / 5]);
  assert.deepEqual(accountOf([true, true, false], [true, false, true]), {
    ...{named: 2, isTrue: 2},
    both: 1,
  });
});

test('findings survive where heads and shares are the same', () => {
  const report = (/** @type {number[]} */ to) =>
    /** @type {SyntaxReport} */ (
      /** @type {unknown} */ ({
        relations: [
          {
            ...{relation: 'obj', links: 100, right: {to, from: [0, 0]}},
            best: {layer: 0, head: to[0] > to[1] ? 0 : 1, direction: 'to'},
            position: {share: 0.4},
          },
          {relation: 'rare', links: 99},
        ],
      })
    );
  const found = survivalOf(report([50, 45]), report([50, 30]));
  assert.deepEqual(found.beat, {both: 1, first: 1, second: 0});
  assert.deepEqual([found.relations, found.sameBest, found.leastCorrelation], [1, 1, 1]);
  assert(Math.abs(found.largestDifference - 0.15) < 1e-12);
  assert(Math.abs(found.meanDifference - 0.15 / 4) < 1e-12);
  assert.equal(survivalOf(report([50, 45]), report([45, 50])).sameBest, 0);
});

test('changed answers are counted only in texts with the same answer', () => {
  const first = [
    {answer: 1, effects: [3, 2, 1], answers: [2, 2, 1]},
    {answer: 1, effects: [3, 2, 1], answers: [2, 2, 2]},
  ];
  const second = [
    {answer: 1, effects: [3, 1, 2], answers: [2, 1, 2]},
    {answer: 2, effects: [1, 2, 3], answers: [2, 2, 2]},
  ];
  const {changes, pairs, sameAnswer, sameFirst, texts} = agreementOf(first, second);
  assert.deepEqual(changes, {both: 1, first: 1, second: 1});
  assert.deepEqual([texts, sameAnswer, sameFirst, pairs], [2, 1, 1, 3]);
});
