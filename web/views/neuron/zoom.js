import {strings} from '../../strings/index.js';
import {create} from '../parts/create-element.js';
import {row} from '../../attention/head-arithmetic.js';
import {cellWidth, clearTo, drawBand} from './canvas.js';
import {pointIn, setSize} from '../parts/element-size.js';
import {numbersOf} from './tooltip.js';
import {tokenName} from '../parts/token-names.js';

/** @import {Focus, Ink} from './canvas.js' */
/** @import {NeuronScene, QueryScene} from './scene.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/** The distance between bands, the height of a band and the largest width of a cell, in CSS pixels. */
const pitch = 18;
const bandHeight = 14;
const widestCell = 24;

/** Shows one query and one key with larger bands, and the numbers of one dimension. */
export class NeuronZoom {
  element = create('section', 'zoom');
  #onDimension;
  #title = create('p', 'zoom-title');
  #canvas = create('canvas');
  #slider = create('input');
  #products = create('p', 'zoom-line');
  #sums = create('p', 'zoom-line');
  /** @type {{head: NeuronScene, scene: QueryScene, focus: Focus, ink: Ink} | null} */
  #content = null;
  #cell = 0;
  /** The width that the observer last reported, in CSS pixels: reading it at each move would force a layout. */
  #room = 0;
  /** @type {{key: string, width: number, size: {width: number, height: number}} | null} */
  #placed = null;
  /** The position of the bands, right of their names, in CSS pixels. */
  #left = 0;

  /**
   * @param {(dimension: number | null, isKept: boolean) => void} onDimension  gets the dimension under the pointer, or
   *   the chosen one with `isKept`
   */
  constructor(onDimension) {
    this.#onDimension = onDimension;
    this.element.setAttribute('aria-label', strings.neuron.zoom);
    this.#canvas.setAttribute('aria-hidden', 'true');
    this.#slider.type = 'range';
    this.#slider.min = '0';
    this.#slider.setAttribute('aria-label', strings.neuron.dimension);
    this.#slider.addEventListener('input', () => onDimension(Number(this.#slider.value), true));
    this.#canvas.addEventListener('pointermove', (event) => this.#point(event, false));
    this.#canvas.addEventListener('click', (event) => this.#point(event, true));
    this.#canvas.addEventListener('pointerleave', () => onDimension(null, false));
    this.element.append(this.#title, this.#canvas, this.#slider, this.#products, this.#sums);
    new ResizeObserver(([{contentRect}]) => {
      this.#room = contentRect.width;
      this.#draw();
    }).observe(this.element);
  }

  /**
   * @param {{head: NeuronScene, scene: QueryScene, focus: Focus, ink: Ink}} content
   * @param {Snapshot} snapshot
   */
  update(content, snapshot) {
    this.#content = content;
    const {head, scene, focus} = content;
    const {headDim} = scene.arithmetic;
    const {product, weighted, score} = numbersOf(head, scene, focus);
    this.#title.replaceChildren(
      ...tokenName(snapshot, 'query', scene.query),
      ' → ',
      ...tokenName(snapshot, 'key', focus.key),
      `${strings.text.comma}${strings.neuron.inDimension(focus.dimension)}`,
    );
    this.#products.textContent = `${product}; ${weighted}`;
    this.#sums.textContent = score;
    this.#slider.max = String(headDim - 1);
    this.#slider.value = String(focus.dimension);
    this.#slider.setAttribute(
      'aria-valuetext',
      `${strings.neuron.inDimension(focus.dimension)}: ${product}`,
    );
    this.#draw();
  }

  #draw() {
    const context = this.#canvas.getContext('2d');
    if (!context || !this.#content || !this.#room) return;
    const {head, scene, focus, ink} = this.#content;
    const {arithmetic, typical} = scene;
    const {headDim} = arithmetic;
    const {columns} = strings.neuron;
    const bands = [
      {name: columns.query, numbers: arithmetic.query, typical: typical.vector},
      {name: columns.key, numbers: head.vectors.keys, typical: typical.vector},
      {name: columns.product, numbers: arithmetic.products, typical: typical.product},
      {name: columns.value, numbers: head.vectors.values, typical: typical.value},
      {name: columns.weighted, numbers: arithmetic.weighted, typical: typical.weighted},
      {name: strings.neuron.output, numbers: arithmetic.output, typical: typical.output},
    ];
    const ratio = devicePixelRatio;
    const names = bands.map(({name}) => name);
    const {width, size} = this.#place(context, {names, headDim, ratio, font: ink.font});
    clearTo(context, size, ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = ink.font;
    context.textBaseline = 'middle';
    bands.forEach(({name, numbers, typical: typicalOfBand}, i) => {
      const top = 2 + i * pitch;
      context.fillStyle = ink.text;
      context.fillText(name, 0, top + bandHeight / 2);
      drawBand(context, numbers.length === headDim ? numbers : row(numbers, focus.key, headDim), {
        span: {left: this.#left, width},
        top,
        height: bandHeight,
        typical: typicalOfBand,
        marked: focus.dimension,
        ratio,
        ink,
      });
    });
  }

  /**
   * Computes the size of the bands, again only if something that it depends on has changed.
   *
   * @param {CanvasRenderingContext2D} context
   * @param {{names: string[], headDim: number, ratio: number, font: string}} wanted
   */
  #place(context, wanted) {
    const key = JSON.stringify([wanted, this.#room]);
    if (this.#placed?.key === key) return this.#placed;
    const {names, headDim, ratio, font} = wanted;
    context.font = font;
    this.#left = Math.ceil(Math.max(...names.map((name) => context.measureText(name).width))) + 8;
    const width = Math.min(this.#room - this.#left - 2, headDim * widestCell);
    this.#cell = cellWidth(width, headDim, ratio);
    const size = {width: this.#left + this.#cell * headDim + 2, height: names.length * pitch + 4};
    setSize(this.#canvas, size);
    this.#slider.style.width = `${this.#cell * headDim}px`;
    this.#slider.style.marginInlineStart = `${this.#left}px`;
    this.#placed = {key, width, size};
    return this.#placed;
  }

  /**
   * @param {PointerEvent | MouseEvent} event
   * @param {boolean} isKept
   */
  #point(event, isKept) {
    const headDim = this.#content?.scene.arithmetic.headDim ?? 0;
    const {x} = pointIn(this.#canvas, event);
    const dimension = Math.floor((x - this.#left) / this.#cell);
    if (dimension >= 0 && dimension < headDim) this.#onDimension(dimension, isKept);
  }
}
