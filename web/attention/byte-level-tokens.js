/**
 * This file reads tokens of byte-level vocabularies (RoBERTa, GPT-2), where each sign stands for one byte of UTF-8:
 * `cafÃ©` is café.
 */

import {BYTE_SIGNS} from '../engine/text/byte-signs.js';
import {tokensOf} from './selection.js';

/** @import {Side} from './selection.js' */
/** @import {Snapshot} from './snapshot.js' */

export {wholeCharacters} from '../engine/text/whole-characters.js';

/** The byte of each sign. */
const byteOf = new Map(BYTE_SIGNS.map((sign, byte) => [sign, byte]));

/** Signs for bytes that are invisible. SentencePiece's vocabularies write a space in the same way. */
const shownAs = new Map([
  [0x20, '▁'],
  [0x0a, '↵'],
]);

const utf8 = new TextDecoder('utf-8', {ignoreBOM: true});

/** The control characters that a text may contain: tab, line feed, carriage return. */
const textControls = [0x09, 0x0a, 0x0d];

/**
 * Tells whether the tokens of a snapshot are from a byte-level vocabulary. If no tokenizer has said so, the tokens
 * are examined.
 *
 * @param {Pick<Snapshot, 'queryTokens' | 'keyTokens' | 'special' | 'isByteLevel'>} snapshot
 * @param {Side} side
 */
export function isByteLevel(snapshot, side) {
  return snapshot.isByteLevel ?? looksByteLevel(tokensOf(snapshot, side), snapshot.special[side]);
}

/**
 * Tokens count as byte-level if they have signs beyond ASCII and are valid UTF-8 when read as bytes: those of other
 * vocabularies are not.
 *
 * @param {readonly string[]} tokens
 * @param {readonly boolean[]} special  which tokens are not part of the text
 */
function looksByteLevel(tokens, special) {
  /** @type {number[][]} Each text is decoded by itself, since it may have been cut inside a letter. */
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
  // Printable ASCII reads the same as bytes, so there would be nothing to decode.
  return (
    /[^\x20-\x7e]/.test(tokens.join('')) &&
    texts.every((bytes) => isText(Uint8Array.from(bytes), {stream: true}))
  );
}

/**
 * Returns the tokens of a snapshot as a reader sees them. Only byte-level tokens are changed.
 *
 * @param {Parameters<typeof isByteLevel>[0]} snapshot
 * @param {Side} side
 * @returns {readonly string[]}
 */
export function readableTokens(snapshot, side) {
  const tokens = tokensOf(snapshot, side);
  return isByteLevel(snapshot, side) ? tokens.map(textOfBytes) : tokens;
}

/**
 * Returns the function that makes a single token of a model readable.
 *
 * @param {{isByteLevel: boolean} | null} model
 * @returns {(token: string) => string}
 */
export function spellingOfModel(model) {
  return model?.isByteLevel ? textOfBytes : String;
}

/**
 * Returns a readable token as a sentence names it: without the sign for the space before it.
 *
 * @param {string} token
 */
export const namedToken = (token) => token.replace(/^▁+(?=.)/, '');

/**
 * Returns the function that names a single token of a model in a sentence.
 *
 * @param {{isByteLevel: boolean} | null} model
 * @returns {(token: string) => string}
 */
export function namingOfModel(model) {
  const spell = spellingOfModel(model);
  return (token) => namedToken(spell(token));
}

/**
 * Decodes the bytes of a token or of a whole word. A byte that is only part of a letter becomes `<0xC3>`, as
 * SentencePiece writes it.
 *
 * @param {string} signs
 */
export function textOfBytes(signs) {
  // The name of a special token may have other signs; it stays as it is.
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

/** @param {Uint8Array} bytes @returns {number}  the bytes of their first letter; 0: they begin with none */
function letterLength(bytes) {
  for (let length = 1; length <= bytes.length; length++) {
    if (isText(bytes.subarray(0, length))) return length;
  }
  return 0;
}

/** @param {Uint8Array} bytes @param {TextDecodeOptions} [options]  `stream`: the last letter may be cut off */
function isText(bytes, options) {
  try {
    // Each call needs a new decoder: a decoder keeps an incomplete letter for its next call.
    new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes, options);
    return true;
  } catch {
    return false;
  }
}
