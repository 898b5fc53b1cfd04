import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {alignmentOf, sharedWords} from '../../web/attention/alignment.js';
import {differenceOf} from '../../web/attention/difference.js';
import {plainDisplay, readable} from '../../web/attention/display.js';
import {attentionOf, createSnapshot} from '../../web/attention/snapshot.js';

/** @import {Alignment} from '../../web/attention/alignment.js' */
/** @import {Snapshot} from '../../web/attention/snapshot.js' */

/**
 * Makes attention in which every query attends to all keys alike.
 *
 * @param {[token: string, start?: number, end?: number][]} pieces  without a place: around the text
 * @param {number} [second]  the first token of sentence B
 */
function snapshotOf(pieces, second = pieces.length) {
  const size = pieces.length;
  return createSnapshot({
    tokens: pieces.map(([token]) => token),
    tokenTypeIds: pieces.map((_, index) => Number(index >= second)),
    special: pieces.map(([, start]) => start === undefined),
    offsets: pieces.map(([, start, end]) => (start === undefined ? null : [start, end ?? start])),
    layers: 1,
    heads: 1,
    attention: () => new Float32Array(size * size).fill(1 / size),
  });
}

/** @param {Snapshot} before @param {Snapshot} after */
function aligned(before, after) {
  const alignment = alignmentOf(before, after);
  assert.ok(alignment);
  const {before: from, after: to} = alignment;
  return {
    alignment,
    before: readable(before, plainDisplay, {runs: from, as: to}),
    after: readable(after, plainDisplay, {runs: to, as: to}),
  };
}

const bert = snapshotOf([
  ['[CLS]'],
  ...[/** @type {const} */ (['the', 0, 3]), ['cat', 4, 7], ['##s', 7, 8], ['.', 8, 9]].map(
    (piece) => /** @type {[string, number, number]} */ ([...piece]),
  ),
  ['[SEP]'],
]);
const roberta = snapshotOf([['<s>'], ['The', 0, 3], ['Ġcats', 4, 8], ['.', 8, 9], ['</s>']]);

test('words of two tokenizers are paired between the borders they share, and special tokens by their role', () => {
  const {before, after, alignment} = aligned(bert, roberta);
  assert.deepEqual(before.queryTokens, ['[CLS]', 'the', 'cats.', '[SEP]']);
  assert.deepEqual(after.queryTokens, ['<s>', 'The', 'cats.', '</s>']);
  assert.deepEqual(alignment.unmatched, {before: [], after: []});
  const labels = differenceOf(before, after).queryTokens;
  assert.deepEqual(labels, ['<s> | [CLS]', 'The', 'cats.', '</s> | [SEP]']);
});

test('pieces are summed as keys and averaged as queries on both sides', () => {
  const {before, after} = aligned(bert, roberta);
  const row = (/** @type {Snapshot} */ snapshot) =>
    Array.from(attentionOf(snapshot, 0, 0)?.slice(8, 12) ?? [], (weight) =>
      Number(weight.toFixed(6)),
    );
  assert.deepEqual(row(before), [0.166667, 0.166667, 0.5, 0.166667]);
  assert.deepEqual(row(after), [0.2, 0.2, 0.4, 0.2]);
});

test('a token that is pinned on one side pins the same word on the other', () => {
  const {before, after} = aligned(bert, roberta);
  assert.deepEqual(before.runs?.query, after.runs?.query);
  assert.deepEqual(before.runs?.query[2], {start: 2, end: 4});
});

test('two </s> between two sentences are paired with one [SEP]', () => {
  const one = snapshotOf([['[CLS]'], ['a', 0, 1], ['[SEP]'], ['b', 0, 1], ['[SEP]']], 3);
  const two = snapshotOf([['<s>'], ['a', 0, 1], ['</s>'], ['</s>'], ['b', 0, 1], ['</s>']], 4);
  const {before, after} = aligned(one, two);
  assert.deepEqual(before.queryTokens, ['[CLS]', 'a', '[SEP]', 'b', '[SEP]']);
  assert.deepEqual(after.queryTokens, ['<s>', 'a', '</s></s>', 'b', '</s>']);
  assert.equal(before.sentenceB, 3);
  assert.equal(after.sentenceB, 3);
});

