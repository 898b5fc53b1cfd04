import {strings} from '../../strings/index.js';
import {create} from '../parts/create-element.js';
import {meanOfMatrices} from '../../attention/weights.js';
import {pointIn, resizeCanvas} from '../parts/element-size.js';
import {paintOpacities, rasterizeHead} from '../parts/line-raster.js';

/** @import {Scene} from './scene.js' */

/** @typedef {Pick<HTMLElement, 'scrollTop' | 'scrollHeight' | 'clientHeight'>} Scrolled */

/** The width, and the height that the buttons take above the map, in CSS pixels. */
const width = 44;
const buttonRoom = 100;

/**
 * Shows all lines of a text that is longer than the visible part, marks that part, and has buttons that change the
 * height of the rows. A click or a drag scrolls to the place under the pointer.
 */
export class Minimap {
  element = create('div', 'minimap');
  #scroller;
  #canvas = create('canvas');
  #frame = create('div', 'frame');
  #sheet = create('div', 'sheet', this.#canvas, this.#frame);
  #out = button('−', strings.minimap.out);
  #in = button('+', strings.minimap.in);
  #height = 0;
  /** The data that is drawn, or is about to be. @type {Scene | null} */
  #scene = null;

  /**
   * @param {HTMLElement} scroller
   * @param {(factor: number) => void} onZoom
   */
  constructor(scroller, onZoom) {
    this.#scroller = scroller;
    this.element.hidden = true; // Most texts need none, so its place is not kept for it.
    this.#sheet.setAttribute('aria-hidden', 'true');
    this.#sheet.title = strings.minimap.title;
    this.element.append(create('div', 'sizes', this.#in, this.#out), this.#sheet);
    this.#in.addEventListener('click', () => onZoom(1.5));
    this.#out.addEventListener('click', () => onZoom(1 / 1.5));
    scroller.addEventListener('scroll', () => this.follow(), {passive: true});
    this.#sheet.addEventListener('pointerdown', (event) => {
      this.#sheet.setPointerCapture(event.pointerId);
      this.#go(event);
    });
    this.#sheet.addEventListener('pointermove', (event) => {
      if (this.#sheet.hasPointerCapture(event.pointerId)) this.#go(event);
    });
  }

  /**
   * Draws the mean of the active heads in a later task, after the picture, unless other data has come by then.
   *
   * @param {Scene} scene
   * @param {number} visible  the visible height of the picture, in CSS pixels
   */
  drawLater(scene, visible) {
    if (scene === this.#scene) return;
    this.#scene = scene;
    setTimeout(() => {
      if (scene === this.#scene && scene.matrices.length) this.#draw(scene, visible - buttonRoom);
    });
  }

  /** @param {Scene} scene @param {number} height  in CSS pixels */
  #draw(scene, height) {
    this.#height = height;
    this.#sheet.style.height = `${height}px`;
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    resizeCanvas(this.#canvas, {width, height}, devicePixelRatio);
    const pixels = {width: this.#canvas.width, height: this.#canvas.height};
    const image = context.createImageData(pixels.width, pixels.height);
    const mean = {...scene, weights: meanOfMatrices(scene), drawn: scene};
    const opacities = rasterizeHead(mean, {...pixels, thickness: 1});
    paintOpacities(image, opacities, scene.matrices[0].colour);
    context.putImageData(image, 0, 0);
    this.follow();
  }

  /** Marks the visible part. @param {Scrolled} scrolled */
  follow({scrollTop, scrollHeight, clientHeight} = this.#scroller) {
    const scale = this.#height / scrollHeight;
    this.#frame.style.transform = `translateY(${scrollTop * scale}px)`;
    this.#frame.style.height = `${Math.max(4, clientHeight * scale)}px`;
  }

  /** @param {{canGrow: boolean, canShrink: boolean}} zoom */
  enable({canGrow, canShrink}) {
    this.#in.disabled = !canGrow;
    this.#out.disabled = !canShrink;
  }

  /** @param {PointerEvent} event */
  #go(event) {
    const {scrollHeight, clientHeight} = this.#scroller;
    const share = pointIn(this.#sheet, event).y / this.#height;
    this.#scroller.scrollTop = share * scrollHeight - clientHeight / 2;
  }
}

/** @param {string} text @param {string} label */
function button(text, label) {
  const element = create('button', 'size', text);
  element.type = 'button';
  element.setAttribute('aria-label', label);
  return element;
}
