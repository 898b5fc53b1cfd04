import {strings} from '../../strings/index.js';
import {formatNumber, weightFormat} from '../parts/number-format.js';
import {colourIndex, inkOnRgb} from '../parts/weight-colours.js';
import {tokensOf} from '../../attention/selection.js';
import {rowSum} from './scene.js';

/** @import {Cell, MatrixScene} from './scene.js' */
/** @import {TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * @typedef {object} MatrixLook
 * @property {readonly number[][]} colours
 * @property {{text: string, muted: string, surface: string, accent: string}} ink
 * @property {string} font  the font family
 * @property {number} size  the type size of labels, in CSS pixels
 *
 * @typedef {object} MatrixFrame  the visible part of the map, in CSS pixels
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} ratio  device pixels per CSS pixel
 */

/** The least width of a cell that holds a weight with three or two decimals, in type sizes. */
const room = {three: 3.1, two: 2.4};

/** The distance between two labels if there is no room for all, in type sizes. */
const spacing = 1.4;

/**
 * Makes an image with one pixel for each weight shown.
 *
 * @param {MatrixScene} scene
 * @param {readonly number[][]} colours
 */
export function matrixImage({weights, stride, query, key, limit, isDifference}, colours) {
  const image = document.createElement('canvas');
  image.width = Math.max(1, key.end - key.start);
  image.height = Math.max(1, query.end - query.start);
  const context = image.getContext('2d');
  const pixels = context?.createImageData(image.width, image.height);
  if (!context || !pixels) return image;
  let at = 0;
  for (let i = query.start; i < query.end; i++) {
    for (let j = key.start; j < key.end; j++) {
      const colour = colours[colourIndex(weights[i * stride + j], limit, isDifference)];
      pixels.data[at++] = colour[0];
      pixels.data[at++] = colour[1];
      pixels.data[at++] = colour[2];
      pixels.data[at++] = 255;
    }
  }
  context.putImageData(pixels, 0, 0);
  return image;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {MatrixScene} scene
 * @param {object} picture
 * @param {HTMLCanvasElement} picture.image
 * @param {Snapshot} picture.snapshot
 * @param {Cell | null} picture.at  the cell under the pointer
 * @param {TokenRef | null} picture.pinned
 * @param {MatrixLook} look
 * @param {MatrixFrame} frame
 */
export function drawMatrix(context, scene, {image, snapshot, at, pinned}, look, frame) {
  const {cell, left, top, query, key} = scene;
  const {ink} = look;
  const right = left + (key.end - key.start) * cell;
  context.setTransform(frame.ratio, 0, 0, frame.ratio, 0, 0);
  context.fillStyle = ink.surface;
  context.fillRect(0, 0, frame.width, frame.height);
  context.translate(-frame.x, -frame.y);
  // Cells smaller than a pixel are averaged, so that none disappears.
  context.imageSmoothingEnabled = cell * frame.ratio < 1;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, left, top, right - left, (query.end - query.start) * cell);

  const rows = visible(query, cell, frame.y, frame.height - top);
  const columns = visible(key, cell, frame.x, frame.width - left);
  const x = (/** @type {number} */ index) => left + (index - key.start) * cell;
  const y = (/** @type {number} */ index) => top + (index - query.start) * cell;

  context.textBaseline = 'middle';
  drawValues(context, scene, rows, columns, look);
  context.font = `${look.size}px ${look.font}`;
  if (cell >= look.size * 0.9) {
    const format = weightFormat(scene);
    context.fillStyle = ink.muted;
    context.textAlign = 'left';
    for (let i = rows.start; i < rows.end; i++) {
      context.fillText(format(rowSum(scene, i)), right + 8, y(i) + cell / 2);
    }
  }

  context.strokeStyle = ink.muted;
  context.lineWidth = 0.5;
  const bottom = y(query.end);
  context.strokeRect(left, top, right - left, bottom - top);

  context.strokeStyle = ink.accent;
  context.lineWidth = 2;
  const row = pinned?.side === 'query' ? pinned.index : null;
  const column = pinned?.side === 'key' ? pinned.index : null;
  if (row !== null) context.strokeRect(left, y(row), right - left, cell);
  if (column !== null) context.strokeRect(x(column), top, cell, bottom - top);
  context.strokeStyle = ink.text;
  context.lineWidth = 1;
  if (at && at.query !== null) context.strokeRect(left, y(at.query), right - left, cell);
  if (at && at.key !== null) context.strokeRect(x(at.key), top, cell, bottom - top);

  drawLabels(context, scene, {snapshot, at, pinned}, {rows, columns}, look, frame);
}

