import {classifyTokens} from '../engine/text/token-classes.js';
import {isByteLevel} from './byte-level-tokens.js';
import {spellingOf, wordRuns, wordText} from './display.js';
import {isUnknown} from './unknown-token.js';

/** @import {Snapshot} from './snapshot.js' */

/**
 * @typedef {object} TextToken  what a token is in the text
 * @property {string} text  the word that it belongs to, in small letters
 * @property {boolean} isSpecial  whether the tokenizer put it around the text
 * @property {boolean} isPunctuation
 * @property {boolean} isWord  whether it is a whole word that the model knows
 * @property {number} sentence  0 for sentence A, 1 for sentence B
 */

/**
 * Tells what each token is in the text.
 *
 * @param {Snapshot} snapshot  of self-attention
 * @returns {TextToken[]}
 */
export function textTokens(snapshot) {
  const {queryTokens, special, sentenceB} = snapshot;
  const spell = spellingOf(snapshot, 'query');
  const runs = wordRuns(queryTokens, special.query, sentenceB, isByteLevel(snapshot, 'query'));
  const texts = runs.map(({start, end}) => wordText(queryTokens.slice(start, end), spell));
  const {kinds: classes} = classifyTokens(texts);
  return runs.flatMap(({start, end}, word) =>
    queryTokens.slice(start, end).map((token, piece) => {
      const isSpecial = special.query[start];
      const isPunctuation = !isSpecial && classes[word] === 3;
      return {
        text: texts[word].toLowerCase(),
        isSpecial,
        isPunctuation,
        isWord: end - start === 1 && !isSpecial && !isPunctuation && !isUnknown(token),
        sentence: sentenceB !== null && start + piece >= sentenceB ? 1 : 0,
      };
    }),
  );
}
