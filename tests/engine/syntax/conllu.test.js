/** Tests that CoNLL-U is read as Universal Dependencies and CorefUD define it, and refused with the number of the line. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {readTreebank} from '../../../web/engine/syntax/conllu.js';

const encoder = new TextEncoder();

/** @param {string | Uint8Array[]} given */
async function read(given) {
  const parts = typeof given === 'string' ? [encoder.encode(given)] : given;
  const sentences = [];
  for await (const sentence of readTreebank(parts, 'file')) sentences.push(sentence);
  return sentences;
}

/** @param {string} id @param {string} form @param {string} head @param {string} relation @param {string} [misc] */
const row = (id, form, head, relation, misc = '_') =>
  [id, form, '_', '_', '_', '_', head, relation, '_', misc].join('\t');

const DOG = [row('1', 'Dogs', '2', 'nsubj'), row('2', 'bark', '0', 'root', 'SpaceAfter=No')];
const STOP = row('3', '.', '2', 'punct');

test('words, heads, relations, and the text that the words spell', async () => {
  const [sentence, ...more] = await read(`# sent_id = a1\n${[...DOG, STOP].join('\n')}\n\n`);
  assert.equal(more.length, 0);
  assert.deepEqual(sentence, {
    id: 'a1',
    text: 'Dogs bark.',
    line: 1,
    mentions: [],
    words: [
      {form: 'Dogs', head: 1, relation: 'nsubj', place: [0, 4]},
      {form: 'bark', head: -1, relation: 'root', place: [5, 9]},
      {form: '.', head: 1, relation: 'punct', place: [9, 10]},
    ],
  });
});

test('the words of a span stand in it where they spell it; else the first has all of it', async () => {
  const spelled = [
    row('1-2', "don't", '_', '_'),
    row('1', 'do', '3', 'aux'),
    row('2', "n't", '3', 'advmod'),
    row('3', 'go', '0', 'root'),
  ];
  const [english] = await read(spelled.join('\n'));
  assert.equal(english.text, "don't go");
  assert.deepEqual(
    english.words.map(({place}) => place),
    [
      [0, 2],
      [2, 5],
      [6, 8],
    ],
  );
  const merged = [
    row('1-2', 'del', '_', '_'),
    row('1', 'de', '3', 'case'),
    row('2', 'el', '3', 'det'),
    row('3', 'mar', '0', 'root'),
  ];
  const [spanish] = await read(merged.join('\n'));
  assert.equal(spanish.text, 'del mar');
  assert.deepEqual(
    spanish.words.map(({place}) => place),
    [[0, 3], null, [4, 7]],
  );
});

test('a word that ends in a space of its own keeps its place', async () => {
  for (const [form, misc] of [['bark\u00a0'], ['bark '], ['bark ', 'SpaceAfter=No']]) {
    const [{text, words}] = await read([DOG[0], row('2', form, '0', 'root', misc)].join('\n'));
    assert.equal(text.slice(.../** @type {[number, number]} */ (words[1].place)), form);
    assert.equal(text, `Dogs ${form}`);
  }
});

test('empty nodes and comments are passed over', async () => {
  const [{words}] = await read(['# a', DOG[0], row('1.1', 'x', '_', '_'), DOG[1]].join('\n'));
  assert.equal(words.length, 2);
});

test('mentions of one and several words, one in the other', async () => {
  const rows = [
    row('1', 'Her', '2', 'nmod:poss', 'Entity=(e1-person-2(e2-person-1)'),
    row('2', 'dog', '3', 'nsubj', 'Entity=e1)'),
    row('3', 'barks', '0', 'root'),
  ];
  const [{mentions}] = await read(rows.join('\n'));
  assert.deepEqual(mentions, [
    {entity: 'e2', head: 0},
    {entity: 'e1', head: 1},
  ]);
});

