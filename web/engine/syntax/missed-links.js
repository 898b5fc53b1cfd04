/** Shows where a head fails: the sentences in which it does not find the head of a word. */

import {yieldIfDue} from '../event-loop.js';
import {placedWords} from './conllu.js';

/** @import {Sentence} from './conllu.js' */
/** @import {Direction} from './relation-counts.js' */
/** @import {ScoredModel} from './score-treebank.js' */

/**
 * @typedef {object} Finder A head that is asked for the links of one relation.
 * @property {string} relation
 * @property {number} layer
 * @property {number} head
 * @property {Direction} direction
 */

/**
 * @typedef {object} Miss Indices of words in the sentence.
 * @property {number} word
 * @property {number} wanted Its head as annotated.
 * @property {number} found What the model's head has in its place; -1 for none.
 */

/**
 * Reads the sentences again, since `scoreTreebank` keeps none; the model runs only on those that have the
 * relation. The misses are those that `scoreTreebank` counts.
 * @param {ScoredModel} model
 * @param {AsyncIterable<Sentence> | Iterable<Sentence>} sentences
 * @param {Finder} finder
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<{sentence: Sentence, misses: Miss[]}>} Only sentences with a miss.
 */
export async function* missedLinks(model, sentences, {relation, layer, head, direction}, signal) {
  for await (const sentence of sentences) {
    await yieldIfDue(signal);
    const {words, text} = sentence;
    const {known, places} = placedWords(sentence);
    const asked = known.filter(
      (word) => words[word].relation === relation && known.includes(words[word].head),
    );
    if (!asked.length) continue;
    const links = await model.wordLinks(text, {words: places, signal});
    if (links.truncated > 0) continue;
    const start = (layer * links.heads + head) * known.length;
    const misses = asked
      .map((word) => ({
        word,
        wanted: words[word].head,
        found: known[links[direction][start + known.indexOf(word)]] ?? -1,
      }))
      .filter(({wanted, found}) => found !== wanted);
    if (misses.length) yield {sentence, misses};
  }
}
