import {typicalSize} from '../views/neuron-arithmetic.js';
import {opacityOf} from '../views/neuron-numbers.js';
import {create} from '../views/dom.js';
import {indicesOf, rowsOf} from './tensor.js';

/** @import {TensorBlock} from './tensor-block.js' */
/** @import {Tensor} from './tensor.js' */

/**
 * Where the blocks of a tensor are, in CSS pixels: its last two axes are one block, those before
 * them count the blocks.
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
/** Narrower cells cannot be told apart, so fewer blocks stand side by side. */
const narrowestCell = 2;

/** Draws a tensor too large for a table, one small rectangle a number. */
export class TensorCanvas {
  element = create('canvas');
  /** @type {Layout | null} */
  #layout = null;

  /**
   * @param {TensorBlock} block
   * @param {Tensor} tensor
   */
  draw(block, {shape, data}) {
    const context = this.element.getContext('2d');
    const box = this.element.parentElement;
    if (!context || !box?.clientWidth) return;
    const style = getComputedStyle(block);
    const small = parseFloat(style.getPropertyValue('--small')) * rootSize();
    context.font = `${small}px ${style.fontFamily}`;
    const names = [block.rows].flat(2);
    const gutter = Math.min(
      box.clientWidth / 3,
      names.length ? Math.max(...names.map((name) => context.measureText(name).width)) + 8 : 0,
    );
    const layout = (this.#layout = layoutOf(shape, {
      width: box.clientWidth,
      gutter,
      small,
      square: block.kind === 'weights',
      ownNames: shape.length === 3 && Array.isArray(block.rows[0]),
    }));
    const {rows, columns, blocks, across, cellHeight, title} = layout;
    const height = Math.ceil(blocks / across) * (title + rows * cellHeight + gap) - gap;
    const ratio = devicePixelRatio;
    this.element.width = Math.round(box.clientWidth * ratio);
    this.element.height = Math.round(height * ratio);
    this.element.style.height = `${height}px`;
    context.scale(ratio, ratio);
    context.font = `${small}px ${style.fontFamily}`;
    context.textBaseline = 'middle';

    const {color: muted} = getComputedStyle(this.element);
    const hues = [style.getPropertyValue('--negative'), style.getPropertyValue('--positive')];
    const typical = typicalSize(data.filter(Number.isFinite)) * 1.2;
    for (let at = 0; at < blocks; at++) {
      const {left, top} = placeOf(at, layout);
      context.fillStyle = muted;
      if (title) {
        const name = titleOf(at, shape, block.axes);
        context.fillText(name, left, top - title / 2, columns * layout.cellWidth + gap);
      }
      if (at % across === 0 || layout.ownNames) {
        context.textAlign = 'right';
        rowsOf(block.rows, at, blocks).forEach((name, row) =>
          context.fillText(name, left - 6, top + (row + 0.5) * cellHeight, gutter - 6),
        );
        context.textAlign = 'left';
      }
      context.globalAlpha = 0.07;
      context.fillRect(left, top, columns * layout.cellWidth, rows * cellHeight);
      for (let cell = 0; cell < rows * columns; cell++) {
        const value = data[at * rows * columns + cell];
        context.globalAlpha =
          block.kind === 'weights' ? Math.sqrt(value) : opacityOf(value, typical);
        context.fillStyle = hues[value < 0 ? 0 : 1];
        context.fillRect(...this.#rectangle(at, cell, layout, ratio));
      }
      context.globalAlpha = 1;
    }
    if (block.cursor !== null) {
      const at = Math.floor(block.cursor / (rows * columns));
      const [x, y, width, tall] = this.#rectangle(
        at,
        block.cursor % (rows * columns),
        layout,
        ratio,
      );
      context.strokeStyle = style.color;
      context.lineWidth = 2;
      context.strokeRect(x - 1, y - 1, Math.max(width, 3) + 2, tall + 2);
    }
  }

  /**
   * The cell under the pointer.
   *
   * @param {PointerEvent} event
   */
  cellAt(event) {
    const layout = this.#layout;
    if (!layout) return null;
    const box = this.element.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    for (let at = 0; at < layout.blocks; at++) {
      const {left, top} = placeOf(at, layout);
      const column = Math.floor((x - left) / layout.cellWidth);
      const row = Math.floor((y - top) / layout.cellHeight);
      if (column < 0 || row < 0 || column >= layout.columns || row >= layout.rows) continue;
      return (at * layout.rows + row) * layout.columns + column;
    }
    return null;
  }

  /**
   * Edges on whole device pixels, so that no seams show.
   *
   * @param {number} at  its block
   * @param {number} cell  in the block
   * @param {Layout} layout
   * @param {number} ratio
   * @returns {[number, number, number, number]}
   */
  #rectangle(at, cell, layout, ratio) {
    const {left, top} = placeOf(at, layout);
    const {columns, cellWidth, cellHeight} = layout;
    const column = cell % columns;
    const snap = (/** @type {number} */ x) => Math.round(x * ratio) / ratio;
    const x = snap(left + column * cellWidth);
    const y = snap(top + Math.floor(cell / columns) * cellHeight);
    const space = cellWidth >= 6 ? 1 : 0;
    const width = Math.max(1 / ratio, snap(left + (column + 1) * cellWidth) - x - space);
    return [x, y, width, cellHeight - 1];
  }
}

/**
 * @param {readonly number[]} shape
 * @param {object} room
 * @param {number} room.width
 * @param {number} room.gutter
 * @param {number} room.small  size of type
 * @param {boolean} room.square  cells as high as they are wide
 * @param {boolean} room.ownNames  each block has its own names of rows
 * @returns {Layout}
 */
function layoutOf(shape, {width, gutter, small, square, ownNames}) {
  const [rows, columns] = shape.slice(-2);
  const blocks = shape.slice(0, -2).reduce((product, size) => product * size, 1);
  const fit = (/** @type {number} */ across) => {
    const gutters = gutter * (ownNames ? across : 1);
    return (width - gutters - (across - 1) * gap - 2) / (across * columns);
  };
  let across = Math.min(blocks, shape.at(-3) ?? 1);
  while (across > 1 && fit(across) < (square ? 9 : narrowestCell)) across = Math.ceil(across / 2);
  const cellWidth = Math.min(widestCell, fit(across));
  const tall = Math.round(small * (gutter ? 1.4 : 0.7));
  return {
    rows,
    columns,
    blocks,
    across,
    gutter,
    ownNames,
    title: blocks > 1 ? small * 1.6 : 0,
    cellWidth,
    cellHeight: square ? Math.max(cellWidth, gutter ? small : 4) : tall,
  };
}

/**
 * What a block is called: by its last index, and where that begins anew by the one before, too.
 *
 * @param {number} at
 * @param {readonly number[]} shape
 * @param {readonly string[]} axes
 */
function titleOf(at, shape, axes) {
  const outer = shape.slice(0, -2);
  const named = indicesOf(at, outer).map((index, axis) => `${axes[axis] ?? ''} ${index}`);
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
