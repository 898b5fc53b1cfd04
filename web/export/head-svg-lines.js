import {eachLine, opacityOf} from '../views/parts/line-raster.js';

/** @import {HeadPainter} from '../views/parts/line-raster.js' */

/** More lines than these make a heavier file than an image of them. */
const mostLines = 1200;

/** Up to this opacity, of 255, nobody sees whether two lines that cross are drawn one after the other. */
const mostTogether = 24;

/**
 * The lines of a head as shapes, for a picture that is enlarged. Faint lines of one opacity that neither
 * begin nor end together are one shape: a head has hundreds.
 *
 * @type {HeadPainter}
 */
export function shapeHead(context, thumbnail, size) {
  if (countLines(thumbnail, size) > mostLines) return false;
  const {width, thickness} = size;
  const tenth = (/** @type {number} */ value) => Math.round(value * 10) / 10;
  /** @type {{opacity: number, spread: number, lines: [number, number][]}[]} */
  const shapes = [];
  eachLine(thumbnail, size, (left, right, depth) => {
    const opacity = Math.round(opacityOf(depth) * 255);
    const isApart = (/** @type {[number, number]} */ [from, to]) => from !== left && to !== right;
    const shape =
      opacity <= mostTogether &&
      shapes.find((other) => other.opacity === opacity && other.lines.every(isApart));
    if (shape) shape.lines.push([left, right]);
    else shapes.push({opacity, spread: spreadOf(depth), lines: [[left, right]]});
  });
  for (const {opacity, spread, lines} of shapes) {
    const below = thickness + spread;
    context.globalAlpha = Math.round((opacity / 255) * 1000) / 1000;
    context.beginPath();
    for (const [left, right] of lines) {
      context.moveTo(0, tenth(left - spread));
      context.lineTo(width, tenth(right - spread));
      context.lineTo(width, tenth(right + below));
      context.lineTo(0, tenth(left + below));
      context.closePath();
    }
    context.fill();
  }
  return true;
}

/** @param {Parameters<HeadPainter>[1]} thumbnail @param {Parameters<HeadPainter>[2]} size */
function countLines(thumbnail, size) {
  let count = 0;
  eachLine(thumbnail, size, () => count++);
  return count;
}

/**
 * How much farther, above and below, a line of this depth is seen in an image: half of a pixel in it, and
 * the pixel is more than half as opaque.
 *
 * @param {number} depth
 */
function spreadOf(depth) {
  const opacity = opacityOf(depth);
  return (1 - opacity / depth) / opacity - 0.5;
}
