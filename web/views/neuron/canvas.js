import {rowCentre} from '../parts/token-column.js';
import {row} from '../../attention/head-arithmetic.js';
import {formatNumber} from '../parts/number-format.js';
import {opacityOf} from '../parts/number-opacity.js';
import {largestScore} from './scene.js';

/** @import {NumberColour} from '../parts/head-colours.js' */
/** @import {NeuronScene, QueryScene} from './scene.js' */

/**
 * @typedef {'query' | 'links' | 'key' | 'product' | 'position' | 'score' | 'softmax' | 'value' | 'weighted'} ColumnName
 * @typedef {{left: number, width: number}} Span  in CSS pixels
 *
 * @typedef {object} Layout
 * @property {Record<ColumnName, Span>} columns
 * @property {number} rowHeight
 * @property {number} top  the scroll position of the rows
 * @property {number} height  the height of the visible part
 * @property {number} ratio  device pixels per CSS pixel
 *
 * @typedef {object} Ink
 * @property {Record<NumberColour, string>} numbers
 * @property {string} head
 * @property {string} text
 * @property {string} surface
 * @property {string} font
 *
 * @typedef {{key: number, dimension: number}} Focus
 * @typedef {{column: ColumnName, key: number | null, dimension: number | null}} Spot
 */

/** These columns are vectors, with one cell for each dimension. */
const bandColumns = /** @type {const} */ (['key', 'product', 'value', 'weighted']);
/** The space above and below a band, in CSS pixels. */
const bandMargin = 3;
/** The height of the bar below a number, in CSS pixels, and the opacity of one behind a number. */
const barHeight = 3;
const paleBar = 0.25;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {NeuronScene} head
 * @param {QueryScene} scene
 * @param {Focus} focus
 * @param {Layout} layout
 * @param {Ink} ink
 */
export function drawNeuron(context, head, scene, focus, layout, ink) {
  const {columns, rowHeight, top, height, ratio} = layout;
  const {arithmetic, keys, weights, typical} = scene;
  const highest = largestScore(scene) || 1;
  const {headDim, positionScores, scores, softmax} = arithmetic;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);

  const queryCentre = queryHeight(head, scene, layout);
  const bandHeight = rowHeight - 2 * bandMargin;
  const vectors = {
    key: {numbers: head.vectors.keys, typical: typical.vector},
    product: {numbers: arithmetic.products, typical: typical.product},
    value: {numbers: head.vectors.values, typical: typical.value},
    weighted: {numbers: arithmetic.weighted, typical: typical.weighted},
  };
  drawBand(context, arithmetic.query, {
    span: columns.query,
    top: queryCentre - bandHeight / 2,
    height: bandHeight,
    typical: typical.vector,
    marked: focus.dimension,
    ratio,
    ink,
  });

  context.font = ink.font;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  const last = Math.min(keys.end, keys.start + Math.ceil((top + height) / rowHeight));
  for (let key = keys.start + Math.floor(top / rowHeight); key < last; key++) {
    const centre = rowCentre(keys, key, rowHeight) - top;
    for (const name of bandColumns) {
      drawBand(context, row(vectors[name].numbers, key, headDim), {
        span: columns[name],
        top: centre - bandHeight / 2,
        height: bandHeight,
        typical: vectors[name].typical,
        marked: key === focus.key ? focus.dimension : null,
        ratio,
        ink,
      });
    }
    const strength = Math.abs(weights[key]) / (scene.strongest || 1);
    drawLink(context, columns.links, queryCentre, centre, strength, ink);
    for (const [name, number, most, isSigned] of /** @type {const} */ ([
      ['position', positionScores?.[key], highest, true],
      ['score', scores[key], highest, true],
      ['softmax', softmax[key], 1, head.sides],
    ])) {
      if (number === undefined) continue;
      drawNumber(context, columns[name], centre, bandHeight, number, Math.abs(number) / most, {
        bar: isSigned ? ink.numbers[number < 0 ? 'negative' : 'positive'] : ink.head,
        text: ink.text,
      });
    }
  }
  outlineRow(context, focus.key, scene, layout, ink);
}

/**
 * @typedef {object} Band
 * @property {Span} span
 * @property {number} top
 * @property {number} height
 * @property {number} typical
 * @property {number | null} marked  the dimension that has a frame
 * @property {number} ratio
 * @property {Pick<Ink, 'numbers' | 'text' | 'surface'>} ink
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Float32Array} numbers
 * @param {Band} band
 */
