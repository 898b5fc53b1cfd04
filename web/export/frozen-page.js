import {vectorFields} from '../attention/snapshot.js';
import {language} from '../strings/index.js';
import {kindsOf} from '../views/view-kinds.js';
import {unknownLines} from './caption.js';
import {jsonFile} from './data-files.js';
import {embedCode, linesAround, ownElement, savedPage} from './embed-markup.js';
import {frozenLanguage} from './frozen-language.js';
import {frozenScript} from './frozen-script.js';
import {contentOf, titleOf} from './shown-content.js';

/** @import {Content} from './data-files.js' */
/** @import {Shown, ShownComparison} from './export-content.js' */
/** @import {Snapshot} from '../attention/snapshot.js' */

/** A file with more numbers is too large for mail and slow in browsers. */
const mostNumbers = 300_000;

/** Keeps the place of the picture and its padding until its script has come, so that the text below does not move. @param {Shown} shown */
export const reservedSpace = ({height}) => `display: block; min-height: calc(${height}px + 1.5rem)`;

/**
 * Collects the attributes and the numbers of a tag that shows the picture without an engine.
 *
 * @param {Shown} shown
 * @param {number} most  how many numbers it may hold beside those that are shown
 */
async function frozen(shown, most) {
  const {view, comparison} = shown;
  const {controls} = shown.element;
  const numbers = [shown, ...(comparison ? [comparison.before] : [])].reduce(
    (sum, {data: {snapshot}}) => sum + numbersIn(snapshot),
    0,
  );
  const {hasGrid, hasVectors: vectors = false} = kindsOf[view];
  const isWhole = !vectors && (hasGrid || numbers <= most);
  const isWeight = shown.measure === 'weight';
  // Rounded vectors would give other products than the picture shows, and rounded weights other colours.
  const digits = vectors ? undefined : 7;
  // It draws one head, and says how many others are chosen.
  const isSingle = vectors && vectorNumbersOf(shown) > mostNumbers;
  const content = await contentOf(shown, {isWhole, isSingle, vectors, digits});
  // The snapshot already contains what the other attributes ask for.
  const attributes = {...shown.viewAttributes};
  if (content.snapshot.heads < shown.data.snapshot.heads) delete attributes.heads;
  const {before, difference: _, ...side} = content;
  return {
    attributes: {
      ...attributes,
      ...(comparison && before ? {compare: savedComparison(comparison.mode, before)} : {}),
      // Controls that the page did not have are not wanted; and they describe weights.
      controls: controls === 'none' ? controls : controls && isWhole && isWeight,
    },
    // The element computes the difference itself.
    json: jsonFile({...side, before}),
  };
}

/** Writes a page that shows the picture without an engine. @param {Shown} shown */
export async function savedView(shown) {
  return savedPage({
    title: `${titleOf(shown)} – bertscope`,
    heading: shown.comparison ? shown.headline : shown.text,
    notes: unknownLines(shown),
    isWide: shown.comparison?.mode === 'side',
    language,
    ...(await frozen(shown, mostNumbers)),
    script: (await frozenLanguage(language)) + (await frozenScript()),
  });
}

/** The code of a tag that holds its numbers, and looks as the live tag does. @param {Shown} shown */
export async function frozenTag(shown) {
  const {attributes, json} = await frozen(shown, 0);
  const tag = {...attributes, controls: shown.element.controls === 'none' && 'none'};
  const code = embedCode(
    {...tag, style: reservedSpace(shown)},
    shown.script ?? ownElement(),
    undefined,
    json,
  );
  const {headline} = shown;
  const above = linesAround(headline ? [headline] : []);
  return [...above, code, ...linesAround(unknownLines(shown))].join('\n');
}

/** How many numbers the vectors of the chosen heads have, with what distances add. @param {Shown} shown */
function vectorNumbersOf({heads, layers, data: {snapshot}}) {
  const {queryTokens, keyTokens} = snapshot;
  const fields = vectorFields(snapshot, keyTokens.length);
  const perToken = fields.reduce((sum, {columns}) => sum + columns, 0);
  return layers.length * heads.length * queryTokens.length * perToken;
}

/** @param {Snapshot} snapshot */
function numbersIn({layers, heads, queryTokens, keyTokens}) {
  return layers * heads * queryTokens.length * keyTokens.length;
}

/**
 * The `compare` attribute of the saved page, which names the baseline inside that page.
 *
 * @param {ShownComparison['mode']} mode
 * @param {Content} before
 */
function savedComparison(mode, {name, text}) {
  return new URLSearchParams({mode, file: name || text}).toString();
}
