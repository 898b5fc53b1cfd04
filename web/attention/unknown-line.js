import {shorten} from '../engine/json.js';
import {strings} from '../strings/index.js';
import {publishStrings} from '../strings/publish.js';

const {unknown: words} = publishStrings;

/** The largest number of pieces of text that are named. */
const most = 8;

/**
 * Says which pieces of a text a token such as [UNK] stands for.
 *
 * @param {{token: string, pieces: readonly string[]}} unknown
 * @returns {string[]}  no line if there is no such piece
 */
export function unknownLine({token, pieces}) {
  if (!pieces.length) return [];
  const named = pieces.slice(0, most).map((piece) => words.quoted(shorten(piece)));
  if (pieces.length > most) named.push('…');
  return [words.standsFor(token, named.join(strings.text.comma))];
}