export function drawBand(context, numbers, {span, top, height, typical, marked, ratio, ink}) {
  const cell = cellWidth(span.width, numbers.length, ratio);
  context.fillStyle = ink.surface;
  context.fillRect(span.left, top, cell * numbers.length, height);
  for (const sign of /** @type {const} */ (['positive', 'negative'])) {
    context.fillStyle = ink.numbers[sign];
    numbers.forEach((number, i) => {
      if (number < 0 !== (sign === 'negative')) return;
      context.globalAlpha = opacityOf(number, typical);
      context.fillRect(span.left + i * cell, top, cell, height);
    });
  }
  context.globalAlpha = 1;
  context.lineWidth = 1;
  context.strokeStyle = ink.text;
  if (marked === null) return;
  context.strokeRect(span.left + marked * cell - 0.5, top - 1.5, cell + 1, height + 3);
}

/**
 * Gives the width of a cell in CSS pixels. It is a whole number of device pixels, so that all cells are equal, unless
 * there is less than one device pixel for a cell.
 *
 * @param {number} width
 * @param {number} count
 * @param {number} ratio
 */
export function cellWidth(width, count, ratio) {
  const pixels = (width * ratio) / count;
  return (pixels > 1 ? Math.floor(pixels) : pixels) / ratio;
}

/**
 * Gives the vertical position of the query's vector: its own row, or the edge if that row is not visible.
 *
 * @param {NeuronScene} head
 * @param {QueryScene} scene
 * @param {Pick<Layout, 'rowHeight' | 'top' | 'height'>} layout
 */
export function queryHeight({queries}, {query}, {rowHeight, top, height}) {
  const own = rowCentre(queries, query, rowHeight) - top;
  return Math.max(rowHeight / 2, Math.min(height - rowHeight / 2, own));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Span} span
 * @param {number} from
 * @param {number} to
 * @param {number} strength  from 0 to 1
 * @param {Ink} ink
 */
function drawLink(context, {left, width}, from, to, strength, ink) {
  context.globalAlpha = 0.15 + 0.85 * strength;
  context.strokeStyle = ink.head;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(left, from);
  context.lineTo(left + width, to);
  context.stroke();
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Span} span
 * @param {number} centre
 * @param {number} height
 * @param {number} number
 * @param {number} length  the length of the bar, from 0 to 1
 * @param {{bar: string, text: string}} colours
 */
function drawNumber(context, {left, width}, centre, height, number, length, colours) {
  // Where rows are low, a bar below the number would strike it through, so it stands behind the number.
  const isLow = height < parseFloat(context.font) + barHeight;
  const thickness = isLow ? height : barHeight;
  context.fillStyle = colours.bar;
  context.globalAlpha = isLow ? paleBar : 1;
  context.fillRect(left, centre + height / 2 - thickness, (width - 4) * length, thickness);
  context.globalAlpha = 1;
  context.fillStyle = colours.text;
  context.fillText(formatNumber(number), left + width - 4, isLow ? centre : centre - barHeight / 2);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} key
 * @param {QueryScene} scene
 * @param {Layout} layout
 * @param {Ink} ink
 */
function outlineRow(context, key, {keys}, {columns, rowHeight, top}, ink) {
  if (key < keys.start || key >= keys.end) return;
  const y = rowCentre(keys, key, rowHeight) - top - rowHeight / 2;
  const {left} = columns.key;
  const right = columns.weighted.left + columns.weighted.width;
  context.globalAlpha = 0.5;
  context.strokeStyle = ink.text;
  context.lineWidth = 1;
  context.strokeRect(left - 3.5, Math.round(y) + 0.5, right - left + 7, rowHeight - 1);
  context.globalAlpha = 1;
}

/**
 * Clears a canvas. Its size is set only if it has changed, because a new size costs a new bitmap.
 *
 * @param {CanvasRenderingContext2D} context  what draws afterwards: in a figure, each context is a drawing of its own
 * @param {{width: number, height: number}} size  in CSS pixels
 * @param {number} ratio  device pixels per CSS pixel
 */
export function clearTo(context, {width, height}, ratio) {
  const {canvas} = context;
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, across, down);
}

/**
 * Finds the cell or number under a point of the canvas.
 *
 * @param {NeuronScene} head
 * @param {QueryScene} scene
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {Spot | null}
 */
export function spotAt(head, scene, layout, x, y) {
  const {columns, rowHeight, top, ratio} = layout;
  const names = /** @type {ColumnName[]} */ (Object.keys(columns));
  const column = names.find(
    (name) => x >= columns[name].left && x < columns[name].left + columns[name].width,
  );
  if (!column || column === 'links') return null;
  const {headDim} = scene.arithmetic;
  const {left, width} = columns[column];
  const isBand = column === 'query' || bandColumns.some((name) => name === column);
  const at = Math.floor((x - left) / cellWidth(width, headDim, ratio));
  const dimension = isBand ? Math.min(at, headDim - 1) : null;
  if (column === 'query') {
    const off = Math.abs(y - queryHeight(head, scene, layout));
    return off <= rowHeight / 2 ? {column, key: null, dimension} : null;
  }
  const key = scene.keys.start + Math.floor((y + top) / rowHeight);
  return key < scene.keys.end ? {column, key, dimension} : null;
}
