/** Pairs of words that a reader marks in sentences: one to look from, and the one that it should find. */

import {BertscopeError} from '../errors.js';
import {shorten} from '../json.js';

/** @import {Sentence} from './conllu.js' */

/** @typedef {{form: string, place: [begin: number, end: number], isWord: boolean}} WordInText */
/** @typedef {ReadonlyMap<number, number>} Pairs The index of the second word by that of the first. */
/** @typedef {{text: string, line: number, words: WordInText[]}} Line With its number in the text, counted from 1. */
/** @typedef {{line: number, sentence: string, from: string, to: string}} PairRow A row of a table, with the number of its line. */

/**
 * @typedef {object} PairMessages What is said of a row that is refused.
 * @property {(line: number) => string} noSentence
 * @property {(line: number, word: string, words: string) => string} noWord `words`: those of the sentence.
 * @property {(line: number, word: string, count: number) => string} several The word is there so often.
 * @property {(line: number, word: string) => string} same
 * @property {(line: number, word: string) => string} second
 * @property {(line: number, most: number, found: number) => string} longLine
 * @property {(line: number, most: number) => string} manyLines
 */

/** A sentence of a table, with the places of each of its words. @typedef {Line & {pairs: Map<number, number>, places: Map<string, number[]>}} Marked */

/** The name of the relation of marked words. It has a space, so that no treebank has a relation of this name. */
export const pairRelation = 'marked pair';

/**
 * Cuts a text into words and punctuation marks. Its time grows with the square of the text in Node 20,
 * whose segmenter copies the text for each word.
 * @param {string} text
 * @returns {WordInText[]}
 */
export function wordsIn(text) {
  const segments = new Intl.Segmenter(undefined, {granularity: 'word'}).segment(text);
  return Array.from(segments).flatMap(({segment, index, isWordLike}) =>
    segment.trim()
      ? [{form: segment, place: [index, index + segment.length], isWord: isWordLike === true}]
      : [],
  );
}

/**
 * The sentences whose words are marked, as a treebank has them: a word is linked to the one that it should find.
 * @param {Line[]} lines
 * @param {(text: string) => Pairs} pairsOf
 * @returns {Sentence[]}
 */
export function sentencesOfPairs(lines, pairsOf) {
  return lines.flatMap(({text, line, words: inLine}) => {
    const pairs = pairsOf(text);
    if (!pairs.size) return [];
    const annotated = inLine.map(({form, place}, at) => {
      const head = pairs.get(at) ?? -1;
      return {form, place, head, relation: head < 0 ? '' : pairRelation};
    });
    return [{id: String(line), text, line, words: annotated, mentions: []}];
  });
}

/**
 * Reads the rows of a table. A row without a sentence is of the sentence above; one without words marks nothing.
 * @param {Iterable<PairRow>} rows
 * @param {PairMessages} messages
 * @param {{sentences: number, characters: number}} most How many sentences, and of how many characters each.
 * @returns {(Line & {pairs: Pairs})[]} Each sentence once, with the line that it was in first.
 */
export function markRows(rows, messages, most) {
  /** @type {Map<string, Marked>} */
  const marked = new Map();
  let text = '';
  for (const {line, ...row} of rows) {
    const {length} = row.sentence;
    if (length > most.characters) refuse(messages.longLine(line, most.characters, length));
    text = oneSpaced(row.sentence) || text;
    const [from, to] = [row.from.trim(), row.to.trim()];
    if (!text && (from || to)) refuse(messages.noSentence(line));
    if (!text) continue;
    const known = marked.get(text) ?? markedOf(text, line);
    marked.set(text, known);
    if (marked.size > most.sentences) refuse(messages.manyLines(line, most.sentences));
    if (!from && !to) continue;
    const first = wordAt(known, from, line, messages);
    const second = wordAt(known, to, line, messages);
    if (first === second) refuse(messages.same(line, shorten(from)));
    if ((known.pairs.get(first) ?? second) !== second) refuse(messages.second(line, shorten(from)));
    known.pairs.set(first, second);
  }
  return [...marked.values()];
}

/** A sentence with one space between its words. @param {string} text */
export const oneSpaced = (text) => text.trim().replaceAll(/\s+/g, ' ');

/** @param {string} text @param {number} line @returns {Marked} */
function markedOf(text, line) {
  const words = wordsIn(text);
  /** @type {Map<string, number[]>} */
  const places = new Map();
  words.forEach(({form, isWord}, at) => {
    if (isWord) places.set(form, [...(places.get(form) ?? []), at]);
  });
  return {text, line, words, pairs: new Map(), places};
}

/**
 * @param {Marked} sentence
 * @param {string} name `word`, or `word#2` for the second one in the sentence.
 * @param {number} line
 * @param {PairMessages} messages
 * @returns {number} The index of the word.
 */
function wordAt({places: all}, name, line, messages) {
  const number = /#(\d{1,6})$/.exec(name);
  const form = number ? name.slice(0, number.index) : name;
  const places = all.get(form) ?? [];
  if (!number && places.length > 1) refuse(messages.several(line, shorten(form), places.length));
  const place = places[number ? Number(number[1]) - 1 : 0];
  if (place !== undefined) return place;
  return refuse(messages.noWord(line, shorten(name), shorten([...all.keys()].join(', '))));
}

/** @param {string} message @returns {never} */
function refuse(message) {
  throw new BertscopeError('bad-treebank', message);
}
