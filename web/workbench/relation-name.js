import {pairRelation} from '../engine/syntax/word-pairs.js';
import {grammarStrings as words} from '../strings/grammar.js';

/**
 * Says what is found from a word that has a relation to it. A relation of the reader's own is not taken for a known one.
 *
 * @param {string} relation  such as `nmod:poss`
 */
export function relationName(relation) {
  if (relation === pairRelation) return words.pairs.found;
  return Object.hasOwn(words.relations, relation)
    ? words.relations[/** @type {keyof typeof words.relations} */ (relation)]
    : words.other(relation);
}

/** What stands beside the name of a relation. @param {string} relation */
export const relationCode = (relation) => (relation === pairRelation ? words.pairs.code : relation);
