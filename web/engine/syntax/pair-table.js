/**
 * Reads tables of sentences with pairs of words: a header row `sentence`, `from`, `to`, then a row for each pair.
 * Between cells stand commas (RFC 4180), the semicolons that spreadsheets write in some countries, or tabs.
 */

import {quote} from '../json.js';
import {failure, linesOf, MAX_CHARACTERS} from './file-lines.js';
import {markRows, sentencesOfPairs} from './word-pairs.js';

/** @import {Sentence} from './conllu.js' */
/** @import {Fail} from './file-lines.js' */
/** @import {PairMessages, PairRow, Pairs} from './word-pairs.js' */

/** @typedef {{line: number, cells: string[]}} Row With the number of its first line. */

const COLUMNS = /** @type {const} */ (['sentence', 'from', 'to']);
/** All are kept, since the rows of a sentence may stand anywhere. */
const MAX_ROWS = 10_000;
/** A sentence may have so many characters: more than models read, and few enough to be cut into words at once. */
const MAX_SENTENCE = 5_000;

/**
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} parts
 * @param {string} name The file's name, for messages.
 * @returns {Promise<Sentence[]>} Those with a pair.
 */
export async function readPairTable(parts, name) {
  const failAt = (/** @type {number} */ line) => failure(`${name}: line ${line}`);
  /** @type {PairRow[]} */
  const rows = [];
  /** @type {{places: number[], count: number} | undefined} */
  let header;
  for await (const {line, cells} of rowsOf(linesOf(parts, name), failAt)) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (!header) {
      header = headerOf(cells, failAt(line));
      continue;
    }
    const more = cells.slice(header.count).some((cell) => cell.trim());
    if (more) failAt(line)(`${header.count} cells as in the header`, `${cells.length}`);
    const [sentence, from, to] = header.places.map((place) => cells[place] ?? '');
    rows.push({line, sentence, from, to});
    const most = MAX_ROWS.toLocaleString('en');
    if (rows.length > MAX_ROWS) failAt(line)(`at most ${most} rows below the header`, 'more');
  }
  const most = {sentences: MAX_ROWS, characters: MAX_SENTENCE};
  const marked = markRows(rows, messagesOf(name), most);
  const pairs = new Map(marked.map((each) => [each.text, each.pairs]));
  const sentences = sentencesOfPairs(marked, (text) => /** @type {Pairs} */ (pairs.get(text)));
  if (!sentences.length) failure(name)('a row with a sentence and two of its words', 'none');
  return sentences;
}

/** @param {string[]} cells @param {Fail} fail */
function headerOf(cells, fail) {
  const places = placesOfColumns(cells);
  const missing = COLUMNS.filter((_, index) => places[index] < 0);
  if (missing.length) {
    fail(`a header with the columns ${COLUMNS.join(', ')}`, `no ${missing.join(', ')}`);
  }
  return {places, count: cells.length};
}

/**
 * @param {string[]} cells
 * @returns {number[]} Where the sentence and its two words are, if the cells are a header; -1 for a column that is missing.
 */
export function placesOfColumns(cells) {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  return COLUMNS.map((column) => names.indexOf(column));
}

/** @param {string} name @returns {PairMessages} */
function messagesOf(name) {
  const said = (/** @type {number} */ line, /** @type {string} */ message) =>
    `${name}: line ${line}: expected ${message}`;
  return {
    noSentence: (line) => said(line, 'a sentence in this row or above it, found none'),
    noWord: (line, word, words) =>
      said(line, `a word of the sentence (${words}), found ${quote(word)}`),
    several: (line, word, count) =>
      said(
        line,
        `${word}#1 ${count === 2 ? 'or' : 'to'} ${word}#${count}, since the sentence has this word ` +
          `${count === 2 ? 'twice' : `${count} times`}, found ${quote(word)}`,
      ),
    same: (line, word) => said(line, `two words, found ${quote(word)} as both`),
    second: (line, word) => said(line, `one word to find from ${quote(word)}, found a second one`),
    longLine: (line, most, found) =>
      said(line, `a sentence of at most ${most.toLocaleString('en')} characters, found ${found}`),
    manyLines: (line, most) =>
      said(line, `at most ${most.toLocaleString('en')} sentences, found more`),
  };
}

/**
 * The cells of a line between tabs. Spreadsheets quote only some of them.
 * @param {string} line
 */
export const cellsBetweenTabs = (line) =>
  line.split('\t').map((cell) => {
    const [, quoted] = /^"((?:[^"]|"")*)"$/.exec(cell) ?? [];
    return quoted === undefined ? cell : quoted.replaceAll('""', '"');
  });

/**
 * @param {AsyncIterable<string>} lines
 * @param {(line: number) => Fail} failAt
 * @returns {AsyncGenerator<Row>}
 */
async function* rowsOf(lines, failAt) {
  /** What stands between cells: the first such sign of the header. @type {string | undefined} */
  let separator;
  let number = 0;
  /** @type {Row} */
  let row = {line: 1, cells: []};
  let characters = 0;
  /** What was read of a cell in quotation marks that goes on in the next line. @type {string | null} */
  let open = null;
  for await (const line of lines) {
    number++;
    separator ??= /[\t;,]/.exec(line)?.[0];
    if (separator === '\t') {
      yield {line: number, cells: cellsBetweenTabs(line)};
      continue;
    }
    if (open === null) {
      row = {line: number, cells: []};
      characters = 0;
    }
    characters += line.length + 1;
    if (characters > MAX_CHARACTERS) {
      const most = MAX_CHARACTERS.toLocaleString('en');
      failAt(row.line)(`a row of at most ${most} characters`, 'more');
    }
    open = readCells(line, separator, row.cells, open, failAt(number));
    if (open === null) yield row;
  }
  if (open !== null) failAt(row.line)('a quotation mark at the end of the cell', 'none');
}

/**
 * @param {string} line
 * @param {string | undefined} separator
 * @param {string[]} cells The cells of the line are added to it.
 * @param {string | null} open The begin of a cell in quotation marks, in the lines before.
 * @param {Fail} fail
 * @returns {string | null} What was read of a cell that goes on in the next line.
 */
function readCells(line, separator, cells, open, fail) {
  let at = 0;
  for (;;) {
    if (open !== null || line[at] === '"') {
      const begin = open === null ? at + 1 : at;
      const stop = endOfQuoted(line, begin);
      const text = (open ?? '') + line.slice(begin, stop);
      open = null;
      if (stop === line.length) return `${text}\n`;
      cells.push(text.replaceAll('""', '"'));
      at = stop + 1;
      if (at < line.length && line[at] !== separator) {
        fail('the end of the cell behind its quotation mark', quote(line.slice(at)));
      }
    } else {
      const next = separator === undefined ? -1 : line.indexOf(separator, at);
      const stop = next < 0 ? line.length : next;
      cells.push(line.slice(at, stop));
      at = stop;
    }
    if (at === line.length) return null;
    at++;
  }
}

/**
 * @param {string} line
 * @param {number} begin
 * @returns {number} The place of the mark that ends the cell, or the end of the line.
 */
function endOfQuoted(line, begin) {
  for (let at = line.indexOf('"', begin); at >= 0; at = line.indexOf('"', at + 2)) {
    if (line[at + 1] !== '"') return at;
  }
  return line.length;
}
