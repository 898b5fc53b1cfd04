/** Reads rows that are pasted from a spreadsheet or come with a link, a sentence and two of its words, and writes them. */

import {cellsBetweenTabs, placesOfColumns} from '../engine/syntax/pair-table.js';
import {markRows, sentencesOfPairs} from '../engine/syntax/word-pairs.js';
import {grammarStrings} from '../strings/grammar.js';
import {mostTyped} from './word-pairs.js';

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
  const {pasted, longLine, manyLines} = grammarStrings.pairs;
  return markRows(pairs, {...pasted, longLine, manyLines}, mostTyped);
}

/**
 * The sentences of a link.
 *
 * @param {string} rows  as `writtenPairs` writes them
 * @throws {Error} They are no such rows.
 */
export function linkedSentences(rows) {
  const marked = pastedPairs(rows);
  if (!marked) throw new Error(grammarStrings.pairs.noRows);
  const pairs = new Map(marked.map((each) => [each.text, each.pairs]));
  return sentencesOfPairs(marked, (text) => /** @type {Pairs} */ (pairs.get(text)));
}

/**
 * The rows of sentences with pairs, without a header.
 *
 * @param {Line[]} lines
 * @param {(text: string) => Pairs} pairsOf
 */
export const writtenPairs = (lines, pairsOf) =>
  lines
    .flatMap(({text, words}) =>
      [...pairsOf(text)].map((pair) =>
        [quoted(text), ...pair.map((word) => nameOf(words, word))].join('\t'),
      ),
    )
    .join('\n');

/** A cell that is read as it was, whatever marks it has. @param {string} text */
const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

/** A word of a sentence, with its number where the sentence has it more than once. @param {Line['words']} words @param {number} at */
function nameOf(words, at) {
  const {form} = words[at];
  const same = words.flatMap((word, index) => (word.isWord && word.form === form ? [index] : []));
  return same.length > 1 ? `${form}#${same.indexOf(at) + 1}` : form;
}
