/**
 * Draws the lines of a head as pixels. A model has 144 heads with thousands of lines each, which is too many to stroke.
 * All lines of a head have one colour, so their order does not matter: where lines of opacity a, b… cross, the opacity
 * is 1 - (1 - a)(1 - b)…, and its depth, -ln(1 - opacity), is the sum of the lines' depths.
 */

import {remembered} from '../../attention/remembered.js';
import {channelsOf} from './colour-layers.js';

/** No line has a higher opacity, because the depth of opacity 1 would be infinite. */
const opaque = 0.996;
/** A pixel of less depth stays empty, because 8 bits would not show it. */
const faintest = 1 / 255;

/** The steps of opacity in a table of lifted ones. They are so fine that 8 bits hardly show them. */
const steps = 1 << 14;

/** @import {Thumbnail} from './head-thumbnail.js' */
/** @import {Slice} from '../../attention/selection.js' */

/**
 * @typedef {{width: number, height: number, thickness: number}} Size  in device pixels
 *
 * @typedef {(context: CanvasRenderingContext2D, thumbnail: Thumbnail, size: Size) => boolean} HeadPainter
 *   draws the lines of a head in another way than as pixels, with the colour and the origin of the context; returns
 *   false if it does not draw them
 */

/**
 * Computes the opacity of each pixel, 0 to 1, `[height * width]`. All lines lie within the height. Tokens that are
 * closer than a line's thickness share one line, so long texts take no more time.
 *
 * @param {Thumbnail} thumbnail
 * @param {Size} size
 */
export function rasterizeHead(thumbnail, size) {
  const {width, height, thickness} = size;
  // In 32 bits, each of the millions of additions would have to be converted there and back.
  const depth = new Float64Array(width * (height + thickness + 1));
  eachLine(thumbnail, size, (left, right, strength) => addLine(depth, size, left, right, strength));
  const opacities = depth.subarray(0, width * height);
  for (let at = 0; at < opacities.length; at++) {
    const sum = opacities[at];
    opacities[at] = sum < faintest ? 0 : opacityOf(sum);
  }
  return opacities;
}

/** @param {number} depth */
export const opacityOf = (depth) => 1 - Math.exp(-depth);

/**
 * @param {Thumbnail} thumbnail
 * @param {Size} size
 * @param {(left: number, right: number, depth: number) => void} draw  gets a line's upper edge on the left and on the
 *   right, and its depth
 */
export function eachLine(thumbnail, {height, thickness}, draw) {
  const rows = Math.max(lengthOf(thumbnail.query), lengthOf(thumbnail.key));
  if (rows < 1) return;
  const bins = Math.min(rows, Math.max(1, Math.floor(height / thickness)));
  // A line takes at most a third of its row, because otherwise many tokens would make every head a solid block.
  const thinness = Math.min(1, height / thickness / rows / 3);
  const lines = binLines(thumbnail, bins, rows / bins, thinness);
  const rowHeight = height / bins;
  const top = (rowHeight - thickness) / 2;
  for (let i = 0; i < bins; i++) {
    const left = Math.max(0, top + i * rowHeight);
    for (let j = 0; j < bins; j++) {
      const strength = lines[i * bins + j];
      if (strength < faintest * thinness) continue;
      draw(left, Math.max(0, top + j * rowHeight), strength);
    }
  }
}

/** @param {Slice} slice */
const lengthOf = ({start, end}) => end - start;

/**
 * Computes the depth of the line from each bin of queries to each bin of keys, `[bins * bins]`.
 *
 * @param {Thumbnail} thumbnail
 * @param {number} bins
 * @param {number} perBin
 * @param {number} thinness
 */
function binLines({weights, stride, query, key, drawn}, bins, perBin, thinness) {
  const lines = new Float32Array(bins * bins);
  for (let i = drawn.query.start; i < drawn.query.end; i++) {
    const from = Math.floor((i - query.start) / perBin) * bins;
    const row = i * stride;
    for (let j = drawn.key.start; j < drawn.key.end; j++) {
      const opacity = Math.abs(weights[row + j]) * thinness;
      const to = Math.floor((j - key.start) / perBin);
      // For a small opacity a, -ln(1 - a) equals a to two digits.
      lines[from + to] += opacity < 0.01 ? opacity : -Math.log1p(-Math.min(opacity, opaque));
    }
  }
  return lines;
}

/**
 * @param {Float64Array} depth
 * @param {Size} size
 * @param {number} left  the line's upper edge on the left
 * @param {number} right
 * @param {number} strength
 */
function addLine(depth, {width, thickness}, left, right, strength) {
  const step = (right - left) / width;
  const inner = (thickness - 1) * width;
  let y = left + step / 2;
  for (let x = 0; x < width; x++, y += step) {
    const row = y | 0;
    const below = (y - row) * strength;
    const at = row * width + x;
    depth[at] += strength - below;
    for (let past = width; past <= inner; past += width) depth[at + past] += strength;
    depth[at + inner + width] += below;
  }
}

/**
 * Puts opacities and a colour into an image.
 *
 * @param {ImageData} image
 * @param {ArrayLike<number>} opacities  `[height * width]`
 * @param {string} colour  `#rrggbb`
 * @param {number} [lift]  the power that each opacity is raised to
 */
export function paintOpacities(image, opacities, colour, lift = 1) {
  const [red, green, blue] = channelsOf(colour);
  const clear = pixelOf(red, green, blue, 0);
  const alphas = alphasOf(lift);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i++) {
    pixels[i] = clear | (alphas[(opacities[i] * steps + 0.5) | 0] << 24);
  }
}

/**
 * Puts two colours into an image. Where both cover a pixel, their colours are mixed in proportion to their opacities.
 *
 * @param {ImageData} image
 * @param {ArrayLike<number>[]} opacities  of each colour
 * @param {string[]} colours
 * @param {number} lift  the power that each opacity is raised to
 */
export function paintTwo(image, [first, second], colours, lift) {
  const [[red, green, blue], [red2, green2, blue2]] = colours.map(channelsOf);
  const alphas = alphasOf(lift);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i++) {
    const [a, b] = [first[i], second[i]];
    const sum = a + b;
    pixels[i] =
      sum &&
      pixelOf(
        (red * a + red2 * b) / sum,
        (green * a + green2 * b) / sum,
        (blue * a + blue2 * b) / sum,
        alphas[((sum - a * b) * steps + 0.5) | 0],
      );
  }
}

/** @type {Map<number, Uint8Array>} */
const knownAlphas = new Map();

/**
 * The opacities of 8 bits after a lift.
 *
 * @param {number} lift
 * @returns {Uint8Array}  `[steps + 1]`
 */
function alphasOf(lift) {
  return remembered(knownAlphas, lift, () =>
    new Uint8Array(steps + 1).map((_, at) => Math.round((at / steps) ** lift * 255)),
  );
}

/**
 * Red is the lowest byte, because all machines that run browsers are little-endian.
 *
 * @param {number} red  0 to 255
 * @param {number} green
 * @param {number} blue
 * @param {number} alpha
 */
const pixelOf = (red, green, blue, alpha) =>
  (red + 0.5) | ((green + 0.5) << 8) | ((blue + 0.5) << 16) | (alpha << 24);
