/** Compares the links between words with NumPy's, and tests which token belongs to which word. */

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {test} from 'node:test';
import {wordsOfTokens} from '../../../web/engine/host/word-links.js';
import {PYTHON} from '../../support/python.js';
import {fromRoot, loadGolden, TOLERANCE} from '../support.js';

const model = await loadGolden('odd-sizes');

test('the links of every head match those that NumPy computes from its attention', async () => {
  const text = 'the cat, the banarr the cat';
  const words = [...text.matchAll(/\w+|,/g)].map(
    ({index, 0: {length}}) => /** @type {[number, number]} */ ([index, index + length]),
  );
  const mentions = [1, 4, 6];
  const {pass, offsets} = await model.attend(text);
  const {layers, heads} = model.shape;
  const tokens = pass.ids.length;
  const attention = [];
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const weights = await model.pull(pass, 'attention', [layer, head]);
      attention.push(
        Array.from({length: tokens}, (_, q) => [...weights.slice(q * tokens, (q + 1) * tokens)]),
      );
    }
  }
  const found = await model.wordLinks(text, {words, mentions});
  const input = JSON.stringify({
    attention,
    words: [...wordsOfTokens(offsets, words)],
    mentions: words.map((_, word) => Number(mentions.includes(word))),
  });
  const script = fromRoot('scripts/reference/word_links.py');
  const expected = JSON.parse(execFileSync(PYTHON, [script], {input}).toString());

  assert(tokens > words.length + 2, 'expected a word of several pieces');
  for (const name of /** @type {const} */ (['to', 'from', 'earlier'])) {
    assert.deepEqual([...found[name]], expected[name].flat(), name);
  }
  const mean = expected.mean.flat();
  assert.equal(found.mean.length, mean.length);
  found.mean.forEach((weight, at) => assert(Math.abs(weight - mean[at]) <= TOLERANCE.measures));
  assert.deepEqual([found.layers, found.heads, found.truncated], [layers, heads, 0]);
});

test('the links are those of the text that is asked for, whatever runs beside it', async () => {
  /** @type {{words: [number, number][]}} */
  const options = {
    words: [
      [0, 3],
      [4, 7],
    ],
  };
  const alone = await model.wordLinks('the cat', options);
  const [beside] = await Promise.all([
    model.wordLinks('the cat', options),
    model.wordLinks('cat the', options),
  ]);
  assert.deepEqual(beside, alone);
});

test('a token belongs to the word in which it begins', () => {
  // "didn't stop" as did|n't stop, with the pieces didn, ', t, stop between special tokens.
  const offsets = /** @type {([number, number] | null)[]} */ ([
    null,
    [0, 4],
    [4, 5],
    [5, 6],
    [7, 11],
    null,
  ]);
  const words = /** @type {[number, number][]} */ ([
    [0, 3],
    [3, 6],
    [7, 11],
  ]);
  assert.deepEqual([...wordsOfTokens(offsets, words)], [-1, 0, 1, 1, 2, -1]);
  assert.deepEqual([...wordsOfTokens(offsets, words.slice(1))], [-1, -1, 0, 0, 1, -1]);
});

for (const [what, options, expected] of /** @type {[string, any, RegExp][]} */ ([
  ['no list of places', {words: 'cat'}, /expected a list of places, found "cat"/],
  [
    'places that overlap',
    {
      words: [
        [0, 3],
        [2, 5],
      ],
    },
    /places that follow each other .*found \[2,5\]/,
  ],
  ['a place that ends where it begins', {words: [[2, 2]]}, /found \[2,2\]/],
  ['a place behind the text', {words: [[0, 99]]}, /in a text of 7 characters, found \[0,99\]/],
  ['a mention that is no word', {words: [[0, 3]], mentions: [1]}, /among 1 words, found 1/],
])) {
  test(`${what}: refused in one sentence`, async () => {
    await assert.rejects(model.wordLinks('the cat', options), expected);
  });
}
