import {strings} from '../../strings/index.js';
import {coloursOfNumbers, headColour, opacityPower} from '../parts/head-colours.js';
import {create, labelled} from '../parts/create-element.js';
import {gridMoves} from '../parts/grid-keys.js';
import {attentionOf} from '../../attention/snapshot.js';
import {largestOf} from '../../attention/weights.js';
import {resizeCanvas} from '../parts/element-size.js';
import {remembered} from '../../attention/remembered.js';
import {limitFor} from '../parts/weight-colours.js';
import {paintOpacities, paintTwo, rasterizeHead} from '../parts/line-raster.js';
import {thumbnail} from '../parts/head-thumbnail.js';

/** @import {Block, HeadRef} from '../../attention/shape.js' */
/** @import {ModelViewData} from './model-view.js' */
/** @import {Thumbnail} from '../parts/head-thumbnail.js' */
/** @import {shownTokens} from '../../attention/selection.js' */

/** The distance between thumbnails, and from a thumbnail's edge to its lines, in CSS pixels. */
const gap = 4;
const padding = 4;

/**
 * Lays out a button for each head, in rows of layers and columns of heads, over one canvas with all their lines. The
 * grid is one Tab stop, and arrow keys move in it.
 *
 * @typedef {object} ModelGridOptions
 * @property {(place: HeadRef | null) => void} onPoint  gets the thumbnail under pointer or focus; null when left
 * @property {(place: HeadRef) => void} onOpen
 */
export class ModelGrid {
  element = create('div', 'model-scroller');
  #axes = create('p', 'axes', strings.model.axes);
  #canvas = create('canvas');
  #table = create('div', 'thumbnails');
  /** @type {Block} the layers and heads shown */
  #block = {layers: [], heads: []};
  /** @type {HTMLButtonElement[][]} a row for each layer, in the order of the block */
  #buttons = [];
  /** @type {HTMLElement[]} the row headers */
  #layerNames = [];
  /** @type {HeadRef} the thumbnail that the Tab key reaches */
  #stop = {layer: 0, head: 0};
  /** @type {ModelViewData | null} */
  #data = null;
  /** @type {ReturnType<typeof shownTokens> | null} */
  #shown = null;
  /** The width of a thumbnail in CSS pixels. */
  #cell = 0;

