/** Tests that a table of pairs is read as sentences whose words are marked, and refused with the number of the line. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {readPairTable} from '../../../web/engine/syntax/pair-table.js';
import {pairRelation} from '../../../web/engine/syntax/word-pairs.js';

const encoder = new TextEncoder();

/** @param {string | Uint8Array} given @param {number} [size] The bytes that arrive at once. */
function read(given, size = Infinity) {
  const bytes = typeof given === 'string' ? encoder.encode(given) : given;
  const parts = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  return readPairTable(parts, 'file');
}

/** The sentences with their pairs, by the words. @param {string | Uint8Array} given @param {number} [size] */
async function pairsOf(given, size) {
  return (await read(given, size)).map(({text, line, words}) => [
    line,
    text,
    ...words.flatMap(({form, head}) => (head < 0 ? [] : [`${form} ${words[head].form}`])),
  ]);
}

const rows = (/** @type {string[]} */ ...lines) => ['sentence\tfrom\tto', ...lines].join('\n');

test('a row is a pair of words of a sentence, as a treebank has them', async () => {
  const [sentence, ...more] = await read(rows('A red car.\tred\tcar'));
  assert.equal(more.length, 0);
  assert.deepEqual(sentence, {
    id: '2',
    text: 'A red car.',
    line: 2,
    mentions: [],
    words: [
      {form: 'A', head: -1, relation: '', place: [0, 1]},
      {form: 'red', head: 2, relation: pairRelation, place: [2, 5]},
      {form: 'car', head: -1, relation: '', place: [6, 9]},
      {form: '.', head: -1, relation: '', place: [9, 10]},
    ],
  });
});

test('the rows of a sentence may stand anywhere, without it below it, and twice; those without words mark nothing', async () => {
  const table = rows(
    'A red car and a big dog.\t\t',
    '\tred\tcar',
    '',
    'Dogs bark.\tDogs\tbark',
    ' A red  car and a big dog. \tbig\tdog',
    'Dogs bark.\tDogs\tbark',
    'Nothing here.\t\t',
  );
  assert.deepEqual(await pairsOf(table), [
    [2, 'A red car and a big dog.', 'red car', 'big dog'],
    [5, 'Dogs bark.', 'Dogs bark'],
  ]);
});

test('a word that is there several times has a number', async () => {
  const [sentence] = await read(rows('the cat saw the dog\tthe#2\tdog#1', '\tthe#1\tcat'));
  assert.deepEqual(
    sentence.words.map(({head}) => head),
    [1, -1, -1, 4, -1],
  );
});

test('columns have any order, and others are passed over', async () => {
  const expected = [[2, 'A red car.', 'red car']];
  for (const table of [
    'To,Sentence,note,FROM\ncar,A red car.,"a, b",red',
    'to;sentence;from\ncar;A red car.;red;\n',
    '\n"to","sentence","from"\n"car","A red car.","red"\n'.slice(1),
  ]) {
    assert.deepEqual(await pairsOf(table), expected, table);
  }
});

test('quotation marks, commas and line ends stand in cells in quotation marks', async () => {
  const table = 'sentence,from,to\r\n"A ""red""\r\ncar, new",red,car\r\nOne "big" dog,big,dog\r\n';
  assert.deepEqual(await pairsOf(table), [
    [2, 'A "red" car, new', 'red car'],
    [4, 'One "big" dog', 'big dog'],
  ]);
  // Between tabs, marks around a whole cell only, as spreadsheets write them.
  assert.deepEqual(await pairsOf(rows('"Stop!" he said\tStop\the', '"A ""red"" car"\tred\tcar')), [
    [2, '"Stop!" he said', 'Stop he'],
    [3, 'A "red" car', 'red car'],
  ]);
});

test('the same sentences however the bytes arrive, with a byte order mark and returns', async () => {
  const table = 'sentence,from,to\n"Große Hunde,\nbellen",Große,Hunde\n红色的车,红色,车\n';
  const expected = await pairsOf(table);
  assert.deepEqual(expected, [
    [2, 'Große Hunde, bellen', 'Große Hunde'],
    [4, '红色的车', '红色 车'],
  ]);
  for (const size of [1, 2, 3, 7, 1000]) {
    assert.deepEqual(await pairsOf(`\ufeff${table.replaceAll('\n', '\r\n')}`, size), expected);
  }
});

