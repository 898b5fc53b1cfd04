import {placed} from './figure-font.js';
import {imageAddress} from './png-data-url.js';
import {escapeXml, svgElement} from './svg-markup.js';
import {measureText} from './text-ruler.js';

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
 * @typedef {(line: Line) => string} Letters  writes a line of text as SVG
 */

/** Image pixels for each pixel of the figure, for letters that become images: enough for print. */
const imageScale = 8;

/** Letters that are written from right to left and change their form beside others. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Writes text that can be edited and searched, as wide as on this screen whatever fonts its reader has.
 *
 * @param {Font} font
 * @param {Set<string>} missing  collects the characters that the font lacks; another font shows them
 * @returns {Letters}
 */
export function asText(font, missing) {
  return ({text, x, y, width, font: style, paint, isRtl}) => {
    const {weight} = partsOf(style);
    for (const letter of lettersOf(text)) {
      if (!font.glyph(letter, weight)) missing.add(letter);
    }
    const attributes = {
      x: isRtl ? x + width : x,
      y,
      textLength: width,
      ...paint,
      direction: isRtl ? 'rtl' : undefined,
      style: `font: ${style}`,
      'xml:space': 'preserve',
    };
    return svgElement('text', attributes, escapeXml(text));
  };
}

/**
 * Writes text as outlines, which look the same in every program, with the text itself as a label for
 * screen readers. A character that the font lacks becomes an image of how it looks here, since browsers
 * do not give out the outlines of other fonts.
 *
 * @param {Font} font
 * @param {Set<string>} missing  collects the characters that became images
 * @returns {Letters}
 */
export function asOutlines(font, missing) {
  return (line) => {
    const {text, y, paint} = line;
    const {weight, size} = partsOf(line.font);
    const isWhole = line.isRtl || rightToLeft.test(text);
    let {x} = line;
    let path = '';
    let lacking = '';
    /** @type {string[]} */
    const images = [];
    const writeLacking = () => {
      if (!lacking) return;
      images.push(asImage({...line, text: lacking, x}));
      x += widthOf(lacking, line.font);
      lacking = '';
    };
    for (const letter of lettersOf(text)) {
      const glyph = font.glyph(letter, weight);
      if (!glyph) missing.add(letter);
      if (!glyph || isWhole) {
        lacking += letter;
        continue;
      }
      writeLacking();
      path += placed(glyph.outline, {x, y, size});
      x += (glyph.advance * size) / 1000;
    }
    writeLacking();
    const outlines = path ? svgElement('path', {d: path, ...paint}) : '';
    return svgElement('g', {role: 'img', 'aria-label': text}, outlines + images.join(''));
  };
}

/** Splits text into letters with their marks (grapheme clusters). @param {string} text */
function lettersOf(text) {
  if (!('Segmenter' in Intl)) return [...text];
  return Array.from(new Intl.Segmenter().segment(text), ({segment}) => segment);
}

/** @param {Line} line */
function asImage({text, x, y, font, paint, isRtl}) {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('expected a canvas to draw letters on, found none');
  /** Setting the size of a canvas clears it and resets its state. */
  const prepare = () => {
    context.font = font;
    context.direction = isRtl ? 'rtl' : 'ltr';
    context.textAlign = 'left';
  };
  prepare();
  const box = context.measureText(text);
  const edge = 1 + Number(paint['stroke-width'] ?? 0);
  const left = Math.ceil(box.actualBoundingBoxLeft + edge);
  const top = Math.ceil(box.actualBoundingBoxAscent + edge);
  const width = left + Math.ceil(box.actualBoundingBoxRight + edge);
  const height = top + Math.ceil(box.actualBoundingBoxDescent + edge);
  context.canvas.width = width * imageScale;
  context.canvas.height = height * imageScale;
  prepare();
  context.setTransform(imageScale, 0, 0, imageScale, left * imageScale, top * imageScale);
  if (paint.stroke) {
    context.strokeStyle = String(paint.stroke);
    context.globalAlpha = Number(paint['stroke-opacity']);
    context.lineWidth = Number(paint['stroke-width']);
    context.lineJoin = 'round';
    context.strokeText(text, 0, 0);
  } else {
    context.fillStyle = String(paint.fill);
    context.globalAlpha = Number(paint['fill-opacity']);
    context.fillText(text, 0, 0);
  }
  const {canvas} = context;
  const href = imageAddress(context.getImageData(0, 0, canvas.width, canvas.height));
  return svgElement('image', {x: x - left, y: y - top, width, height, href});
}

/** @param {string} text @param {string} font */
function widthOf(text, font) {
  return measureText(text, font).width;
}

/** @param {string} font  CSS */
function partsOf(font) {
  const [, weight = '400', size = '16'] = font.match(/^(?:.*?(\d{3}|bold) )?.*?([\d.]+)px/) ?? [];
  return {weight: weight === 'bold' ? 700 : Number(weight), size: Number(size)};
}
