/** What is told of a measurement besides its table, and the files that it is saved in. */

import {html, nothing} from 'lit';
import {rowsOfReport} from '../engine/syntax/report-csv.js';
import {csv} from '../export/csv.js';
import {fileName, save} from '../export/download.js';
import {grammarStrings as words} from '../strings/grammar.js';
import {strings} from '../strings/index.js';
import {formatPercent} from '../views/parts/number-format.js';
import {relationCode, relationName} from './relation-name.js';

/** @import {Statistic} from '../attention/head-statistics.js' */
/** @import {RelationScore} from '../engine/syntax/relation-counts.js' */
/** @import {Sentence} from '../engine/syntax/conllu.js' */
/** @import {SyntaxReport} from '../engine/syntax/score-treebank.js' */
/** @import {Treebank} from './treebank.js' */

/** @typedef {{treebank: Treebank, report: SyntaxReport}} Measured */

/**
 * Links of a sentence as they are annotated, to be drawn over the lines of its picture.
 *
 * @typedef {object} Annotation
 * @property {string} text
 * @property {{query: Place, key: Place}[]} links  the places of the words in the text: which attends, and to which
 * @property {string} caption
 */
/** @typedef {readonly [begin: number, end: number]} Place */

/** The number of words of a relation that say something about a head. */
export const fewest = 5;

/**
 * How often each head finds a relation, in the direction of the best one.
 *
 * @param {RelationScore} score
 * @returns {Statistic}
 */
export function foundByHead({relation, links, best, right}) {
  const ofHeads = right[best.direction];
  return {
    name: words.mapped(relationName(relation), relationCode(relation)),
    help: words.directions[best.direction],
    values: ofHeads.map((count) => count / links),
    range: {least: 0, most: 1},
    format: formatPercent,
    tell: (at) => words.of(ofHeads[at], links),
  };
}

/**
 * The links of a relation in a sentence, from the word that should attend to the one that it should attend to.
 *
 * @param {RelationScore} score
 * @param {Sentence} sentence
 * @returns {Annotation}
 */
export function annotationOf({relation, best}, {text, words: all}) {
  const links = all.flatMap((word) => {
    const other = all[word.head];
    if (word.relation !== relation || !word.place || !other?.place) return [];
    const [from, to] = best.direction === 'to' ? [word, other] : [other, word];
    const [query, key] = /** @type {Place[]} */ ([from.place, to.place]);
    return [{query, key, name: words.pairs.pair(from.form, to.form)}];
  });
  const names = links.map(({name}) => name).join(strings.text.comma);
  return {text, links, caption: words.annotated(names, relationCode(relation))};
}

/** What has to be known of a measurement. @param {Measured} found @returns {string[]} */
export function cautionsOf({treebank, report: {skipped, relations, chance}}) {
  const rare = relations.filter(({links}) => links < fewest).length;
  if (treebank.pairs) return [...(rare ? [words.pairs.few(fewest)] : []), words.caution];
  return [
    ...(skipped ? [words.skipped(skipped)] : []),
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

/** Saves a table of all relations, or everything that was measured. @param {Measured} found @param {string} model  its name @param {string} format */
export function saveReport({treebank, report}, model, format) {
  const name = fileName(['grammar', model, treebank.name], format.toLowerCase());
  const [content, type] =
    format === 'CSV'
      ? [csv(rowsOfReport(report)), 'text/csv']
      : [`${JSON.stringify(report)}\n`, 'application/json'];
  save(name, new Blob([content], {type}));
}
