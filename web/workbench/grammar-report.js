/** What is told of a measurement besides its table. */

import {html, nothing} from 'lit';
import {pairRelation} from '../engine/syntax/word-pairs.js';
import {grammarStrings as words} from '../strings/grammar.js';
import {strings} from '../strings/index.js';
import {formatPercent} from '../views/parts/number-format.js';
import {relationCode, relationName} from './relation-name.js';

/** @import {Statistic} from '../attention/head-statistics.js' */
/** @import {HeadRef} from '../attention/shape.js' */
/** @import {Direction, RelationScore} from '../engine/syntax/relation-counts.js' */
/** @import {Sentence} from '../engine/syntax/conllu.js' */
/** @import {SyntaxReport} from '../engine/syntax/score-treebank.js' */
/** @import {Measured} from './measurements.js' */

/**
 * Links of a sentence as they are annotated, to be drawn over the lines of its picture.
 *
 * @typedef {object} Annotation
 * @property {string} text
 * @property {{query: Place, key: Place}[]} links  the places of the words in the text: which attends, and to which
 * @property {string} caption
 */
/** @typedef {readonly [begin: number, end: number]} Place */

/**
 * What a head was found to do, such as "finds the verb of an object".
 *
 * @typedef {object} MeasuredName
 * @property {string} name
 * @property {string} rule  how often it does, beside what position alone finds
 * @property {HeadRef[]} places
 */

/** The number of words of a relation that say something about a head. */
export const fewest = 5;

/** Whether what was measured are pairs that the reader has marked. @param {Measured} found */
export const isOfPairs = ({report: {relations}}) =>
  relations.every(({relation}) => relation === pairRelation);

/** The relations that say something about a head. Of pairs, the reader is told that they are few. @param {Measured} found */
export const frequentIn = (found) =>
  found.report.relations.filter(({links}) => links >= fewest || isOfPairs(found));

/** Whether the best head of a relation clearly finds more than position alone. @param {RelationScore} score */
export const isBetter = ({best, position}) => best.interval[0] > position.share;

/** Says what the best head of a relation does. @param {RelationScore} score */
export const claimOf = ({relation, links, best, position}) =>
  words.claim(
    `${best.layer}.${best.head}`,
    words.finds(relationName(relation)),
    best.right,
    links,
    position.right,
  );

/** Whether too few sentences have a relation for an interval. @param {RelationScore} score */
export const isRare = ({best}) => best.interval.some(Number.isNaN);

/** What heads clearly do better than position. @param {SyntaxReport} report @returns {MeasuredName[]} */
export const measuredNames = ({relations}) =>
  relations
    .filter((score) => score.links >= fewest && isBetter(score))
    .map((score) => ({
      name: words.finds(relationName(score.relation)),
      rule: claimOf(score),
      places: [{layer: score.best.layer, head: score.best.head}],
    }));

/**
 * How often each head finds a relation, in the direction of the best one.
 *
 * @param {RelationScore} score
 * @returns {Statistic}
 */
export function foundByHead({relation, links, best, right, position}) {
  const ofHeads = right[best.direction];
  return {
    name: words.mapped(relationName(relation), relationCode(relation)),
    help: words.directions[best.direction],
    values: ofHeads.map((count) => count / links),
    range: {least: 0, most: 1},
    format: formatPercent,
    tell: (at) => words.besidePosition(ofHeads[at], links, position.right),
  };
}

/**
 * The links of a relation in a sentence, from the word that should attend to the one that it should attend to.
 *
 * @param {RelationScore} score
 * @param {Sentence} sentence
 * @returns {Annotation}
 */
export function annotationOf({relation, best}, sentence) {
  const links = linksIn(sentence, best.direction, (each) => each === relation);
  const names = links.map(({name}) => name).join(strings.text.comma);
  return {text: sentence.text, links, caption: words.annotated(names, relationCode(relation))};
}

/** All links of a sentence, from each word to its head. @param {Sentence} sentence @returns {Annotation} */
export function wholeAnnotationOf(sentence) {
  // Punctuation would hide the rest.
  const links = linksIn(sentence, 'to', (relation) => relation !== '' && relation !== 'punct');
  const names = links.map(({name, relation}) => `${name} (${relationCode(relation)})`);
  return {
    text: sentence.text,
    links,
    caption: words.annotatedWhole(names.join(strings.text.comma)),
  };
}

/** @param {Sentence} sentence @param {Direction} direction @param {(relation: string) => boolean} isWanted */
function linksIn({words: all}, direction, isWanted) {
  return all.flatMap((word) => {
    const other = all[word.head];
    if (!isWanted(word.relation) || !word.place || !other?.place) return [];
    const [from, to] = direction === 'to' ? [word, other] : [other, word];
    const [query, key] = /** @type {Place[]} */ ([from.place, to.place]);
    return [{query, key, name: words.pairs.pair(from.form, to.form), relation: word.relation}];
  });
}

/** What has to be known of a measurement. @param {Measured} found @returns {string[]} */
export function cautionsOf(found) {
  const {skipped, relations, chance} = found.report;
  const rare = relations.filter(({links}) => links < fewest).length;
  const left = skipped ? [words.skipped(skipped)] : [];
  if (isOfPairs(found)) return [...left, ...(rare ? [words.pairs.few(fewest)] : []), words.caution];
  return [
    ...left,
    ...(rare ? [words.rare(rare, fewest)] : []),
    words.caution,
    words.chance(chance.observed, chance.pairs, String(Math.round(chance.permuted))),
  ];
}

/** @param {NonNullable<SyntaxReport['coreference']>} coreference */
function antecedents({best, links, nearest}) {
  return words.antecedents(`${best.layer}.${best.head}`, best.right, links, nearest.right);
}

/** Says what all heads do together, and what they do to mentions. @param {SyntaxReport} report */
export const allHeads = ({tree, coreference}) =>
  html`<section>
    <h3>${words.below}</h3>
    <p>${words.tree(tree.heads.right, tree.links, tree.neighbours.right)}</p>
    ${coreference ? html`<p>${antecedents(coreference)}</p>` : nothing}
  </section>`;
