/**
 * Draws the cells of a tensor as pixels. A tensor of a lesson has up to a hundred thousand numbers, and
 * filling a rectangle for each would take longer than computing them.
 *
 * @import {Layout} from './tensor-canvas.js'
 *
 * @typedef {readonly [number, number, number]} Channels  red, green, blue, 0 to 255
 *
 * @typedef {object} Raster
 * @property {Uint32Array} pixels  `[height * width]`, RGBA from the lowest byte
 * @property {number} width
 * @property {number} ratio  device pixels per CSS pixel
 *
 * @typedef {object} Colours
 * @property {Channels} positive
 * @property {Channels} negative
 * @property {Channels} ground  drawn faintly under every block
 */

/** The opacity of the ground. */
const trace = 0.07;
/** The number of different opacities. */
const steps = 255;

/**
 * @param {Raster} raster
 * @param {Layout} layout
 * @param {{left: number, top: number}} place  the upper left corner of the block
 * @param {Float32Array} numbers  of the block
 * @param {(number: number) => number} opacity  0 to 1
 * @param {Colours} colours
 */
export function paintBlock({pixels, width, ratio}, layout, {left, top}, numbers, opacity, colours) {
  const {rows, columns, cellWidth, cellHeight} = layout;
  const device = (/** @type {number} */ length) => Math.round(length * ratio);
  const space = cellWidth >= 6 ? device(1) : 0;
  const inks = [inksOf(colours.negative, colours.ground), inksOf(colours.positive, colours.ground)];
  const start = device(left);
  const end = Math.min(width, device(left + columns * cellWidth));
  const bottom = device(top + rows * cellHeight);
  for (let y = device(top); y < bottom; y++) {
    pixels.fill(inks[0][0], y * width + start, y * width + end);
  }
  // Edges lie on whole device pixels, so that no seams show.
  const edges = Array.from({length: columns + 1}, (_, i) => device(left + i * cellWidth));
  for (let row = 0; row < rows; row++) {
    const first = device(top + row * cellHeight);
    const last = device(top + (row + 1) * cellHeight - 1);
    const line = first * width;
    for (let column = 0; column < columns; column++) {
      const number = numbers[row * columns + column];
      const ink = inks[number < 0 ? 0 : 1][Math.round(Math.min(1, opacity(number)) * steps)];
      const from = edges[column];
      const to = Math.min(end, Math.max(from + 1, edges[column + 1] - space));
      pixels.fill(ink, line + from, line + to);
    }
    for (let y = first + 1; y < last; y++) {
      pixels.copyWithin(y * width + start, line + start, line + end);
    }
  }
}

/**
 * A colour in every opacity, over the faint ground.
 *
 * @param {Channels} colour
 * @param {Channels} ground
 */
function inksOf(colour, ground) {
  return Uint32Array.from({length: steps + 1}, (_, step) => {
    const share = step / steps;
    const below = trace * (1 - share);
    const alpha = share + below;
    const mixed = colour.map((channel, i) => (channel * share + ground[i] * below) / alpha);
    const [red, green, blue] = mixed.map(Math.round);
    return red | (green << 8) | (blue << 16) | (Math.round(alpha * 255) << 24);
  });
}
