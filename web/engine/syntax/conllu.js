/**
 * Reads treebanks in CoNLL-U, the format of Universal Dependencies
 * (https://universaldependencies.org/format.html), sentence by sentence, with the mentions of
 * CorefUD (`Entity=` in the last column). Nothing of a sentence is kept after the next.
 */

import {quote} from '../json.js';
import {failure, linesOf, MAX_CHARACTERS, MAX_WORDS} from './file-lines.js';
import {declaredFields, fieldsOf, readMentions, usualFields} from './mentions.js';

/** @import {Offset} from '../text/token-offsets.js' */
/** @import {Fail} from './file-lines.js' */
/** @import {EntityFields, Mention} from './mentions.js' */

/**
 * @typedef {object} Word
 * @property {string} form
 * @property {number} head The index of the word that it depends on; -1 for the root.
 * @property {string} relation The universal relation with its subtype, such as `nmod:poss`.
 * @property {Offset | null} place In the sentence's text; null for a word that has no letters of its
 *   own there, such as the "el" in Spanish "del".
 */

/**
 * @typedef {object} Sentence
 * @property {string} id
 * @property {string} text
 * @property {number} line Where it begins in the file, counted from 1.
 * @property {Word[]} words
 * @property {Mention[]} mentions
 */

/**
 * The words that have a place in the text, which are those that a model can be asked about.
 * @param {Sentence} sentence
 * @returns {{known: number[], places: Offset[]}} Their indices in the sentence, and their places.
 */
export function placedWords({words}) {
  const known = words.flatMap(({place}, index) => (place ? [index] : []));
  return {known, places: known.map((word) => /** @type {Offset} */ (words[word].place))};
}

const COLUMNS = 10;
/** No treebank of UD has as many. Scores keep counts for each, so a file could otherwise fill the memory. */
const MAX_RELATIONS = 200;
/** A relation of UD, or one of the reader's own in any script, with its subtype if it has one. */
const RELATION = /^[\p{L}\p{N}-]{1,32}(:[\p{L}\p{N}_-]{1,32})?$/u;

/**
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} parts
 * @param {string} name The file's name, for messages.
 * @returns {AsyncGenerator<Sentence>}
 */
export async function* readTreebank(parts, name) {
  /** @type {Row[]} */
  let rows = [];
  /** @type {string | undefined} */
  let id;
  /** @type {Set<string>} */
  const relations = new Set();
  let fields = usualFields;
  let begin = 1;
  let number = 0;
  let sentences = 0;
  const sentence = () => sentenceOf(rows, id ?? `sentence ${sentences}`, begin, name, fields);
  for await (const line of linesOf(parts, name)) {
    number++;
    const fail = failure(`${name}: line ${number}`);
    if (line === '') {
      if (rows.length) {
        sentences++;
        yield sentence();
      }
      rows = [];
      id = undefined;
      begin = number + 1;
    } else if (line.startsWith('#')) {
      id = /^#\s*sent_id\s*=\s*(.*)$/.exec(line)?.[1] ?? id;
      const declared = declaredFields(line);
      if (declared !== null) fields = fieldsOf(declared);
    } else {
      const row = rowOf(line, fail);
      rows.push({...row, number});
      if (rows.length > MAX_WORDS) fail(`a sentence of at most ${MAX_WORDS} words`, 'more');
      relations.add(row.relation);
      if (relations.size > MAX_RELATIONS) fail(`at most ${MAX_RELATIONS} relations`, 'more');
    }
  }
  if (rows.length) {
    sentences++;
    yield sentence();
  }
  if (!sentences) failure(name)('sentences in CoNLL-U', 'none');
}

/**
 * @typedef {object} Columns A word, or the span of several: "3-4 didn't".
 * @property {number | null} first Its number; null for an empty node, which stands for what is not said.
 * @property {number} last The number of the last word of a span; else `first`.
 * @property {string} form
 * @property {string} head
 * @property {string} relation
 * @property {string} misc
 */
/** @typedef {Columns & {number: number}} Row With the number of its line. */

