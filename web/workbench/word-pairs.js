/** Two kinds of words that a reader marks in typed sentences: one to look from, and the one that it should find. */

import {grammarStrings} from '../strings/grammar.js';

/** @import {Sentence} from '../engine/syntax/conllu.js' */
/** @import {ScoredModel} from '../engine/syntax/score-treebank.js' */

/** @typedef {{form: string, place: [begin: number, end: number], isWord: boolean}} WordInText */
/** @typedef {ReadonlyMap<number, number>} Pairs  the index of the second word by that of the first */
/** @typedef {{text: string, line: number, words: WordInText[]}} Line  with its number in the text, counted from 1 */

const {pairs: words} = grammarStrings;

/** The name of the relation of marked words. It has a space, so that no file has a relation of this name. */
export const pairRelation = 'marked pair';

/** A page with more words than these would be slow. */
const mostLines = 200;
const mostCharacters = 1_000;

/**
 * Cuts a text into words and punctuation marks.
 *
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
 * The lines of a text that have words. A line that is there again counts once.
 *
 * @param {string} text
 * @returns {Line[]}
 * @throws {Error} There is too much of it.
 */
export function linesIn(text) {
  const seen = new Set();
  const lines = text.split('\n').flatMap((line, index) => {
    const trimmed = line.trim();
    if (!trimmed || seen.has(trimmed)) return [];
    seen.add(trimmed);
    if (trimmed.length > mostCharacters) {
      throw new Error(words.longLine(index + 1, mostCharacters, trimmed.length));
    }
    return [{text: trimmed, line: index + 1, words: wordsIn(trimmed)}];
  });
  if (lines.length > mostLines) throw new Error(words.manyLines(lines[mostLines].line, mostLines));
  return lines;
}

/**
 * The sentences whose words are marked, as a treebank has them: a word is linked to the one that it should find.
 *
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
 * A model that refuses a sentence that is too long for it, by the number of its line.
 *
 * @param {ScoredModel} model
 * @param {Sentence[]} sentences
 * @returns {ScoredModel}
 */
export const refusingLongLines = (model, sentences) => ({
  shape: model.shape,
  async wordLinks(text, options) {
    const links = await model.wordLinks(text, options);
    if (links.truncated === 0) return links;
    const line = sentences.find((sentence) => sentence.text === text)?.line ?? 0;
    throw new Error(words.tooLong(line));
  },
});
