/**
 * How well heads find the links of each relation, beside the best fixed offset, which Clark et al.
 * 2019 compare heads with (https://arxiv.org/abs/1906.04341, section 4.2).
 */

import {randomNumbers} from '../random-numbers.js';
import {shuffled} from './resampling.js';
import {ShareCounts} from './share-counts.js';

/** @import {LinkedWords} from '../host/word-links.js' */
/** @import {Sentence} from './conllu.js' */
/** @import {Share} from './share-counts.js' */

/** @typedef {'to' | 'from'} Direction Which of the two attends: the word to its head, or the head to it. */
/**
 * @typedef {Share & {layer: number, head: number, interval: [number, number]}} HeadShare `interval`: NaN, which is null
 *   in JSON, where too few sentences have the relation.
 */

/**
 * @typedef {object} RelationScore
 * @property {string} relation
 * @property {number} links
 * @property {HeadShare & {direction: Direction}} best
 * @property {Share & {offset: number}} position The best fixed offset: the head is so many words on.
 * @property {{to: number[], from: number[]}} right `[layers * heads]` each, of the links.
 */

const MAX_OFFSET = 10;
const OFFSETS = 2 * MAX_OFFSET + 1;
const PERMUTATIONS = 20;

export class RelationCounts {
  #heads;
  #draws;
  #random;
  /** @type {Map<string, ShareCounts>} Heads in the first direction, heads in the second, offsets. */
  #observed = new Map();
  /** @type {Map<string, ShareCounts>[]} */
  #permuted = Array.from({length: PERMUTATIONS}, () => new Map());

  /** @param {number} heads Of all layers. @param {number} draws @param {number} seed */
  constructor(heads, draws, seed) {
    this.#heads = heads;
    this.#draws = draws;
    this.#random = randomNumbers(seed);
  }

  /**
   * @param {Sentence} sentence
   * @param {number[]} known The indices of the words that `links` has, in its order.
   * @param {LinkedWords} links
   * @param {Uint8Array} times
   */
  add(sentence, known, links, times) {
    const at = new Map(known.map((word, index) => [word, index]));
    const dependents = known.filter((word) => at.has(sentence.words[word].head));
    const relations = dependents.map((word) => sentence.words[word].relation);
    const rights = dependents.map((word) =>
      this.#rightOnes(word, sentence.words[word].head, at, links),
    );
    rights.forEach((right, i) =>
      this.#counted(this.#observed, relations[i], this.#draws).add(right, times),
    );
    for (const counts of this.#permuted) {
      const order = shuffled(dependents.length, this.#random);
      rights.forEach((right, i) => this.#counted(counts, relations[order[i]], 0).add(right));
    }
  }

  /**
   * @param {number} word
   * @param {number} head
   * @param {Map<number, number>} at
   * @param {LinkedWords} links
   * @returns {number[]} The predictors that find the head.
   */
  #rightOnes(word, head, at, links) {
    const heads = this.#heads;
    const wanted = at.get(head);
    const place = /** @type {number} */ (at.get(word));
    const right = [];
    for (let i = 0; i < heads; i++) {
      if (links.to[i * at.size + place] === wanted) right.push(i);
      if (links.from[i * at.size + place] === wanted) right.push(heads + i);
    }
    const offset = head - word;
    if (Math.abs(offset) <= MAX_OFFSET) right.push(2 * heads + MAX_OFFSET + offset);
    return right;
  }

  /** @param {Map<string, ShareCounts>} relations @param {string} relation @param {number} draws */
  #counted(relations, relation, draws) {
    let counts = relations.get(relation);
    if (!counts) {
      counts = new ShareCounts(2 * this.#heads + OFFSETS, draws);
      relations.set(relation, counts);
    }
    return counts;
  }

  /** @param {number} headsInLayer @returns {RelationScore[]} The most frequent relation first. */
  scores(headsInLayer) {
    const heads = this.#heads;
    const entries = [...this.#observed].sort(([, a], [, b]) => b.links - a.links);
    return entries.map(([relation, counts]) => {
      const best = counts.best(0, 2 * heads);
      const offset = counts.best(2 * heads, 2 * heads + OFFSETS);
      return {
        relation,
        links: counts.links,
        best: {
          layer: Math.floor((best % heads) / headsInLayer),
          head: best % headsInLayer,
          direction: best < heads ? 'to' : 'from',
          ...counts.of(best),
          interval: counts.interval(best),
        },
        position: {offset: offset - 2 * heads - MAX_OFFSET, ...counts.of(offset)},
        right: {
          to: Array.from(counts.right.subarray(0, heads)),
          from: Array.from(counts.right.subarray(heads, 2 * heads)),
        },
      };
    });
  }

  /**
   * How many pairs of a head (in one of the directions) and a relation are better than the best
   * offset, and how many are on average when the relations of each sentence change places.
   */
  chance() {
    const better = (/** @type {Map<string, ShareCounts>} */ relations) =>
      [...relations.values()].reduce((sum, counts) => {
        const offset = counts.right[counts.best(2 * this.#heads, 2 * this.#heads + OFFSETS)];
        const heads = counts.right.subarray(0, 2 * this.#heads);
        return sum + heads.filter((right) => right > offset).length;
      }, 0);
    const permuted = this.#permuted.map(better);
    return {
      pairs: 2 * this.#heads * this.#observed.size,
      observed: better(this.#observed),
      permuted: permuted.reduce((sum, count) => sum + count, 0) / PERMUTATIONS,
    };
  }
}
