/** Tests how rows that are pasted from a spreadsheet become sentences with marked pairs. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {pastedPairs, writtenPairs} from '../../web/workbench/pasted-pairs.js';
import {linesIn} from '../../web/workbench/word-pairs.js';

/** @param {string} text */
const pairsOf = (text) =>
  pastedPairs(text)?.map(({text: sentence, words, pairs}) => [
    sentence,
    ...[...pairs].map(([from, to]) => `${words[from].form} ${words[to].form}`),
  ]);

test('three columns are a sentence and two of its words, below a header too', () => {
  const rows = 'A red car.\tred\tcar\r\n\tA\tcar\r\nDogs bark.\tDogs\tbark\r\n';
  const expected = [
    ['A red car.', 'red car', 'A car'],
    ['Dogs bark.', 'Dogs bark'],
  ];
  assert.deepEqual(pairsOf(rows), expected);
  const named =
    'Note\tTo\tFrom\tSentence\n1\tcar\tred\tA red car.\n2\tcar\tA\t\n\tbark\tDogs\tDogs bark.';
  assert.deepEqual(pairsOf(named), expected);
});

test('other text is no rows', () => {
  for (const text of ['', 'Dogs bark.', 'Dogs\tbark.', 'A red car.\tred\tcar\nDogs bark.']) {
    assert.equal(pastedPairs(text), null, text);
  }
});

test('what is written for a link is read as it was', () => {
  const text = '“Dogs”, the man said, the "dogs" bark.\nThe red car.';
  const lines = linesIn(text);
  const [first, second] = lines;
  const at = (/** @type {string} */ form) => first.words.flatMap((each, i) => (each.form === form ? [i] : [])); // prettier-ignore
  const marked = new Map([
    [first.text, new Map([[at('the')[1], at('dogs')[0]], [at('the')[0], at('man')[0]]])], // prettier-ignore
    [second.text, new Map([[1, 2]])],
  ]);
  const written = writtenPairs(lines, (each) => marked.get(each) ?? new Map());
  const found = new Map(pastedPairs(written)?.map(({text: each, pairs}) => [each, pairs]));
  assert.deepEqual(found, marked);
});

test('a row is refused with its number', () => {
  for (const [rows, message] of /** @type {[string, RegExp][]} */ ([
    ['\tred\tcar', /^Row 1: expected a sentence in this row or above it/],
    ['A red car.\tred\tcars', /^Row 1: .* \(A, red, car\), found “cars”\.$/],
    [
      'Dogs bark.\tDogs\tbark\nthe cat saw the dog\tthe\tdog',
      /^Row 2: “the” is in the sentence 2 times\. Write the#1 for the first one or the#2 for the second\.$/,
    ],
    ['A red car.\tred\tred', /^Row 1: expected two words, found “red” as both\.$/],
    ['A red car.\tred\tcar\n\tred\tA', /^Row 2: expected one word to find from “red”/],
  ])) {
    assert.throws(() => pastedPairs(rows), {message});
  }
});
