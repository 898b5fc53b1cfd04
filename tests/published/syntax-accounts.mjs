/** Compares a treebank with the authors' functions, and with another treebank. */

import {scoreAgain} from './syntax-run.mjs';
import {LEAST_LINKS, beatsPosition, placeOf} from './syntax-survival.mjs';

/** @import {LinkedWords} from '../../web/engine/host/word-links.js' */
/** @import {RelationScore} from '../../web/engine/syntax/relation-counts.js' */
/** @import {ReadSentence, TreebankRun} from './syntax-run.mjs' */

/**
 * @typedef {object} SameShares
 * @property {number} sentences
 * @property {number} relations
 * @property {number} shares
 * @property {number} different
 * @property {number} silent  words in which no token begins
 */

/** Compares each share of a relation, a head and a direction, digit for digit. @param {TreebankRun} run @returns {SameShares} */
export function sameSharesAs({sentences, report: {relations}, authors: {counts, shares}}) {
  let [all, different] = [0, 0];
  for (const {relation, links, right} of relations) {
    if (counts[relation] !== links)
      throw new Error(`${relation}: expected ${counts[relation]} links, found ${links}`);
    for (const direction of /** @type {const} */ (['to', 'from'])) {
      right[direction].forEach((count, head) => {
        // The authors list a relation only if it is wrong somewhere.
        const theirs = shares[direction][head][relation] ?? 1;
        all++;
        different += Number(count / links !== theirs);
      });
    }
  }
  return {
    ...{sentences: sentences.length, relations: relations.length},
    ...{shares: all, different},
    silent: sentences.reduce((sum, {silent}) => sum + silent, 0),
  };
}

/**
 * @typedef {object} HeldNames  Names of relations: a relation is named after its best head if the head's interval on the
 *   first treebank lies above position alone.
 * @property {string[]} named  those that the second treebank has at least `LEAST_LINKS` links of
 * @property {string[]} rare  those that it has fewer of
 * @property {string[]} held  of `named`, those that beat position there with the same head
 * @property {string[]} best  of `named`, those with the same best head there
 * @property {string[]} beat  relations that a head beats position in there
 * @property {string[]} found  of `beat`, those that are named, with the best head there
 */

/** @param {TreebankRun} first @param {TreebankRun} second @returns {Promise<HeldNames>} */
export async function heldOn(first, second) {
  const frequent = new Map(
    second.report.relations
      .filter(({links}) => links >= LEAST_LINKS)
      .map((score) => [score.relation, score]),
  );
  const scores = first.report.relations.filter(beatsPosition);
  const named = scores.filter(({relation}) => frequent.has(relation));
  const isSame = (/** @type {RelationScore} */ {relation, best}) => {
    const other = frequent.get(relation);
    return other !== undefined && placeOf(other.best) === placeOf(best);
  };
  const held = [];
  for (const {relation, best} of named)
    if (beatsPosition(await scoreOfOne(second, relation, best))) held.push(relation);
  const beat = [...frequent.values()].filter(beatsPosition);
  const namesOf = (/** @type {RelationScore[]} */ list) => list.map(({relation}) => relation);
  const best = namesOf(named.filter(isSame));
  return {
    named: namesOf(named),
    rare: namesOf(scores.filter(({relation}) => !frequent.has(relation))),
    ...{held, best},
    beat: namesOf(beat),
    found: namesOf(beat).filter((relation) => best.includes(relation)),
  };
}

/**
 * @param {TreebankRun} run
 * @param {string} relation
 * @param {RelationScore['best']} best
 * @returns {Promise<RelationScore>}  of a model that has this head and this direction alone
 */
async function scoreOfOne({shape, sentences}, relation, {layer, head, direction}) {
  const at = layer * shape.heads + head;
  const alone = (/** @type {LinkedWords} */ links) => {
    const words = links.to.length / (shape.layers * shape.heads);
    const none = new Int32Array(words).fill(-1);
    const own = links[direction].subarray(at * words, (at + 1) * words);
    return {...links, layers: 1, heads: 1, to: none, from: none, earlier: none, [direction]: own};
  };
  const {relations} = await scoreAgain({layers: 1, heads: 1}, sentences, alone);
  return /** @type {RelationScore} */ (relations.find((score) => score.relation === relation));
}
