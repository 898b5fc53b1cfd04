/**
 * Tokens of byte-level vocabularies, as RoBERTa and GPT-2 have them, where each sign stands for one
 * byte of UTF-8: `cafÃ©` is café.
 */

import {BYTE_SIGNS} from '../engine/text/byte-signs.js';

/** @import {Side} from './selection.js' */
/** @import {Snapshot} from './snapshot.js' */

/** The byte of each sign. */
const byteOf = new Map(BYTE_SIGNS.map((sign, byte) => [sign, byte]));

/** What shows bytes that leave nothing to see; a space as SentencePiece's vocabularies spell it. */
const shownAs = new Map([
  [0x20, '▁'],
  [0x0a, '↵'],
]);

const utf8 = new TextDecoder('utf-8', {ignoreBOM: true});

/** The control characters that texts have: tab, line feed, carriage return. */
const textControls = [0x09, 0x0a, 0x0d];

/**
 * Whether the tokens of a snapshot are of such a vocabulary: as the model's tokenizer says, and where
 * none is known as the tokens themselves tell.
 *
 * @param {Pick<Snapshot, 'queryTokens' | 'keyTokens' | 'special' | 'isByteLevel'>} snapshot
 * @param {Side} side
 */
export function isByteLevel({queryTokens, keyTokens, special, isByteLevel: said}, side) {
  const tokens = side === 'query' ? queryTokens : keyTokens;
  return said ?? looksByteLevel(tokens, special[side]);
}

/**
 * No other vocabulary leaves letters beyond ASCII that are, read as bytes, UTF-8 throughout.
 *
 * @param {readonly string[]} tokens
 * @param {readonly boolean[]} special  those that are no part of the text
 */
function looksByteLevel(tokens, special) {
  /** @type {number[][]} A text may have been cut within a letter, so each is read by itself. */
  const texts = [[]];
  for (const [index, token] of tokens.entries()) {
    if (special[index]) {
      texts.push([]);
      continue;
    }
    if (/^##./.test(token)) return false;
    for (const sign of token) {
      const byte = byteOf.get(sign);
      if (byte === undefined || (byte < 0x20 && !textControls.includes(byte))) return false;
      texts[texts.length - 1].push(byte);
    }
  }
  // In ASCII alone there is nothing to read otherwise.
  return (
    /[^\x20-\x7e]/.test(tokens.join('')) &&
    texts.every((bytes) => isText(Uint8Array.from(bytes), {stream: true}))
  );
}

/**
 * The tokens of a snapshot as they are read: the same, unless they are bytes.
 *
 * @param {Parameters<typeof isByteLevel>[0]} snapshot
 * @param {Side} side
 * @returns {readonly string[]}
 */
export function readableTokens(snapshot, side) {
  const tokens = side === 'query' ? snapshot.queryTokens : snapshot.keyTokens;
  return isByteLevel(snapshot, side) ? tokens.map(textOfBytes) : tokens;
}

/**
 * How the tokens of a model are read, one at a time.
 *
 * @param {{isByteLevel: boolean} | null} model
 * @returns {(token: string) => string}
 */
export function spellingOfModel(model) {
  return model?.isByteLevel ? textOfBytes : String;
}

/**
 * What the bytes of a token, or of those of a word, spell; a byte that is only part of a letter is
 * `<0xC3>`, as SentencePiece writes it.
 *
 * @param {string} signs
 */
export function textOfBytes(signs) {
  // The name of a special token may have other signs, and stays.
  if (![...signs].every((sign) => byteOf.has(sign))) return signs;
  const bytes = Uint8Array.from(signs, (sign) => byteOf.get(sign) ?? 0);
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = letterLength(bytes.subarray(at, at + 4));
    if (shownAs.has(bytes[at])) text += shownAs.get(bytes[at]);
    else if (length && bytes[at] >= 0x20) text += utf8.decode(bytes.subarray(at, at + length));
    else text += `<0x${bytes[at].toString(16).toUpperCase().padStart(2, '0')}>`;
    at += length || 1;
  }
  return text;
}

/** @param {Uint8Array} bytes @returns {number} of the letter that they begin with; 0: of none */
function letterLength(bytes) {
  for (let length = 1; length <= bytes.length; length++) {
    if (isText(bytes.subarray(0, length))) return length;
  }
  return 0;
}

/** @param {Uint8Array} bytes @param {TextDecodeOptions} [options]  `stream`: it may be cut off */
function isText(bytes, options) {
  try {
    // A new one each time: what it has begun to read, it keeps.
    new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes, options);
    return true;
  } catch {
    return false;
  }
}