/**
 * Finds the run of rows or columns that is visible.
 *
 * @param {{start: number, end: number}} slice
 * @param {number} cell
 * @param {number} from
 * @param {number} length
 */
function visible({start, end}, cell, from, length) {
  return {
    start: Math.max(start, start + Math.floor(from / cell)),
    end: Math.min(end, start + Math.ceil((from + length) / cell)),
  };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {MatrixScene} scene
 * @param {{start: number, end: number}} rows
 * @param {{start: number, end: number}} columns
 * @param {MatrixLook} look
 */
function drawValues(context, scene, rows, columns, look) {
  const {weights, stride, cell, left, top, query, key, limit, isDifference} = scene;
  const decimals = cell >= look.size * room.three ? 3 : cell >= look.size * room.two ? 2 : 0;
  if (!decimals) return;
  context.font = `${look.size * 0.92}px ${look.font}`;
  context.textAlign = 'center';
  for (let i = rows.start; i < rows.end; i++) {
    for (let j = columns.start; j < columns.end; j++) {
      const weight = weights[i * stride + j];
      context.fillStyle = inkOnRgb(look.colours[colourIndex(weight, limit, isDifference)]);
      context.fillText(
        formatNumber(weight, decimals),
        left + (j - key.start + 0.5) * cell,
        top + (i - query.start + 0.5) * cell,
      );
    }
  }
}

/**
 * Draws the names of rows and columns, which stay in place while the cells scroll below them.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {MatrixScene} scene
 * @param {{snapshot: Snapshot, at: Cell | null, pinned: TokenRef | null}} picture
 * @param {{rows: {start: number, end: number}, columns: {start: number, end: number}}} shown
 * @param {MatrixLook} look
 * @param {MatrixFrame} frame
 */
function drawLabels(context, scene, {snapshot, at, pinned}, {rows, columns}, look, frame) {
  const {cell, left, top, query, key} = scene;
  const {ink, size} = look;
  const fits = cell >= size * 0.9;
  // If there is no room for all labels, each `step`-th is shown, but none too close to the pinned or pointed one.
  const step = Math.ceil((size * spacing) / cell);
  const start = {query: query.start, key: key.start};
  /** @param {'query' | 'key'} side @param {number} index */
  const label = (side, index) => {
    const isPinned = pinned?.side === side && pinned.index === index;
    const isAt = at?.[side] === index;
    const isNear = [pinned?.side === side ? pinned.index : null, at?.[side] ?? null].some(
      (wanted) => wanted !== null && Math.abs(wanted - index) < step,
    );
    const isStep = (index - start[side]) % step === Math.floor(step / 2) && !isNear;
    context.font = `${isPinned || isAt ? 600 : 400} ${size}px ${look.font}`;
    context.fillStyle = isPinned ? ink.accent : fits || isAt ? ink.text : ink.muted;
    const token = tokensOf(snapshot, side)[index];
    const isShown = fits || isPinned || isAt || isStep;
    return isShown ? shortened(context, token, (side === 'query' ? left : top) - 10) : '';
  };

  context.fillStyle = ink.surface;
  context.fillRect(frame.x, frame.y, left, frame.height);
  context.textAlign = 'right';
  for (let i = rows.start; i < rows.end; i++) {
    const text = label('query', i);
    if (text) context.fillText(text, frame.x + left - 6, top + (i - query.start + 0.5) * cell);
  }
  context.fillStyle = ink.surface;
  context.fillRect(frame.x + left, frame.y, frame.width, top);
  context.textAlign = 'left';
  for (let j = columns.start; j < columns.end; j++) {
    const text = label('key', j);
    if (!text) continue;
    context.save();
    context.translate(left + (j - key.start + 0.5) * cell, frame.y + top - 6);
    context.rotate(-Math.PI / 2);
    context.fillText(text, 0, 0);
    context.restore();
  }
  context.fillStyle = ink.muted;
  context.font = `${size}px ${look.font}`;
  const sum = fits ? strings.matrix.sum : '';
  context.fillText(sum, left + (key.end - key.start) * cell + 8, frame.y + top - 12);
  context.fillStyle = ink.surface;
  context.fillRect(frame.x, frame.y, left, top);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} width
 */
function shortened(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const letters = Array.from(text).slice(0, 40);
  while (letters.length > 1 && context.measureText(`${letters.join('')}…`).width > width) {
    letters.pop();
  }
  return `${letters.join('')}…`;
}