test('mentions count empty nodes, and those that an empty node heads are of no word', async () => {
  const rows = [
    row('1', 'Vino', '0', 'root'),
    row('1.1', '_', '_', '_', 'Entity=(e1-person-1)(e2-thing-3(e3-x-1'),
    row('2', 'y', '3', 'cc'),
    row('3', 'bebió', '1', 'conj', 'Entity=e2)e3)'),
  ];
  const [{mentions}] = await read(rows.join('\n'));
  assert.deepEqual(mentions, [{entity: 'e2', head: 2}]);
});

test('the order of the fields of a mention is the one that the file declares', async () => {
  const sentences = await read(
    [
      '# global.Entity = head-etype-eid-other',
      row('1', 'The', '2', 'det', 'Entity=(2-animal-e1-x'),
      row('2', 'dog', '0', 'root', 'Entity=e1)'),
      '',
      '# global.Entity = eid-etype',
      row('1', 'Her', '2', 'nmod:poss', 'Entity=(e2-person-9)'),
      row('2', 'dog', '0', 'root', '_'),
    ].join('\n'),
  );
  assert.deepEqual(
    sentences.map(({mentions}) => mentions),
    [[{entity: 'e1', head: 1}], [{entity: 'e2', head: 0}]],
  );
  const older = ['# global.Entity = GRP-etype-head', row('1', 'Dogs', '0', 'root', 'Entity=(7-animal-1)')]; // prettier-ignore
  assert.deepEqual((await read(older.join('\n')))[0].mentions, [{entity: '7', head: 0}]);
  const nameless = ['# global.Entity = etype-head', row('1', 'Dogs', '0', 'root', 'Entity=(animal-1)')]; // prettier-ignore
  assert.deepEqual((await read(nameless.join('\n')))[0].mentions, []);
});

test('the same sentences however the bytes arrive, with a byte order mark and returns', async () => {
  const text = [row('1', 'Größe', '2', 'nsubj'), DOG[1], '', ...DOG, STOP, ''].join('\n');
  const expected = await read(text);
  const bytes = encoder.encode(`\ufeff${text.replaceAll('\n', '\r\n')}`);
  for (const size of [1, 2, 3, 7, 1000]) {
    const parts = [];
    for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
    assert.deepEqual(await read(parts), expected, `parts of ${size} bytes`);
  }
});

