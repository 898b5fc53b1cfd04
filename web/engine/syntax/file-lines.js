/** Reads files of sentences line by line. Nothing of a line is kept after the next. */

import {BertscopeError} from '../errors.js';

/** @typedef {(expected: string, found: string) => never} Fail */

/** A line, a cell or a sentence may have so many. */
export const MAX_CHARACTERS = 100_000;
/** A line may have so many, since characters take up to three bytes for each unit of UTF-16. */
const MOST_BYTES = 3 * MAX_CHARACTERS + 1;
const LINE_END = 0x0a;
/** A sentence may have so many: the attention between them takes memory. */
export const MAX_WORDS = 1_000;

/** @param {string} where The file, and the line where there is one. @returns {Fail} */
export function failure(where) {
  return (expected, found) => {
    throw new BertscopeError('bad-treebank', `${where}: expected ${expected}, found ${found}`);
  };
}

/**
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} parts
 * @param {string} name The file's name, for messages.
 * @returns {AsyncGenerator<string>} Without the signs that end them. A line that is no text in UTF-8, or too long, is refused.
 */
export async function* linesOf(parts, name) {
  const decoder = new TextDecoder('utf-8', {fatal: true});
  /** The bytes since the last end of a line, which is no part of any other character. @type {Uint8Array[]} */
  let rest = [];
  let restBytes = 0;
  let number = 1;
  const lineOf = (/** @type {Uint8Array} */ bytes) => {
    const fail = failure(`${name}: line ${number}`);
    const tooLong = () => fail(`at most ${MAX_CHARACTERS.toLocaleString('en')} characters`, 'more');
    if (bytes.length > MOST_BYTES) tooLong();
    try {
      const line = decoder.decode(bytes);
      return line.length > MAX_CHARACTERS ? tooLong() : line.replace(/\r$/, '');
    } catch (error) {
      if (error instanceof BertscopeError) throw error;
      return fail('text in UTF-8', 'bytes that are not');
    }
  };
  for await (const part of parts) {
    let begin = 0;
    for (let end = part.indexOf(LINE_END); end >= 0; end = part.indexOf(LINE_END, begin)) {
      yield lineOf(joined([...rest, part.subarray(begin, end)]));
      rest = [];
      restBytes = 0;
      begin = end + 1;
      number++;
    }
    if (begin === part.length) continue;
    rest.push(part.slice(begin));
    restBytes += part.length - begin;
    if (restBytes > MOST_BYTES) lineOf(joined(rest));
  }
  const last = lineOf(joined(rest));
  if (last) yield last;
}

/** @param {Uint8Array[]} pieces */
function joined(pieces) {
  if (pieces.length === 1) return pieces[0];
  const whole = new Uint8Array(pieces.reduce((sum, {length}) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
