/** Tables of `check:syntax`, as Markdown. */

import {accountOf, claims, claimsOfOthers, sharesOf} from './syntax-names.mjs';
import {sameSharesAs} from './syntax-accounts.mjs';
import {LEAST_LINKS, beatsPosition, placeOf} from './syntax-survival.mjs';

/** @import {Precision} from '../../web/engine/host/load-encoders.js' */
/** @import {RelationScore} from '../../web/engine/syntax/relation-counts.js' */
/** @import {HeadName} from '../../web/engine/wasm-module.d.ts' */
/** @import {HeldNames} from './syntax-accounts.mjs' */
/** @import {ClaimName} from './syntax-names.mjs' */
/** @import {TreebankRun} from './syntax-run.mjs' */
/** @import {Survival} from './syntax-survival.mjs' */
/** @import {Ablation, Agreement} from './syntax-switched-off.mjs' */

/**
 * @typedef {object} Measured  a model in one precision
 * @property {string} name
 * @property {Precision} precision
 * @property {TreebankRun} own  on the sentences of this project
 * @property {TreebankRun} pud
 * @property {{everyday: HeadName[], onPud: HeadName[]}} names  by the guide to heads
 * @property {HeldNames} held
 * @property {Ablation[]} switchedOff
 *
 * @typedef {object} Compared  a model in float32 and in int8
 * @property {string} name
 * @property {Measured} first
 * @property {Measured} second
 * @property {Survival} survival
 * @property {Agreement} agreement
 */

/** @type {Record<HeadName, string>} */
const TOLD = {
  previous: 'previous token',
  next: 'next token',
  self: 'itself',
  cls: 'rests on [CLS]',
  sep: 'rests on [SEP]',
  punctuation: 'rests on punctuation',
  sameWord: 'same word',
  broad: 'broad',
  content: 'by content',
};
const HEAD_NAMES = /** @type {HeadName[]} */ (Object.keys(TOLD));

/** A head does what its name says if more than half of the words look there. */
const MOST = 0.5;

/** @param {number} share @param {number} [digits] */
const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

/** @param {number} count */
const told = (count) => count.toLocaleString('en');

/**
 * Tells what is found in float32, and what in int8 if that is something else.
 *
 * @param {Compared} pair
 * @param {(measured: Measured) => string} tell
 */
function inBoth({first, second}, tell) {
  const [inFirst, inSecond] = [first, second].map(tell);
  return inFirst === inSecond ? inFirst : `${inFirst} (int8: ${inSecond})`;
}

