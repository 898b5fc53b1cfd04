import {strings} from '../../strings/index.js';
import {create} from '../parts/create-element.js';

/** @import {MatrixScene} from './scene.js' */

/** Tells above the heat map how to read it and what its colours mean, and has buttons for its size. */
export class MatrixBar {
  #scale = create('span', 'scale');
  #limits = {low: create('span'), high: create('span')};
  #out = button('−', strings.matrix.zoomOut);
  #in = button('+', strings.matrix.zoomIn);
  #fit = button(strings.matrix.fit);
  element = create(
    'div',
    'matrix-bar',
    create('span', 'direction', strings.matrix.direction),
    create('span', 'legend', this.#limits.low, this.#scale, this.#limits.high),
    create('span', 'sizes', this.#out, this.#in, this.#fit),
  );

  /** @param {{in: () => void, out: () => void, fit: () => void}} zoom */
  constructor(zoom) {
    this.#in.addEventListener('click', zoom.in);
    this.#out.addEventListener('click', zoom.out);
    this.#fit.addEventListener('click', zoom.fit);
  }

  /**
   * @param {MatrixScene} scene
   * @param {readonly (readonly number[])[]} colours
   */
  showScale({limit, isDifference}, colours) {
    this.#limits.low.textContent = isDifference ? `−${limit}` : '0';
    this.#limits.high.textContent = isDifference ? `+${limit}` : String(limit);
    const steps = [0, 64, 128, 191, 255].map((i) => `rgb(${colours[i].join(' ')})`);
    this.#scale.style.background = `linear-gradient(to right, ${steps.join(', ')})`;
  }

  /** @param {{canShrink: boolean, canGrow: boolean}} zoom */
  enable({canShrink, canGrow}) {
    this.#out.disabled = this.#fit.disabled = !canShrink;
    this.#in.disabled = !canGrow;
  }
}

/** @param {string} text @param {string} [label] */
function button(text, label) {
  const element = create('button', '', text);
  element.type = 'button';
  if (label) element.setAttribute('aria-label', label);
  return element;
}