const cat = 'the cat saw the dog';
/** @type {[string, string | Uint8Array, RegExp][]} */
const bad = [
  ['nothing', '', /^file: expected a row with a sentence and two of its words, found none$/],
  ['a header alone', rows(), /^file: expected a row with a sentence and two of its words/],
  ['sentences without pairs', rows('A dog.\t\t'), /^file: expected a row .* found none$/],
  [
    'a missing column',
    'sentence,word,to\na b,a,b',
    /^file: line 1: expected a header with the columns sentence, from, to, found no from$/,
  ],
  ['a text', 'Dogs bark.', /line 1: expected a header .* found no sentence, from, to$/],
  ['a pair without a sentence', rows('\ta\tb'), /line 2: expected a sentence in this row or above/],
  [
    'a word that is not in the sentence',
    rows('Dogs bark.\tdogs\tbark'),
    /^file: line 2: expected a word of the sentence \(Dogs, bark\), found "dogs"$/,
  ],
  ['half a pair', rows('Dogs bark.\tDogs\t'), /line 2: expected a word .* found ""$/],
  ['a punctuation mark', rows('Dogs bark.\tDogs\t.'), /line 2: expected a word .* found "\."$/],
  ['too high a number', rows(`${cat}\tthe#3\tdog`), /line 2: expected a word .* found "the#3"$/],
  ['no such number', rows(`${cat}\tthe#0\tdog`), /line 2: expected a word .* found "the#0"$/],
  [
    'a word that is there twice',
    rows(`${cat}\tdog\tthe`),
    /^file: line 2: expected the#1 or the#2, since the sentence has this word twice, found "the"$/,
  ],
  [
    'a word that is there three times',
    rows('a a a b\ta\tb'),
    /line 2: expected a#1 to a#3, since the sentence has this word 3 times, found "a"$/,
  ],
  ['one word', rows(`${cat}\tdog\tdog`), /line 2: expected two words, found "dog" as both$/],
  [
    'a second target',
    rows(`${cat}\tsaw\tdog`, 'Dogs bark.\tDogs\tbark', `${cat}\tsaw\tcat`),
    /^file: line 4: expected one word to find from "saw", found a second one$/,
  ],
  [
    'a comma without quotation marks',
    'sentence,from,to\nA red, new car.,red,car',
    /^file: line 2: expected 3 cells as in the header, found 4$/,
  ],
  [
    'a quotation mark without end',
    'sentence,from,to\n\n"A dog.,A,dog\nB cat.,B,cat\n',
    /^file: line 3: expected a quotation mark at the end of the cell, found none$/,
  ],
  [
    'words behind a quotation mark',
    'sentence,from,to\n"A" dog.,A,dog\n',
    /^file: line 2: expected the end of the cell behind its quotation mark, found " dog\.,A,dog"$/,
  ],
  [
    'too many rows',
    rows(...Array.from({length: 10_001}, () => 'Dogs bark.\tDogs\tbark')),
    /^file: line 10002: expected at most 10,000 rows below the header, found more$/,
  ],
  [
    'a long sentence, which is not cut into words',
    rows('a b\ta\tb', `x y${' a'.repeat(40_000)}\tx\ty`),
    /^file: line 3: expected a sentence of at most 5,000 characters, found 80003$/,
  ],
  [
    'a row that never ends',
    `sentence,from,to\n"${'a\n'.repeat(99_999)}${'a'.repeat(50_000)}`,
    /^file: line 2: expected a row of at most 100,000 characters, found more$/,
  ],
  [
    'bytes that are no text',
    Buffer.concat([encoder.encode(rows('a b\ta\tb')), Uint8Array.of(10, 0xe9, 10)]),
    /^file: line 3: expected text in UTF-8, found bytes that are not$/,
  ],
  [
    'UTF-16, as spreadsheets write "Unicode text"',
    Buffer.from(`\ufeff${rows('a b\ta\tb')}`, 'utf16le'),
    /^file: line 1: expected text in UTF-8/,
  ],
];
for (const [what, given, message] of bad) {
  test(`${what}: refused with the line`, async () => {
    await assert.rejects(read(given), {code: 'bad-treebank', message});
  });
}
