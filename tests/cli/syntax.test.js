/** Tests the command that measures what heads know of grammar. */

import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {bertscope} from './support.js';

test('the built-in sentences: a table with each relation beside position, antecedents and tree', async () => {
  const {code, stdout, stderr} = await bertscope(['syntax', '--draws', '20']);
  assert.deepEqual([code, stderr], [0, '']);
  const lines = stdout.split('\n');
  assert.match(lines[0], /^174 sentences, 1803 words$/);
  // The embedded model has a head for the object of a verb, far better than any fixed distance.
  const [, found, byPosition] =
    /^obj +135 +\d\.\d (?:to|from) +(\d+) % .* (\d+) % \(-2\)$/m.exec(stdout) ?? [];
  assert.ok(Number(found) > Number(byPosition) + 15, `${found} % and ${byPosition} %`);
  assert.match(stdout, /^Antecedents: head \d\.\d \d+ of 104 /m);
  assert.match(stdout, /^Tree of all heads: \d+ % of \d+ links, neighbours \d+ %\.$/m);
});

test("a reader's own file, as a table or as JSON with every head", async () => {
  const rows = ['1\tDogs\t_\t_\t_\t_\t2\tnsubj\t_\t_', '2\tbark\t_\t_\t_\t_\t0\troot\t_\t_', ''];
  writeFileSync('own.conllu', `${rows.join('\n')}\n${rows.join('\n')}`);
  assert.equal((await bertscope(['syntax', 'own.conllu', '-o', 'own.csv'])).code, 0);
  assert.match(readFileSync('own.csv', 'utf8'), /^relation,.*\nnsubj,2,\d,\d,to,2,1\.0000,,,/);
  assert.equal((await bertscope(['syntax', 'own.conllu', '-o', 'own.json'])).code, 0);
  const report = JSON.parse(readFileSync('own.json', 'utf8'));
  assert.equal(report.relations[0].right.to.length, 48);
  assert.equal(report.coreference, null);
  // Two sentences say nothing about others.
  assert.deepEqual(report.relations[0].best.interval, [null, null]);
  const {stdout} = await bertscope(['syntax', 'own.conllu']);
  assert.match(stdout, /^nsubj +2 +\d\.\d to +100 % +– +100 % \(\+1\)$/m);
});

const table = [
  'to,sentence,from',
  'car,"The red car, which is new, stopped.",red',
  'dog,A small dog barked.,small',
];

test('pairs of words in a table are measured as one relation, without what needs whole annotations', async () => {
  writeFileSync('pairs.csv', table.join('\r\n'));
  writeFileSync('pairs.TSV', 'sentence\tfrom\tto\nThe red car.\tred\tcar\n\tThe\tcar\n');
  const {code, stdout, stderr} = await bertscope(['syntax', 'pairs.csv']);
  assert.deepEqual([code, stderr], [0, '']);
  const lines = stdout.trimEnd().split('\n');
  assert.match(lines[0], /^2 sentences, 15 words$/);
  assert.match(lines[3], /^marked pair +2 +\d\.\d (?:to|from) +\d+ % +– +100 % \(\+1\)$/);
  assert.match(lines.at(-1) ?? '', /^to: the word attends most/);
  assert.match((await bertscope(['syntax', 'pairs.TSV'])).stdout, /^marked pair +2 /m);
});

writeFileSync('bad.csv', `${table.join('\n')}\nthe,the cat saw the dog,cat\n`);
writeFileSync('dogs.txt', 'Dogs bark.\n');
writeFileSync('no-ending', 'Dogs bark.\n');
mkdirSync('folder.conllu');
writeFileSync('bad.conllu', '1\tDogs\t_\t_\t_\t_\t9\tnsubj\t_\t_\n');
for (const [what, args, expected] of /** @type {[string, string[], RegExp][]} */ ([
  [
    'a bad table',
    ['bad.csv'],
    /^bertscope: bad\.csv: line 4: expected the#1 or the#2, since the sentence has this word twice, found "the"\n$/,
  ],
  ['a bad file', ['bad.conllu'], /^bertscope: bad\.conllu: line 1: expected a head .* found 9\n$/],
  [
    'no such file',
    ['none.conllu'],
    /^bertscope: none\.conllu: expected a file of annotated sentences, found nothing\n$/,
  ],
  [
    'a folder with the name of a treebank',
    ['folder.conllu'],
    /^bertscope: folder\.conllu: expected a file of annotated sentences, found a folder\n$/,
  ],
  [
    'a text',
    ['dogs.txt'],
    /^bertscope: dogs\.txt: expected a model, a treebank \(\.conllu\) or a table of pairs \(\.csv, \.tsv\), found a file that ends in "\.txt"\n$/,
  ],
  [
    'a text beside a treebank',
    ['bad.conllu', 'dogs.txt'],
    /^bertscope: dogs\.txt: expected a model, .* found a file that ends in "\.txt"\n$/,
  ],
  [
    'a file without an ending',
    ['no-ending'],
    /no-ending: expected a model, .* found a file without an ending\n$/,
  ],
  ['neither', ['none.txt'], /^bertscope: none\.txt: expected a model, .* found nothing\n$/],
  [
    'two files',
    ['bad.conllu', 'bad.conllu'],
    /expected \[model\] \[file\.conllu, \.csv, \.tsv\], found bad.*bad/,
  ],
  ['no number of draws', ['--draws', '1e9'], /--draws: expected a whole number .* found "1e9"/],
  ['no draws', ['--draws', '0'], /--draws: expected a whole number from 1 to 1000, found "0"/],
  ['another precision', ['--precision', 'f16'], /--precision: expected int8 or f32, found f16/],
  ['another ending', ['-o', 'x.txt'], /x\.txt: expected a name that ends in \.csv or \.json/],
])) {
  test(`${what}: one line that says what was expected`, async () => {
    const {code, stderr} = await bertscope(['syntax', ...args]);
    assert.equal(code, 2);
    assert.match(stderr, expected);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  });
}