/** @param {string} line @param {Fail} fail @returns {Columns} */
function rowOf(line, fail) {
  const cells = line.split('\t');
  if (cells.length !== COLUMNS) fail(`${COLUMNS} columns with tabs between`, `${cells.length}`);
  const [id, form, , , , , head, relation, , misc] = cells;
  if (/^\d{1,6}\.\d+$/.test(id)) return {first: null, last: 0, form, head, relation, misc};
  const [, first, last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(id) ?? [];
  if (first === undefined) fail('the number of a word such as 3, 3-4 or 3.1', quote(id));
  if (form === '') fail('a word in the second column', 'none');
  return {first: Number(first), last: Number(last), form, head, relation, misc};
}

/**
 * @param {Row[]} rows
 * @param {string} id
 * @param {number} line
 * @param {string} name
 * @param {EntityFields} fields
 * @returns {Sentence}
 */
function sentenceOf(rows, id, line, name, fields) {
  const failAt = (/** @type {Row} */ row) => failure(`${name}: line ${row.number}`);
  const spelled = rows.filter(({first}) => first !== null);
  const places = placesOf(spelled, failAt);
  const plain = spelled.filter(({first, last}) => first === last);
  const words = plain.map((row, index) => {
    const fail = failAt(row);
    if (row.first !== index + 1) fail(`word ${index + 1}`, `word ${row.first}`);
    if (!/^\d{1,6}$/.test(row.head)) fail('the number of a head', quote(row.head));
    const head = Number(row.head) - 1;
    if (head >= plain.length) fail(`a head of at most ${plain.length}`, row.head);
    if (head === index) fail('another word as the head', 'the word itself');
    if (!RELATION.test(row.relation)) fail('a relation such as nmod:poss', quote(row.relation));
    return {form: row.form, head, relation: row.relation, place: places.of[index] ?? null};
  });
  checkTree(words, (index) => failAt(plain[index]));
  const nodes = rows.filter(({first, last}) => first === null || first === last);
  const marked = nodes.map((row) => ({misc: row.misc, word: plain.indexOf(row)}));
  const mentions = readMentions(marked, (index) => failAt(nodes[index]), fields);
  return {id, text: places.text, line, words, mentions};
}

/**
 * The text that the rows spell, and the place of each word in it.
 * @param {Row[]} rows
 * @param {(row: Row) => Fail} failAt
 */
function placesOf(rows, failAt) {
  let text = '';
  let space = ''; // before the next word
  let end = 0; // the last word of the span that was read
  /** @type {(Offset | null)[]} */
  const of = [];
  for (const [at, row] of rows.entries()) {
    const {first, last, form, misc} = row;
    if (first === null || (first === last && first <= end)) continue;
    if (first !== last && (last < first || first !== end + 1)) {
      failAt(row)(`the span of words from ${end + 1} on`, `${first}-${last}`);
    }
    // The words of a span follow it.
    const inside = first === last ? [row] : rows.slice(at + 1, at + 2 + last - first);
    const missing = inside.findIndex(
      (each, i) => each.first !== first + i || each.last !== first + i,
    );
    if (missing >= 0 || inside.length < last - first + 1) {
      const found = inside[missing] ? spanName(inside[missing]) : 'none';
      failAt(inside[missing] ?? row)(`a word of the span ${first}-${last}`, found);
    }
    const forms = inside.map((each) => each.form);
    const isSpelled = forms.join('') === form;
    text += space;
    if (text.length + form.length > MAX_CHARACTERS) {
      const most = MAX_CHARACTERS.toLocaleString('en');
      failAt(row)(`a sentence of at most ${most} characters`, 'more');
    }
    let begin = text.length;
    for (const [index, part] of forms.entries()) {
      const stop = isSpelled ? begin + part.length : text.length + form.length;
      of.push(isSpelled || index === 0 ? [begin, stop] : null);
      begin = stop;
    }
    text += form;
    space = /(^|\|)SpaceAfter=No(\||$)/.test(misc) ? '' : ' ';
    end = last;
  }
  return {text, of};
}

/** @param {Columns} row */
const spanName = ({first, last}) => (first === last ? `word ${first}` : `${first}-${last}`);

/** @param {Word[]} words @param {(index: number) => Fail} failAt */
function checkTree(words, failAt) {
  const roots = words.flatMap(({head}, index) => (head < 0 ? [index] : []));
  if (roots.length !== 1) failAt(roots[1] ?? 0)('one root in the sentence', `${roots.length}`);
  /** 0: not seen, 1: on the way up, 2: known to reach the root. */
  const state = new Uint8Array(words.length);
  for (const start of words.keys()) {
    const way = [];
    let at = start;
    while (at >= 0 && state[at] === 0) {
      state[at] = 1;
      way.push(at);
      at = words[at].head;
    }
    if (at >= 0 && state[at] === 1) failAt(at)('heads that lead to the root', 'a circle of them');
    for (const word of way) state[word] = 2;
  }
}
