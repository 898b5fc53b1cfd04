import {formatDifference, formatPercent} from '../parts/number-format.js';
import {drawnSlices} from '../../attention/selection.js';
import {strongestPartners} from '../../attention/weights.js';
import {channelsOf, Layers} from '../parts/colour-layers.js';
import {opacityPower} from '../parts/head-colours.js';
import {rowCentre} from '../parts/token-column.js';
import {faintest, lineSpan, stripBlockWidth} from './scene.js';

/** @import {Scene} from './scene.js' */
/** @import {TokenRef} from '../../attention/selection.js' */

/** @typedef {{text: string, halo: string, font: string, size: number}} ValueInk */

/** The least width of a line in CSS pixels, and the width of the strongest line as a share of a row's height. */
const lineWidth = 2;
const strongestWidth = 1 / 12;

/** The place of a value along its line, the largest number of values, and the least share of the limit with one. */
const valuesAlong = 0.72;
const valuesShown = 8;
const leastValue = 0.05;

/** The lift of the lines and strips of one token: weights of a few percent can be seen on a light page, too. */
const opacityPowerOfFocus = 0.4;

/**
 * Draws the lines of a scene, and the strips beside the column opposite the focused token.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {{top: number, height: number, ratio: number}} view  the visible part in CSS pixels, and the
 *   number of device pixels per CSS pixel
 * @param {ValueInk | null} values  prints the strongest weights of the focused token on its lines
 */
export function drawScene(context, scene, {top, height, ratio}, values) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, scene.width, height);
  context.translate(0, -top);
  drawLines(context, scene, top, top + height);
  if (scene.focus) drawStrips(context, scene, scene.focus);
  context.globalAlpha = 1;
  if (scene.focus && values) drawValues(context, scene, scene.focus, values);
}

/** Reads the style of the values, which the style sheet gives to the canvas. @param {HTMLCanvasElement} canvas */
export function valueInkOf(canvas) {
  const {color, backgroundColor, fontFamily, fontSize} = getComputedStyle(canvas);
  return {text: color, halo: backgroundColor, font: fontFamily, size: parseFloat(fontSize)};
}

/**
 * Prints values on the lines, far enough from the focused token that they do not overlap there.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {TokenRef} focus
 * @param {ValueInk} ink
 */
function drawValues(context, scene, focus, {text: ink, halo, font, size}) {
  const span = lineSpan(scene);
  const given = focus.side === 'query';
  const [from, to] = given ? [span.left, span.right] : [span.right, span.left];
  const [own, other] = given ? [scene.query, scene.key] : [scene.key, scene.query];
  const start = rowCentre(own, focus.index, scene.rowHeight);
  context.font = `600 ${size}px ${font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 6;
  context.lineJoin = 'round';
  context.strokeStyle = halo;
  context.fillStyle = ink;
  for (const {index, weight} of strongestPartners(scene, focus, valuesShown)) {
    if (Math.abs(weight) < leastValue * scene.limit) break;
    const end = rowCentre(other, index, scene.rowHeight);
    const x = from + (to - from) * valuesAlong;
    const y = start + (end - start) * valuesAlong;
    const text = scene.signs ? formatDifference(weight) : formatPercent(weight);
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }
}

/**
 * Draws the lines of all heads. The opacity of a line is its weight divided by the number of active heads, and is then
 * lifted; where rows are high, strong lines are also wider. Lines of several heads between the same two tokens cover the
 * same pixels, so they are drawn as one; only a figure of shapes has a line for each weight.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {number} top
 * @param {number} bottom
 */
function drawLines(context, scene, top, bottom) {
  const {matrices, signs, limit, stride, rowHeight} = scene;
  const lift = liftIn(scene);
  const {query, key} = drawnSlices(scene);
  const span = lineSpan(scene);
  const hasPixels = context instanceof CanvasRenderingContext2D;
  const inks = matrices.map(({colour, weights}) => ({
    weights,
    more: channelsOf(signs?.positive ?? colour),
    less: signs && channelsOf(signs.negative),
  }));
  for (let i = query.start; i < query.end; i++) {
    const left = rowCentre(scene.query, i, rowHeight);
    for (let j = key.start; j < key.end; j++) {
      const right = rowCentre(scene.key, j, rowHeight);
      if ((left < top && right < top) || (left > bottom && right > bottom)) continue;
      const stroke = (/** @type {string} */ colour, /** @type {number} */ opacity) => {
        context.strokeStyle = colour;
        context.globalAlpha = opacity;
        context.lineWidth = Math.max(lineWidth, opacity * rowHeight * strongestWidth);
        context.beginPath();
        context.moveTo(span.left, left);
        context.lineTo(span.right, right);
        context.stroke();
      };
      const line = new Layers();
      /** @type {Layers[]} */
      const parts = [];
      for (const {weights, more, less} of inks) {
        const weight = weights[i * stride + j];
        const alpha = Math.min(1, Math.abs(weight) / (matrices.length * limit));
        const colour = weight < 0 ? less : more;
        if (!colour || !(alpha >= faintest)) continue;
        line.cover(colour, alpha);
        if (!hasPixels) parts.push(new Layers().cover(colour, alpha));
      }
      if (!line.opacity) continue;
      const opacity = line.opacity ** lift;
      if (hasPixels) stroke(line.colour, opacity);
      else for (const part of parts) stroke(part.colour, (part.opacity * opacity) / line.opacity);
    }
  }
}

/** @param {Scene} scene */
const liftIn = ({matrices, signs, dark, focus}) =>
  focus ? opacityPowerOfFocus : opacityPower(dark, signs !== null, matrices.length > 1);

/**
 * Draws one strip for each active head on the side opposite the focused token, as opaque as its lifted weight: attention given
 * if the focus is a query, attention received if it is a key.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {TokenRef} focus
 */
function drawStrips(context, scene, focus) {
  const {matrices, signs, limit, stride, width, rowHeight} = scene;
  const lift = liftIn(scene);
  const given = focus.side === 'query';
  const slice = given ? scene.key : scene.query;
  const block = stripBlockWidth(scene);
  const left = given ? width - block : 0;
  const step = block / matrices.length;

  matrices.forEach(({colour, weights}, position) => {
    context.fillStyle = colour;
    for (let i = slice.start; i < slice.end; i++) {
      const weight = weights[given ? focus.index * stride + i : i * stride + focus.index];
      const alpha = Math.min(1, Math.abs(weight) / limit);
      if (alpha < faintest) continue;
      context.globalAlpha = alpha ** lift;
      if (signs) context.fillStyle = weight < 0 ? signs.negative : signs.positive;
      context.fillRect(
        left + position * step,
        (i - slice.start) * rowHeight + 2,
        step,
        rowHeight - 4,
      );
    }
  });
}
