/** The sentences that a reader types to mark pairs of words in them. */

import {oneSpaced, wordsIn} from '../engine/syntax/word-pairs.js';
import {grammarStrings} from '../strings/grammar.js';

/** @import {Sentence} from '../engine/syntax/conllu.js' */
/** @import {ScoredModel} from '../engine/syntax/score-treebank.js' */
/** @import {Line} from '../engine/syntax/word-pairs.js' */

const {pairs: words} = grammarStrings;

/** A page with more words than these would be slow: so many sentences, of so many characters. */
export const mostTyped = Object.freeze({sentences: 200, characters: 1_000});

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
    const trimmed = oneSpaced(line);
    if (!trimmed || seen.has(trimmed)) return [];
    seen.add(trimmed);
    const {characters} = mostTyped;
    if (trimmed.length > characters) {
      throw new Error(words.longLine(index + 1, characters, trimmed.length));
    }
    return [{text: trimmed, line: index + 1, words: wordsIn(trimmed)}];
  });
  const {sentences} = mostTyped;
  if (lines.length > sentences) {
    throw new Error(words.manyLines(lines[sentences].line, sentences));
  }
  return lines;
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
