/** Finds the heads that make one link of a text. */

import {wordsIn} from '../engine/syntax/word-pairs.js';

/** @import {Sentence} from '../engine/syntax/conllu.js' */
/** @import {Direction, RelationScore} from '../engine/syntax/relation-counts.js' */
/** @import {Result} from '../session/pass.js' */
/** @import {WordInText} from '../engine/syntax/word-pairs.js' */

/** @typedef {{from: number, to: number}} Link  indices of words */
/** @typedef {{layer: number, head: number, weight: number}} HeadWithLink */
/** @typedef {{relation: string, direction: Direction}} Asked  what heads do for a link, as a treebank counts it */

/** What is asked of a pass. @typedef {Pick<Result, 'text' | 'tokens' | 'offsets' | 'sentences' | 'layerAttention'>} LinkedText */

/**
 * The words of a text: those of its annotation, if it has one.
 *
 * @param {string} text
 * @param {Sentence | null} sentence
 * @returns {WordInText[]}
 */
export const wordsOf = (text, sentence) =>
  sentence
    ? sentence.words.map(({form, place, relation}) => ({
        form,
        place: place ?? [0, 0],
        // Words that a reader has marked have no relation that would tell.
        isWord: place !== null && (relation ? relation !== 'punct' : /[\p{L}\p{N}]/u.test(form)),
      }))
    : wordsIn(text);

/**
 * The tokens that begin in a word of the first sentence.
 *
 * @param {LinkedText} result
 * @param {WordInText} word
 */
export const tokensOfWord = ({offsets, sentences}, {place: [begin, end]}) =>
  offsets.flatMap((at, index) =>
    at && sentences[index] === 0 && at[0] < at[1] && at[0] >= begin && at[0] < end ? [index] : [],
  );

/**
 * All heads, the one with the strongest link first. What a word gets is the sum over its tokens, and what it gives is
 * their mean.
 *
 * @param {LinkedText} result
 * @param {{layers: number, heads: number}} shape
 * @param {WordInText} from
 * @param {WordInText} to
 * @param {AbortSignal} [signal]
 * @returns {Promise<HeadWithLink[]>}
 */
export async function headsWithLink(result, {layers, heads}, from, to, signal) {
  const givers = tokensOfWord(result, from);
  const takers = tokensOfWord(result, to);
  if (!givers.length || !takers.length) return [];
  const {length} = result.tokens;
  /** @type {HeadWithLink[]} */
  const found = [];
  for (let layer = 0; layer < layers; layer++) {
    const weights = await result.layerAttention(layer);
    signal?.throwIfAborted();
    for (let head = 0; head < heads; head++) {
      let sum = 0;
      for (const query of givers)
        for (const key of takers) sum += weights[(head * length + query) * length + key];
      found.push({layer, head, weight: sum / givers.length});
    }
  }
  return found.sort((a, b) => b.weight - a.weight);
}

/**
 * What a link is in the annotation of its sentence: of a word with its head, or the other way.
 *
 * @param {Sentence | null} sentence
 * @param {Link} link
 * @returns {Asked | null}  null if the two words have no relation, or nothing is known of them
 */
export function relationOf(sentence, {from, to}) {
  const words = sentence?.words ?? [];
  if (words[from]?.head === to) return {relation: words[from].relation, direction: 'to'};
  if (words[to]?.head === from) return {relation: words[to].relation, direction: 'from'};
  return null;
}

/**
 * How many links of a relation a head finds.
 *
 * @param {RelationScore} score
 * @param {Direction} direction
 * @param {{layer: number, head: number}} place
 * @param {number} headsInLayer
 */
export const foundBy = ({right}, direction, {layer, head}, headsInLayer) =>
  right[direction][layer * headsInLayer + head];