  /** @param {ModelGridOptions} options */
  constructor(options) {
    this.#canvas.setAttribute('aria-hidden', 'true');
    labelled(this.#table, 'grid', strings.model.grid);
    this.element.append(this.#axes, create('div', 'sheet', this.#canvas, this.#table));
    const place = (/** @type {Event} */ event) => this.#placeOf(event);
    this.#table.addEventListener('pointerover', (event) => options.onPoint(place(event)));
    this.#table.addEventListener('pointerleave', () => options.onPoint(null));
    this.#table.addEventListener('focusin', (event) => {
      const at = place(event);
      if (at) this.#setStop(at);
      options.onPoint(at);
    });
    this.#table.addEventListener('focusout', () => options.onPoint(null));
    this.#table.addEventListener('click', (event) => {
      const at = place(event);
      if (at) options.onOpen(at);
    });
    this.#table.addEventListener('keydown', (event) => this.#move(event));
    new ResizeObserver(() => this.#resize()).observe(this.element);
  }

  /**
   * @param {ModelViewData} data
   * @param {ReturnType<typeof shownTokens>} shown
   * @param {Block} block  the layers and heads to show
   */
  update(data, shown, block) {
    this.#data = data;
    this.#shown = shown;
    const {selection, isUnmarked = false, dark} = data;
    if (JSON.stringify(block) !== JSON.stringify(this.#block)) this.#build(block);
    this.#buttons.forEach((row, position) => {
      const current = !isUnmarked && block.layers[position] === selection.layer;
      this.#layerNames[position].classList.toggle('current', current);
      row.forEach((button, column) => {
        const head = block.heads[column];
        const chosen = current && selection.heads.includes(head);
        if (chosen) button.setAttribute('aria-current', 'true');
        else button.removeAttribute('aria-current');
        button.style.setProperty('--head', headColour(head, dark));
      });
    });
    this.#cell = 0;
    this.#resize();
  }

  /** @param {HeadRef} place */
  focus(place) {
    this.#buttonAt(place)?.focus();
  }

  /** @param {Block} block */
  #build(block) {
    this.#block = block;
    const {layers, heads} = block;
    const corner = create('div', 'corner');
    corner.setAttribute('role', 'gridcell');
    const top = create('div', 'row', corner);
    for (const head of heads) {
      const name = create('div', 'axis head', String(head));
      top.append(labelled(name, 'columnheader', strings.model.head(head)));
    }
    this.#layerNames = [];
    this.#buttons = layers.map((layer) =>
      heads.map((head) => {
        const button = create('button', 'thumbnail');
        button.type = 'button';
        button.tabIndex = -1;
        button.dataset.layer = String(layer);
        button.dataset.head = String(head);
        button.setAttribute('aria-label', strings.model.place(layer, head));
        return button;
      }),
    );
    const rows = this.#buttons.map((buttons, position) => {
      const layer = layers[position];
      const name = create('div', 'axis layer', String(layer));
      this.#layerNames.push(labelled(name, 'rowheader', strings.model.layer(layer)));
      const cells = buttons.map((button) => {
        const cell = create('div', 'cell', button);
        cell.setAttribute('role', 'gridcell');
        return cell;
      });
      return create('div', 'row', name, ...cells);
    });
    for (const row of [top, ...rows]) row.setAttribute('role', 'row');
    this.#table.replaceChildren(top, ...rows);
    this.#table.style.setProperty('--heads', String(heads.length));
    this.#setStop(this.#buttonAt(this.#stop) ? this.#stop : {layer: layers[0], head: heads[0]});
  }

  /**
   * Makes the thumbnails as large as the width allows, and somewhat smaller or larger than usual if all layers have room
   * in the height. On a small screen, a grid of many heads scrolls. Where `--view-whole` is set, nothing scrolls.
   */
  #resize() {
    const heads = this.#buttons[0]?.length ?? 0;
    const width = this.element.clientWidth;
    if (!heads || !width) return;
    const style = getComputedStyle(this.#table);
    const axis = parseFloat(style.getPropertyValue('--axis'));
    const isWhole = style.getPropertyValue('--view-whole') !== '';
    const [least, usual] = heads > 8 ? [48, 64] : [28, heads > 4 ? 96 : 144];
    const above = this.#axes.offsetHeight + axis;
    const high = parseFloat(getComputedStyle(this.element).maxHeight) - above;
    const sharing = Math.floor(high / this.#buttons.length) - gap;
    const most = isWhole || sharing >= 0.75 * usual ? sharing : usual;
    const fitting = Math.floor((width - axis) / heads) - gap;
    const cell = Math.max(isWhole ? 1 : least, Math.min(most, fitting));
    if (cell === this.#cell) return;
    this.#cell = cell;
    this.#table.style.setProperty('--cell', `${cell}px`);
    this.#draw();
  }

  #draw() {
    const context = this.#canvas.getContext('2d');
    if (!context || !this.#data || !this.#shown) return;
    const {snapshot, dark, ratio = devicePixelRatio, paintHead} = this.#data;
    const {layers, heads} = this.#block;
    const pitch = this.#cell + gap;
    const size = {width: heads.length * pitch - gap, height: layers.length * pitch - gap};
    resizeCanvas(this.#canvas, size, ratio);
    const inner = Math.round((this.#cell - 2 * padding) * ratio);
    const pixels = {width: inner, height: inner, thickness: Math.max(1, Math.round(ratio))};
    const image = context.createImageData(inner, inner);
    if (!snapshot.isDifference) this.#axes.textContent = strings.model.axes;
    const limit = snapshot.isDifference ? this.#showLimit() : 1;
    const partsOf = (/** @type {Thumbnail} */ content) =>
      snapshot.isDifference ? [partOf(content, 1 / limit), partOf(content, -1 / limit)] : [content];
    const pixelsTo = (/** @type {number} */ position) =>
      Math.round((position * pitch + padding) * ratio);
    const lift = opacityPower(dark, snapshot.isDifference);
    const {positive, negative} = coloursOfNumbers(dark);
    /** A measure of all heads has the same weights in each. @type {Map<Float32Array, Float64Array[]>} */
    const rasters = new Map();
    for (const [row, layer] of layers.entries()) {
      for (const [column, head] of heads.entries()) {
        const content = thumbnail(snapshot, this.#shown, layer, head);
        if (!content) continue;
        const [x, y] = [pixelsTo(column), pixelsTo(row)];
        const colour = headColour(head, dark);
        // A lift acts on a pixel's opacity, not on each line's, so `paintHead` cannot draw it.
        if (paintHead && lift === 1) {
          context.save();
          context.setTransform(1, 0, 0, 1, x, y);
          context.fillStyle = colour;
          const isPainted = paintHead(context, content, pixels);
          context.restore();
          if (isPainted) continue;
        }
        const [opacities, less] = remembered(rasters, content.weights, () =>
          partsOf(content).map((part) => rasterizeHead(part, pixels)),
        );
        if (less) paintTwo(image, [opacities, less], [positive, negative], lift);
        else paintOpacities(image, opacities, colour, lift);
        context.putImageData(image, x, y);
      }
    }
  }

  /** Shows which weight has the full colour. In a difference, which may be small, the largest has. @returns {number} */
  #showLimit() {
    const {layers, heads} = this.#block;
    const matrices = layers.flatMap((layer) =>
      heads.map((head) => ({
        weights:
          (this.#data && attentionOf(this.#data.snapshot, layer, head)) ?? new Float32Array(),
      })),
    );
    const limit = limitFor(largestOf(matrices));
    this.#axes.textContent = `${strings.model.axes} · ${strings.view.fullAt(limit)}`;
    return limit;
  }

  /** @param {HeadRef} place */
  #setStop(place) {
    this.#buttonAt(this.#stop)?.setAttribute('tabindex', '-1');
    this.#stop = place;
    this.#buttonAt(place)?.setAttribute('tabindex', '0');
  }

  /** @param {HeadRef} place */
  #buttonAt({layer, head}) {
    return this.#buttons[this.#block.layers.indexOf(layer)]?.[this.#block.heads.indexOf(head)];
  }

  /** @param {Event} event @returns {HeadRef | null} */
  #placeOf(event) {
    const button = /** @type {Element} */ (event.target).closest('button');
    return button ? {layer: Number(button.dataset.layer), head: Number(button.dataset.head)} : null;
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    if (event.altKey || event.metaKey) return;
    const {layers, heads} = this.#block;
    const row = layers.indexOf(this.#stop.layer);
    const column = heads.indexOf(this.#stop.head);
    if (!Object.hasOwn(gridMoves, event.key)) return;
    event.preventDefault();
    const [down, right] = gridMoves[event.key];
    // With Ctrl, Home and End go to the corners.
    const isCorner = event.ctrlKey && !Number.isFinite(right);
    const within = (/** @type {number} */ at, /** @type {readonly number[]} */ list) =>
      list[Math.max(0, Math.min(list.length - 1, at))];
    const layer = within(row + (isCorner ? right : down), layers);
    this.focus({layer, head: within(column + right, heads)});
  }
}

/** The weights that are positive when multiplied by a number. @param {Thumbnail} content @param {number} factor @returns {Thumbnail} */
function partOf(content, factor) {
  const weights = content.weights.map((weight) => Math.max(0, weight * factor));
  return {...content, weights};
}
