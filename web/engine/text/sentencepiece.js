/**
 * Splits texts as SentencePiece itself does, for Marian: Hugging Face's tokenizers differ in how they
 * replace characters and in how they add likelihoods.
 * Source: `normalizer.cc` and `unigram_model.cc` of google/sentencepiece; `MarianTokenizer` of
 * transformers.
 */

import {Charsmap} from './charsmap.js';
import {likeliestPieces, UNKNOWN_PENALTY} from './unigram.js';

/**
 * What the description of a tokenizer has for it; `web/engine/files/sentencepiece.js` writes it.
 *
 * @typedef {object} Spaces
 * @property {boolean} prefix Whether a text begins with a space.
 * @property {boolean} single Whether several spaces count as one, and those at both ends as none.
 * @property {string[]} symbols They stay as they are, and are always split off.
 *
 * @typedef {object} Pieces
 * @property {[string, number][]} pieces With their scores.
 * @property {string[]} symbols
 */

/** Matches what begins a text for a model of several languages, such as `>>fra<<`. */
const LANGUAGE = /^>>[^]*?<</;

const UTF8 = new TextEncoder();
const DECODER = new TextDecoder('utf-8', {ignoreBOM: true});

/**
 * @param {string} charsmap In base64, or empty.
 * @param {Spaces} spaces
 * @returns {(text: string) => string}
 */
export function normalizer(charsmap, {prefix, single, symbols}) {
  const table = charsmap === '' ? undefined : new Charsmap(charsmap);
  const longestFirst = symbols
    .filter((symbol) => symbol !== '')
    .map((symbol) => UTF8.encode(symbol))
    .sort((a, b) => b.length - a.length);
  /** @param {Uint8Array} bytes @param {number} at @returns {{end: number, text: string}} */
  const next = (bytes, at) => {
    const symbol = longestFirst.find((each) => each.every((byte, i) => bytes[at + i] === byte));
    const longest = symbol ? undefined : [...(table?.matches(bytes, at) ?? [])].at(-1);
    if (longest) return longest;
    const end = at + (symbol ? symbol.length : bytesOf(bytes[at]));
    return {end, text: DECODER.decode(bytes.subarray(at, end))};
  };
  return (whole) => {
    const [language = ''] = LANGUAGE.exec(whole) ?? [];
    const bytes = UTF8.encode(whole.slice(language.length));
    if (bytes.length === 0) return language;
    let normal = prefix ? '▁' : '';
    let afterSpace = single;
    for (let at = 0; at < bytes.length;) {
      const {end, text} = next(bytes, at);
      at = end;
      const kept = afterSpace ? text.replace(/^ +/, '') : text;
      if (kept !== '') afterSpace = single && kept.endsWith(' ');
      normal += kept.replaceAll(' ', '▁');
    }
    return language + (single ? normal.replace(/▁+$/, '') : normal);
  };
}

/** Counts the bytes of a character in UTF-8. @param {number} first */
const bytesOf = (first) => (first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

/**
 * @param {Pieces} model
 * @returns {(text: string) => string[]} Splits what the normalizer made of a text.
 */
export function splitter({pieces, symbols}) {
  const scores = new Map(pieces);
  let [longest, least, greatest] = [1, Infinity, -Infinity];
  for (const [, score] of pieces) {
    least = Math.min(least, score);
    greatest = Math.max(greatest, score);
  }
  for (const symbol of symbols) {
    scores.set(symbol, Math.fround(UTF8.encode(symbol).length * greatest) - 0.1);
  }
  for (const piece of scores.keys()) longest = Math.max(longest, [...piece].length);
  const unknown = Math.fround(least - UNKNOWN_PENALTY);
  /** @param {string[]} characters @param {number} at @returns {Generator<[number, number], void>} */
  function* piecesAt(characters, at) {
    let piece = '';
    for (let length = 1; length <= longest && at + length <= characters.length; length++) {
      piece += characters[at + length - 1];
      const score = scores.get(piece);
      if (score !== undefined) yield [length, score];
    }
  }
  return (text) => {
    const [language = ''] = LANGUAGE.exec(text) ?? [];
    const characters = [...text.slice(language.length)];
    const found = likeliestPieces(characters, piecesAt, unknown, Float32Array);
    const split = language === '' ? [] : [language];
    let afterUnknown = false;
    for (const piece of found) {
      const isUnknown = !scores.has(piece);
      if (isUnknown && afterUnknown) split[split.length - 1] += piece;
      else split.push(piece);
      afterUnknown = isUnknown;
    }
    return split;
  };
}
