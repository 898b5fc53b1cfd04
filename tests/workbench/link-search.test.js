/** Tests which heads are found to make a link. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  foundBy,
  headsWithLink,
  relationOf,
  tokensOfWord,
  wordsOf,
} from '../../web/workbench/link-search.js';

/** The tokens of "time flies", of a pair: the second text has offsets of its own. */
const offsets = /** @type {([number, number] | null)[]} */ ([
  null,
  [0, 4],
  [5, 7],
  [7, 10],
  null,
  [0, 4],
]);
const shape = {layers: 2, heads: 2};
const count = offsets.length;

/** The weight of a link in a head. @param {number} head  of all @param {number} query @param {number} key */
const weight = (head, query, key) => (head + 1) * (10 * query + key);
const result = {
  text: 'time flies',
  tokens: ['[CLS]', 'time', 'fl', '##ies', '[SEP]', 'time'],
  offsets,
  sentences: [0, 0, 0, 0, 0, 1],
  layerAttention: async (/** @type {number} */ layer) =>
    Float32Array.from({length: 2 * count * count}, (_, at) => {
      const key = at % count;
      const query = Math.floor(at / count) % count;
      return weight(2 * layer + Math.floor(at / count / count), query, key);
    }),
};
const [time, flies] = wordsOf('time flies', null);

test('a word has the tokens that begin in it, in the first text alone', () => {
  assert.deepEqual(tokensOfWord(result, time), [1]);
  assert.deepEqual(tokensOfWord(result, flies), [2, 3]);
});

test('all heads are ranked by the sum over the tokens that are attended to and the mean over those that attend', async () => {
  const heads = await headsWithLink(result, shape, flies, time);
  assert.deepEqual(
    heads.map(({layer, head}) => `${layer}.${head}`),
    ['1.1', '1.0', '0.1', '0.0'],
  );
  assert.deepEqual(heads[0].weight, (weight(3, 2, 1) + weight(3, 3, 1)) / 2);
  const [back] = await headsWithLink(result, shape, time, flies);
  assert.deepEqual(back.weight, weight(3, 1, 2) + weight(3, 1, 3));
});

test('no head has a link to a word that the model has cut off', async () => {
  const cut = {form: 'fast', place: /** @type {[number, number]} */ ([11, 15]), isWord: true};
  assert.deepEqual(await headsWithLink(result, shape, time, cut), []);
});

test('an annotation says what a link is from either end, and gives the words', () => {
  const words = [
    {form: 'time', head: 1, relation: 'nsubj', place: /** @type {[number, number]} */ ([0, 4])},
    {form: 'flies', head: -1, relation: 'root', place: /** @type {[number, number]} */ ([5, 10])},
    {form: '!', head: 1, relation: 'punct', place: /** @type {[number, number]} */ ([10, 11])},
  ];
  const sentence = {id: '', text: 'time flies!', line: 1, words, mentions: []};
  assert.deepEqual(
    wordsOf('time flies!', sentence).map(({isWord}) => isWord),
    [true, true, false],
  );
  assert.deepEqual(relationOf(sentence, {from: 0, to: 1}), {relation: 'nsubj', direction: 'to'});
  assert.deepEqual(relationOf(sentence, {from: 1, to: 0}), {relation: 'nsubj', direction: 'from'});
  assert.equal(relationOf(sentence, {from: 0, to: 2}), null);
  assert.equal(relationOf(null, {from: 0, to: 1}), null);
});

test('how often a head finds a relation is taken in the direction of the link', () => {
  const score = /** @type {any} */ ({right: {to: [1, 2, 3, 4], from: [5, 6, 7, 8]}});
  assert.equal(foundBy(score, 'to', {layer: 1, head: 0}, 2), 3);
  assert.equal(foundBy(score, 'from', {layer: 1, head: 1}, 2), 8);
});
