/**
 * Splits texts as SentencePiece itself does, for Marian: Hugging Face's tokenizers differ in how they
 * replace characters and in how they add likelihoods.
 * Source: `normalizer.cc` and `unigram_model.cc` of google/sentencepiece; `MarianTokenizer` of
 * transformers.
 */

import {Charsmap} from './charsmap.js';
import {likeliestPieces, UNKNOWN_PENALTY} from './unigram.js';

/**
 * How a tokenizer treats spaces; `web/engine/files/sentencepiece.js` writes it into the description.
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
 * Makes a tokenizer of the library split texts so where its description says how SentencePiece does.
 * @param {any} tokenizer
 * @param {any} json `tokenizer.json`
 */
export function useSentencePiece({normalizer: step, model}, json) {
  const spaces = json.normalizer?.sentencepiece;
  const pieces = json.model?.sentencepiece;
  if (spaces && step.charsmap !== undefined) step.normalize = normalizer(step.charsmap, spaces);
  if (!pieces) return;
  // SentencePiece merges only characters that it does not know, not pieces without an id.
  model.fuse_unk = false;
  model.tokenize = splitter(pieces);
}

/**
 * @param {string} charsmap In base64, or empty.
 * @param {Spaces} spaces
 * @returns {(text: string) => string}
 */
function normalizer(charsmap, {prefix, single, symbols}) {
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
  let [least, greatest] = [Infinity, -Infinity];
  for (const [, score] of pieces) {
    least = Math.min(least, score);
    greatest = Math.max(greatest, score);
  }
  for (const symbol of symbols) {
    scores.set(symbol, Math.fround(UTF8.encode(symbol).length * greatest) - 0.1);
  }
  // Sorted by code units, the pieces that begin alike are side by side, the shortest first.
  const sorted = [...scores].sort(([a], [b]) => (a < b ? -1 : 1));
  const unknown = Math.fround(least - UNKNOWN_PENALTY);
  /** @param {string[]} characters @param {number} at @returns {Generator<[number, number], void>} */
  function* piecesAt(characters, at) {
    let [from, to, offset] = [0, sorted.length, 0];
    for (let length = 1; at + length <= characters.length; length++) {
      const character = characters[at + length - 1];
      for (let i = 0; i < character.length; i++, offset++) {
        const unit = character.charCodeAt(i);
        from = firstAt(sorted, from, to, offset, unit);
        to = firstAt(sorted, from, to, offset, unit + 1);
      }
      if (from === to) return;
      const [piece, score] = sorted[from];
      if (piece.length === offset) yield [length, score];
    }
  }
  return (text) => {
    const [language = ''] = LANGUAGE.exec(text) ?? [];
    const characters = [...text.slice(language.length)];
    const likeliest = likeliestPieces(characters, piecesAt, unknown, Float32Array);
    const split = language === '' ? [] : [language];
    let afterUnknown = false;
    for (const piece of likeliest) {
      const isUnknown = !scores.has(piece);
      if (isUnknown && afterUnknown) split[split.length - 1] += piece;
      else split.push(piece);
      afterUnknown = isUnknown;
    }
    return split;
  };
}

/**
 * @param {[string, number][]} sorted Pieces that are equal before `offset` from `from` to `to`.
 * @param {number} from
 * @param {number} to
 * @param {number} offset
 * @param {number} unit
 * @returns {number} The first of them whose code unit at `offset` is at least `unit`.
 */
function firstAt(sorted, from, to, offset, unit) {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    // A piece that ends before this offset has NaN there, so the comparison puts it first.
    if (sorted[middle][0].charCodeAt(offset) >= unit) high = middle;
    else low = middle + 1;
  }
  return low;
}
