/** Tests how texts are split into SentencePiece's pieces. Its own ids are compared in published-translation.test.js. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {splitter} from '../../../web/engine/text/sentencepiece.js';
import {likeliestPieces, UNKNOWN_PENALTY} from '../../../web/engine/text/unigram.js';
import {tries} from '../../support/tries.js';

// Letters that begin alike: both emoji have the same first code unit.
const letters = fc.constantFrom('a', 'b', '😀', '😁', '\u{ffff}');
const word = fc.array(letters, {minLength: 1, maxLength: 5}).map((each) => each.join(''));
const vocabulary = fc.uniqueArray(fc.tuple(word, fc.integer({min: -9, max: -1})), {
  minLength: 1,
  maxLength: 30,
  selector: ([piece]) => piece,
});
const text = fc.array(letters, {maxLength: 40}).map((each) => each.join(''));

test('the pieces at a place are those that a look at every piece finds there', () => {
  fc.assert(
    fc.property(vocabulary, text, (pieces, whole) => {
      const shortestFirst = pieces
        .map(([piece, score]) => /** @type {const} */ ([[...piece], score]))
        .sort(([a], [b]) => a.length - b.length);
      const piecesAt = (/** @type {string[]} */ characters, /** @type {number} */ at) =>
        shortestFirst
          .filter(([piece]) => piece.every((character, i) => character === characters[at + i]))
          .map(([piece, score]) => /** @type {[number, number]} */ ([piece.length, score]));
      const unknown = Math.min(...pieces.map(([, score]) => score)) - UNKNOWN_PENALTY;
      const expected = likeliestPieces([...whole], piecesAt, unknown, Float32Array);
      const split = splitter({pieces, symbols: []})(whole);
      assert.equal(split.join(''), whole);
      const known = new Set(pieces.map(([piece]) => piece));
      const isKnown = (/** @type {string} */ piece) => known.has(piece);
      // Unknown characters in a row are one piece.
      assert.deepEqual(split.filter(isKnown), expected.filter(isKnown));
    }),
    tries(300),
  );
});

test('a piece as long as SentencePiece allows is found at every place of a long text', () => {
  const long = 'a'.repeat(512);
  const split = splitter({
    pieces: [
      ['a', -2],
      [long, -1],
    ],
    symbols: [],
  });
  assert.equal(split(`${long.repeat(39)}aaa`).length, 42);
  assert.equal(split(long.repeat(40)).length, 40);
});
