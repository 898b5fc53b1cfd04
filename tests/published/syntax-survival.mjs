/** Compares what a treebank says of the heads of a model in two precisions. */

import {rankCorrelation} from './differences.mjs';

/** @import {RelationScore} from '../../web/engine/syntax/relation-counts.js' */
/** @import {SyntaxReport} from '../../web/engine/syntax/score-treebank.js' */

/** A relation is told of if it has so many links. */
export const LEAST_LINKS = 100;

/**
 * @typedef {object} Survival  of the relations with `LEAST_LINKS`
 * @property {number} relations
 * @property {number} sameBest  relations with the same best head in the same direction
 * @property {number} meanDifference  of a share, over all heads and directions
 * @property {number} largestDifference
 * @property {number} meanCorrelation  of the ranks of heads, over relations
 * @property {number} leastCorrelation
 * @property {{both: number, first: number, second: number}} beat  pairs of a head and a relation that are right more often
 *   than position: in both, or in one alone
 */

/** @param {SyntaxReport} report */
export const frequentOf = ({relations}) => relations.filter(({links}) => links >= LEAST_LINKS);

/** @param {RelationScore} score  @returns {number[]}  `[2 * heads]`, first those to the head */
export const sharesOfHeads = ({links, right}) =>
  [...right.to, ...right.from].map((count) => count / links);

/** @param {RelationScore['best']} best */
export const placeOf = ({layer, head, direction}) => `${layer}.${head} ${direction}`;

/** Whether the interval of a share lies above that of the best fixed offset. @param {RelationScore} score */
export const beatsPosition = ({best, position}) => best.interval[0] > position.share;

/**
 * @param {SyntaxReport} first
 * @param {SyntaxReport} second  of the same treebank
 * @returns {Survival}
 */
export function survivalOf(first, second) {
  const pairs = frequentOf(first).map((score) => {
    const other = second.relations.find(({relation}) => relation === score.relation);
    if (other?.links !== score.links) throw new Error(`${score.relation}: expected the same links`);
    return {score, other, shares: sharesOfHeads(score), others: sharesOfHeads(other)};
  });
  const differences = pairs.flatMap(({shares, others}) =>
    shares.map((share, head) => Math.abs(share - others[head])),
  );
  const correlations = pairs.map(({shares, others}) =>
    Number(rankCorrelation({ours: shares, theirs: others})),
  );
  const beat = {both: 0, first: 0, second: 0};
  for (const {score, shares, others} of pairs) {
    shares.forEach((share, head) => {
      const [inFirst, inSecond] = [share, others[head]].map((each) => each > score.position.share);
      if (inFirst && inSecond) beat.both++;
      else if (inFirst) beat.first++;
      else if (inSecond) beat.second++;
    });
  }
  return {
    relations: pairs.length,
    sameBest: pairs.filter(({score, other}) => placeOf(score.best) === placeOf(other.best)).length,
    meanDifference: meanOf(differences),
    largestDifference: Math.max(...differences),
    meanCorrelation: meanOf(correlations),
    leastCorrelation: Math.min(...correlations),
    beat,
  };
}

/** @param {readonly number[]} values */
export const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