test('words that only one side has are left out and named', () => {
  const cut = snapshotOf([['<s>'], ['The', 0, 3], ['</s>']]);
  const {before, after, alignment} = aligned(bert, cut);
  assert.deepEqual(before.queryTokens, ['[CLS]', 'the', '[SEP]']);
  assert.deepEqual(after.queryTokens, ['<s>', 'The', '</s>']);
  assert.deepEqual(alignment.unmatched, {before: ['cats', '.'], after: []});
  const bare = snapshotOf([['the', 0, 3]]);
  assert.deepEqual(alignmentOf(bert, bare)?.unmatched.before, ['[CLS]', 'cats', '.', '[SEP]']);
});

test('special tokens can be hidden on both sides', () => {
  const display = /** @type {const} */ ({...plainDisplay, special: 'hide'});
  const {before: runs, after: as} = /** @type {Alignment} */ (alignmentOf(bert, roberta));
  const hidden = readable(bert, display, {runs, as});
  assert.deepEqual(hidden.queryTokens, ['the', 'cats.']);
  assert.deepEqual(hidden.runs?.query, as.slice(1, 3));
});

test('texts with the same tokens need no alignment, and tokens without positions get none', () => {
  assert.equal(alignmentOf(bert, bert), null);
  assert.equal(alignmentOf(bert, {...roberta, offsets: undefined}), null);
});

test('each token has one row, in the order of the text, however two tokenizers cut it', () => {
  const text = 'abcdefghij';
  const cuts = fc.uniqueArray(fc.integer({min: 1, max: text.length - 1}), {maxLength: 9});
  /** @param {number[]} at @param {string} name */
  const cut = (at, name) => {
    const borders = [0, ...at.toSorted((a, b) => a - b), text.length];
    const pieces = borders.slice(1).map((end, index) => {
      const start = borders[index];
      return /** @type {[string, number, number]} */ ([`Ġ${text.slice(start, end)}`, start, end]);
    });
    return snapshotOf([[name], ...pieces]);
  };
  fc.assert(
    fc.property(cuts, cuts, (first, second) => {
      const sides = [cut(first, '[CLS]'), cut(second, '<s>')];
      const alignment = alignmentOf(sides[0], sides[1]);
      if (!alignment) return assert.deepEqual(sides[0].offsets, sides[1].offsets);
      const runs = [alignment.before, alignment.after];
      assert.equal(runs[0].length, runs[1].length);
      runs.forEach((side, which) => {
        const covered = side.flatMap(({start, end}) =>
          Array.from({length: end - start}, (_, i) => start + i),
        );
        assert.deepEqual(
          covered,
          sides[which].queryTokens.map((_, i) => i),
        );
      });
      // The alignment is as fine as possible: every border that both sides have separates two rows.
      const both = first.filter((border) => second.includes(border));
      assert.equal(runs[0].length, 1 + both.length + 1);
    }),
  );
});

/** @param {string} words */
const textOf = (words) => snapshotOf(words.split(' ').map((word, at) => [word, at, at + 1]));

test('texts of different lengths are aligned by the words they share, pieces as one', () => {
  const before = textOf('the cat ##s sat on the mat');
  const after = textOf('today The big cats sat here on a mat');
  const shared = sharedWords(before, after);
  assert.deepEqual(
    shared?.before.map(({start, end}) => [start, end]),
    [
      [0, 1],
      [1, 3],
      [3, 4],
      [4, 5],
      [6, 7],
    ],
  );
  assert.deepEqual(
    shared?.after.map(({start}) => start),
    [1, 3, 4, 6, 8],
  );
  assert.deepEqual(shared?.unmatched, {before: ['the'], after: ['today', 'big', 'here', 'a']});
  assert.equal(sharedWords(before, textOf('nothing of it')), null);
});

test('the shared words of two texts are their longest common subsequence', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), {minLength: 1, maxLength: 7});
  const rowsOf = (/** @type {string[]} */ words) =>
    Array.from({length: 2 ** words.length}, (_, set) =>
      words.filter((_, at) => (set >> at) & 1).join(' '),
    );
  fc.assert(
    fc.property(text, text, (a, b) => {
      const of = new Set(rowsOf(b));
      const longest = Math.max(...rowsOf(a).map((row) => (of.has(row) ? row.length : 0)));
      const shared = sharedWords(textOf(a.join(' ')), textOf(b.join(' ')));
      const row = (shared?.before ?? []).map(({start}) => a[start]).join(' ');
      assert.equal(row, (shared?.after ?? []).map(({start}) => b[start]).join(' '));
      assert.equal(row.length, longest);
    }),
    {numRuns: 100},
  );
});
