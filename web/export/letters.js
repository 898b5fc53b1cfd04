import {placed} from './figure-font.js';
import {escapeXml, svgElement} from './svg-text.js';

/** @import {Font} from './figure-font.js' */

/**
 * A line of text at its place.
 *
 * @typedef {object} Line
 * @property {string} text
 * @property {number} x  of its beginning
 * @property {number} y  of its baseline
 * @property {number} width  that it takes here
 * @property {string} font  CSS: weight, size in pixels, families
 * @property {Record<string, string | number>} paint  SVG attributes
 * @property {boolean} [isRtl]
 *
 * @typedef {(line: Line) => string} Letters  writes a line as SVG
 */

const ruler = document.createElement('canvas').getContext('2d');

/**
 * Text that can be edited and searched. It is as wide as here, whatever fonts its reader has.
 *
 * @type {Letters}
 */
export function asText({text, x, y, width, font, paint, isRtl}) {
  const attributes = {
    x: isRtl ? x + width : x,
    y,
    textLength: width,
    ...paint,
    direction: isRtl ? 'rtl' : undefined,
    style: `font: ${font}`,
    'xml:space': 'preserve',
  };
  return svgElement('text', attributes, escapeXml(text));
}

/**
 * Text as outlines, the same in every program that draws SVG, with what it says beside them for those
 * who do not see it. What the font lacks stays text.
 *
 * @param {Font} font
 * @returns {Letters}
 */
export function asOutlines(font) {
  return (line) => {
    const {text, y, paint} = line;
    if (line.isRtl) return asText(line);
    const {weight, size} = partsOf(line.font);
    let {x} = line;
    let path = '';
    let missing = '';
    /** @type {string[]} */
    const rest = [];
    const writeMissing = () => {
      if (!missing) return;
      const width = widthOf(missing, line.font);
      rest.push(asText({...line, text: missing, x, width}));
      x += width;
      missing = '';
    };
    for (const character of text) {
      const glyph = font.glyph(character, weight);
      if (!glyph) {
        missing += character;
        continue;
      }
      writeMissing();
      path += placed(glyph.outline, {x, y, size});
      x += (glyph.advance * size) / 1000;
    }
    writeMissing();
    const outlines = path ? svgElement('path', {d: path, ...paint}) : '';
    return svgElement('g', {role: 'img', 'aria-label': text}, outlines + rest.join(''));
  };
}

/** @param {string} text @param {string} font */
function widthOf(text, font) {
  if (!ruler) return 0;
  ruler.font = font;
  return ruler.measureText(text).width;
}

/** @param {string} font  CSS */
function partsOf(font) {
  const [, weight = '400', size = '16'] = font.match(/^(?:.*?(\d{3}|bold) )?.*?([\d.]+)px/) ?? [];
  return {weight: weight === 'bold' ? 700 : Number(weight), size: Number(size)};
}
