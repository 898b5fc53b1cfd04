import {eachLine, opacityOf} from '../views/parts/line-raster.js';

/** @import {HeadPainter} from '../views/parts/line-raster.js' */

/** With more lines than these, an image of them makes a smaller file. */
const mostLines = 1200;

/** Up to this opacity, of 255, nobody sees in which order two crossing lines are drawn. */
const mostTogether = 24;

/**
 * Draws the lines of a head as shapes, which stay sharp when a picture is enlarged. Faint lines of one
 * opacity that share no end are joined into one shape, since a head has hundreds of them.
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
 * How much wider, above and below, a line of this depth looks in an image, where it also tints the pixels
 * that it covers in part.
 *
 * @param {number} depth
 */
function spreadOf(depth) {
  const opacity = opacityOf(depth);
  return (1 - opacity / depth) / opacity - 0.5;
}
