import {figureOf} from '../export/figure.js';
import {grammarStrings as words} from '../strings/grammar.js';
import {create} from '../views/parts/create-element.js';
import {formatPercent} from '../views/parts/number-format.js';
import {frequentIn} from './grammar-report.js';
import {relationCode, relationName} from './relation-name.js';

/** @import {RelationScore} from '../engine/syntax/relation-counts.js' */
/** @import {Measured} from './measurements.js' */

/** The width of the figure, in CSS pixels: that of a column of text. */
const width = 640;

/**
 * Draws what was measured for a paper or a slide, as SVG: for each frequent relation a bar of what its best head finds, with
 * the interval, and a mark at what position alone finds.
 *
 * @param {Measured} found
 * @param {boolean} dark
 * @param {Element} like  whose colours it takes over
 */
export async function grammarFigure(found, dark, like) {
  const {of, report} = found;
  const element = create('div', '', ...frequentIn(found).map(rowOf));
  element.style.cssText =
    'display: grid; grid-template-columns: 1fr auto 200px auto; gap: 6px 12px; align-items: center';
  const measured = words.measured(of.treebank || words.builtIn, report.sentences, report.words);
  return figureOf([{title: '', element, draw() {}}], {
    columns: 1,
    width,
    theme: dark ? 'dark' : 'light',
    key: [
      {name: words.columns.found, colour: 'color-mix(in srgb, var(--accent) 40%, var(--surface))'},
      {name: words.columns.position, colour: 'var(--text)'},
    ],
    caption: [`${of.model} · ${measured}`, words.intervalHelp],
    letters: 'outlines',
    like,
  });
}

/** @param {RelationScore} score */
function rowOf({relation, links, best, position}) {
  const name = create('span', '', relationName(relation), ` (${relationCode(relation)})`);
  const head = create('span', '', `${best.layer}.${best.head}`);
  const numbers = create(
    'span',
    '',
    `${formatPercent(best.share)} · ${words.of(best.right, links)}`,
  );
  numbers.style.textAlign = 'end';
  const row = create('div', '', name, head, barOf(best, position.share), numbers);
  row.style.display = 'contents';
  return row;
}

/** @param {RelationScore['best']} best @param {number} position */
function barOf({share, interval: [low, high]}, position) {
  const bar = create('div');
  bar.style.cssText = 'position: relative; height: 14px; background: var(--ground)';
  const part = (
    /** @type {number} */ from,
    /** @type {number} */ to,
    /** @type {string} */ style,
  ) => {
    const made = create('div');
    made.style.cssText = `position: absolute; left: ${100 * from}%; width: ${100 * (to - from)}%; ${style}`;
    bar.append(made);
  };
  part(
    0,
    share,
    'top: 0; height: 14px; background: color-mix(in srgb, var(--accent) 40%, var(--surface))',
  );
  if (low <= high) part(low, high, 'top: 6px; height: 2px; background: var(--accent)');
  part(position, position, 'min-width: 2px; top: -2px; height: 18px; background: var(--text)');
  return bar;
}
