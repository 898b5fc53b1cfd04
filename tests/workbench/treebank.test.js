/** Tests how the sentences that heads are measured on are read from a file. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {sentencesOf} from '../../web/workbench/treebank.js';

const row = (/** @type {string} */ form) => `1\t${form}\t_\t_\t_\t_\t0\troot\t_\t_\n\n`;
const fileOf = (/** @type {string} */ text) => ({name: 'own.conllu', file: new Blob([text])});
const unstopped = new AbortController().signal;

test('a file is read in portions, also where one ends inside a letter, and says how far it is', async () => {
  const forms = Array.from({length: 2_000}, (_, at) => '𝔸é'.repeat(1 + (at % 7)));
  const shares = /** @type {number[]} */ ([]);
  const read = [];
  for await (const {words} of sentencesOf(fileOf(forms.map(row).join('')), unstopped, (share) => shares.push(share))) read.push(words[0].form); // prettier-ignore
  assert.deepEqual(read, forms);
  assert(shares.length > 10 && shares.every((share, at) => share > (shares[at - 1] ?? 0)));
  assert.equal(shares.at(-1), 1);
});

test('an error names the file and the line', async () => {
  const reading = sentencesOf(fileOf(`${row('a')}no columns`), unstopped);
  await reading.next();
  await assert.rejects(reading.next(), /^BertscopeError: own\.conllu: line 3: expected 10 columns/);
});

test('a table of pairs is read by its ending, and says how much of it has been measured', async () => {
  const table =
    'sentence\tfrom\tto\nA red car.\tred\tcar\nDogs bark.\tDogs\tbark\nA red car.\tA\tcar\n';
  const shares = /** @type {number[]} */ ([]);
  const read = [];
  const file = {name: 'Pairs.TSV', file: new Blob([table])};
  for await (const {line, words} of sentencesOf(file, unstopped, (share) => shares.push(share))) {
    read.push([line, words.map(({head}) => head)]);
  }
  assert.deepEqual(read, [
    [2, [2, 2, -1, -1]],
    [3, [1, -1, -1]],
  ]);
  assert.deepEqual(shares, [0.5, 1]);
});

test('a file without sentences is not read to its end when the reading is stopped', async () => {
  const abort = new AbortController();
  const comments = fileOf('# nothing\n'.repeat(100_000));
  let portions = 0;
  const reading = sentencesOf(comments, abort.signal, () => {
    if (++portions === 3) abort.abort(new Error('enough'));
  });
  await assert.rejects(reading.next(), /enough/);
  assert.equal(portions, 3);
});
