import {grammarStrings as words} from '../strings/grammar.js';

/**
 * Says what is found from a word that has a relation to it. A relation of the reader's own is not taken for a known one.
 *
 * @param {string} relation  such as `nmod:poss`
 */
export const relationName = (relation) =>
  Object.hasOwn(words.relations, relation)
    ? words.relations[/** @type {keyof typeof words.relations} */ (relation)]
    : words.other(relation);
