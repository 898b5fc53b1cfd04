import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';

/** @import {Content} from './data-files.js' */
/** @import {Shown} from './export-content.js' */
/** @import {Extent} from '../attention/snapshot.js' */

/**
 * Fetches the numbers to export. A comparison has those of both sides and their difference; a side that
 * has none of the heads is left out.
 *
 * @param {Shown} shown
 * @param {Omit<Extent, 'layers' | 'heads'> & {isWhole: boolean, isSingle?: boolean}} wanted  `isWhole`: all
 *   layers and heads instead of those in the picture; `isSingle`: only the first head
 * @returns {Promise<Content>}
 */
export async function contentOf(shown, {isWhole, isSingle, ...extent}) {
  const {comparison} = shown;
  const sides = comparison ? [comparison.before, shown] : [shown];
  /** @type {Content[]} */
  const contents = [];
  for (const {layers, heads, fetch} of sides) {
    if (isWhole) contents.push(await fetch(extent));
    else if (heads.length) {
      const wanted = {layers, heads: isSingle ? heads.slice(0, 1) : heads};
      contents.push(await fetch({...extent, ...wanted}));
    }
  }
  const [first, second] = contents;
  if (comparison && second) {
    const difference = comparison.differenceOf(first, second) ?? undefined;
    return {...second, before: first, difference};
  }
  const {name: _, ...alone} = first;
  return alone;
}

/** The name of the measure. @param {Shown} shown */
export const measureName = ({measure}) => liveStrings.analysis.measures[measure].name;

/** What the picture is called in the title of a page and in the names of files. @param {Shown} shown */
export const titleOf = (shown) =>
  [
    shown.text,
    shown.interventions,
    shown.measure === 'weight' ? '' : measureName(shown),
    shown.comparison ? strings.compare.modes[shown.comparison.mode] : '',
  ]
    .filter(Boolean)
    .join(' · ');
