/**
 * Finds where in its text each token stands, since the tokenizer's library does not say so.
 * Compares the characters of the tokens with those of the text, without case, accents and spaces,
 * because tokenizers normalize these. The bytes of a byte-level vocabulary are compared one by one.
 */

import {BYTE_SIGNS} from './byte-signs.js';

/** @typedef {[start: number, end: number]} Offset A range of UTF-16 code units; `end` is excluded. */

/**
 * @typedef {object} Units A text as the characters or bytes that tokens are made of.
 * @property {string[]} signs
 * @property {Offset[]} places The place of each unit in the text.
 */

/** The most units between two tokens that the tokenizer may have left out. */
const REACH = 64;

/** Matches where BERT's first tokenizers split a text. An unknown word ends there. */
const BOUNDARY =
  /[\s\p{P}!-/:-@[-`{-~\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF]|[\u{20000}-\u{2FA1F}]/u;

/**
 * @param {string} text
 * @param {string[]} tokens The tokens in the order of the text.
 * @param {object} options
 * @param {boolean} options.isByteLevel Whether each character of a token stands for one byte, as in
 *   GPT-2.
 * @param {string} [options.unknown] The token that stands for a word without pieces.
 * @returns {Offset[]} A token that has no character gets an empty range after the token before it.
 */
export function findOffsets(text, tokens, {isByteLevel, unknown}) {
  const {signs, places} = unitsOf(text, isByteLevel ? bytesOf : lettersOf);
  let at = 0;
  let end = 0; // of the token before, in the text
  return tokens.map((token) => {
    if (token === unknown) {
      const last = wordEnd(text, places, at);
      if (last === at) return [end, end];
      const start = places[at][0];
      at = last;
      end = places[at - 1][1];
      return [start, end];
    }
    const wanted = isByteLevel
      ? [...token].filter((sign) => !SPACES.has(sign))
      : [...bare(token)].flatMap(lettersOf);
    const first = wanted.length > 0 ? find(signs, at, wanted) : -1;
    if (first < 0) return [end, end];
    at = first + wanted.length;
    end = places[at - 1][1];
    return [places[first][0], end];
  });
}

/** @param {string} text @param {(character: string) => string[]} spell @returns {Units} */
function unitsOf(text, spell) {
  /** @type {Units} */
  const units = {signs: [], places: []};
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    for (const sign of spell(character)) {
      units.signs.push(sign);
      units.places.push([at, end]);
    }
    at = end;
  }
  return units;
}

/** @param {string} character */
function lettersOf(character) {
  const folded = character.normalize('NFKD').toLowerCase().normalize('NFKD');
  return [...folded.replace(/[\s\p{Mn}\p{Cc}\p{Cf}]/gu, '')];
}

/** @param {string} character */
function bytesOf(character) {
  if (/[\t\n\r ]/.test(character)) return [];
  return Array.from(UTF8.encode(character), (byte) => BYTE_SIGNS[byte]);
}

const UTF8 = new TextEncoder();

/** The bytes of spaces. They do not belong to the offset of a token. */
const SPACES = new Set([...'\t\n\r '].map((space) => BYTE_SIGNS[space.charCodeAt(0)]));

/** A piece without the mark that continues or begins a word. @param {string} token */
function bare(token) {
  return token.replace(/^##(?=.)/u, '').replaceAll('▁', '');
}

/**
 * @param {string[]} signs
 * @param {number} from
 * @param {string[]} wanted
 */
function find(signs, from, wanted) {
  const last = Math.min(signs.length - wanted.length, from + REACH);
  for (let at = from; at <= last; at++) if (startsWith(signs, at, wanted)) return at;
  return -1;
}

/**
 * @param {string[]} signs
 * @param {number} at
 * @param {string[]} wanted
 */
function startsWith(signs, at, wanted) {
  return wanted.length > 0 && wanted.every((sign, index) => signs[at + index] === sign);
}

/**
 * @param {string} text
 * @param {Offset[]} places
 * @param {number} at
 * @returns {number} The index of the first unit after the word that begins at `at`.
 */
function wordEnd(text, places, at) {
  if (at >= places.length) return at;
  const character = (/** @type {number} */ index) => text.slice(...places[index]);
  let end = at + 1;
  if (BOUNDARY.test(character(at))) {
    while (end < places.length && places[end][0] === places[at][0]) end++;
    return end;
  }
  while (
    end < places.length &&
    !BOUNDARY.test(character(end)) &&
    !/\s/.test(text.slice(places[end - 1][1], places[end][0]))
  )
    end++;
  return end;
}
