/** Reads rows that are pasted from a spreadsheet: a sentence and two of its words. */

import {cellsBetweenTabs, placesOfColumns} from '../engine/syntax/pair-table.js';
import {markRows} from '../engine/syntax/word-pairs.js';
import {grammarStrings} from '../strings/grammar.js';

/** @import {Line, Pairs} from '../engine/syntax/word-pairs.js' */

/** Without a header, the first columns are these. */
const usualPlaces = [0, 1, 2];

/**
 * @param {string} text
 * @returns {(Line & {pairs: Pairs})[] | null}  null if these are no rows of at least three cells
 * @throws {Error} A row has no pair of words of its sentence.
 */
export function pastedPairs(text) {
  const rows = text.split(/\r?\n/).flatMap((line, index) => {
    const cells = cellsBetweenTabs(line);
    return line.trim() ? [{line: index + 1, cells}] : [];
  });
  if (!rows.length || rows.some(({cells}) => cells.length < usualPlaces.length)) return null;
  const named = placesOfColumns(rows[0].cells);
  const hasHeader = !named.includes(-1);
  const places = hasHeader ? named : usualPlaces;
  const pairs = rows.slice(hasHeader ? 1 : 0).map(({line, cells}) => {
    const [sentence, from, to] = places.map((place) => cells[place] ?? '');
    return {line, sentence, from, to};
  });
  return markRows(pairs, grammarStrings.pairs.pasted);
}
