import {ofAllHeads} from '../attention/display.js';
import {rowsOf} from '../attention/selection.js';
import {strings} from '../strings/index.js';
import {coloursOfNumbers, headColour} from '../views/parts/head-colours.js';
import {kindsOf} from '../views/view-kinds.js';
import {captionOf, differenceTitle} from './caption.js';
import {figure} from './figure.js';

/** @import {Shown} from './export-content.js' */

/** The device pixels of a PNG for each CSS pixel, unless the reader chooses another number. */
export const pngScale = 2;

/**
 * Draws the picture that an element shows, as SVG.
 *
 * @param {Shown} shown
 * @param {{dark?: boolean, hasCaption?: boolean, isText?: boolean}} [options]  `isText`: letters are text that can be
 *   edited, not outlines
 */
export function pictureOf(shown, {dark = shown.data.dark, hasCaption = true, isText = false} = {}) {
  return figure({
    create: shown.create,
    ...panelsOf(shown),
    width: shown.width,
    theme: dark ? 'dark' : 'light',
    key: keyOf(shown, dark),
    heading: shown.headline,
    caption: hasCaption ? captionOf(shown) : [],
    letters: isText ? 'text' : 'outlines',
    like: shown.element,
  });
}

/** The pictures, arranged as on the page. @param {Shown} shown */
function panelsOf(shown) {
  const {view, name, data, comparison} = shown;
  if (!comparison) return {panels: [{title: '', data}], columns: 1};
  const {mode, before, difference} = comparison;
  if (mode === 'difference' && difference) {
    return {panels: [{title: differenceTitle(shown), data: difference}], columns: 1};
  }
  const {hasLines, isWide} = kindsOf[view];
  const rows = [before, shown].map((side) => rowsOf(side.data));
  // The rows of the shorter text share the height of the other picture.
  const stretched = rows.map((own) => (hasLines ? Math.max(...rows) / own : 1));
  const panels = [
    {title: before.name, data: before.data, stretch: stretched[0]},
    {title: name, data, stretch: stretched[1]},
  ];
  return {panels, columns: isWide ? 1 : 2};
}

/** A key for colours that are explained nowhere else: those of heads, or of more and less. @param {Shown} shown @param {boolean} dark */
function keyOf({view, measure, chosen: {heads}, comparison}, dark) {
  if (comparison?.mode === 'difference') {
    const {positive, negative} = coloursOfNumbers(dark);
    const {more, less} = strings.compare;
    return [
      {name: more, colour: positive},
      {name: less, colour: negative},
    ];
  }
  const isColoured = kindsOf[view].hasLines && !ofAllHeads.includes(measure);
  if (!isColoured || heads.length < 2) return [];
  return heads.map((head) => ({
    name: strings.view.head(head),
    colour: headColour(head, dark),
  }));
}