/** @param {string[]} header  @param {string[][]} rows */
export function markdown(header, rows) {
  const lines = [header, header.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** @param {Compared[]} pairs @param {Record<string, (pair: Compared) => string>} rows */
const rowsOf = (pairs, rows) =>
  markdown(
    ['', ...pairs.map(({name}) => name)],
    Object.entries(rows).map(([name, cell]) => [name, ...pairs.map(cell)]),
  );

/** @param {Compared[]} pairs */
export const authorsTable = (pairs) =>
  markdown(
    ['model', 'sentences', 'words without a token', 'relations', 'shares', 'that differ'],
    pairs.flatMap((pair) =>
      /** @type {const} */ (['own', 'pud']).map((treebank) => {
        const {sentences, silent, relations, shares} = sameSharesAs(pair.first[treebank]);
        return [
          ...[pair.name, ...[sentences, silent, relations, shares].map(told)],
          inBoth(pair, (measured) => String(sameSharesAs(measured[treebank]).different)),
        ];
      }),
    ),
  );

/** In bold are heads whose interval lies above position alone. @param {Compared[]} pairs */
export function bestHeadsTable(pairs) {
  const scoreOf = (/** @type {Measured} */ {pud}, /** @type {string} */ relation) =>
    /** @type {RelationScore} */ (pud.report.relations.find((each) => each.relation === relation));
  const {relations, tree} = pairs[0].first.pud.report;
  return markdown(
    [
      'relation',
      'links',
      'position alone',
      ...pairs.flatMap(({name}) => [`${name}, float32`, 'int8']),
    ],
    [
      ...relations
        .filter(({links}) => links >= LEAST_LINKS)
        .map(({relation, links, position}) => [
          ...[`\`${relation}\``, told(links), percent(position.share)],
          ...pairs.flatMap(({first, second}) => {
            const [score, other] = [first, second].map((each) => scoreOf(each, relation));
            const isSame = placeOf(score.best) === placeOf(other.best);
            return [bestTold(score, true), bestTold(other, !isSame)];
          }),
        ]),
      [
        ...['all heads’ tree', told(tree.links), percent(tree.neighbours.share, 1)],
        ...pairs.flatMap(({first, second}) =>
          [first, second].map(({pud}) => percent(pud.report.tree.heads.share, 1)),
        ),
      ],
    ],
  );
}

/** @param {RelationScore} score @param {boolean} withPlace */
function bestTold(score, withPlace) {
  const {best} = score;
  const [low, high] = best.interval.map((share) => (100 * share).toFixed(0));
  const place = withPlace ? `${placeOf(best)} ` : '';
  const text = `${place}${percent(best.share)} (${low} to ${high})`;
  return beatsPosition(score) ? `**${text}**` : text;
}

/** @param {Compared[]} pairs */
export const survivalTable = (pairs) =>
  rowsOf(pairs, {
    'relations with the same best head': ({survival: {sameBest, relations}}) =>
      `${sameBest} of ${relations}`,
    'difference of a share, mean': ({survival}) => `${inPoints(survival.meanDifference, 2)} points`,
    'difference of a share, largest': ({survival}) =>
      `${inPoints(survival.largestDifference, 1)} points`,
    'rank correlation of heads, mean over relations': ({survival}) =>
      survival.meanCorrelation.toFixed(3),
    'rank correlation of heads, least': ({survival}) => survival.leastCorrelation.toFixed(3),
    'pairs of a head and a relation that beat position in both': ({survival}) =>
      String(survival.beat.both),
    'in float32 alone, in int8 alone': ({survival: {beat}}) => `${beat.first}, ${beat.second}`,
    'heads with the same name': ({first, second}) => {
      const names = first.names.everyday;
      const same = names.filter((name, head) => name === second.names.everyday[head]);
      return `${same.length} of ${names.length}`;
    },
  });

/** @param {number} share @param {number} digits */
const inPoints = (share, digits) => (100 * share).toFixed(digits);

/** Precision and recall. @param {readonly boolean[]} named @param {readonly boolean[]} isTrue */
function accountTold(named, isTrue) {
  const {named: heads, isTrue: right, both} = accountOf(named, isTrue);
  return `${heads ? `${both} of ${heads}` : 'none'}, ${right ? `${both} of ${right}` : 'none'}`;
}

/** @param {Compared[]} pairs */
export const namesTable = (pairs) =>
  markdown(
    [
      ...['model', 'name', 'heads', 'words that look there most'],
      ...['precision, recall', 'of other words', 'by the guide on PUD'],
    ],
    pairs.flatMap((pair) =>
      HEAD_NAMES.flatMap((name) => {
        const row = [
          inBoth(pair, ({names}) => told(names.everyday.filter((each) => each === name).length)),
          inBoth(pair, (measured) => wordsTold(measured, name)),
          inBoth(pair, (measured) => claimTold(measured, name, 'strongest')),
          inBoth(pair, (measured) => claimTold(measured, name, 'other')),
          inBoth(pair, ({names}) =>
            accountTold(
              names.everyday.map((each) => each === name),
              names.onPud.map((each) => each === name),
            ),
          ),
        ];
        const isEmpty = row.every((cell) => ['0', '', 'none, none'].includes(cell));
        return isEmpty ? [] : [[pair.name, TOLD[name], ...row]];
      }),
    ),
  );

/** @param {Measured} measured @param {HeadName} name  @returns {string}  the least and the greatest share of the words, over heads with the name */
function wordsTold({names, pud}, name) {
  const shares = claimedShares(pud, name, 'strongest')?.filter(
    (_, head) => names.everyday[head] === name,
  );
  if (!shares?.length) return '';
  const ends = [Math.min(...shares), Math.max(...shares)].map((share) => percent(share));
  return [...new Set(ends)].join(' to ');
}

/** @param {Measured} measured @param {HeadName} name @param {Where} where */
function claimTold({names, pud}, name, where) {
  const shares = claimedShares(pud, name, where);
  if (!shares) return '';
  return accountTold(
    names.everyday.map((each) => each === name),
    shares.map((share) => share > MOST),
  );
}

/** @typedef {'strongest' | 'other'} Where  as `sharesOf` takes it */

/** @param {TreebankRun} run @param {HeadName} name @param {Where} where  @returns {number[] | null}  null for a name that says nothing of the place */
function claimedShares({shape, sentences}, name, where) {
  /** @type {readonly string[]} */
  const asked = where === 'strongest' ? Object.keys(claims) : claimsOfOthers;
  if (!asked.includes(name)) return null;
  const claim = /** @type {ClaimName} */ (name);
  return [...sharesOf(sentences, shape.layers * shape.heads, claim, where)];
}

/** @param {Compared[]} pairs */
export const relationNamesTable = (pairs) =>
  rowsOf(pairs, {
    'relations named on the sentences of this project': (pair) =>
      inBoth(pair, ({held}) => String(held.named.length)),
    'that beat position on PUD with this head (precision)': (pair) =>
      inBoth(pair, ({held: {held, named}}) => `${held.length} of ${named.length}`),
    'that have the same best head on PUD': (pair) =>
      inBoth(pair, ({held: {best, named}}) => `${best.length} of ${named.length}`),
    'of those that beat position on PUD, named with their best head (recall)': (pair) =>
      inBoth(pair, ({held: {found, beat}}) => `${found.length} of ${beat.length}`),
    'named, but not better than position on PUD': (pair) =>
      inBoth(pair, ({held: {held, named}}) => listed(named, held)),
    'better than position on PUD, but named after another head or not at all': (pair) =>
      inBoth(pair, ({held: {found, beat}}) => listed(beat, found)),
  });

/** @param {string[]} relations @param {string[]} without */
const listed = (relations, without) =>
  relations
    .filter((relation) => !without.includes(relation))
    .map((relation) => `\`${relation}\``)
    .join(' ');

/** @param {Compared[]} pairs */
export const switchedOffTable = (pairs) =>
  rowsOf(pairs, {
    'texts with the same most important head': ({agreement: {sameFirst, texts}}) =>
      `${sameFirst} of ${texts}`,
    'of the five most important heads, the same': ({agreement}) => agreement.meanOfFive.toFixed(1),
    'rank correlation of all heads, mean over texts': ({agreement}) =>
      agreement.meanCorrelation.toFixed(3),
    'texts with the same answer': ({agreement: {sameAnswer, texts}}) => `${sameAnswer} of ${texts}`,
    'pairs of such a text and a head': ({agreement}) => told(agreement.pairs),
    'the answer changes without the head in both': ({agreement}) => told(agreement.changes.both),
    'in float32 alone, in int8 alone': ({agreement: {changes}}) =>
      `${changes.first}, ${changes.second}`,
  });