/** @type {[string, string | Uint8Array[], RegExp][]} */
const bad = [
  ['nothing', '', /^file: expected sentences in CoNLL-U, found none$/],
  ['a line of words', 'Dogs bark.', /^file: line 1: expected 10 columns .* found 1$/],
  ['a number that is none', row('x', 'a', '0', 'root'), /line 1: .* number of a word .*"x"/],
  ['a word that is left out', [DOG[0], STOP].join('\n'), /line 2: expected word 2, found word 3/],
  ['a head that is none', row('1', 'a', '_', 'root'), /line 1: .* number of a head, found "_"/],
  ['a head that is not there', row('1', 'a', '7', 'nsubj'), /line 1: .* at most 1, found 7/],
  ['a word as its own head', row('1', 'a', '1', 'nsubj'), /line 1: .* another word as the head/],
  ['a relation of a comma', row('1', 'a', '0', 'x,"y'), /line 1: expected a relation .* found "x,/],
  [
    'no relation',
    row('1', 'a', '0', '_'),
    /line 1: expected a relation such as nmod:poss, found "_"/,
  ],
  [
    'two roots',
    [row('1', 'a', '0', 'root'), row('2', 'b', '0', 'root')].join('\n'),
    /line 2: expected one root in the sentence, found 2/,
  ],
  [
    'a circle',
    [row('1', 'a', '2', 'x'), row('2', 'b', '1', 'x'), row('3', 'c', '0', 'root')].join('\n'),
    /line 1: expected heads that lead to the root, found a circle/,
  ],
  [
    'a mention without an end',
    row('1', 'a', '0', 'root', 'Entity=(e1-x-1'),
    /line 1: expected every mention to end, found e1 open/,
  ],
  [
    'a mention without a begin',
    row('1', 'a', '0', 'root', 'Entity=e1)'),
    /line 1: expected the end of a mention that is open, found e1\)/,
  ],
  ['a line without end', 'a'.repeat(100_001), /line 1: expected at most 100,000 characters/],
  [
    'a sentence without end',
    Array.from({length: 1001}, (_, i) => row(String(i + 1), 'a', '0', 'root')).join('\n'),
    /line 1001: expected a sentence of at most 1000 words, found more/,
  ],
  [
    'a sentence of too much text',
    Array.from({length: 3}, (_, i) => row(`${i + 1}`, 'a'.repeat(40_000), `${i}`, 'x')).join('\n'),
    /^file: line 3: expected a sentence of at most 100,000 characters, found more$/,
  ],
  [
    'bytes that are no text',
    [Buffer.concat([encoder.encode(`${DOG[0]}\n`), new Uint8Array([0xff, 0xfe, 10])])],
    /^file: line 2: expected text in UTF-8, found bytes that are not$/,
  ],
  [
    'bytes that are no text, behind a sign that stands for such',
    [Buffer.concat([encoder.encode(`# \ufffd\n# a\n`), new Uint8Array([0xff, 10])])],
    /^file: line 3: expected text in UTF-8/,
  ],
  [
    'bytes that are no text, in a part that begins within a sign',
    [encoder.encode('# ö').subarray(0, 3), new Uint8Array([0xb6, 10, 0xff, 10])],
    /^file: line 2: expected text in UTF-8/,
  ],
  [
    'a long line behind others',
    `# a\n# b\n${'a'.repeat(100_001)}`,
    /line 3: .* 100,000 characters/,
  ],
  [
    'a span of words that are not there',
    [row('1-2', 'ab', '_', '_'), row('1', 'a', '0', 'root')].join('\n'),
    /line 1: expected a word of the span 1-2, found none/,
  ],
  [
    'a span within a span',
    [row('1-3', 'abc', '_', '_'), row('1-2', 'ab', '_', '_'), row('1', 'a', '0', 'root')].join(
      '\n',
    ),
    /line 2: expected a word of the span 1-3, found 1-2/,
  ],
  [
    'spans that overlap',
    [
      row('1-2', 'ab', '_', '_'),
      row('1', 'a', '0', 'root'),
      row('2', 'b', '1', 'x'),
      row('2-3', 'bc', '_', '_'),
      row('3', 'c', '1', 'x'),
    ].join('\n'),
    /line 4: expected the span of words from 3 on, found 2-3/,
  ],
  [
    'a span that ends before it begins',
    [row('2-1', 'ab', '_', '_'), row('1', 'a', '0', 'root')].join('\n'),
    /line 1: expected the span of words from 1 on, found 2-1/,
  ],
];
for (const [what, given, message] of bad) {
  test(`${what}: refused with the line`, async () => {
    await assert.rejects(read(given), {code: 'bad-treebank', message});
  });
}

test('marks without an end, and mentions without number, take little time', async () => {
  const many = (/** @type {string} */ mark) => mark.repeat(Math.floor(99_000 / mark.length));
  const begin = performance.now();
  const [{mentions}] = await read(row('1', 'a', '0', 'root', `Entity=${many('a')}`));
  assert.deepEqual(mentions, []);
  await read(`# global.Entity = a${many(' ')}b\n${row('1', 'a', '0', 'root')}`);
  for (const mark of ['(a', '(b-x-1)'])
    await assert.rejects(read(row('1', 'a', '0', 'root', `Entity=${many(mark)}`)), {
      message: 'file: line 1: expected at most 2000 mentions, found more',
    });
  const taken = performance.now() - begin;
  assert(taken < 2000, `${taken} ms`);
});

test('a line that never ends is refused before it is read to its end', async () => {
  let parts = 0;
  const endless = (function* () {
    for (;;) {
      parts++;
      yield new Uint8Array(50_000).fill(97);
    }
  })();
  await assert.rejects(async () => {
    for await (const _ of readTreebank(endless, 'file'));
  }, /at most 100,000 characters/);
  assert(parts < 8, `${parts} parts were read`);
});
