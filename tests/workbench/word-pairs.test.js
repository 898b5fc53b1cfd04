/** Tests how pairs of words that a reader marks become sentences to measure. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {missedLinks} from '../../web/engine/syntax/missed-links.js';
import {scoreTreebank} from '../../web/engine/syntax/score-treebank.js';
import {pairRelation, sentencesOfPairs, wordsIn} from '../../web/engine/syntax/word-pairs.js';
import {linesIn, refusingLongLines} from '../../web/workbench/word-pairs.js';

test('a text is cut into words and marks with their places, in scripts without spaces too', () => {
  const words = wordsIn('The red, red car 🙂');
  assert.deepEqual(
    words.map(({form, isWord}) => [form, isWord]),
    [
      ['The', true],
      ['red', true],
      [',', false],
      ['red', true],
      ['car', true],
      ['🙂', false],
    ],
  );
  assert.deepEqual(words[3].place, [9, 12]);
  assert.deepEqual(
    wordsIn('红色的车').map(({form}) => form),
    ['红色', '的', '车'],
  );
});

test('empty lines are passed over and counted, and a line that is too long is named', () => {
  const lines = linesIn('  one two \n\n three\n');
  assert.deepEqual(
    lines.map(({text, line}) => [text, line]),
    [
      ['one two', 1],
      ['three', 3],
    ],
  );
  assert.throws(() => linesIn(`a\n${'b '.repeat(600)}`), /^Error: Line 2: .* 1000 .* 1199\.$/);
  const many = Array.from({length: 201}, (_, index) => `a ${index}`);
  assert.throws(() => linesIn(`\n${many.join('\n')}`), /^Error: Line 202: expected at most 200 /);
  assert.deepEqual(
    linesIn('a b\nc\na b').map(({line}) => line),
    [1, 2],
  );
});

/** Each word attends most to the next one, which attends most to the one after it. */
const next = {
  shape: {layers: 1, heads: 1},
  wordLinks: async (/** @type {string} */ _, /** @type {{words: unknown[]}} */ {words}) => ({
    layers: 1,
    heads: 1,
    truncated: 0,
    to: Int32Array.from(words, (_, at) => (at + 1 < words.length ? at + 1 : at - 1)),
    from: new Int32Array(words.length).fill(-1),
    earlier: new Int32Array(words.length).fill(-1),
    mean: new Float32Array(words.length ** 2),
  }),
};

test('marked pairs are measured as a relation of a treebank is, and lines without one are left out', async () => {
  const lines = linesIn('The red car stopped.\nNothing is marked.\nThe car was red.');
  /** @type {Record<string, [number, number][]>} */
  const marked = {'The red car stopped.': [[1, 2]], 'The car was red.': [[3, 1]]};
  const sentences = sentencesOfPairs(lines, (text) => new Map(marked[text]));
  assert.deepEqual(
    sentences.map(({line}) => line),
    [1, 3],
  );
  const {relations} = await scoreTreebank(next, sentences);
  assert.equal(relations.length, 1);
  const [{relation, links, best, position}] = relations;
  assert.equal(relation, pairRelation);
  assert.deepEqual([links, best.right, best.direction], [2, 1, 'to']);
  assert.equal(position.right, 1);
  const finder = {relation, layer: 0, head: 0, direction: /** @type {const} */ ('to')};
  const failures = [];
  for await (const {sentence, misses} of missedLinks(next, sentences, finder)) {
    failures.push([sentence.line, misses]);
  }
  assert.deepEqual(failures, [[3, [{word: 3, wanted: 1, found: 4}]]]);
});

test('a line that is too long for the model is named', async () => {
  const lines = linesIn('one two\n\nthree four');
  const sentences = sentencesOfPairs(lines, () => new Map([[0, 1]]));
  const cutting = {
    ...next,
    wordLinks: async (/** @type {string} */ text, /** @type {{words: unknown[]}} */ options) => ({
      ...(await next.wordLinks(text, options)),
      truncated: text.startsWith('three') ? 4 : 0,
    }),
  };
  const measuring = scoreTreebank(refusingLongLines(cutting, sentences), sentences);
  await assert.rejects(measuring, /^Error: Line 3: this sentence is too long for the model\.$/);
});
