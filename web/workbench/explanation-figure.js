import {figureOf} from '../export/figure.js';
import {create} from '../views/parts/create-element.js';
import {amountOf, coloursOf, largestOf} from './contribution-list.js';

/** @import {Contributions} from './contribution-list.js' */

/** The width of the figure, in CSS pixels: that of a column of text. */
const width = 640;

/**
 * Draws an explanation for a paper or a slide, as SVG.
 *
 * @param {{title: string, contributions: Contributions}[]} rows
 * @param {readonly string[]} caption  lines below it
 * @param {boolean} dark
 * @param {Element} like  whose colours it takes over
 */
export async function explanationFigure(rows, caption, dark, like) {
  const largest = largestOf(rows.map(({contributions}) => contributions));
  const pictures = rows.map(({title, contributions}) => {
    const {method, names, amounts} = contributions;
    const colours = coloursOf(contributions, largest, dark);
    const element = create('div');
    element.style.cssText = 'display: flex; flex-wrap: wrap; gap: 4px';
    names.forEach((name, at) => {
      const amount = create('small', '', ` ${amountOf(method, amounts[at])}`);
      const token = create('span', '', name, amount);
      token.style.cssText = `padding: 4px 8px; border: 1px solid var(--border); border-radius: 6px; background: ${colours[at].ground}; color: ${colours[at].ink}`;
      element.append(token);
    });
    return {title, element, draw() {}};
  });
  return figureOf(pictures, {
    columns: 1,
    width,
    theme: dark ? 'dark' : 'light',
    key: [],
    caption,
    letters: 'outlines',
    like,
  });
}
