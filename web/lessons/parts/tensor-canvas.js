import {typicalSize} from '../../attention/head-arithmetic.js';
import {opacityOf} from '../../views/parts/number-opacity.js';
import {create} from '../../views/parts/create-element.js';
import {pointIn} from '../../views/parts/element-size.js';
import {range} from '../../attention/range.js';
import {indicesOf, rowsOf} from './tensor.js';
import {paintBlock} from './tensor-raster.js';
import {frameText} from '../lesson-text.js';

/** @import {TensorBlock} from './tensor-block.js' */
/** @import {Tensor} from './tensor.js' */
/** @import {Channels} from './tensor-raster.js' */

/**
 * The places of a tensor's blocks, in CSS pixels. A block has the last two axes; the axes before them
 * count the blocks.
 *
 * @typedef {object} Layout
 * @property {number} rows
 * @property {number} columns
 * @property {number} blocks
 * @property {number} across  blocks side by side
 * @property {number} gutter  left of the first, for the names of rows
 * @property {boolean} ownNames  of each block, not only of the first
 * @property {number} title  above each, where there are several
 * @property {number} cellWidth
 * @property {number} cellHeight
 */

const gap = 10;
const widestCell = 18;
/** Narrower cells could not be told apart, so fewer blocks are put side by side. */
const narrowestCell = 2;
/** Names of rows are not printed in smaller type. */
const smallestName = 8;

/** Draws a tensor too large for a table, one small rectangle a number. */
export class TensorCanvas {
  #canvas = create('canvas');
  #mark = create('span', 'cell-mark');
  element = create('div', 'drawn', this.#canvas, this.#mark);
  /** @type {Layout | null} */
  #layout = null;

  /**
   * @param {TensorBlock} block
   * @param {Tensor} tensor
   */
  draw(block, {shape, data}) {
    const context = this.#canvas.getContext('2d');
    const width = this.element.clientWidth;
    if (!context || !width) return;
    const style = getComputedStyle(block);
    const small = parseFloat(style.getPropertyValue('--small')) * rootSize();
    const font = `${small}px ${style.fontFamily}`;
    context.font = font;
    const lists = Array.isArray(block.rows[0]) ? block.rows.length : 1;
    const names = range(lists).flatMap((list) => [...rowsOf(block.rows, list, lists)]);
    const gutter = Math.min(
      width / 3,
      names.length ? Math.max(...names.map((name) => context.measureText(name).width)) + 8 : 0,
    );
    const layout = (this.#layout = layoutOf(shape, {
      width,
      gutter,
      small,
      square: block.kind === 'weights',
      ownNames: shape.length === 3 && Array.isArray(block.rows[0]),
      most: parseFloat(getComputedStyle(this.element).maxHeight),
    }));
    const height = heightOf(layout);
    const ratio = devicePixelRatio;
    const size = {width: Math.round(width * ratio), height: Math.round(height * ratio)};
    Object.assign(this.#canvas, size);
    this.#canvas.style.height = `${height}px`;

    const {color: muted} = getComputedStyle(this.#canvas);
    paintNumbers(context, size, layout, data, {
      isWeight: block.kind === 'weights',
      positive: style.getPropertyValue('--positive'),
      negative: style.getPropertyValue('--negative'),
      ground: muted,
    });
    context.scale(ratio, ratio);
    context.textBaseline = 'middle';
    context.fillStyle = muted;
    for (let at = 0; at < layout.blocks; at++) {
      context.font = font;
      writeNames(context, at, layout, {
        title: titleOf(at, shape, block.axes),
        rows: rowsOf(block.rows, at, layout.blocks),
        small,
        family: style.fontFamily,
        gutter,
      });
    }
  }

  /**
   * Puts a frame around a cell.
   *
   * @param {number | null} cell  counted from the first; null: around none
   */
  mark(cell) {
    const layout = this.#layout;
    this.#mark.hidden = cell === null || !layout;
    if (cell === null || !layout) return;
    const {rows, columns, cellWidth, cellHeight} = layout;
    const {left, top} = placeOf(Math.floor(cell / (rows * columns)), layout);
    const [row, column] = [Math.floor(cell / columns) % rows, cell % columns];
    Object.assign(this.#mark.style, {
      left: `${left + column * cellWidth}px`,
      top: `${top + row * cellHeight}px`,
      width: `${Math.max(cellWidth, 3)}px`,
      height: `${cellHeight - 1}px`,
    });
  }

