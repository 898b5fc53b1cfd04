/** What is told of a measurement besides its table, and the files that it is saved in. */

import {html, nothing} from 'lit';
import {rowsOfReport} from '../engine/syntax/report-csv.js';
import {csv} from '../export/csv.js';
import {fileName, save} from '../export/download.js';
import {grammarStrings as words} from '../strings/grammar.js';
import {formatPercent} from '../views/parts/number-format.js';
import {relationCode, relationName} from './relation-name.js';

/** @import {Statistic} from '../attention/head-statistics.js' */
/** @import {RelationScore} from '../engine/syntax/relation-counts.js' */
/** @import {SyntaxReport} from '../engine/syntax/score-treebank.js' */
/** @import {Treebank} from './treebank.js' */

/** @typedef {{treebank: Treebank, report: SyntaxReport}} Measured */

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