  /**
   * The cell under the pointer.
   *
   * @param {PointerEvent} event
   */
  cellAt(event) {
    const layout = this.#layout;
    if (!layout) return null;
    const {x, y} = pointIn(this.#canvas, event);
    for (let at = 0; at < layout.blocks; at++) {
      const {left, top} = placeOf(at, layout);
      const column = Math.floor((x - left) / layout.cellWidth);
      const row = Math.floor((y - top) / layout.cellHeight);
      if (column < 0 || row < 0 || column >= layout.columns || row >= layout.rows) continue;
      return (at * layout.rows + row) * layout.columns + column;
    }
    return null;
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{width: number, height: number}} size  of the canvas, in its pixels
 * @param {Layout} layout
 * @param {Float32Array} data
 * @param {{isWeight: boolean, positive: string, negative: string, ground: string}} look  its colours are CSS
 */
function paintNumbers(context, size, layout, data, look) {
  const {rows, columns, blocks} = layout;
  const image = context.createImageData(size.width, size.height);
  const raster = {
    pixels: new Uint32Array(image.data.buffer),
    width: size.width,
    ratio: devicePixelRatio,
  };
  const colours = {
    positive: channelsOf(context, look.positive),
    negative: channelsOf(context, look.negative),
    ground: channelsOf(context, look.ground),
  };
  const typical = typicalSize(data.filter(Number.isFinite)) * 1.2;
  const opacity = look.isWeight
    ? Math.sqrt
    : (/** @type {number} */ value) => opacityOf(value, typical);
  for (let at = 0; at < blocks; at++) {
    const numbers = data.subarray(at * rows * columns, (at + 1) * rows * columns);
    paintBlock(raster, layout, placeOf(at, layout), numbers, opacity, colours);
  }
  context.putImageData(image, 0, 0);
}

/**
 * Writes the title of a block and the names of its rows.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {number} at  the block
 * @param {Layout} layout
 * @param {{title: string, rows: readonly string[], small: number, family: string, gutter: number}} names
 *   `small`: the size of the letters; `gutter`: the room for the names
 */
function writeNames(context, at, layout, {title, rows, small, family, gutter}) {
  const {columns, across, cellWidth, cellHeight} = layout;
  const {left, top} = placeOf(at, layout);
  if (layout.title) {
    context.fillText(title, left, top - layout.title / 2, columns * cellWidth + gap);
  }
  if (cellHeight < smallestName || (at % across !== 0 && !layout.ownNames)) return;
  // In large type not all names have room, so some are left out, and the others are not made small.
  const step = Math.ceil((0.75 * small) / cellHeight);
  context.font = `${Math.min(small, step * cellHeight)}px ${family}`;
  context.textAlign = 'right';
  rows.forEach((name, row) => {
    if (row % step === 0)
      context.fillText(name, left - 6, top + (row + 0.5) * cellHeight, gutter - 6);
  });
  context.textAlign = 'left';
}

/**
 * Red, green and blue of an opaque colour, whichever way it is written.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 * @returns {Channels}
 */
function channelsOf(context, colour) {
  context.fillStyle = colour.trim();
  const written = String(context.fillStyle); // `#rrggbb`
  const channel = (/** @type {number} */ at) => parseInt(written.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

/**
 * @param {readonly number[]} shape
 * @param {object} room
 * @param {number} room.width
 * @param {number} room.gutter
 * @param {number} room.small  size of type
 * @param {boolean} room.square  cells as high as they are wide
 * @param {boolean} room.ownNames  each block has its own names of rows
 * @param {number} room.most  the greatest height; NaN: there is no limit
 * @returns {Layout}
 */
function layoutOf(shape, {width, gutter, small, square, ownNames, most}) {
  const [rows, columns] = shape.slice(-2);
  const blocks = shape.slice(0, -2).reduce((product, size) => product * size, 1);
  const fit = (/** @type {number} */ across) => {
    const gutters = gutter * (ownNames ? across : 1);
    return (width - gutters - (across - 1) * gap - 2) / (across * columns);
  };
  const tall = Math.round(small * (gutter ? 1.4 : 0.7));
  const title = blocks > 1 ? small * 1.6 : 0;
  const highestIn = (/** @type {number} */ across) => {
    const lines = Math.ceil(blocks / across);
    return Math.max(2, (((most || Infinity) + gap) / lines - gap - title) / rows);
  };
  const widthIn = (/** @type {number} */ across) =>
    Math.min(widestCell, fit(across), square ? highestIn(across) : Infinity);
  let across = Math.min(blocks, shape.at(-3) ?? 1);
  while (across > 1 && fit(across) < (square ? 9 : narrowestCell)) {
    const fewer = Math.ceil(across / 2);
    // Where there is little height, more lines would make each block smaller.
    if (widthIn(fewer) <= widthIn(across)) break;
    across = fewer;
  }
  const highest = highestIn(across);
  const cellWidth = widthIn(across);
  return {
    rows,
    columns,
    blocks,
    across,
    gutter,
    ownNames,
    title,
    cellWidth,
    cellHeight: Math.min(highest, square ? Math.max(cellWidth, gutter ? small : 4) : tall),
  };
}

/** @param {Layout} layout */
const heightOf = ({blocks, across, title, rows, cellHeight}) =>
  Math.ceil(blocks / across) * (title + rows * cellHeight + gap) - gap;

/**
 * The title of a block: its last index, and the one before wherever the last begins again.
 *
 * @param {number} at
 * @param {readonly number[]} shape
 * @param {readonly string[]} axes
 */
function titleOf(at, shape, axes) {
  const outer = shape.slice(0, -2);
  const named = indicesOf(at, outer).map(
    (index, axis) => `${frameText.tensor.one(axes[axis] ?? '')} ${index}`,
  );
  const isFirst = outer.length > 1 && outer[0] > 1 && at % outer[outer.length - 1] === 0;
  return isFirst ? named.join(', ') : (named.at(-1) ?? '');
}

/**
 * The upper left corner of a block's cells.
 *
 * @param {number} at
 * @param {Layout} layout
 */
function placeOf(at, {across, gutter, ownNames, title, rows, columns, cellWidth, cellHeight}) {
  return {
    left: gutter + 1 + (at % across) * (columns * cellWidth + gap + (ownNames ? gutter : 0)),
    top: Math.floor(at / across) * (title + rows * cellHeight + gap) + title,
  };
}

const rootSize = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
